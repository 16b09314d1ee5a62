/** Where arrow keys lead on a table: as its piles are seen, through whole columns, and past cells that are not there. Pure. */

import { FIRST_CELL } from "../game/board.js";

/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {import("./layout.js").Point} Point */
/** A card by how many lie above it, itself too; 1 where a pile is empty. @typedef {{pile: number, depth: number}} At */

const COLUMNS = [0, 1, 2, 3, 4, 5, 6, 7];
const FOUNDATIONS = [12, 13, 14, 15];

/** Where a key leads from a place; over piles only while a card `isHeld`, which goes to one of them. Other keys lead
 * nowhere. @param {string} key @param {At} at @param {Board} board @param {Point[]} points where the piles lie
 * @param {boolean} isHeld @returns {At} */
export function neighbour(key, { pile, depth }, board, points, isHeld) {
  const deepest = pile < FIRST_CELL && !isHeld ? Math.max(1, board.columns[pile].length) : 1;
  if (key === "home") return { pile, depth: deepest };
  if (key === "end") return { pile, depth: 1 };
  if (key === "arrowup" && depth < deepest) return { pile, depth: depth + 1 };
  if (key === "arrowdown" && depth > 1) return { pile, depth: depth - 1 };
  const isBeside = points[FIRST_CELL].x === points[FIRST_CELL + 1].x;
  const next = (isBeside ? amongStacks : betweenRows)(key, pile, board, points);
  return next === pile ? { pile, depth } : { pile: next, depth: 1 };
}

/** @param {Board} board */
const cellsOf = (board) => board.cells.map((_, cell) => FIRST_CELL + cell);

/** Cells and foundations lie above the columns. @param {string} key @param {number} pile @param {Board} board
 * @param {Point[]} points */
function betweenRows(key, pile, board, points) {
  const upper = [...cellsOf(board), ...FOUNDATIONS].sort((a, b) => points[a].x - points[b].x);
  const [row, other] = pile < FIRST_CELL ? [COLUMNS, upper] : [upper, COLUMNS];
  if (key === "arrowleft" || key === "arrowright") return along(row, row.indexOf(pile), key);
  if ((key === "arrowup") !== (row === COLUMNS)) return pile;
  const far = (/** @type {number} */ one) => Math.abs(points[one].x - points[pile].x);
  return other.reduce((nearest, one) => (far(one) < far(nearest) ? one : nearest));
}

/** Cells lie under each other at one side of the columns, foundations at the other. @param {string} key @param {number} pile
 * @param {Board} board @param {Point[]} points */
function amongStacks(key, pile, board, points) {
  const stacks = [cellsOf(board), ...COLUMNS.map((column) => [column]), FOUNDATIONS].sort(([a], [b]) => points[a].x - points[b].x);
  const at = stacks.findIndex((stack) => stack.includes(pile));
  const height = stacks[at].indexOf(pile);
  const by = key === "arrowup" ? -1 : key === "arrowdown" ? 1 : 0;
  if (by) return stacks[at][height + by] ?? pile;
  const next = along(stacks, at, key);
  return next[Math.min(height, next.length - 1)];
}

/** @template One @param {One[]} row @param {number} at @param {string} key @returns {One} */
const along = (row, at, key) => row[(at + (key === "arrowleft" ? row.length - 1 : 1)) % row.length];
