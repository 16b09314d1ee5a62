/** What a window has of its races, kept for the page that comes after a reload, a crash or its end, and for other windows. */

import { forget, keep, kept, keptKeys } from "./settings.js";

/** @typedef {import("./wire/session.js").Unsaid} Unsaid */
/** Of one race: what was done and not heard of, and how much else may be missing.
 * @typedef {{unsaid: Unsaid[], unmade: number}} Kept */
/** `instance` is what the page before was called (SPEC 2.1), `who` the player, `at` when this was so, in ms since 1970.
 * @typedef {{instance: string, who: string, at: number, races: Record<string, Kept>}} Left */

const KEY = "cellrace.held";
const LEFT = "cellrace left "; // and the instance
const RELEASE_MS = 500; // within which a page that goes has let its name go
const KEPT_MS = 86_400_000; // no race is gone on with after that

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
  const { n, action, on, to } = /** @type {Partial<Unsaid>} */ (one ?? {});
  return [n, on, to].every(Number.isInteger) && typeof action === "object" && action !== null;
}

/** @param {Kept} kept */
const isSome = ({ unsaid, unmade }) => unsaid.length > 0 || unmade > 0;

/** Whether something is left to do in a race. @param {Left} left */
const isUndone = ({ races }) => Object.values(races).some((one) => isSome(sound(one)));

/** Have a name for as long as this page lives; false where another page has it. Where there are no locks, that is without
 * https, nobody knows. @param {string} instance @param {LockOptions} how long to wait @returns {Promise<boolean>} */
const claimed = (instance, how) =>
  new Promise((resolve) => {
    const have = (/** @type {Lock | null} */ lock) => (resolve(lock !== null), lock && new Promise(() => {}));
    if (!navigator.locks) resolve(true);
    else navigator.locks.request(`cellrace ${instance}`, how, have).catch(() => resolve(false));
  });

/** What the windows of a player have left, or have still, the newest first; what is old is forgotten.
 * @param {string} who @returns {Left[]} */
function allLeft(who) {
  const all = keptKeys(LEFT).map((key) => /** @type {Left} */ ({ ...kept(key), instance: key.slice(LEFT.length) }));
  const isFresh = (/** @type {Left} */ { at, races }) => Date.now() - KEPT_MS < Number(at) && typeof races === "object" && races !== null;
  for (const one of all) if (!isFresh(one)) forget(LEFT + one.instance);
  return all.filter((one) => isFresh(one) && one.who === who).sort((a, b) => b.at - a.at);
}

/** What was left by a window that is gone: of the race that is asked for, else where something is left to do.
 * @param {string} who @param {string} race @returns {Promise<Left | undefined>} */
async function orphan(who, race) {
  if (!navigator.locks) return undefined; // it may be there still
  const all = allLeft(who);
  const wanted = [...all.filter(({ races }) => race in races), ...all.filter(isUndone)];
  for (const one of wanted) if (await claimed(one.instance, { ifAvailable: true })) return one;
  return undefined;
}

/** As long as a window has a race, the page after a reload is the same instance: it goes on with what is its own still, and
 * takes nothing from another device. A window that is opened as a copy of this one is another. What a window has not been
 * answered goes along with the one in which its player enters the race next, whether it was closed or is there still. */
export class Held {
  /** @param {string} [who] the player @param {Partial<Left>} [before] what this goes on with, as it is kept */
  constructor(who = "", { instance, races } = {}) {
    this.who = who;
    this.instance = instance || drawn();
    /** @type {Map<string, Kept>} what was left by this window, by the names of races that are not entered yet */
    this.races = new Map(Object.entries(races ?? {}).map(([name, kept]) => [name, sound(kept)]));
    /** @type {Map<string, Set<number>>} the numbers of actions that have gone along with other windows, by race */
    this.gone = new Map();
    /** @type {Record<string, Kept>} what others may find of this window */
    this.shown = Object.fromEntries(this.races);
    /** @type {string | null} what is kept; `null`: nobody has looked */
    this.written = this.races.size > 0 ? JSON.stringify(this.shown) : null;
    this.isClaimed = this.races.size > 0;
  }

