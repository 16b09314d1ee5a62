/** A way home, found by looking at promising boards first. Small rather than strong: it may give up. */

import { boardText, cardsHome } from "./board.js";
import { fitsOn } from "./cards.js";
import { Line, perform } from "./line.js";
import { moveText } from "./notation.js";
import { legalMoves } from "./referee.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./referee.js").Move} Move */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{line: Line, cost: number, move: Move | null, before: Node | null}} Node */

/** Tastes in boards: what a move costs, and what a card over a wanted one does. What one does not find, another may. */
const TASTES = [[0.35, 1.6], [0.1, 0.8], [0.7, 2.4]];

/** How much of what there is each taste looks at in its turns: most ways are found soon by one taste or another, and
 * the rest late, so that it is better to begin anew early. */
const TURNS = [0.03, 0.12, 1];

/** The moves that lead home, as texts; `null` where none were found within about `most` boards, or in time.
 * @param {Board} board @param {Rules} rules @param {number} most @param {() => boolean} [inTime] asked at each board
 * @returns {string[] | null} */
export function wayHome(board, rules, most, inTime = () => true) {
  for (const turn of TURNS) {
    for (const [perMove, perBuried] of TASTES) {
      const found = looked(board, rules, (most * turn) / TASTES.length, inTime, perMove, perBuried);
      if (found) return found;
    }
  }
  return null;
}

/** What to do on each board of a way home, by the board's text. @param {Line} line where it begins @param {string[]} moves */
export function steps(line, moves) {
  /** @type {Map<string, string>} */
  const found = new Map();
  let now = line;
  for (const text of moves) {
    const next = perform(now, { move: text });
    if (!(next instanceof Line)) break; // it was no way from here
    found.set(boardText(now.board), text);
    now = next;
  }
  return found;
}

/** @param {Board} board @param {Rules} rules @param {number} most @param {() => boolean} inTime
 * @param {number} perMove what a move costs @param {number} perBuried what a card over a wanted one costs
 * @returns {string[] | null} */
function looked(board, rules, most, inTime, perMove, perBuried) {
  const plain = { ...rules, take_back: /** @type {const} */ ("never"), undo_depth: 0 };
  /** @type {Node[]} */
  const heap = [{ line: Line.begin(plain, board), cost: 0, move: null, before: null }];
  const seen = new Set([key(board)]);
  for (let seenSoFar = 0; heap.length && seenSoFar < most && inTime(); seenSoFar += 1) {
    const node = pop(heap);
    if (node.line.finishable) return path(node);
    for (const move of legalMoves(node.line.board, plain)) {
      const line = node.line.play(move);
      if (!(line instanceof Line)) continue;
      const name = key(line.board);
      if (seen.has(name)) continue;
      seen.add(name);
      line.previous = null;
      push(heap, { line, cost: cost(line.board, perBuried) + line.moves * perMove, move, before: node });
    }
  }
  return null;
}

/** Boards that differ in the order of columns and cells only are one. @param {Board} board */
const key = ({ columns, cells, foundations }) =>
  boardText({ columns: [...columns].sort((a, b) => (a[0] ?? 99) - (b[0] ?? 99)), cells: [...cells].sort((a, b) => a - b), foundations });

/** @param {Node} node */
function path(node) {
  /** @type {string[]} */
  const moves = [];
  for (let at = node; at.move && at.before; at = at.before) moves.unshift(moveText(at.move, at.before.line.board, at.line.rules));
  return moves;
}

/** How far a board seems from home. @param {Board} board @param {number} perBuried */
function cost(board, perBuried) {
  let sum = (52 - cardsHome(board)) * 2;
  for (const column of board.columns) {
    if (column.length === 0) sum -= 3;
    for (let at = 1; at < column.length; at += 1) if (!fitsOn(column[at], column[at - 1])) sum += 1.2;
    // What has to leave before the next cards of the foundations can go.
    column.forEach((card, at) => {
      if (card >> 2 === board.foundations[card & 3]) sum += (column.length - 1 - at) * perBuried;
    });
  }
  return sum + board.cells.filter((card) => card < 52).length * 1.8;
}

/** @param {Node[]} heap @param {Node} node */
function push(heap, node) {
  let at = heap.push(node) - 1;
  while (at > 0 && heap[(at - 1) >> 1].cost > node.cost) {
    heap[at] = heap[(at - 1) >> 1];
    at = (at - 1) >> 1;
  }
  heap[at] = node;
}

/** @param {Node[]} heap */
function pop(heap) {
  const top = heap[0];
  const last = /** @type {Node} */ (heap.pop());
  if (!heap.length) return top;
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child + 1 < heap.length && heap[child + 1].cost < heap[child].cost) child += 1;
    if (child >= heap.length || heap[child].cost >= last.cost) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return top;
}
