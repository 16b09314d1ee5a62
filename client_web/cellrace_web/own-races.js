/** Races of one's own that go on though this page does not receive them: the tab was closed, another window has the seat, or
 * one is done before the others. No document is needed. */

import { keep, kept } from "./settings.js";

/** @typedef {import("./wire/race.js").Race} Race */
/** What no snapshot says of a race. @typedef {ReturnType<typeof wayTo>} Way */
/** A race as it was when this browser last heard of it. `time` is one's result in ms, -1 without one.
 * @typedef {{others: string[], phase: string, daily: boolean, time: number, gaveUp: boolean, way: Way}} Known */

const KEY = "cellrace races";

/** What tells nobody how a race stands, and comes with every move. */
const OF_A_MOVE = ["a", "d", "p", "no", "watching", "ghost"];

/** @param {Race} race */
export const wayTo = ({ isRematch, isShared, standIn, before }) => ({ isRematch, isShared, standIn, before });

/** Go on with what was known of a race before the page was loaded. @param {Race} race @param {Partial<Way> | null} [way] */
export function goOn(race, way) {
  const { isRematch = false, isShared = false, standIn = null, before = [] } = way ?? {};
  race.isRematch ||= isRematch;
  race.isShared ||= isShared;
  race.standIn ??= standIn;
  race.remember(before);
}

/** @returns {Record<string, Known>} by name */
function allKept() {
  const known = kept(KEY);
  return known && typeof known === "object" ? known : {};
}

/** @param {Race} race @returns {Known} */
const knownOf = (race) => ({
  others: race.others.map(({ name }) => name),
  phase: race.model?.phase ?? "",
  daily: Boolean(race.model?.snap.daily),
  time: race.mine?.time ?? -1,
  gaveUp: race.mine?.gave_up ?? false,
  way: wayTo(race),
});

/** Whether one has a seat in a race that is not over. @param {Race} race */
const isOwn = (race) => race.seat >= 0 && !race.session.ended;

export class OwnRaces {
  /** @param {import("./wire/reception.js").Reception} received */
  constructor(received) {
    this.received = received;
    /** @type {Set<string>} */
    this.told = new Set();
  }

  /** The server has said in which races one has a seat. @param {string[]} names */
  welcomed(names) {
    this.told = new Set(names);
    const isHere = (/** @type {string} */ name) => this.received.named(name)?.isTakenOver === false;
    const known = Object.entries(allKept()).filter(([name]) => this.told.has(name) || isHere(name));
    keep(KEY, Object.fromEntries(known));
  }

  /** Something has happened in a race that is received here. @param {Race} race @param {string} tag of the message */
  happened(race, tag) {
    if (OF_A_MOVE.includes(tag)) return;
    const { [race.session.race]: before, ...others } = allKept();
    if (isOwn(race)) keep(KEY, { ...others, [race.session.race]: knownOf(race) });
    else if (before) keep(KEY, others);
  }

  /** What was known of a race when it was last received. @param {string} name @returns {Known | undefined} */
  known(name) {
    return allKept()[name];
  }

  /** A race is received no more, by one's own wish. @param {Race} race */
  parted(race) {
    if (isOwn(race)) this.told.add(race.session.race);
    else this.told.delete(race.session.race);
  }

  /** The names of those that go on elsewhere. */
  get elsewhere() {
    const known = allKept(); // not of those that are over, as another tab or the server knows
    const taken = this.received.all.filter((race) => race.isTakenOver && isOwn(race)).map((race) => race.session.race);
    return [...[...this.told].filter((name) => !this.received.named(name)), ...taken.filter((name) => name in known)];
  }
}
