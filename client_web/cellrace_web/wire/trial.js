/** Whether the server takes a name, asked on a connection of its own: whoever asks stays who they are meanwhile. */

import { openSocket, readFrame, writeFrame } from "./connection.js";
import { Refused } from "./requests.js";

/** @typedef {import("./messages.js").Message} Message */

const WITHIN_MS = 10_000;

/** The `welcome` for a `hello` without a token: by the token in it one has the name from then on. Rejects with `Refused`,
 * by `unreachable` where there is no answer. @param {string} url @param {boolean} json @param {Message} hello
 * @returns {Promise<Message>} */
export function welcomeFor(url, json, hello) {
  const socket = openSocket(url, json);
  let timer = 0;
  /** @type {Promise<Message>} */
  const answer = new Promise((resolve, reject) => {
    const fail = () => reject(new Refused("unreachable", "no answer"));
    timer = window.setTimeout(fail, WITHIN_MS);
    socket.onopen = () => socket.send(writeFrame(hello, json));
    socket.onclose = fail;
    socket.onmessage = ({ data }) => {
      const message = readFrame(data);
      if (message?.tag === "welcome") resolve(message);
      else if (message?.tag === "error") reject(new Refused(message.code, message.text, message.facts));
    };
  });
  return answer.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}
