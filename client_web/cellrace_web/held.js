/** What a window has of its races, kept for the page that comes after a reload, a crash or its end. */

import { keep, kept } from "./settings.js";

/** @typedef {import("./wire/session.js").Unsaid} Unsaid */
/** Of one race: what was done and not heard of, and how much else may be missing.
 * @typedef {{unsaid: Unsaid[], unmade: number}} Kept */
/** `instance` is what the page before was called (SPEC 2.1). @typedef {{instance: string, races: Record<string, Kept>}} Left */

const KEY = "cellrace.held";
const ORPHANS = "cellrace left"; // of all windows that have races, by instance: one may have been closed
const RELEASE_MS = 500; // within which a page that goes has let its name go

/** @param {number} ms */
function within(ms) {
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(), ms);
  return waiting.signal;
}

const drawn = () => Math.random().toString(36).slice(2, 18);

/** Of this window alone, or of the one that it was copied from. @returns {Partial<Left>} */
function left() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** What is there is of this page, or of none that may be relied on. @param {unknown} found @returns {Kept} */
function sound(found) {
  const { unsaid, unmade } = /** @type {Partial<Kept>} */ (found ?? {});
  return { unsaid: Array.isArray(unsaid) ? unsaid.filter(isUnsaid) : [], unmade: Number(unmade) || 0 };
}

/** @param {unknown} one @returns {one is Unsaid} */
function isUnsaid(one) {
  const { n, action } = /** @type {Partial<Unsaid>} */ (one ?? {});
  return Number.isInteger(n) && typeof action === "object" && action !== null;
}

/** @param {Kept} kept */
const isSome = ({ unsaid, unmade }) => unsaid.length > 0 || unmade > 0;

/** Whether something is left to do in a race. @param {Partial<Left>} left */
const isUndone = ({ races }) => Object.values(races ?? {}).some((one) => isSome(sound(one)));

/** Have a name for as long as this page lives; false where another page has it. Where there are no locks, that is without
 * https, nobody knows. @param {string} instance @param {LockOptions} how long to wait @returns {Promise<boolean>} */
const claimed = (instance, how) =>
  new Promise((resolve) => {
    const have = (/** @type {Lock | null} */ lock) => (resolve(lock !== null), lock && new Promise(() => {}));
    if (!navigator.locks) resolve(true);
    else navigator.locks.request(`cellrace ${instance}`, how, have).catch(() => resolve(false));
  });

/** What was left by a window that is gone, where something is left to do rather. @returns {Promise<Partial<Left> | undefined>} */
async function orphan() {
  if (!navigator.locks) return undefined; // it may be there still
  const all = Object.values(orphans()).filter((one) => one?.instance);
  for (const one of all.sort((a, b) => Number(isUndone(b)) - Number(isUndone(a)))) if (await claimed(one.instance, { ifAvailable: true })) return one;
  return undefined;
}

/** @returns {Record<string, Left>} */
const orphans = () => kept(ORPHANS) ?? {};

/** As long as a window has a race, the page after a reload is the same instance: it goes on with what is its own still, and
 * takes nothing from another device. A window that is opened as a copy of this one is another. */
export class Held {
  /** @param {Partial<Left>} [before] */
  constructor({ instance, races } = {}) {
    this.instance = instance || drawn();
    /** @type {Map<string, Kept>} what was left, by the names of races that are not entered yet */
    this.races = new Map(Object.entries(races ?? {}).map(([name, kept]) => [name, sound(kept)]));
    /** @type {string | null} what is kept; `null`: nobody has looked */
    this.written = null;
    this.isClaimed = this.races.size > 0;
  }

  /** What the page before has left, unless it is there still. @returns {Promise<Held>} */
  static async found() {
    const before = left();
    const isOurs = typeof before.instance === "string" && (await claimed(before.instance, { signal: within(RELEASE_MS) }));
    return new Held(isOurs ? before : await orphan());
  }

  /** The races in which something was done, or may be missing. */
  get undone() {
    return [...this.races].filter(([, kept]) => isSome(kept)).map(([name]) => name);
  }

  /** What was left of a race, once. @param {string} name @returns {Kept} */
  take(name) {
    const found = this.races.get(name) ?? { unsaid: [], unmade: 0 };
    this.races.delete(name);
    return found;
  }

  /** Who goes on to other races says so, and takes them: nothing is left of those that are not asked for now.
   * @param {(name: string) => boolean} isAsked */
  begun(isAsked) {
    for (const [name, kept] of this.races) if (!isSome(kept) && !isAsked(name)) this.races.delete(name);
  }

  /** Keep what there is. @param {import("./wire/race.js").Race[]} races those that are received */
  keep(races) {
    const all = new Map(this.races);
    for (const { seat, session, unmade, isUnmadeTold } of races) {
      const kept = { unsaid: session.unsaid, unmade: session.ended && isUnmadeTold ? 0 : unmade };
      if (seat >= 0 && (!session.ended || isSome(kept))) all.set(session.race, kept);
    }
    this.write(all.size ? { instance: this.instance, races: Object.fromEntries(all) } : null);
  }

  /** @param {Left | null} now */
  write(now) {
    const text = now ? JSON.stringify(now) : "";
    if (text === this.written) return;
    this.written = text;
    if (now && !this.isClaimed) void claimed(this.instance, {});
    this.isClaimed ||= now !== null;
    const { [this.instance]: before, ...others } = orphans();
    if (now && navigator.locks) keep(ORPHANS, { ...others, [this.instance]: now });
    else if (before) keep(ORPHANS, others);
    try {
      if (text) sessionStorage.setItem(KEY, text);
      else sessionStorage.removeItem(KEY);
    } catch {
      // Nothing can be kept here.
    }
  }
}
