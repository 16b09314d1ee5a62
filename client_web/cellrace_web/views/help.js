/** How to play, on one page. */

import { t } from "../i18n.js";
import { h, hasPointer } from "./dom.js";
import { disclosure } from "./fields.js";

const KEYS = [["2 6", "keyMove"], ["3 h", "keyHome"], ["7 a", "keyCell"], ["← ↑ ↓ → ⏎", "keyArrows"], ["U  Ctrl+Z", "undo"], ["Y", "redo"], ["?", "hint"], ["F", "finish"], ["Esc", "keyEscape"]];

/** @param {string} tap what one tap does, as it was chosen */
export function helpContent(tap) {
  const keys = KEYS.map(([keys_, text]) => h("li", {}, h("kbd", {}, keys_), " ", t(text)));
  return h("div", { class: "help" }, ...["helpGoal", "helpColumns", "helpRuns", "helpRace", tap === "send" || (tap === "auto" && !hasPointer()) ? "helpTouch" : "helpPointer"].map((key) => h("p", {}, t(key))), ...(hasPointer() ? [h("h3", {}, t("keyboard")), h("ul", {}, ...keys)] : [disclosure("keyboard", () => [h("ul", {}, ...keys)])]));
}
