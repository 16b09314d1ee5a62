/** Whether the server takes a name, or knows a key, asked on a connection of its own: whoever asks stays who they are
 * meanwhile. */

import { openSocket, readFrame, writeFrame } from "./connection.js";
import { Refused } from "./requests.js";

/** @typedef {import("./messages.js").Message} Message */

const WITHIN_MS = 10_000;

/** The `welcome` for a `hello`. Without a token in it one has the name from then on by that of the welcome; with one it has to
 * be that of a player who is kept. Rejects with `Refused`, by `unreachable` where there is no answer, by `not_found` where
 * there is no such player. @param {string} url @param {boolean} json @param {Message} hello @returns {Promise<Message>} */
export function welcomeFor(url, json, hello) {
  const socket = openSocket(url, json);
  let timer = 0;
  /** @type {Promise<Message>} */
  const answer = new Promise((resolve, reject) => {
    const fail = () => reject(new Refused("unreachable", "no answer"));
    timer = window.setTimeout(fail, WITHIN_MS);
    socket.onopen = () => socket.send(writeFrame(hello, json));
    socket.onclose = fail;
    /** @type {Message | null} */
    let welcome = null;
    socket.onmessage = ({ data }) => {
      const message = readFrame(data);
      if (message?.tag === "welcome") {
        welcome = message;
        if (hello.token) socket.send(writeFrame({ tag: "profile", r: 1 }, json));
        else resolve(welcome);
      } else if (message?.tag === "profile" && welcome) resolve(welcome);
      else if (message?.tag === "error") reject(new Refused(message.code, message.text, message.facts));
    };
  });
  return answer.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}
