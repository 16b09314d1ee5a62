/** One's own board with the moves that the server has not confirmed yet. */

import { boardText, unpacked } from "../game/board.js";
import { Line, perform } from "../game/line.js";

/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {import("../game/rules.js").Rules} Rules */
/** @typedef {import("../game/referee.js").Refusal} Refusal */
/** @typedef {import("../game/line.js").Action} Action */
/** @typedef {{ticket: number, action: Action}} Waiting */

/**
 * `confirmed` is what the server said; `shown` is that with what waits. What cannot be foreseen (an undo of a move that
 * was made before the snapshot) is shown when it is confirmed, with what waits behind it; until then no move is made, which
 * would be one on another board than the one that is seen.
 */
export class Prediction {
  /** @param {Rules} rules @param {Board} start @param {Board} board @param {number} [moves] @param {number} [points] */
  constructor(rules, start, board, moves = 0, points = 0) {
    this.confirmed = Line.begin(rules, start, board, moves, points);
    /** @type {Waiting[]} */
    this.waiting = [];
    /** @type {Set<number>} tickets of applied ones whose facts are still to come */
    this.owed = new Set();
    this.shown = this.confirmed;
    this.isBlind = false; // something waits of which nobody here knows where it leads
    /** @type {{line: Line, action: Action, next: Line | Refusal | null} | null} what was foreseen last */
    this.foresight = null;
  }

  /** Where all that was done so far leads; `null` where nobody here knows. */
  get known() {
    return this.isBlind ? null : this.shown;
  }

  /** Why an action cannot be taken, `null` where it can or where that is not known here. @param {Action} action
   * @returns {Refusal | null} */
  reasonAgainst(action) {
    if (this.isBlind) return needsNoBoard(action) ? null : { reason: "unseen" };
    const next = this.foresee(action);
    return next instanceof Line || this.isUnknowable(next) ? null : next;
  }

  /** An undo of what was done before this page looked. @param {Line | Refusal | null} next */
  isUnknowable(next) {
    return next !== null && "reason" in next && next.reason === "nothing_to_undo" && this.shown.moves > 0;
  }

  /** An action is on its way. @param {number} ticket @param {Action} action */
  act(ticket, action) {
    this.waiting.push({ ticket, action });
    this.goOn(action);
  }

  /** Show what comes of an action, as far as that is known. @param {Action} action */
  goOn(action) {
    if (this.isBlind && !isRestart(action)) return;
    const next = this.foresee(action);
    this.isBlind = this.isUnknowable(next);
    if (next instanceof Line) this.shown = next;
  }

  /** The line that is shown after an action; not judged twice where it is asked for before it is taken.
   * @param {Action} action */
  foresee(action) {
    const known = this.foresight;
    if (known?.line === this.shown && known.action === action) return known.next;
    const next = foreseen(this.shown, action);
    this.foresight = { line: this.shown, action, next };
    return next;
  }

  /** Actions are answered, well or not. @param {number[]} tickets */
  answered(tickets) {
    this.waiting = this.waiting.filter(({ ticket }) => !tickets.includes(ticket));
    this.refresh();
  }

  /** Actions were applied while there was no connection: they are shown until the facts of them are here.
   * @param {number[]} tickets */
  owe(tickets) {
    for (const ticket of tickets) this.owed.add(ticket);
  }

  /** The server has applied something; `board` is where that leads. @param {{what: number, transfers: number[]}} message
   * @param {Board} board @param {number} moves @param {number} points */
  applied(message, board, moves, points) {
    const now = this.confirmed;
    const [first = 0] = message.transfers;
    const next = message.what === 0 ? now.play(unpacked(first)) : message.what === 1 ? now.undo() : now.restart();
    const agrees = next instanceof Line && boardText(next.board) === boardText(board);
    this.confirmed = agrees ? next : Line.begin(now.rules, now.start, board, moves, points);
    if (this.waiting.length && this.owed.delete(this.waiting[0].ticket)) this.waiting.shift();
    this.refresh();
  }

  refresh() {
    this.shown = this.confirmed;
    this.isBlind = false;
    for (const { action } of this.waiting) this.goOn(action);
  }
}

/** @param {Action} action */
const isRestart = (action) => "tag" in action && action.tag === "restart";

/** Whether an action is the same whatever the board. @param {Action} action */
const needsNoBoard = (action) => "tag" in action && action.tag !== "finish";

/** @param {Line} line @param {Action} action @returns {Line | Refusal | null} `null`: nothing changes on the board */
const foreseen = (line, action) => ("tag" in action && action.tag === "giveup" ? null : perform(line, action));
