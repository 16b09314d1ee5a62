/** Moves as text: `26`, `3h`, `a5`, `h5`, `hd5`, `26v3`. */

import { pileOf } from "./board.js";
import { reasonAgainst, usualCount } from "./referee.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./referee.js").Move} Move */
/** @typedef {import("./referee.js").Refusal} Refusal */

/** The signs of columns and cells. */
export const PILES = "12345678abcd";
const SUITS = "cdhs";
const FORM = /^(?:([1-8a-d])(?:([1-8a-d])|h([cdhs]?))|h([cdhs])(?:([1-8a-d])|h([cdhs]?))|h([1-8a-d]|h))(?:v([1-9a-d]|1[0-3]))?$/;

/** The move that a text means here, or why it means none. Whether it is legal is not checked.
 * @param {string} text @param {Board} board @param {Rules} rules @returns {Move | Refusal} */
export function readMove(text, board, rules) {
  const found = FORM.exec(text.replace(/\s/g, "").toLowerCase());
  if (!found) return { reason: "unreadable" };
  const [, pile, to, home, suit, suitTo, suitHome, anyTo, digits] = found;
  const count = digits === undefined ? 0 : digits.length === 2 ? Number(digits) : parseInt(digits, 16);
  // After a bare `h` the letter c or d may be a suit or a cell: `hc5` has a suit, `hc` is a cell.
  if (anyTo !== undefined) return fromSomeFoundation(anyTo, count || 1, board, rules);
  const source = pile !== undefined ? PILES.indexOf(pile) : 12 + SUITS.indexOf(suit);
  const plain = to ?? suitTo;
  const letter = home ?? suitHome;
  const destination = plain !== undefined ? PILES.indexOf(plain) : 12 + (letter ? SUITS.indexOf(letter) : suitOf(board, source));
  return { source, destination, count: count || usualCount(board, source, destination, rules) };
}

/** @param {Board} board @param {number} source */
const suitOf = (board, source) => (pileOf(board, source).at(-1) ?? 0) & 3;

/** @param {Board} board @param {number} destination @param {Rules} rules */
const legalSources = (board, destination, rules) =>
  [12, 13, 14, 15].filter((source) => reasonAgainst(board, { source, destination, count: 1 }, rules) === null);

/** @param {string} to @param {number} count @param {Board} board @param {Rules} rules @returns {Move | Refusal} */
function fromSomeFoundation(to, count, board, rules) {
  if (to === "h") return { reason: "between_foundations" };
  const destination = PILES.indexOf(to);
  const sources = legalSources(board, destination, rules);
  if (sources.length === 1) return { source: sources[0], destination, count };
  if (sources.length > 1) return { reason: "ambiguous", possible: sources.length };
  const tops = [0, 1, 2, 3].filter((suit) => board.foundations[suit] > 0);
  const refusal = reasonAgainst(board, { source: 12 + (tops[0] ?? 0), destination, count: 1 }, rules);
  return refusal ?? { reason: "wrong_colour_or_rank" };
}

/** The canonical text of a move in this position. @param {Move} move @param {Board} board @param {Rules} rules */
export function moveText({ source, destination, count }, board, rules) {
  const tail = count === usualCount(board, source, destination, rules) ? "" : `v${count.toString(16)}`;
  return sourceText(source, destination, board, rules) + destinationText(source, destination, board) + tail;
}

/** @param {number} source @param {number} destination @param {Board} board @param {Rules} rules */
function sourceText(source, destination, board, rules) {
  if (source < 12) return PILES[source];
  const sources = legalSources(board, destination, rules);
  return sources.length === 1 && sources[0] === source ? "h" : `h${SUITS[source - 12]}`;
}

/** @param {number} source @param {number} destination @param {Board} board */
function destinationText(source, destination, board) {
  if (destination < 12) return PILES[destination];
  return source < 12 && suitOf(board, source) === destination - 12 ? "h" : `h${SUITS[destination - 12]}`;
}
