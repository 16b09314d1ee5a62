/** Texts in the language of the reader. A catalogue is a table of texts; `{name}` is filled in. A text that depends on a
 * number is a table by plural category (`one`, `few`, `many`, `other`), chosen by `{n}`. */

import en from "./languages/en.js";

/** @typedef {Record<string, string | Record<string, string>>} Catalogue */

export const LANGUAGES = { en: "English", fr: "Français", it: "Italiano", nl: "Nederlands", uk: "Українська" };

/** @type {Record<string, () => Promise<{default: Catalogue}>>} */
const OTHERS = {
  fr: () => import("./languages/fr.js"),
  it: () => import("./languages/it.js"),
  nl: () => import("./languages/nl.js"),
  uk: () => import("./languages/uk.js"),
};

let language = "en";
/** @type {Catalogue} */
let catalogue = en;
/** @type {Catalogue} */
const ENGLISH = en;
/** @type {Intl.PluralRules | null} */
let plurals = null; // made with the first text that depends on a number

/** The first language of a list that there is a catalogue for. @param {readonly string[]} wanted */
export const chosen = (wanted) => wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? "en";

/** Speak a language from now on; where its texts cannot be had, go on in the one that is spoken. @param {string} tag */
export async function speak(tag) {
  try {
    catalogue = tag in OTHERS ? (await OTHERS[tag]()).default : en;
  } catch {
    return;
  }
  language = tag in OTHERS ? tag : "en";
  plurals = null;
  if (typeof document !== "undefined") document.documentElement.lang = language;
}

/** What is written from right to left. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name as it can stand in a text: one from right to left, which would turn round what is beside it, by itself. What has
 * isolated names in it is as it is. @param {string} name */
export const isolated = (name) => (LEFTWARD.test(name) && !name.includes("\u2068") ? `\u2068${name}\u2069` : name);

/** The language that is spoken. */
export const spoken = () => language;

/** Whether there is a text. @param {string} key */
export const has = (key) => key in en;

/** A text, if there is one and all that it needs; else empty. @param {string} key @param {Record<string, string | number>} values */
export function filled(key, values) {
  if (!has(key)) return "";
  const needed = [...t(key).matchAll(/\{(\w+)\}/g)];
  return needed.every(([, name]) => Object.hasOwn(values, name)) ? t(key, values) : "";
}

/** A text; names that are filled in turn nothing of it round. @param {string} key
 * @param {Record<string, string | number>} [values] @returns {string} */
export function t(key, values = {}) {
  const found = catalogue[key] ?? ENGLISH[key] ?? key;
  const text = typeof found === "string" ? found : plural(found, Number(values.n ?? 0));
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolated(String(values[name])) : whole));
}

/** The text for a number. @param {Record<string, string>} texts @param {number} n */
function plural(texts, n) {
  plurals ??= new Intl.PluralRules(language);
  return texts[plurals.select(n)] ?? texts.other;
}
