/** The terms of a race that somebody opens: what there is to choose from, and why some of it goes with nothing else.
 * No document is needed. */

import { dealCode, readDeal } from "./game/deals.js";
import { PRESETS } from "./game/rules.js";

/**
 * `limit` in minutes, `countdown` and `delay` in seconds, a `delay` of -1 the usual; `deal` as it was typed.
 * @typedef {{preset: string, cells: number, undo: string, seats: number, deal: string, limit: number, countdown: number,
 *   delay: number, isPublic: boolean, isRanked: boolean, bots: boolean, isOpen: boolean, bestOf: number}} Terms
 */

const SEATS_MOST = 16;
const MINUTE_MS = 60_000;
export const SEATS = Array.from({ length: SEATS_MOST }, (_, at) => at + 1);
export const CELLS = [4, 2, 1];
export const UNDOS = ["usual", "none", "all"];
export const LIMITS = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 360, 1440];
export const COUNTDOWNS = [0, 3, 5, 10, 20, 30, 60];
export const DELAYS = [-1, 0, 10, 30, 60, 120, 300, 600];
export const SERIES = [1, 3, 5, 7, 9, 11, 21];

/** The terms of whoever chooses nothing: a race of two by a link. @param {string} rules the rule set's text @returns {Terms} */
export const usualTerms = (rules) => ({
  ...pickedRules(rules), undo: "usual", seats: 2, deal: "", limit: 30, countdown: 3, delay: -1, isPublic: false, isRanked: false, bots: false, isOpen: false, bestOf: 1,
});

/** A rule set as it is picked: a preset, and how many cells. @param {string} rules */
export function pickedRules(rules) {
  const [preset, ...changes] = rules.split("+");
  const cells = changes.find((change) => change.startsWith("cells="));
  return { preset: Object.hasOwn(PRESETS, preset) ? preset : "classic", cells: cells ? Number(cells.slice(6)) : 4 };
}

/** The text of a rule set. @param {{preset: string, cells: number, undo?: string}} picked */
export function rulesText({ preset, cells, undo = "usual" }) {
  const depth = undo === "none" ? 0 : undo === "all" ? null : PRESETS[preset].undo_depth;
  const changes = [cells === PRESETS[preset].cells ? "" : `cells=${cells}`, depth === PRESETS[preset].undo_depth ? "" : `undo_depth=${depth ?? "all"}`];
  return [preset, ...changes.filter(Boolean)].join("+");
}

/** What is wrong with the deal that was typed: the key of a text, empty where nothing is. A race that is ranked draws its
 * own, whatever was typed before. @param {Terms} terms */
export function dealFault({ deal, cells, isRanked }) {
  if (!deal || isRanked) return "";
  const found = readDeal(deal, cells);
  if (!found) return "badDeal";
  return found.cells === cells ? "" : "dealCells";
}

/** The request that opens the race. @param {Terms} terms @returns {import("./wire/messages.js").Message} */
export function creation(terms) {
  const found = terms.isRanked ? null : readDeal(terms.deal, terms.cells);
  return {
    tag: "create", deal: found ? dealCode(found.number, found.cells) : "", rules: rulesText(terms), seats: terms.seats, open_boards: terms.isOpen, public: terms.isPublic,
    countdown_ms: terms.countdown * 1_000, limit_ms: terms.limit * MINUTE_MS, ranked: terms.isRanked, bots: terms.bots,
    delay_ms: terms.delay < 0 ? -1 : terms.delay * 1_000, best_of: terms.bestOf,
  };
}
