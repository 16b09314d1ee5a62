/** What forms are made of. */

import { t } from "../i18n.js";
import { h } from "./dom.js";

/** A list to choose from. @param {[value: string | number, text: string][]} options @param {string | number} chosen
 * @param {(value: string) => void} choose @param {import("./dom.js").Attributes} [attributes] */
export function select(options, chosen, choose, attributes = {}) {
  const change = (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value);
  return h("select", { ...attributes, onchange: change }, ...options.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text)));
}

/** @param {boolean} checked @param {(checked: boolean) => void} choose @param {import("./dom.js").Attributes} [attributes] */
export function tick(checked, choose, attributes = {}) {
  return h("input", { type: "checkbox", ...attributes, checked, onchange: (/** @type {Event} */ event) => choose(/** @type {HTMLInputElement} */ (event.target).checked) });
}

/** What there is to choose, by its name. @param {string} key @param {HTMLElement} control */
export const setting = (key, control) => h("label", { class: "setting" }, h("span", {}, t(key)), control);

/** A control below its name, where several are in a row. @param {string} key @param {HTMLElement} control */
export const field = (key, control) => h("label", { class: "field" }, h("span", {}, t(key)), control);

/** What is made when it is opened for the first time. @param {string} key @param {() => import("./dom.js").Child[]} make */
export function disclosure(key, make) {
  let isMade = false;
  const details = h("details", {}, h("summary", {}, t(key)));
  details.addEventListener("toggle", () => {
    if (!isMade) details.append(...make().filter((child) => child instanceof Node));
    isMade = true;
  });
  return details;
}
