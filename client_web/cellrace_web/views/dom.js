/** Elements in one line. Texts are always set as text. */

import { t } from "../i18n.js";

/** @typedef {Record<string, string | number | boolean | EventListener | ((event: any) => void) | null | undefined>} Attributes */
/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element. `on...` are listeners; `true` sets an attribute, `false`, `null` and `undefined` leave it out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes] @param {...Child} children @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child))));
  return element;
}

/** Whether there is a mouse or a pen, and so most likely keys; where there is none, one taps. */
export const hasPointer = () => matchMedia("(any-hover: hover)").matches;

/** Set an attribute where it is another. @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Let an element that holds nothing else say a text, where it says another. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Take a class from some elements and give it to others; those that keep it are not touched.
 * @param {string} name @param {HTMLElement[]} before @param {HTMLElement[]} now @returns {HTMLElement[]} those that have it */
export function reclass(name, before, now) {
  for (const element of before) if (!now.includes(element)) element.classList.remove(name);
  for (const element of now) element.classList.add(name);
  return now;
}

/** Say something to screen readers, politely. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Minutes and seconds. @param {number} ms @param {boolean} [exact] to the millisecond, as results are told apart */
export const clock = (ms, exact = false) => timeWords(ms, exact ? 3 : 0);

/** Minutes, seconds and tenths, of what runs. @param {number} ms */
export const stopwatch = (ms) => timeWords(ms, 1);

/** @param {number} ms @param {number} digits behind the seconds */
function timeWords(ms, digits) {
  const whole = Math.max(0, Math.floor(ms));
  const seconds = String(Math.floor(whole / 1_000) % 60).padStart(2, "0");
  const rest = digits ? t("decimal") + String(whole % 1_000).padStart(3, "0").slice(0, digits) : "";
  return `${Math.floor(whole / 60_000)}:${seconds}${rest}`;
}

/** Put a text on the clipboard; whether that was possible. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text); // there is none but over HTTPS, or on one's own machine
    return true;
  } catch {
    return false;
  }
}

/** Copy a text and say so; where the browser copies nothing it is there to be copied by hand. @param {string} text
 * @param {string} label what it is @param {HTMLElement} said */
export async function copyTo(text, label, said) {
  if (await copied(text)) return void (said.textContent = t("copied"));
  const byHand = h("textarea", { readonly: true, rows: 4, "aria-label": label }, text);
  said.replaceChildren(byHand);
  return byHand.select();
}
