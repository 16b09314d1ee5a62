/** One race on this client: what is known of it, what one does in it, and coming back to it. */

import { boardText, checksum, readBoard } from "../game/board.js";
import { moveText } from "../game/notation.js";
import { reasonAgainst } from "../game/referee.js";
import { readRules } from "../game/rules.js";
import { TakenBack } from "../game/taken-back.js";
import { scoresOf } from "../series.js";
import { judged } from "./left.js";
import { readRow } from "./messages.js";
import { Model, OutOfStep, isDone } from "./model.js";
import { Prediction } from "./prediction.js";
import { Session } from "./session.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("./session.js").Action} Action */
/** @typedef {import("./session.js").Heard} Heard */
/** @typedef {import("../game/referee.js").Refusal} Refusal */

/** How many of these actions in a race, by its name, another window of this browser has taken along.
 * @typedef {(race: string, unsaid: import("./session.js").Unsaid[]) => number} GoneAlong */
/** `tell` is for what may stay without an answer.
 * @typedef {{send: (messages: Message[]) => void, tell: (...messages: Message[]) => void}} Speaker */
/**
 * @typedef {object} Watcher
 * @property {(message: Message | null) => void} changed something is different; the message that said so
 * @property {(refusal: Refusal & {text?: string}) => void} [refused] the server refused what was shown already; where there
 *   is none, that counts as missing
 * @property {() => void} takenOver another connection has the seat
 * @property {(error: Error) => void} lost the race cannot be taken up on the new connection
 */

/** Within which another window that goes on with a race takes along what is under way here. */
const ALONG_MS = 1_000;

/** @param {import("../game/line.js").Line | null | undefined} line */
const sumOf = (line) => (line ? checksum(boardText(line.board)) : -1);

export class Race {
  /** @param {Speaker} connection @param {Message} entered @param {() => number} now @param {GoneAlong} goneAlong */
  constructor(connection, entered, now, goneAlong) {
    this.connection = connection;
    this.now = now;
    this.goneAlong = goneAlong;
    this.session = new Session(entered);
    /** @type {Model | null} */
    this.model = null;
    /** @type {Prediction | null} */
    this.prediction = null;
    this.takenBack = new TakenBack();
    /** @type {Map<number, import("./model.js").Ghost>} */
    this.ghosts = new Map();
    this.isTakenOver = false;
    this.unmade = 0; // so many of one's own actions may be missing: the race went on without them
    this.isUnmadeTold = false;
    /** @type {import("../held.js").Kept[]} what windows have left, to be judged when the board is here */
    this.remains = [];
    /** @type {import("./session.js").Unsaid[]} what was under way here when the seat was taken, and may have gone along */
    this.lost = [];
    this.isRematch = false; // those of an earlier race meet in it
    this.isBrought = false; // the server has brought us to it, unasked
    /** @type {import("../series.js").Score[]} how its series stood after the race before */
    this.before = [];
    this.missed = ""; // why one has no seat, by the code of the refusal, though one has asked for it
    this.placed = ""; // where a run of the day stands, in words
    this.isShared = false; // one has opened it oneself, and may have a link to send
    /** @type {import("../stand-in.js").StandIn | null} where strangers are waited for */
    this.standIn = null;
    /** @type {((turned?: AbortSignal) => Promise<Race>) | null} asks for another race like it, where strangers are waited for */
    this.again = null;
    /** @type {Watcher | null} */
    this.watcher = null;
    /** @type {Map<string, Message>} said without a number: said again until it is so */
    this.wishes = new Map();
    this.isPutOff = false; // what has no number came too fast
    this.isLooking = false; // for a snapshot
  }

  get ch() {
    return this.session.ch;
  }

  get seat() {
    return this.session.seat;
  }

  /** One's own seat; `undefined` for who looks on. */
  get mine() {
    return this.model?.seats[this.model.you];
  }

  /** The other seats that somebody has. */
  get others() {
    return (this.model?.seats ?? []).filter((seat, index) => seat.player && index !== this.model?.you);
  }

  /** Whether one plays on though all others have given up. */
  get isLastOne() {
    return this.stage === "play" && this.others.length > 0 && this.others.every((seat) => seat.gave_up);
  }

  /** Whether one is about to play it, or plays it. */
  get isUnderWay() {
    return this.seat >= 0 && !this.session.ended && !this.wishes.has("leave") && ["countdown", "play"].includes(this.stage);
  }

  /** How far the race is here: `taken`, `waiting` for what it shows, `lobby`, `countdown`, `play`, `done`
   * where others still play, `watch` or `ended`. */
  get stage() {
    if (this.isTakenOver && !(this.model && this.session.ended)) return "taken"; // a result is there in any number of windows
    if (!this.model) return "waiting";
    const { phase, you } = this.model;
    if (phase !== "running") return phase;
    if (you < 0) return "watch";
    if (this.mine && isDone(this.mine)) return "done";
    return this.prediction ? "play" : "waiting";
  }

