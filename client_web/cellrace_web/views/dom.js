/** Elements in one line. Texts are always set as text. */

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

const SVG = "http://www.w3.org/2000/svg";

/** One of the drawings of `drawings.js`. @param {string} name */
export function drawing(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.setAttribute("class", "drawing");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

/** Say something to screen readers, politely. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Minutes, seconds and tenths. @param {number} ms @param {boolean} [exact] with tenths */
export function clock(ms, exact = false) {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const minutes = Math.floor(tenths / 600);
  const seconds = String(Math.floor(tenths / 10) % 60).padStart(2, "0");
  return `${minutes}:${seconds}${exact ? `.${tenths % 10}` : ""}`;
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
