/** The best runs: of a deal, or ranked ones of a day, a week, or all times. */

import { readDeal, dealCode } from "../game/deals.js";
import { PRESETS } from "../game/rules.js";
import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { button } from "./dialogs.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

/** The rows of a board. @param {App} app @param {import("../wire/messages.js").Message} top */
export function bestTable(app, top) {
  const mine = app.online.state.state.player;
  const rows = top.rows.map((/** @type {any[]} */ values) => {
    const row = readRow("best", values);
    return h("tr", { class: row.player === mine ? "mine" : "" },
      h("td", {}, `${row.place}.`),
      h("td", { class: "name" }, h("a", { href: `/#profile=${row.player}`, onclick: (/** @type {MouseEvent} */ event) => app.follow(event) }, row.name)),
      h("td", {}, top.by === "score" ? String(row.score) : top.by === "moves" ? t("moves", { n: row.moves }) : clock(row.time, true)),
      h("td", {}, row.deal === "" && top.scope === "day" ? "" : button("watchReplay", () => app.go(`#replay=${row.run}`), "small")));
  });
  return rows.length ? h("table", {}, h("tbody", {}, ...rows)) : h("p", {}, t("nothingYet"));
}

export class BoardsScreen {
  /** @param {App} app @param {string} deal */
  constructor(app, deal) {
    this.app = app;
    this.asked = { scope: deal ? "deal" : "ever", by: "time", kind: "human", rules: app.settings.state.rules, deal };
    this.note = h("p", { class: "note" });
    this.found = h("div", {});
    const pick = (/** @type {string} */ field, /** @type {[string, string][]} */ options) =>
      h("select", { "aria-label": t(`board_${field}`), onchange: (/** @type {Event} */ event) => this.choose({ [field]: /** @type {HTMLSelectElement} */ (event.target).value }) },
        ...options.map(([value, text]) => h("option", { value, selected: /** @type {any} */ (this.asked)[field] === value }, text)));
    const input = h("input", { placeholder: "617", value: deal, "aria-label": t("dealNumber"), onchange: () => this.choose({ deal: input.value.trim(), scope: input.value.trim() ? "deal" : this.asked.scope }) });
    this.scopes = pick("scope", ["ever", "week", "day", "deal"].map((scope) => [scope, t(`scope_${scope}`)]));
    this.element = h("div", { class: "screen page" },
      h("h1", {}, t("boards")),
      h("p", { class: "row wrap" },
        this.scopes,
        pick("by", [["time", t("byTime")], ["moves", t("byMoves")]]),
        pick("kind", [["human", t("people")], ["bot", t("robots")]]),
        pick("rules", Object.keys(PRESETS).map((name) => [name, rulesWords(name)])), input),
      this.note, this.found);
    void this.load();
  }

  /** @param {Record<string, string>} changes */
  choose(changes) {
    Object.assign(this.asked, changes);
    this.scopes.value = this.asked.scope;
    void this.load();
  }

  async load() {
    const found = readDeal(this.asked.deal);
    const { scope } = this.asked;
    this.note.textContent = t(scope === "deal" ? "aboutDeal" : "aboutRanked");
    if (scope === "deal" && !found) return this.found.replaceChildren(h("p", {}, t(this.asked.deal ? "badDeal" : "whichDeal")));
    try {
      const deal = scope === "deal" && found ? dealCode(found.number, found.cells) : "";
      const top = await this.app.online.ask({ tag: "top", ...this.asked, deal, count: 50 });
      this.found.replaceChildren(bestTable(this.app, top));
    } catch (error) {
      this.found.textContent = errorWords(error);
    }
    return undefined;
  }

  close() {}
}