  /** A message on this race's channel. @param {Message} message */
  hear(message) {
    if (message.tag === "notice") {
      if (message.code === "taken_over") this.takenOver();
      return;
    }
    if (message.tag === "ghost") {
      const steps = message.steps.map((/** @type {any[]} */ row) => readRow("step", row));
      this.ghosts.set(message.index, { run: message.run, name: message.name, time: message.time, steps });
    } else if (message.tag === "watching") {
      if (this.model) this.model.spectators = message.spectators;
    } else this.happened(message);
    this.watcher?.changed(message);
  }

  /** What is without an answer, for other windows and the page after this one. */
  get unsaid() {
    return [...this.remains.flatMap(({ unsaid }) => unsaid), ...this.session.unsaid, ...this.lost];
  }

  /** How many actions may be missing so far, those included of windows that have left. */
  get missing() {
    return this.remains.reduce((all, { unmade }) => all + unmade, this.unmade);
  }

  /** Another connection has the seat: what was under way would be sent with the numbers of others. */
  takenOver() {
    this.lose(this.session.unsaid);
    const open = this.session.allRefused("taken_over");
    this.prediction?.answered(open.map(({ ticket }) => ticket));
    this.takenBack.forget();
    this.wishes.clear();
    this.isTakenOver = true;
    this.channelLost();
    this.watcher?.takenOver();
  }

  /** What was without an answer when another connection took the seat may be missing, unless it goes along with another
   * window of this browser. @param {import("./session.js").Unsaid[]} unsaid */
  lose(unsaid) {
    this.lost.push(...unsaid);
    if (unsaid.length) setTimeout(() => this.miss(), ALONG_MS);
  }

  miss() {
    const lost = this.lost.splice(0);
    if (!lost.length) return;
    this.unmade += lost.length - this.goneAlong(this.session.race, lost);
    this.watcher?.changed(null);
  }

  /** Go on with what windows have left, when the snapshot that comes tells on which board. @param {import("../held.js").Kept[]} remains */
  takeUp(remains) {
    this.remains.push(...remains);
  }

  /** Send of what was left what fits on the board that stands; the rest may be missing. */
  judgeRemains() {
    const remains = this.remains.splice(0);
    if (!remains.length) return;
    const board = this.mine?.board ? checksum(boardText(this.mine.board)) : -1;
    const isOpen = this.stage === "play" && !this.session.waiting;
    const { send, missing } = judged(remains.map(({ unsaid }) => unsaid), this.session.next, board, isOpen);
    this.unmade += remains.reduce((all, { unmade }) => all + unmade, missing);
    this.connection.send(send.flatMap(({ action, on, to }) => this.session.act(action, () => ({ on, to })).send));
  }

  /** @param {Message} message */
  happened(message) {
    if (message.tag === "no" && message.n === 0 && message.retry_after) return this.putOff(message.retry_after);
    const heard = this.session.hear(message);
    this.forgetWishes(message);
    if (heard.lost) this.look();
    if (message.tag === "snap") this.begin(message);
    else if (message.tag !== "no" && !heard.seen && !this.isLooking) this.apply(message);
    this.heed(heard);
  }

  /** @param {Message} snap */
  begin(snap) {
    this.isLooking = false;
    this.isRematch ||= snap.game > 1; // of a series
    this.model = new Model(snap, this.now());
    this.model.ghosts = this.ghosts;
    if (snap.game > 1 && this.model.phase !== "ended") this.remember(scoresOf(this.model));
    const { you, seats, start, rules } = this.model;
    const seat = you >= 0 ? seats[you] : undefined;
    const shown = this.shownText;
    this.prediction = seat?.board && start ? new Prediction(readRules(rules), readBoard(start), seat.board, seat.moves, seat.points) : null;
    this.judgeRemains();
    for (const { ticket, action } of [...this.session.sent, ...this.session.kept]) this.prediction?.act(ticket, action);
    if (this.shownText !== shown) this.takenBack.forget();
  }

  /** One's own board as it is shown. */
  get shownText() {
    return this.prediction ? boardText(this.prediction.shown.board) : "";
  }

  /** What the players of a series have won stays known when they are not there. @param {import("../series.js").Score[]} scores */
  remember(scores) {
    const isNew = (/** @type {import("../series.js").Score} */ old) => scores.every(({ player }) => player !== old.player);
    this.before = [...this.before.filter(isNew), ...scores];
  }

  /** @param {Message} message */
  apply(message) {
    const model = this.model;
    if (!model) return;
    try {
      model.apply(message, this.now());
    } catch (error) {
      if (!(error instanceof OutOfStep)) throw error;
      this.look();
      return;
    }
    const mine = model.seats[model.you];
    if (message.tag === "go" && mine?.board) this.prediction = new Prediction(readRules(model.rules), mine.board, mine.board);
    if (message.tag === "joined" && model.snap.game > 1) this.look(); // for how many races of the series they have won
    if (message.tag === "a" && mine?.board) {
      this.prediction?.applied(/** @type {any} */ (message), mine.board, mine.moves, mine.points);
    }
  }

