/** Who stands in where one waits for strangers and nobody comes: a bot, a run that is stored, or nobody. No document is
 * needed. */

import { readRow } from "./wire/messages.js";

/** `ghost`: the run that is offered; `null` where there is none, or nobody has looked yet.
 * @typedef {{rules: string, choice: "bot" | "ghost" | "nobody", ghost: {run: string, name: string, time: number} | null}} StandIn */

export const OFFERED = 50; // runs of a board to choose from

/** At first a bot may come, who says so. @param {string} rules @returns {StandIn} */
export const usualStandIn = (rules) => ({ rules, choice: "bot", ghost: null });

/** The request for a seat under what was chosen; said again, its last word counts. @param {StandIn} standIn
 * @returns {import("./wire/messages.js").Message} */
export const quickRequest = ({ rules, choice, ghost }) => ({ tag: "quick", rules, house_bot: choice === "bot", ghost: choice === "ghost" && ghost ? ghost.run : "" });

/** The run to race against: of somebody else, just faster than one's own best, else in the middle of those that there are;
 * `null` where there is none. @param {import("./wire/messages.js").Message} top @param {string} mine one's own id
 * @returns {StandIn["ghost"]} */
export function ghostFrom(top, mine) {
  const rows = top.rows.map((/** @type {any[]} */ values) => /** @type {any} */ (readRow("best", values)));
  const others = rows.filter((/** @type {any} */ row) => row.player !== mine);
  const own = rows.findIndex((/** @type {any} */ row) => row.player === mine);
  const row = own > 0 ? rows[own - 1] : others[Math.floor(others.length / 2)];
  return row ? { run: row.run, name: row.name, time: row.time } : null;
}
