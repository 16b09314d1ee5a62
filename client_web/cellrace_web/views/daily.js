/** The deal of the day: one attempt, a board, the streak, and when the next comes. */

import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { bestTable } from "./boards.js";
import { button } from "./dialogs.js";
import { announce, clock, h, setText } from "./dom.js";

/** @typedef {import("../app.js").App} App */

const ASK_AGAIN_MS = 2_000; // while deals are being chosen

export class DailyScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.next = h("p", { class: "note" });
    this.body = h("div", {});
    this.element = h("div", { class: "screen page" }, h("h1", {}, t("daily")), this.next, this.body);
    this.nextAt = 0;
    this.closed = false;
    this.shown = ""; // what the body was made of
    /** @type {HTMLElement[]} which say that an attempt is over */
    this.over = [];
    this.asking = 0;
    this.ticking = window.setInterval(() => this.tick(), 1_000);
    void this.load();
  }

  async load() {
    try {
      const { rows, next_ms, choosing } = await this.app.online.ask({ tag: "daily" });
      if (this.closed) return;
      this.nextAt = performance.now() + next_ms;
      this.tick();
      if (choosing.length || !rows.length) this.asking = window.setTimeout(() => void this.load(), ASK_AGAIN_MS);
      await this.fill(rows, choosing);
    } catch (error) {
      this.body.textContent = errorWords(error);
    }
  }

  /** @param {any[][]} rows @param {string[]} choosing rule sets whose deal is being chosen */
  async fill(rows, choosing) {
    const shown = JSON.stringify([rows, choosing]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.over = [];
    const cards = await Promise.all(rows.map((values) => this.card(readRow("daily", values))));
    const waiting = choosing.map((rules) => h("section", { class: "card-like" }, h("h2", {}, rulesWords(rules)), h("p", {}, t("dailyChoosing"))));
    const none = cards.length || waiting.length ? [] : [h("p", {}, t("dailyChoosing"))];
    this.body.replaceChildren(...cards, ...waiting, ...none);
    this.tick();
    if (waiting.length || none.length) announce(t("dailyChoosing"));
  }

  /** @param {Record<string, any>} row */
  async card(row) {
    const top = await this.app.online.ask({ tag: "daily_top", rules: row.rules });
    const begin = () => void this.app.enter(() => this.app.online.enter({ tag: "play_daily", rules: row.rules }));
    const key = row.attempt === "done" ? "dailyPractice" : row.attempt === "under_way" ? "dailyContinue" : "dailyPlay";
    return h("section", { class: "card-like" },
      h("h2", {}, rulesWords(row.rules)),
      row.time >= 0 ? h("p", { class: "big" }, clock(row.time, true)) : null,
      row.attempt === "done" && row.time < 0 ? this.unfinished() : null,
      h("p", {}, t("streak", { n: row.streak })),
      button(key, begin, "main"),
      bestTable(this.app, top));
  }

  /** What is said of an attempt that ended without a result: the server does not tell which way. */
  unfinished() {
    const said = h("p", { class: "over" });
    this.over.push(said);
    return said;
  }

  tick() {
    if (!this.nextAt) return;
    const left = Math.max(0, Math.round((this.nextAt - performance.now()) / 60_000));
    const [hours, minutes] = [Math.floor(left / 60), left % 60];
    setText(this.next, t("nextDaily", { hours, minutes }));
    for (const said of this.over) setText(said, t("dailyOver", { hours, minutes }));
  }

  close() {
    this.closed = true;
    clearTimeout(this.asking);
    clearInterval(this.ticking);
  }
}
