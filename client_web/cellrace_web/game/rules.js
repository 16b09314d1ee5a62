/** Rule sets as data, and their short texts: `classic`, `pocket+cells=2`. */

/**
 * @typedef {object} Rules
 * @property {number} cells
 * @property {"power" | "linear"} run_capacity
 * @property {"never" | "column" | "column_or_cell"} take_back
 * @property {boolean} automatic_moves
 * @property {number} points_to_foundation
 * @property {number} points_taken_back
 * @property {number} points_cell_to_column
 * @property {number | null} undo_depth `null`: all moves
 */

/** @type {Rules} */
const PLAIN = {
  cells: 4,
  run_capacity: "power",
  take_back: "never",
  automatic_moves: false,
  points_to_foundation: 0,
  points_taken_back: 0,
  points_cell_to_column: 0,
  undo_depth: null,
};

/** @type {Readonly<Record<string, Rules>>} */
export const PRESETS = {
  classic: { ...PLAIN, automatic_moves: true, undo_depth: 400 },
  relaxed: { ...PLAIN, take_back: "column_or_cell", points_to_foundation: 10, points_taken_back: -15, undo_depth: 400 },
  pocket: { ...PLAIN, take_back: "column", points_to_foundation: 10, points_cell_to_column: 5, undo_depth: 100 },
  linear: { ...PLAIN, run_capacity: "linear" },
};

/** The rules of a canonical text. Throws where it is none. @param {string} text @returns {Rules} */
export function readRules(text) {
  const [name, ...changes] = text.split("+");
  if (!Object.hasOwn(PRESETS, name)) throw new Error(`no rules: ${name}`);
  const changed = changes.map((change) => change.split("=")).map(([field, value]) => [field, valueOf(value ?? "")]);
  return { ...PRESETS[name], ...Object.fromEntries(changed) };
}

/** @param {string} text */
function valueOf(text) {
  const words = /** @type {Record<string, boolean | null>} */ ({ yes: true, no: false, all: null });
  if (Object.hasOwn(words, text)) return words[text];
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** How many cards may move at once. @param {Rules} rules @param {number} emptyCells @param {number} emptyColumns */
export const capacity = (rules, emptyCells, emptyColumns) =>
  rules.run_capacity === "power" ? (emptyCells + 1) * 2 ** emptyColumns : (emptyCells + 1) * (emptyColumns + 1);
