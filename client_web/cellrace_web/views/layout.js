/** Where cards lie on a table of a given size. Pure. */

/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {{x: number, y: number}} Point */
/** What is the same for all boards whose longest column is: the size of a card, the room for a column, and the piles.
 * @typedef {{name: string, width: number, height: number, room: number, piles: Point[]}} Frame */
/** `fan` is how far apart the cards of each column lie.
 * @typedef {{frame: Frame, width: number, height: number, fan: number[], piles: Point[]}} Layout */

const ASPECT = 1.4;
const FAN_LEAST = 0.3; // of a card's height
const FAN_MOST = 0.45;
const GAP = 0.1; // of a card's width
const USUAL_COLUMN = 12; // so many cards fit without anything becoming smaller
const WIDEST = 120;

/** The layout of a board on a table. Where it is low and wide, cells and foundations are at its sides. What the one before
 * has is taken over where it is the same. @param {number} width @param {number} height @param {Board} board
 * @param {boolean} [mirrored] @param {Layout | null} [before] @returns {Layout} */
export function layout(width, height, board, mirrored = false, before = null) {
  const longest = Math.max(USUAL_COLUMN, ...board.columns.map((column) => column.length));
  const name = `${width} ${height} ${longest} ${mirrored}`;
  const frame = before?.frame.name === name ? before.frame : frameOf(name, width, height, longest, mirrored);
  const fan = board.columns.map((column) => Math.min(FAN_MOST * frame.height, Math.max(FAN_LEAST * frame.height, frame.room / Math.max(1, column.length - 1))));
  return { frame, fan, width: frame.width, height: frame.height, piles: frame.piles };
}

/** @param {string} name @param {number} width @param {number} height @param {number} longest @param {boolean} mirrored
 * @returns {Frame} */
function frameOf(name, width, height, longest, mirrored) {
  const upright = cardWidth(width, height, 8, 2.12, longest);
  const beside = cardWidth(width, height, 10.4, 1.02, longest);
  const wide = beside > upright * 1.08;
  const card = wide ? beside : upright;
  const tall = card * ASPECT;
  const gap = Math.min(card * 0.25, (width - (wide ? 10.4 : 8) * card) / (wide ? 11 : 9));
  const piles = wide ? pilesBeside(width, card, tall, gap, mirrored) : pilesAbove(width, card, gap, mirrored);
  return { name, width: card, height: tall, room: height - piles[0].y - tall - 2, piles };
}

/** @param {number} width @param {number} height @param {number} across @param {number} rows @param {number} longest */
function cardWidth(width, height, across, rows, longest) {
  const byWidth = width / (across + GAP * (across - 1) * (width < 420 ? 0.25 : 1));
  const byHeight = (height - 4) / (rows + FAN_LEAST * (longest - 1)) / ASPECT;
  return Math.max(16, Math.min(WIDEST, byWidth, byHeight));
}

/** @param {number} width @param {number} card @param {number} gap @param {boolean} mirrored */
function pilesAbove(width, card, gap, mirrored) {
  const left = (width - 8 * card - 7 * gap) / 2;
  const x = (/** @type {number} */ at) => left + at * (card + gap);
  const below = card * ASPECT * 1.1 + 2;
  const columns = Array.from({ length: 8 }, (_, at) => ({ x: x(at), y: below }));
  const held = Array.from({ length: 4 }, (_, at) => ({ x: x(mirrored ? 7 - at : at), y: 0 }));
  const home = Array.from({ length: 4 }, (_, at) => ({ x: x(mirrored ? 3 - at : 4 + at), y: 0 }));
  return [...columns, ...held, ...home];
}

/** @param {number} width @param {number} card @param {number} tall @param {number} gap
 * @param {boolean} mirrored */
function pilesBeside(width, card, tall, gap, mirrored) {
  const left = (width - 10.4 * card - 9 * gap) / 2;
  const x = (/** @type {number} */ at) => left + at * (card + gap);
  const columns = Array.from({ length: 8 }, (_, at) => ({ x: x(at + 1) + card * 0.2, y: 0 }));
  const sides = mirrored ? [x(9) + card * 0.4, left] : [left, x(9) + card * 0.4];
  const down = (/** @type {number} */ at) => at * tall * 1.04;
  const held = Array.from({ length: 4 }, (_, at) => ({ x: sides[0], y: down(at) }));
  const home = Array.from({ length: 4 }, (_, at) => ({ x: sides[1], y: down(at) }));
  return [...columns, ...held, ...home];
}
