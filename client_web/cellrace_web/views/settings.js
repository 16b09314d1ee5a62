/** What can be chosen. */

import { PRESETS } from "../game/rules.js";
import { LANGUAGES, t } from "../i18n.js";
import { rulesNote, rulesWords } from "../words.js";
import { h } from "./dom.js";
import { disclosure } from "./fields.js";
import { ownKey } from "./own-key.js";

/** @typedef {import("../settings.js").Settings} Settings */

/** @param {import("../store.js").Store<Settings>} settings @param {import("../online.js").Online} online */
export function settingsContent(settings, online) {
  const now = settings.state;
  /** @param {keyof Settings} key @param {[string, string][]} options */
  const choice = (key, options) =>
    h("label", { class: "setting" }, h("span", {}, t(`set_${key}`)),
      h("select", { onchange: (/** @type {Event} */ event) => settings.set({ [key]: /** @type {HTMLSelectElement} */ (event.target).value }) },
        ...options.map(([value, text]) => h("option", { value, selected: now[key] === value }, text))));
  /** @param {keyof Settings} key */
  const toggle = (key) =>
    h("label", { class: "setting" }, h("span", {}, t(`set_${key}`)),
      h("input", { type: "checkbox", checked: Boolean(now[key]), onchange: (/** @type {Event} */ event) => settings.set({ [key]: /** @type {HTMLInputElement} */ (event.target).checked }) }));
  const rules = choice("rules", Object.keys(PRESETS).map((name) => [name, rulesWords(name)]));
  const note = h("p", { class: "note", id: "about-rules", "aria-live": "polite" }, rulesNote(now.rules));
  const select = rules.querySelector("select");
  select?.setAttribute("aria-describedby", note.id);
  select?.addEventListener("change", () => (note.textContent = rulesNote(settings.state.rules)));
  return h("div", { class: "settings" },
    choice("language", [["", t("automatic")], ...Object.entries(LANGUAGES)]),
    choice("theme", [["auto", t("automatic")], ["dark", t("dark")], ["light", t("light")]]),
    choice("tap", [["auto", t("automatic")], ["send", t("tapSend")], ["select", t("tapSelect")]]),
    rules, note,
    toggle("fourColours"),
    toggle("leftHanded"),
    toggle("sounds"),
    disclosure("keySeen", () => ownKey(online)));
}
