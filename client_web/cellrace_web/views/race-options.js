/** What the race that one opens is like: all that there is to choose, behind one word. */

import { PRESETS } from "../game/rules.js";
import { t } from "../i18n.js";
import { CELLS, COUNTDOWNS, DELAYS, LIMITS, SEATS, SERIES, UNDOS, dealFault, usualTerms } from "../race-options.js";
import { capital, duration, rulesNote, rulesWords } from "../words.js";
import { h, setAttribute, setText } from "./dom.js";
import { disclosure, select, setting, tick } from "./fields.js";

const USUAL_DELAY_S = 30; // of ranked races

export class RaceOptions {
  /** @param {string} rules those that are usual here */
  constructor(rules) {
    this.terms = usualTerms(rules);
    this.fault = h("p", { class: "refused", id: "deal-fault", role: "alert", hidden: true });
    this.element = disclosure("options", () => this.fields());
  }

  fields() {
    this.deal = h("input", { id: "with-deal", autocomplete: "off", placeholder: t("randomDeal"), "aria-describedby": "deal-fault ranked-note", oninput: () => this.set({ deal: this.deal?.value.trim() ?? "" }) });
    this.ranked = tick(false, (isRanked) => this.set({ isRanked }), { "aria-describedby": "ranked-note" });
    this.note = h("p", { class: "note", id: "ranked-note", hidden: true });
    this.botsNote = h("p", { class: "note", id: "bots-note", hidden: true }, t("botsListed"));
    this.about = h("p", { class: "note", id: "preset-note", "aria-live": "polite" }, rulesNote(this.terms.preset));
    return [
      setting("seats", this.numbers("seats", SEATS, String, "seats")),
      setting("dealNumber", this.deal), this.fault,
      setting("ranked_", this.ranked), this.note,
      setting("board_rules", select(Object.keys(PRESETS).map((name) => [name, rulesWords(name)]), this.terms.preset, (preset) => this.set({ preset }), { "aria-describedby": "preset-note" })), this.about,
      setting("cells_", this.numbers("cells", CELLS, String)),
      setting("undo_", select(UNDOS.map((undo) => [undo, capital(t(`undo_${undo}`))]), this.terms.undo, (undo) => this.set({ undo }))),
      setting("bestOf", this.numbers("bestOf", SERIES, (n) => (n > 1 ? capital(t("bestOfMost", { most: n })) : t("oneRace")))),
      setting("whoComes", select([["", t("byLink")], ["all", t("onList")]], "", (all) => this.set({ isPublic: Boolean(all) }))),
      setting("botsMay", tick(this.terms.bots, (bots) => this.set({ bots }), { "aria-describedby": "bots-note" })), this.botsNote,
      setting("openBoards", tick(this.terms.isOpen, (isOpen) => this.set({ isOpen }), { id: "open" })),
      setting("limit", this.numbers("limit", LIMITS, (n) => duration(n * 60))),
      setting("countdown", this.numbers("countdown", COUNTDOWNS, duration)),
      setting("delay", this.numbers("delay", DELAYS, (n) => (n < 0 ? t("delayUsual", { time: duration(USUAL_DELAY_S) }) : n ? duration(n) : t("atOnce")))),
    ];
  }

  /** @param {"seats" | "cells" | "bestOf" | "limit" | "countdown" | "delay"} field @param {number[]} values
   * @param {(n: number) => string} words @param {string} [id] */
  numbers(field, values, words, id) {
    return select(values.map((n) => [n, words(n)]), this.terms[field], (value) => this.set({ [field]: Number(value) }), { id });
  }

  /** @param {Partial<import("../race-options.js").Terms>} changes */
  set(changes) {
    Object.assign(this.terms, changes);
    const { deal, isRanked, bots, isPublic } = this.terms;
    const fault = dealFault(this.terms);
    this.fault.hidden = !fault;
    setText(this.fault, fault && t(fault));
    if (!this.deal || !this.ranked || !this.note || !this.botsNote || !this.about) return;
    setText(this.about, rulesNote(this.terms.preset));
    this.botsNote.hidden = !bots || isPublic;
    setAttribute(this.deal, "aria-invalid", String(Boolean(fault)));
    this.deal.disabled = isRanked;
    this.ranked.disabled = Boolean(deal) && !isRanked;
    this.note.hidden = !deal && !isRanked;
    setText(this.note, t("rankedDraws"));
  }

  /** Whether there can be such a race; where there cannot, one is led to why. */
  get isFit() {
    const isFit = !dealFault(this.terms);
    if (!isFit) this.deal?.focus();
    return isFit;
  }
}
