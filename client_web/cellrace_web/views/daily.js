/** The deal of the day: one attempt, a board, the streak, and when the next comes. */

import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { bestTable } from "./boards.js";
import { button } from "./dialogs.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

export class DailyScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.next = h("p", { class: "note" });
    this.body = h("div", {});
    this.element = h("div", { class: "screen page" }, h("h1", {}, t("daily")), this.next, this.body);
    this.nextAt = 0;
    this.ticking = window.setInterval(() => this.tick(), 1_000);
    void this.load();
  }

  async load() {
    try {
      const { rows, next_ms } = await this.app.online.ask({ tag: "daily" });
      this.nextAt = performance.now() + next_ms;
      this.tick();
      this.body.replaceChildren(...(await Promise.all(rows.map((/** @type {any[]} */ values) => this.card(readRow("daily", values))))));
    } catch (error) {
      this.body.textContent = errorWords(error);
    }
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
    clearInterval(this.ticking);
  }
}
