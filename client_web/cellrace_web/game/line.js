/** A line of play that stands: immutable, and each line knows the one before its last move. */

import { cardsHome, isWon, moved } from "./board.js";
import { readMove } from "./notation.js";
import { finishingMove, hasMove, isFinishable, reasonAgainst, settled } from "./referee.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./referee.js").Move} Move */
/** @typedef {import("./referee.js").Refusal} Refusal */
/** A move's text, or `u`, `restart`, `finish`, `giveup`. @typedef {{move: string} | {tag: string}} Action */
/** @typedef {{rules: Rules, start: Board, board: Board, score: number, moves: number, undos: number, move: Move | null,
 *   automatic: Move[], previous: Line | null, depth: number}} State */

export class Line {
  /** @param {State} state */
  constructor(state) {
    this.rules = state.rules;
    this.start = state.start;
    this.board = state.board;
    this.score = state.score; // the running total of points
    this.moves = state.moves;
    this.undos = state.undos;
    this.move = state.move;
    this.automatic = state.automatic;
    this.previous = state.previous;
    this.depth = state.depth; // how many undos are open
  }

  /** A line without a past, that stands at `board`. @param {Rules} rules @param {Board} start @param {Board} [board]
   * @param {number} [moves] @param {number} [score] */
  static begin(rules, start, board = start, moves = 0, score = 0) {
    return new Line({ rules, start, board, score, moves, undos: 0, move: null, automatic: [], previous: null, depth: 0 });
  }

  /** The line with a move and its automatic moves added, or why it is refused. @param {Move} move @returns {Line | Refusal} */
  play(move) {
    const refusal = reasonAgainst(this.board, move, this.rules);
    if (refusal) return refusal;
    let board = moved(this.board, move.source, move.destination, move.count);
    /** @type {Move[]} */
    let automatic = [];
    if (this.rules.automatic_moves) ({ board, made: automatic } = settled(board));
    const depth = Math.min(this.depth + 1, this.rules.undo_depth ?? Infinity);
    const score = this.scoreAfter(move, automatic.length);
    return new Line({ ...this, board, score, moves: this.moves + 1, move, automatic, previous: this, depth });
  }

  /** @param {Move} move @param {number} automatic */
  scoreAfter({ source, destination }, automatic) {
    const rules = this.rules;
    let points = 0;
    if (destination >= 12) points = rules.points_to_foundation;
    else if (source >= 12) points = rules.points_taken_back;
    else if (source >= 8 && destination < 8) points = rules.points_cell_to_column;
    return Math.max(0, this.score + points) + automatic * rules.points_to_foundation;
  }

  /** The line before the last move, one more undo counted, or why there is none. @returns {Line | Refusal} */
  undo() {
    if (this.won) return { reason: "game_over" };
    if (!this.previous) return { reason: "nothing_to_undo" };
    if (this.depth === 0) return { reason: "undo_depth_reached", possible: this.rules.undo_depth ?? 0 };
    return new Line({ ...this.previous, depth: this.depth - 1, undos: this.undos + 1 });
  }

  /** The line at its start again. @returns {Line | Refusal} */
  restart() {
    if (this.won) return { reason: "game_over" };
    return new Line({ ...Line.begin(this.rules, this.start), undos: this.undos });
  }

  /** The moves that finish the game; none where it is not offered. @returns {Move[]} */
  finishMoves() {
    /** @type {Move[]} */
    const moves = [];
    /** @type {Line} */
    let line = this;
    while (!line.won && line.finishable) {
      const move = finishingMove(line.board);
      const next = move && line.play(move);
      if (!move || !(next instanceof Line)) break;
      moves.push(move);
      line = next;
    }
    return moves;
  }

  get won() {
    return isWon(this.board);
  }

  get home() {
    return cardsHome(this.board);
  }

  /** Whether nothing can block the foundations any more: the game offers to finish. */
  get finishable() {
    return isFinishable(this.board);
  }

  /** Not won, and no legal move at all. */
  get stuck() {
    return !this.won && !hasMove(this.board, this.rules);
  }
}

/** The line after an action, or why it is refused. What has another tag than `u` and `restart` is a `finish`.
 * @param {Line} line @param {Action} action @returns {Line | Refusal} */
export function perform(line, action) {
  if ("move" in action) {
    const move = readMove(action.move, line.board, line.rules);
    return "reason" in move ? move : line.play(move);
  }
  if (action.tag === "u") return line.undo();
  if (action.tag === "restart") return line.restart();
  if (!line.finishable) return { reason: "not_finishable" };
  return line.finishMoves().reduce((now, move) => /** @type {Line} */ (now.play(move)), line);
}
