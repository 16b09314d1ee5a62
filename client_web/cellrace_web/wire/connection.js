/** The connection to the server: says hello, asks, hears, and comes back by itself. */

import { ComingBack, FINAL } from "./coming-back.js";
import { decode, encode } from "./msgpack.js";
import { readMessage, writeMessage } from "./messages.js";
import { Refused, Requests } from "./requests.js";

/** @typedef {import("./messages.js").Message} Message */
/** `ended`: for good, until the page is loaded again. @typedef {"off" | "connecting" | "on" | "lost" | "ended"} Being */
/**
 * @typedef {object} Owner
 * @property {() => Message} hello
 * @property {(welcome: Message) => void} welcomed everything has to be taken up again
 * @property {() => void} broken the connection is gone, and what it gave numbers to
 * @property {(message: Message) => void} hear what is no answer
 * @property {() => boolean} listens whether something is to be heard though nothing is asked
 * @property {(being: Being) => void} changed
 */

const TRY_AGAIN = ["unavailable", "busy", "slow_down"];
const SILENCE_MS = 6_000;
const QUIET_MS = 10_000; // the server's pings are not seen here: after so long it is asked whether it is there

/** A connection that begins. @param {string} url @param {boolean} json */
export function openSocket(url, json) {
  const socket = new WebSocket(url, [json ? "cellrace.1.json" : "cellrace.1.msgpack"]);
  socket.binaryType = "arraybuffer";
  return socket;
}

/** @param {Message} message @param {boolean} json */
export function writeFrame(message, json) {
  const values = writeMessage(message);
  return json ? JSON.stringify(values) : encode(values);
}

/** @param {string | ArrayBuffer} data */
export const readFrame = (data) => readMessage(typeof data === "string" ? JSON.parse(data) : decode(new Uint8Array(data)));

export class Connection {
  /** @param {string} url @param {Owner} owner @param {boolean} [json] readable frames, for looking at them */
  constructor(url, owner, json = false) {
    this.url = url;
    this.owner = owner;
    this.json = json;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Being} */
    this.being = "off";
    this.comingBack = new ComingBack();
    this.timer = 0;
    this.awayUntil = 0;
    this.requests = new Requests();
    this.expectedBy = 0;
    this.heardAt = 0;
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.drop());
    document.addEventListener("visibilitychange", () => !document.hidden && this.wake());
    setInterval(() => this.attend(), 1_000);
  }

  /** The network, or who looks at the page, is back: so is the connection, or it is found to be dead. */
  wake() {
    if (this.being === "lost") this.open();
    else this.probe();
  }

  /** Notice a connection that is dead, though nobody says so. */
  attend() {
    const now = performance.now();
    if (this.expectedBy && now > this.expectedBy) this.drop();
    else if (now >= this.heardAt + QUIET_MS && !document.hidden && this.owner.listens()) this.probe();
  }

  /** Ask what the server answers out of its memory, unless an answer is awaited anyway: whether one comes is all there is
   * to learn. */
  probe() {
    if (!this.expectedBy) this.send([{ tag: "races", r: this.requests.number() }]);
  }

  /** @param {Being} being */
  be(being) {
    if (this.being === being) return;
    this.being = being;
    this.owner.changed(being);
  }

  /** Connect now, unless that is so already, or the server wants us to stay away, for a while or for good. */
  open() {
    if (this.socket || this.being === "ended" || performance.now() < this.awayUntil) return;
    clearTimeout(this.timer);
    this.be(this.being === "lost" ? "lost" : "connecting");
    const socket = openSocket(this.url, this.json);
    this.socket = socket;
    this.expectedBy = performance.now() + SILENCE_MS;
    socket.onopen = () => this.post(this.owner.hello());
    socket.onmessage = (event) => socket === this.socket && this.heard(event.data);
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
  }

  /** Whether somebody waits for an answer. */
  get isAsked() {
    return this.requests.asked.size > 0;
  }

  /** @param {string | ArrayBuffer} data */
  heard(data) {
    this.expectedBy = 0;
    this.heardAt = performance.now();
    const message = readFrame(data);
    if (!message) return;
    if (message.tag === "welcome") this.welcomed(message);
    else if (message.tag === "error" && message.r) this.refused(message);
    // What hears `in` has to know before the messages behind it come.
    else if (!message.r || !this.requests.answered(message)) this.owner.hear(message);
  }

  /** @param {Message} welcome */
  welcomed(welcome) {
    this.comingBack.welcomed(performance.now());
    this.be("on");
    this.owner.welcomed(welcome);
    this.sendDue();
  }

  /** @param {Message} error */
  refused({ r, code, text, retry_after, facts }) {
    if (!TRY_AGAIN.includes(code) || !retry_after) return this.requests.failed(r, new Refused(code, text, facts));
    const { socket } = this;
    setTimeout(() => this.socket === socket && this.askAgain(r), retry_after); // on another it was asked again already
  }

  /** @param {number} r */
  askAgain(r) {
    this.requests.again(r);
    this.sendDue();
  }

  /** @param {number} code */
  closed(code) {
    this.socket = null;
    this.expectedBy = 0;
    this.requests.lost();
    this.owner.broken();
    if (FINAL.includes(code)) return this.end();
    this.be("lost");
    const { away, pause } = this.comingBack.closed(code, performance.now());
    this.awayUntil = performance.now() + away;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), away + pause);
  }

  /** The server does not understand this page, which is broken, or older than the server. */
  end() {
    this.be("ended");
    this.requests.failAll(new Refused("page_broken", ""));
  }

  /** Give a connection up that has gone quiet, and begin another. */
  drop() {
    const socket = this.socket;
    if (!socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    this.closed(1006);
  }

  /** Something is to be answered soon, or the connection counts as dead. */
  expect() {
    this.expectedBy ||= performance.now() + SILENCE_MS;
  }

  /** Say something, if there is a connection; what is lost is said again by whoever keeps it. @param {Message} message */
  post(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(writeFrame(message, this.json));
  }

  /** Say what is answered, if there is a connection. @param {Message[]} messages */
  send(messages) {
    this.tell(...messages);
    if (this.being === "on" && messages.length) this.expect();
  }

  /** Say what may stay without an answer, if there is a connection. @param {...Message} messages */
  tell(...messages) {
    if (this.being === "on") for (const message of messages) this.post(message);
  }

  /** Send what was asked and can be said now. */
  sendDue() {
    if (this.being === "on") this.send(this.requests.due());
  }

  /** Ask something; asked again on a new connection. Rejects with `Refused`. @param {import("./requests.js").Make} make
   * @returns {Promise<Message>} */
  ask(make) {
    if (this.being === "ended") return Promise.reject(new Refused("page_broken", ""));
    const answer = this.requests.begin(make);
    if (this.being === "on") this.sendDue();
    else this.open();
    return answer;
  }
}
