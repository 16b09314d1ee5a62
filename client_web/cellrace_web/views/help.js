/** How to play, on one page. */

import { t } from "../i18n.js";
import { h, hasPointer } from "./dom.js";

const KEYS = [["2 6", "keyMove"], ["3 h", "keyHome"], ["7 a", "keyCell"], ["← ↑ ↓ → ⏎", "keyArrows"], ["U  Ctrl+Z", "undo"], ["Y", "redo"], ["?", "hint"], ["F", "finish"], ["Esc", "keyEscape"]];

export function helpContent() {
  const keys = KEYS.map(([keys_, text]) => h("li", {}, h("kbd", {}, keys_), " ", t(text)));
  return h("div", { class: "help" }, ...["helpGoal", "helpColumns", "helpRuns", "helpRace", hasPointer() ? "helpPointer" : "helpTouch"].map((key) => h("p", {}, t(key))), h("h3", {}, t("keyboard")), h("ul", {}, ...keys));
}
