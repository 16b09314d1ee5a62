/** A replay document as moments: the board at each action, and when that was. */

import { readDeal, deal } from "./deals.js";
import { Line, perform } from "./line.js";

/** @typedef {{time: number, line: Line, what: string}} Moment */

/** What a document calls them that are no moves. */
const ACTIONS = new Map([["undo", { tag: "u" }], ["restart", { tag: "restart" }]]);

/** The moments of one player of a replay document. Throws where an action cannot be. @param {any} document @param {number} [index]
 * @returns {Moment[]} */
export function moments(document, index = 0) {
  const found = readDeal(document.deal);
  if (!found) throw new Error("the replay has no deal");
  let line = Line.begin(document.rules, deal(found.number, found.cells));
  const all = [{ time: 0, line, what: "" }];
  for (const [time, what] of document.players[index].actions) {
    const next = perform(line, ACTIONS.get(what) ?? { move: what });
    if (!(next instanceof Line)) throw new Error(`the replay cannot go on at ${what}: ${next.reason}`);
    line = next;
    all.push({ time, line, what });
  }
  return all;
}

/** The moment that stands at a time. @param {Moment[]} all @param {number} time */
export const momentAt = (all, time) => all.findLastIndex((moment) => moment.time <= time);

/** The time of the next moment, or of the one before; `null` where there is none. Several moments may have one time.
 * @param {Moment[]} all @param {number} time @param {number} by 1 or -1 */
export function stepFrom(all, time, by) {
  const found = by > 0 ? all.find((moment) => moment.time > time) : all.findLast((moment) => moment.time < time);
  return found ? found.time : null;
}
