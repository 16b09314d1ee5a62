/** What a person has chosen, kept by the browser. */

import { readRules } from "./game/rules.js";
import { Store } from "./store.js";

/**
 * @typedef {object} Settings
 * @property {string} language empty: the browser's
 * @property {"auto" | "dark" | "light"} theme
 * @property {boolean} fourColours
 * @property {boolean} leftHanded
 * @property {"auto" | "send" | "select"} tap what one tap does; `auto`: send by touch, select by mouse
 * @property {boolean} sounds
 * @property {string} rules
 * @property {string} name
 * @property {string} guest the name that the server has made up for who has chosen none
 * @property {string} token
 * @property {string} nextToken one that was to be in force from now on, where nobody knows yet whether it is
 */

const KEY = "cellrace";
/** @type {Settings} */
const USUAL = { language: "", theme: "auto", fourColours: false, leftHanded: false, tap: "auto", sounds: false, rules: "classic", name: "", guest: "", token: "", nextToken: "" };

/** Whatever was kept; private windows may keep nothing. @param {string} key @returns {any} */
export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Nothing can be kept here: it lasts as long as the page.
  }
}

/** What is kept under such a key is not, from now on. @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing can be kept here.
  }
}

/** The keys that begin so, under which something is kept. @param {string} beginning @returns {string[]} */
export function keptKeys(beginning) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

/** Of what was kept, what is of the right kind: others, or another version, may have written it. @param {any} found
 * @returns {Partial<Settings>} */
function sound(found) {
  const usual = /** @type {Record<string, unknown>} */ (USUAL);
  const entries = Object.entries(found && typeof found === "object" ? found : {}).filter(([key, value]) => typeof value === typeof usual[key]);
  const { rules = USUAL.rules, ...others } = Object.fromEntries(entries);
  return { ...others, rules: isRules(rules) ? rules : USUAL.rules };
}

/** @param {string} text */
function isRules(text) {
  try {
    return Boolean(readRules(text));
  } catch {
    return false;
  }
}

/** All settings as they are kept now, by whichever tab. @returns {Settings} */
const stored = () => ({ ...USUAL, ...sound(kept(KEY)) });

/** The settings, as they were kept. */
export function loadSettings() {
  const store = new Store(stored());
  store.watch((state, before_) => keepChanges(state, before_));
  return store;
}

/** Keep what was changed here, and leave what another tab has changed. @param {Settings} state @param {Settings} before */
function keepChanges(state, before) {
  const changes = Object.entries(state).filter(([key, value]) => value !== /** @type {any} */ (before)[key]);
  keep(KEY, { ...state, ...kept(KEY), ...Object.fromEntries(changes) });
}

/** What one is called; empty for who is nobody yet. No two players have the same name. @param {Settings} settings */
export const calledIn = ({ name, guest }) => name || guest;

/** Who another tab of this browser has become meanwhile; `null` where nobody. @returns {Pick<Settings, "token" | "nextToken" | "name" | "guest"> | null} */
export function keptIdentity() {
  const { token, nextToken, name, guest } = stored();
  return token ? { token, nextToken, name, guest } : null;
}

/** Tokens that another tab of this browser has kept: the one in force, and one that may be soon. @returns {string[]} */
export const keptTokens = () => [stored().token, stored().nextToken];
