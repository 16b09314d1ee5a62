/** The best runs, of a deal, or ranked ones of a day, a week, or all times; and the ratings. */

import { dealCode, readDeal } from "../game/deals.js";
import { readRules } from "../game/rules.js";
import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { Refused } from "../wire/requests.js";
import { h, setText } from "./dom.js";
import { field, select } from "./fields.js";
import { Pages } from "./pages.js";
import { bestRow, rankRow } from "./rows.js";
import { rulesPicker } from "./rules-picker.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../standing.js").Page & {count: number}} Asked */

const COUNT = 20; // rows of a page

/** Whether runs under these rules have points. @param {string} rules */
export const givesPoints = (rules) => readRules(rules).points_to_foundation > 0;

/** What boards can be ranked by under these rules, and its names. @param {string} rules @returns {[string, string][]} */
export const measures = (rules) => [["time", t("byTime")], ["moves", t("byMoves")], .../** @type {[string, string][]} */ (givesPoints(rules) ? [["score", t("byScore")]] : [])];

export class BoardsScreen {
  /** @param {App} app @param {string} deal */
  constructor(app, deal) {
    this.app = app;
    this.closing = new AbortController();
    this.chosen = { scope: deal ? "deal" : "ever", by: "time", kind: "human", sight: "any", rules: app.settings.state.rules, deal };
    this.note = h("p", { class: "note" });
    this.soFar = h("p", { hidden: true });
    this.pages = new Pages((page) => this.ask(page), (values, answer) => (answer.tag === "ratings" ? rankRow(app, values) : bestRow(app, values, answer)), { count: COUNT, name: t("boards"), none: () => this.none() });
    const pick = (/** @type {"scope" | "by" | "kind" | "sight"} */ field, /** @type {[string, string][]} */ options) => select(options, this.chosen[field], (value) => this.choose({ [field]: value }), { "aria-label": t(`board_${field}`) });
    this.scopes = pick("scope", ["ever", "week", "day", "deal", "ratings"].map((scope) => [scope, t(`scope_${scope}`)]));
    this.by = pick("by", measures("relaxed"));
    this.sights = pick("sight", ["any", "first", "practised"].map((sight) => [sight, t(`sight_${sight}`)]));
    const deals = h("input", { placeholder: "617", value: deal, "aria-label": t("dealNumber"), onchange: () => this.choose({ deal: deals.value.trim(), scope: deals.value.trim() ? "deal" : this.chosen.scope }) });
    this.deals = deals;
    const [presets, cells] = rulesPicker(this.chosen.rules, (rules) => this.choose({ rules }));
    this.element = h("div", { class: "screen page" },
      h("h1", {}, t("boards")),
      this.filters(field("board_scope", this.scopes), field("board_by", this.by), field("board_sight", this.sights),
        field("board_kind", pick("kind", [["human", t("people")], ["bot", t("robots")]])), field("board_rules", presets), field("cells_", cells),
        field("dealNumber", deals)),
      this.note, this.soFar, this.pages.element);
    this.choose({});
  }

  /** What there is to choose; where it would fill the window, behind one word. @param {...HTMLElement} fields */
  filters(...fields) {
    const narrow = matchMedia("(max-width: 360px)");
    const details = h("details", { class: "filters" }, h("summary", {}, t("options")), h("div", { class: "fields" }, ...fields));
    const fold = () => (details.open = !narrow.matches);
    narrow.addEventListener("change", fold, { signal: this.closing.signal });
    fold();
    return details;
  }

  /** @param {Partial<BoardsScreen["chosen"]>} changes */
  choose(changes) {
    Object.assign(this.chosen, changes);
    const { chosen } = this;
    const isOfRuns = chosen.scope !== "ratings";
    if (chosen.by === "score" && !givesPoints(chosen.rules)) chosen.by = "time";
    this.scopes.value = chosen.scope;
    this.by.value = chosen.by;
    for (const option of this.by.options) option.hidden = option.disabled = option.value === "score" && !givesPoints(chosen.rules);
    for (const part of [this.by, this.sights, this.deals]) /** @type {HTMLElement} */ (part.parentElement).hidden = !isOfRuns;
    this.soFar.hidden = true;
    void this.load();
  }

  /** What there is to say where nobody is: a daily's runs are looked for here in vain. */
  none() {
    const { scope } = this.chosen;
    if (scope === "ratings" || scope === "deal") return t("nothingYet");
    const link = (/** @type {string} */ href, /** @type {string} */ key) => h("a", { href, class: "line", onclick: (/** @type {MouseEvent} */ event) => this.app.follow(event) }, t(key));
    return h("span", {}, `${t("nothingYet")} ${t("rankedHere")} `, link("/#ranked", "rankedRace"), `. ${t("dailiesElsewhere")} `, link("/#daily", "todaysBoard"));
  }

  /** The deal whose board it is; `null` where none is named. */
  get deal() {
    const { deal, rules } = this.chosen;
    return readDeal(deal, readRules(rules).cells);
  }

  async load() {
    const { scope, deal } = this.chosen;
    setText(this.note, t(scope === "ratings" ? "aboutRatings" : scope === "deal" ? "aboutDeal" : "aboutRanked"));
    if (scope === "deal" && !this.deal) return this.pages.fail(t(deal ? "badDeal" : "whichDeal"));
    await this.pages.load();
    const { answer } = this.pages;
    if (scope === "ratings" && answer?.tag === "ratings" && !answer.mine.length) await this.tellSoFar(this.chosen.rules);
    return undefined;
  }

  /** @param {Asked} page */
  ask(page) {
    const { scope, by, kind, sight, rules } = this.chosen;
    const { deal, app } = this;
    if (scope === "ratings") return app.online.ask({ tag: "ratings", rules, kind, ...page });
    return app.online.ask({ tag: "top", scope, by, kind, sight, rules, deal: scope === "deal" && deal ? dealCode(deal.number, deal.cells) : "", ...page });
  }

  /** A rating that is on no board yet. @param {string} rules */
  async tellSoFar(rules) {
    try {
      const { ratings } = await this.app.online.ask({ tag: "profile" });
      const rating = ratings.map((/** @type {any[]} */ values) => readRow("rating", values)).find((/** @type {any} */ one) => one.rules === rules && one.provisional);
      if (!rating || this.chosen.scope !== "ratings" || this.chosen.rules !== rules) return;
      this.soFar.hidden = false;
      setText(this.soFar, t("ratingSoFar", { n: rating.races, rating: rating.rating, deviation: rating.deviation }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // nothing is kept of who has not raced
    }
  }

  close() {
    this.closing.abort();
  }
}
