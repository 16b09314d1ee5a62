/** A race as its receiver knows it, kept current by messages alone, without knowing FreeCell's rules. */

import { boardText, cardsHome, checksum, readBoard, transferred } from "../game/board.js";
import { readRow } from "./messages.js";

/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {import("./messages.js").Message} Message */
/**
 * `board` is `null` while it is not shown, `time` the result in ms, -1 without one.
 * @typedef {{player: string, name: string, kind: string, ready: boolean, gave_up: boolean, time: number, home: number,
 *   moves: number, undos: number, points: number, away: boolean, bots: boolean, board: Board | null, error: number,
 *   compensation: number}} Seat
 */
/** @typedef {{place: number, seat: number, home: number, moves: number, time: number, compensation: number, error: number}} Place */
/** @typedef {{run: string, name: string, time: number, steps: {t: number, home: number, moves: number}[]}} Ghost */

/** @param {any[]} row @returns {Seat} */
function seatOf(row) {
  const view = /** @type {any} */ (readRow("seat", row));
  return { ...view, board: view.board ? readBoard(view.board) : null, error: 0, compensation: 0 };
}

/** Whether a seat is done with its race. @param {Seat} seat */
export const isDone = (seat) => seat.time >= 0 || seat.gave_up;

const FREE = ["", "", "human", false, false, -1, 0, 0, 0, 0, ""];

/** Thrown by `apply` where the model is off: ask for a snapshot. */
export class OutOfStep extends Error {}

export class Model {
  /** @param {Message} snap @param {number} at when it came, in ms of a clock that does not go back */
  constructor(snap, at) {
    this.snap = snap;
    this.race = /** @type {string} */ (snap.race);
    this.k = /** @type {number} */ (snap.k);
    this.phase = /** @type {string} */ (snap.phase);
    this.host = /** @type {string} */ (snap.host);
    this.isHostAway = /** @type {boolean} */ (snap.host_away); // one who has no seat
    this.hasLeft = ""; // who has given a seat back since, as long as nobody has come
    this.rules = /** @type {string} */ (snap.rules);
    this.deal = /** @type {string} */ (snap.deal);
    this.start = /** @type {string} */ (snap.start);
    this.you = /** @type {number} */ (snap.you);
    this.end = /** @type {string} */ (snap.end);
    this.spectators = /** @type {number} */ (snap.spectators);
    this.rematch = /** @type {string} */ (snap.rematch); // the race in which its players meet again
    /** @type {Place[]} */
    this.standings = snap.standings.map((/** @type {any[]} */ row) => /** @type {Place} */ (readRow("place", row)));
    /** @type {Seat[]} */
    this.seats = snap.seats.map(seatOf);
    /** @type {Map<number, Ghost>} */
    this.ghosts = new Map();
    this.time = /** @type {number} */ (snap.time); // race time at the last fact
    this.factAt = at - snap.age; // when that was, by the receiver's clock
    this.dealsAt = this.phase === "countdown" && snap.until >= 0 ? at + snap.until : 0;
  }

  /** The race has not started, and could start before it is full: that is for the host alone to say. */
  get isHostNeeded() {
    return (this.phase === "lobby" || this.phase === "countdown") && this.seats.length > 2;
  }

  /** Race time in ms now. @param {number} now */
  timeAt(now) {
    return this.phase === "running" ? Math.max(0, this.time + now - this.factAt) : this.time;
  }

  /** The next fact. Throws `OutOfStep` when it is not the next, or a board does not agree with it.
   * @param {Message} message @param {number} at */
  apply(message, at) {
    const seat = message.seat === undefined ? undefined : this.seats[message.seat];
    if (message.k !== this.k + 1 || (message.seat !== undefined && !seat)) throw new OutOfStep(`fact ${message.k}`);
    this.k = message.k;
    if (this.phase === "running") this.time += message.dt;
    this.factAt = at;
    if (message.tag === "a") this.boardChanged(this.you, message);
    else if (message.tag === "d") this.boardChanged(message.seat, message);
    else if (seat) this.seated(seat, message);
    else this.passed(message, at);
  }

  /** @param {number} index @param {Message} message */
  boardChanged(index, message) {
    const seat = this.seats[index];
    if (!seat) throw new OutOfStep("there is no such seat");
    try {
      const from = message.what === 2 || !seat.board ? readBoard(this.start) : seat.board;
      seat.board = message.transfers.reduce(transferred, from);
    } catch (error) {
      throw new OutOfStep(String(error));
    }
    const board = /** @type {Board} */ (seat.board);
    seat.moves = message.what === 2 ? 0 : seat.moves + (message.what === 1 ? -1 : 1);
    seat.undos += message.what === 1 ? 1 : 0;
    seat.home = cardsHome(board);
    seat.points = message.points;
    if (message.sum && message.sum !== checksum(boardText(board))) throw new OutOfStep(`the board of seat ${index} is off`);
  }

  /** What is told of one seat. @param {Seat} seat @param {Message} message */
  seated(seat, message) {
    const { tag } = message;
    if (tag === "p") Object.assign(seat, { home: message.home, moves: message.moves });
    else if (tag === "joined") {
      if (message.player === this.host) this.isHostAway = false;
      this.seats[message.seat] = { ...seatOf(FREE), player: message.player, name: message.name, kind: message.kind, bots: message.bots };
      this.hasLeft = "";
    } else if (tag === "left") {
      this.hasLeft = message.seat === this.you ? "" : seat.name;
      this.seats[message.seat] = seatOf(FREE);
      this.host = message.host;
      if (message.seat === this.you) this.you = -1;
    } else if (tag === "readied") seat.ready = message.ready;
    else if (tag === "bots") seat.bots = message.welcome;
    else if (tag === "away" || tag === "here") seat.away = tag === "away";
    else if (tag === "done") Object.assign(seat, { time: message.time, error: message.error, compensation: message.compensation });
    else if (tag === "gaveup") seat.gave_up = true;
  }

  /** What is told of the race. @param {Message} message @param {number} at */
  passed(message, at) {
    if (message.tag === "countdown") Object.assign(this, { phase: "countdown", dealsAt: at + message.ms });
    else if (message.tag === "halted") {
      this.phase = "lobby";
      for (const seat of this.seats) seat.ready = false;
    } else if (message.tag === "go") this.dealt(message);
    else if (message.tag === "hosts") Object.assign(this, { host: message.host, isHostAway: message.away });
    else if (message.tag === "rematched") this.rematch = message.race;
    else if (message.tag === "outage") this.time -= message.ms;
    else if (message.tag === "end") {
      Object.assign(this, { phase: "ended", end: message.reason, deal: message.deal || this.deal });
      this.standings = message.standings.map((/** @type {any[]} */ row) => /** @type {Place} */ (readRow("place", row)));
    }
  }

  /** @param {Message} message */
  dealt(message) {
    Object.assign(this, { phase: "running", deal: message.deal, start: message.board, time: 0 });
    this.seats.forEach((seat, index) => {
      const shown = this.you < 0 || this.snap.open_boards || index === this.you;
      if (seat.player && shown) seat.board = readBoard(message.board);
    });
  }
}

/** Cards home and moves of a ghost at a race time. @param {Ghost} ghost @param {number} time */
export function ghostAt(ghost, time) {
  return ghost.steps.findLast((step) => step.t <= time) ?? { t: 0, home: 0, moves: 0 };
}
