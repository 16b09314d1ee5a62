/** Picking a rule set: a preset, and how many cells. */

import { PRESETS } from "../game/rules.js";
import { t } from "../i18n.js";
import { CELLS, pickedRules, rulesText } from "../race-options.js";
import { rulesWords } from "../words.js";
import { select } from "./fields.js";

/** Two lists. @param {string} rules what is picked at first @param {(rules: string) => void} choose */
export function rulesPicker(rules, choose) {
  const picked = pickedRules(rules);
  const pick = (/** @type {Partial<typeof picked>} */ changes) => choose(rulesText(Object.assign(picked, changes)));
  return [
    select(Object.keys(PRESETS).map((name) => [name, rulesWords(name)]), picked.preset, (preset) => pick({ preset }), { "aria-label": t("board_rules") }),
    select(CELLS.map((n) => [n, t("cells", { n })]), picked.cells, (cells) => pick({ cells: Number(cells) }), { "aria-label": t("cells_") }),
  ];
}
