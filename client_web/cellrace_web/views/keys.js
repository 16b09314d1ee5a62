/** The whole game by keyboard: notation (`26`, `3h`, `7a`; `3v12` takes one card of column 3 to 2), arrows, Home, End and
 * Enter, undo, redo, hint, finish. */

import { pileOf } from "../game/board.js";
import { PILES, readMove } from "../game/notation.js";
import { neighbour } from "./neighbours.js";

/** @typedef {import("./table.js").CardTable} CardTable */

/** As in race.css: where one scrolls to cards. */
const isLow = () => matchMedia("(max-height: 299px), (max-width: 420px) and (max-height: 479px)").matches;

const NOTATION = `${PILES}h`;
const WAYS = ["arrowleft", "arrowright", "arrowup", "arrowdown", "home", "end"];
const COMMANDS = /** @type {Record<string, string>} */ ({ u: "u", y: "redo", "?": "hint", f: "finish" });

/** What a key means: its own sign first, else where it is on the keyboard (AZERTY's digits, Ukrainian letters).
 * @param {KeyboardEvent} event */
function meaning(event) {
  const key = event.key.toLowerCase();
  if (key.length !== 1 || NOTATION.includes(key) || key in COMMANDS) return key;
  if (/^[a-z0-9]$/.test(key)) return key;
  const [, digit, letter] = /^(?:Digit|Numpad)(\d)$|^Key([A-Z])$/.exec(event.code) ?? [];
  return digit ?? letter?.toLowerCase() ?? key;
}

export class Keys {
  /** @param {CardTable} table @param {AbortSignal} signal ends it */
  constructor(table, signal) {
    this.table = table;
    this.typed = "";
    this.counted = ""; // a count that was typed, as in `v3`
    this.pile = 0;
    this.depth = 1;
    addEventListener("keydown", (event) => this.pressed(event), { signal });
    table.addEventListener("focusin", () => this.begin(), { signal });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const elsewhere = target.closest("input, textarea, select, dialog") || document.getElementsByTagName("dialog").length;
    if (elsewhere || !this.table.game) return;
    const key = meaning(event);
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") this.command(event.shiftKey ? "redo" : "u", event);
      else if (key === "y") this.command("redo", event);
      return;
    }
    if (event.altKey) return;
    if (WAYS.includes(key)) this.arrow(key, event);
    else if (key === "enter" || key === " ") this.enter(event);
    else if (key === "escape") this.clear();
    else if (key === "backspace") this.command("u", event);
    else if (this.typed && (key === "v" || this.typed.endsWith("v"))) this.count(key, event);
    else if (NOTATION.includes(key) && key.length === 1) this.notation(key, event);
    else if (key in COMMANDS) this.command(COMMANDS[key], event);
  }

  clear() {
    this.typed = "";
    this.counted = "";
    this.table.select(null);
  }

  /** @param {string} name @param {KeyboardEvent} event */
  command(name, event) {
    event.preventDefault();
    this.clear();
    const game = this.table.game;
    if (name === "u" || name === "finish") game?.act({ tag: name });
    else if (name === "redo" || name === "hint") game?.extra?.(name);
  }

  /** How many cards: `v` behind the column, then a number (`d` is 13). @param {string} key @param {KeyboardEvent} event */
  count(key, event) {
    event.preventDefault();
    const count = parseInt(key, 14);
    if (key === "v") this.typed = /^[1-8]$/.test(this.typed) ? `${this.typed}v` : "";
    else if (this.typed.endsWith("v") && count > 0) {
      this.counted = `v${key}`;
      this.typed = this.typed[0];
      this.table.select({ pile: Number(this.typed) - 1, count });
    } else this.clear();
  }

  /** @param {string} key @param {KeyboardEvent} event */
  notation(key, event) {
    event.preventDefault();
    const { game, board } = this.table;
    if (!game || !board) return;
    this.typed += key;
    const first = this.typed[0];
    if (this.typed.length === 1) {
      const pile = PILES.indexOf(first);
      if (pile >= 0 && pileOf(board, pile).length) this.table.select({ pile, count: 1 });
      else if (pile >= 0) [this.typed] = ["", game.say({ reason: "empty_source" })];
      return;
    }
    const text = this.typed + this.counted;
    if (text === "hh" || (/^h[cd]$/.test(text) && game.line().rules.take_back !== "never" && this.ambiguous(text))) return;
    this.typed = "";
    this.counted = "";
    this.table.select(null);
    game.act({ move: text });
  }

  /** Whether `hc` may go on as `hc5`: where no card goes to that cell. @param {string} text */
  ambiguous(text) {
    const { game, board } = this.table;
    return !game || !board || "reason" in readMove(text, board, game.line().rules);
  }

  /** Arrows lead on from what has the focus, and the Tab key back to it. */
  begin() {
    const focused = document.activeElement;
    const place = this.table.placeOf(focused);
    if (!place) return;
    this.pile = place.pile;
    this.depth = Math.max(1, place.count);
    this.table.arranged?.stopAt(/** @type {HTMLElement} */ (focused));
  }

  /** @param {string} key @param {KeyboardEvent} event */
  arrow(key, event) {
    event.preventDefault();
    const { board, laid, selected } = this.table;
    if (!board || !laid) return;
    this.begin(); // the card may have moved since
    const { pile, depth } = neighbour(key, { pile: this.pile, depth: this.depth }, board, laid.piles, selected !== null);
    this.focus(pile, depth);
  }

  /** @param {number} pile @param {number} depth */
  focus(pile, depth) {
    const { board, piles, cards } = this.table;
    if (!board) return;
    this.pile = pile;
    this.depth = depth;
    const card = pileOf(board, pile).at(-depth);
    const element = card === undefined ? /** @type {HTMLElement} */ (piles[pile].firstChild) : cards[card];
    element.focus({ preventScroll: !isLow() });
  }

  /** @param {KeyboardEvent} event */
  enter(event) {
    const focused = document.activeElement;
    if (focused && focused !== document.body && !this.table.contains(focused)) return;
    event.preventDefault();
    const board = this.table.board;
    const place = this.table.placeOf(focused);
    if (place) this.pile = place.pile;
    const chosen = place ?? { pile: this.pile, count: board && pileOf(board, this.pile).length ? this.depth : 0 };
    if (this.table.selected || chosen.count) this.table.tap(chosen, false);
    if (this.table.board !== board) this.focus(this.pile, 1); // what has come there, or was below what went away
  }
}
