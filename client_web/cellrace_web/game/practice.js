/** A game alone: a line, what can be done again, and the time that it took. Needs no server. */

import { deal, dealCode, readDeal } from "./deals.js";
import { Line, perform } from "./line.js";
import { readRules } from "./rules.js";

/** @typedef {import("./referee.js").Refusal} Refusal */
/** @typedef {import("./line.js").Action} Action */
/** What is kept of a game. @typedef {{deal: number, rules: string, moves: string[], elapsed: number}} Kept */

export class Practice {
  /** @param {number} number @param {string} rules */
  constructor(number, rules) {
    this.number = number;
    this.rules = rules;
    const read = readRules(rules);
    this.line = Line.begin(read, deal(number, read.cells));
    /** @type {string[]} the moves that stand */
    this.moves = [];
    /** @type {string[]} what was undone, the next to redo last */
    this.undone = [];
    this.elapsed = 0; // ms, before `since`
    this.since = 0; // when the clock began to run, 0 while it stands
  }

  /** A new game on what a typed deal means; `null` where it means none. @param {string} text @param {string} rules */
  static typed(text, rules) {
    const { cells } = readRules(rules);
    const found = readDeal(text, cells);
    return found && new Practice(found.number, found.cells === cells ? rules : `${rules}+cells=${found.cells}`);
  }

  /** The game that was kept; `null` where it cannot be read. @param {Kept | null} kept @returns {Practice | null} */
  static restore(kept) {
    try {
      if (!kept) return null;
      const game = new Practice(kept.deal, kept.rules);
      for (const move of kept.moves) game.act({ move }, 0);
      Object.assign(game, { since: 0, elapsed: Number(kept.elapsed) || 0 });
      return game;
    } catch {
      return null;
    }
  }

  /** @param {number} now @returns {Kept} */
  kept(now) {
    return { deal: this.number, rules: this.rules, moves: this.moves, elapsed: this.time(now) };
  }

  get code() {
    return dealCode(this.number, this.line.rules.cells);
  }

  /** @param {number} now */
  time(now) {
    return this.elapsed + (this.since ? now - this.since : 0);
  }

  /** Stop the clock, where the page is left. @param {number} now */
  pause(now) {
    this.elapsed = this.time(now);
    this.since = 0;
  }

  /** Do something, or say why not. @param {Action} action @param {number} now @returns {Refusal | null} */
  act(action, now) {
    const before = this.line;
    const next = perform(this.line, action);
    if (!(next instanceof Line)) return next;
    this.line = next;
    if ("move" in action) [this.moves, this.undone] = [[...this.moves, action.move], []];
    else if (action.tag === "u") this.undone.push(/** @type {string} */ (this.moves.at(-1))), (this.moves = this.moves.slice(0, -1));
    else [this.moves, this.undone] = [[], [...this.undone, ...this.moves.reverse()]]; // all of it can be made again
    if (!this.since && !before.won) this.since = now;
    if (next.won) this.pause(now);
    return null;
  }

  /** Do again what was undone last. @param {number} now @returns {Refusal | null} */
  redo(now) {
    const move = this.undone.at(-1);
    if (move === undefined) return { reason: "nothing_to_redo" };
    const rest = this.undone.slice(0, -1);
    const refusal = this.act({ move }, now);
    this.undone = rest;
    return refusal;
  }
}