  /** What the page before has left, unless it is there still. @param {string} who the player
   * @param {string} race the name of the one that is asked for, if there is one @returns {Promise<Held>} */
  static async found(who, race) {
    const before = left();
    const isOurs = typeof before.instance === "string" && (await claimed(before.instance, { signal: within(RELEASE_MS) }));
    const held = new Held(who, isOurs ? before : await orphan(who, race));
    if (!isOurs && held.races.size) held.keepHere();
    return held;
  }

  /** The races in which something was done, or may be missing. */
  get undone() {
    return [...this.races].filter(([, kept]) => isSome(kept)).map(([name]) => name);
  }

  /** What this window has left of a race, once. @param {string} name @returns {Kept} */
  take(name) {
    const found = this.races.get(name) ?? { unsaid: [], unmade: 0 };
    this.races.delete(name);
    return found;
  }

  /** What this window and others have left of a race that was entered here, once, this one's first. @param {string} name
   * @returns {Kept[]} */
  takeAll(name) {
    const found = [this.take(name)];
    for (const { instance, races, ...left } of allLeft(this.who)) {
      if (instance === this.instance || !(name in races)) continue;
      const { [name]: one, ...others } = races;
      found.push(sound(one));
      keep(LEFT + instance, { ...left, races: others });
    }
    this.beginAnew(name);
    return found.filter(isSome);
  }

  /** A race is gone on with here: what is done from now on has gone along with nobody. @param {string} name */
  beginAnew(name) {
    this.gone.delete(name);
    delete this.shown[name];
    this.written = null;
  }

  /** How many of these actions of this window another one has taken along. @param {string} name of the race
   * @param {Unsaid[]} unsaid */
  goneAlong(name, unsaid) {
    this.noteGone();
    return unsaid.filter(({ n }) => this.gone.get(name)?.has(n)).length;
  }

  /** What this window has shown of a race and is there no more has gone along with another one. */
  noteGone() {
    const shown = Object.entries(this.shown);
    const there = shown.length ? kept(LEFT + this.instance)?.races : null;
    if (!there) return; // nothing is kept, or can be
    for (const [name, { unsaid }] of shown) {
      if (name in there) continue;
      const gone = this.gone.get(name) ?? new Set();
      for (const { n } of unsaid) gone.add(n);
      this.gone.set(name, gone);
    }
  }

  /** Who goes on to other races says so, and takes them: nothing is left of those that are not asked for now.
   * @param {(name: string) => boolean} isAsked */
  begun(isAsked) {
    for (const [name, kept] of this.races) if (!isSome(kept) && !isAsked(name)) this.races.delete(name);
  }

  /** Keep what there is. @param {import("./wire/race.js").Race[]} races those that are received */
  keep(races) {
    this.noteGone();
    const all = new Map(this.races);
    for (const race of races) {
      const { seat, session, isUnmadeTold } = race;
      const unsaid = race.unsaid.filter(({ n }) => !this.gone.get(session.race)?.has(n));
      const kept = { unsaid, unmade: session.ended && isUnmadeTold ? 0 : race.missing };
      if (seat >= 0 && (!session.ended || isSome(kept))) all.set(session.race, kept);
    }
    this.write(Object.fromEntries(all));
  }

  /** @param {Record<string, Kept>} races */
  write(races) {
    const some = Object.keys(races).length > 0;
    const text = some ? JSON.stringify(races) : "";
    if (text === this.written) return;
    this.written = text;
    this.shown = races;
    if (some && !this.isClaimed) void claimed(this.instance, {});
    this.isClaimed ||= some;
    if (some) keep(LEFT + this.instance, { who: this.who, at: Date.now(), races });
    else forget(LEFT + this.instance);
    this.keepHere();
  }

  /** Keep what others may find for the page after a reload too. */
  keepHere() {
    const { instance, shown } = this;
    try {
      if (Object.keys(shown).length) sessionStorage.setItem(KEY, JSON.stringify({ instance, races: shown }));
      else sessionStorage.removeItem(KEY);
    } catch {
      // Nothing can be kept here.
    }
  }
}
