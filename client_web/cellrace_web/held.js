/** What a window has done and not heard of, kept for the page that comes after a reload. */

/** @typedef {import("./wire/session.js").Unsaid} Unsaid */
/** `instance` is what the page before was called (SPEC 2.1). @typedef {{instance: string, races: Record<string, Unsaid[]>}} Left */

const KEY = "cellrace.unsent";

/** Of this window alone; what is there is of this page, or of none that may be relied on. @returns {Partial<Left>} */
function left() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {unknown} one @returns {one is Unsaid} */
function isUnsaid(one) {
  const { n, action } = /** @type {Partial<Unsaid>} */ (one ?? {});
  return Number.isInteger(n) && typeof action === "object" && action !== null;
}

/** As long as there is something unsent the next page is the same instance, and so may send it. A window that is opened as a
 * copy of this one has none of it: it is there only while nobody looks, or when the page goes. */
export class Unsent {
  constructor() {
    const { instance, races } = left();
    this.instance = typeof instance === "string" && instance ? instance : Math.random().toString(36).slice(2, 18);
    /** @type {Map<string, Unsaid[]>} by the names of races that are not entered yet */
    this.races = new Map();
    for (const [name, list] of Object.entries(races ?? {})) if (Array.isArray(list)) this.races.set(name, list.filter(isUnsaid));
    this.forget();
  }

  /** Whether something was done in a race before. @param {string} name */
  has(name) {
    return Boolean(this.races.get(name)?.length);
  }

  /** What that was, once. @param {string} name @returns {Unsaid[]} */
  take(name) {
    const found = this.races.get(name) ?? [];
    this.races.delete(name);
    return found;
  }

  /** Keep what there is. @param {import("./wire/race.js").Race[]} races those that are received */
  keep(races) {
    const all = [...this.races, ...races.map((race) => /** @type {const} */ ([race.session.race, race.session.unsaid]))];
    const some = all.filter(([, list]) => list.length);
    if (!some.length) return this.forget();
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ instance: this.instance, races: Object.fromEntries(some) }));
    } catch {
      // Nothing can be kept here.
    }
    return undefined;
  }

  forget() {
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Nothing was kept here.
    }
  }
}