  /** @param {Heard} heard */
  heed(heard) {
    const answered = [...heard.applied, ...heard.refused.map((one) => one.ticket)];
    if (answered.length) this.prediction?.answered(answered);
    if (heard.refused.length) this.takenBack.forget();
    const tell = this.seat < 0 ? undefined : this.watcher?.refused;
    if (this.session.ended || !tell) this.unmade += heard.refused.filter(({ ticket }) => ticket).length; // they came too late
    for (const { code, text } of heard.refused) if (code !== "out_of_order") tell?.({ reason: code, text });
    this.connection.send(heard.send);
    if (heard.retryAfter) setTimeout(() => this.connection.send(this.session.again()), heard.retryAfter);
  }

  /** Ask for a snapshot, unless one is coming; facts are passed over until it is there. */
  look() {
    if (this.isLooking) return;
    this.isLooking = true;
    this.connection.send(this.here({ tag: "look" }));
  }

  /** Messages as they are said on the channel: none where there is none. @param {...Message} messages */
  here(...messages) {
    const { ch } = this;
    return ch === null ? [] : messages.map((message) => ({ ...message, ch }));
  }

  /** Do something at once; what cannot be is refused here. @param {Action} action @returns {Refusal | null} */
  act(action) {
    if (!this.prediction && !("tag" in action && action.tag === "giveup")) return { reason: "not_started" };
    const refusal = this.prediction?.reasonAgainst(action) ?? null;
    if (refusal) return refusal;
    const before = this.prediction?.known ?? null;
    /** @type {import("../game/line.js").Line | null} */
    let after = null;
    const { ticket, send } = this.session.act(action, () => ({ on: sumOf(before), to: sumOf(after) }));
    const shown = this.prediction?.shown;
    this.prediction?.act(ticket, action);
    after = this.prediction?.known ?? null;
    if (this.prediction && shown) this.takenBack.done(action, shown, this.prediction.shown);
    this.connection.send(send);
    this.watcher?.changed(null);
    return null;
  }

  /** Make the move again that was taken back last: for the server it is a move like others. @returns {Refusal | null} */
  redo() {
    const line = this.prediction?.shown;
    const move = this.takenBack.next;
    if (!line) return { reason: "not_started" };
    if (!move) return { reason: "nothing_to_redo" };
    return reasonAgainst(line.board, move, line.rules) ?? this.act({ move: moveText(move, line.board, line.rules) });
  }

  /** Say something that has no number: `ready`, `start`, `leave`. @param {string} tag @param {Record<string, unknown>} [more] */
  wish(tag, more = {}) {
    this.wishes.set(tag, { tag, ...more });
    this.connection.send(this.here({ tag, ...more }));
  }

  /** Leave a race that has not begun; there when the seat is free, or was none. Its watcher hears nothing more of it.
   * @returns {Promise<void>} */
  left() {
    return new Promise((resolve) => {
      const look = () => {
        const isTooLate = ["play", "done", "ended"].includes(this.stage);
        if (isTooLate) this.wishes.delete("leave");
        if (isTooLate || this.seat < 0) resolve();
      };
      this.watcher = { changed: look, refused: look, takenOver: resolve, lost: () => resolve() };
      this.wish("leave");
      look();
    });
  }

  /** What has no number came too fast: say it again when it is time. @param {number} ms */
  putOff(ms) {
    if (!this.isPutOff) setTimeout(() => this.wishAgain(), Math.max(1, ms));
    this.isPutOff = true;
  }

  wishAgain() {
    this.isPutOff = false;
    this.sayWishes();
    if (this.isLooking) this.connection.send(this.here({ tag: "look" }));
  }

  /** A wish that has come true already is not answered (SPEC 5.6). */
  sayWishes() {
    this.connection.tell(...this.here(...this.wishes.values()));
  }

  /** @param {Message} message */
  forgetWishes(message) {
    if (message.tag === "readied" && message.seat === this.seat) this.wishes.delete("ready");
    const refused = message.tag === "no" && message.n === 0;
    if (refused) this.isLooking = false;
    if (refused || ["go", "end"].includes(message.tag)) this.wishes.clear();
    if (message.tag === "countdown") for (const tag of ["ready", "start"]) this.wishes.delete(tag); // one may still leave
    if (message.tag === "left" && this.seat < 0) this.wishes.clear();
  }

  /** The race has no channel before it is entered again. */
  channelLost() {
    this.session.channelLost();
  }

  /** The request that picks it up on a new connection; by a snapshot, if that was looked for already. @returns {Message} */
  resume() {
    return this.isLooking ? { ...this.session.resume(), after: 0 } : this.session.resume();
  }

  /** The race goes on, on a new connection. @param {Message} entered */
  enteredAgain(entered) {
    if (this.isTakenOver) this.model = this.prediction = null; // a snapshot comes
    this.miss();
    this.isTakenOver = false;
    const isElse = this.model !== null && entered.seat !== this.seat; // one is somebody else by now: what there is to see is different
    const heard = this.session.enteredAgain(entered);
    this.prediction?.owe(heard.applied);
    this.heed({ ...heard, applied: [] });
    this.sayWishes();
    if (isElse) this.look();
    this.watcher?.changed(null);
  }
}
