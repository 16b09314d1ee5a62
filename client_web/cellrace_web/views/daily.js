/** The deal of the day: one attempt, a board, the streak, and when the next comes. */

import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { bestTable } from "./boards.js";
import { button } from "./dialogs.js";
import { announce, clock, h } from "./dom.js";

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
    const cards = await Promise.all(rows.map((values) => this.card(readRow("daily", values))));
    const waiting = choosing.map((rules) => h("section", { class: "card-like" }, h("h2", {}, rulesWords(rules)), h("p", {}, t("dailyChoosing"))));
    const none = cards.length || waiting.length ? [] : [h("p", {}, t("dailyChoosing"))];
    this.body.replaceChildren(...cards, ...waiting, ...none);
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
      h("p", {}, t("streak", { n: row.streak })),
      button(key, begin, "main"),
      bestTable(this.app, top));
  }

  tick() {
    if (!this.nextAt) return;
    const minutes = Math.max(0, Math.round((this.nextAt - performance.now()) / 60_000));
    this.next.textContent = t("nextDaily", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  }

  close() {
    this.closed = true;
    clearTimeout(this.asking);
    clearInterval(this.ticking);
  }
}
