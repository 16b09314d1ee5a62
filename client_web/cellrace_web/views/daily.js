/** The deal of the day: one attempt, a board that goes on, the streak, and when the next comes. */

import { Deadline } from "../deadline.js";
import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { measures } from "./boards.js";
import { button } from "./dialogs.js";
import { announce, clock, h, setText } from "./dom.js";
import { select } from "./fields.js";
import { Naming } from "./naming.js";
import { Pages } from "./pages.js";
import { bestRow } from "./rows.js";

/** @typedef {import("../app.js").App} App */

const ASK_AGAIN_MS = 2_000; // while deals are being chosen
const RESULTS_MS = 5_000;
const SPREAD_MS = 3_000; // not everybody asks in the same instant of midnight
const COUNT = 10; // rows of a page

export class DailyScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.next = h("p", { class: "note" });
    this.body = h("div", {});
    this.naming = new Naming(app);
    this.element = h("div", { class: "screen page" }, h("h1", {}, t("daily")), this.naming.element, this.next, this.body);
    /** @type {Deadline | null} */
    this.due = null; // the next day
    this.spread = Math.random() * SPREAD_MS;
    this.closed = false;
    this.loading = false;
    this.day = "";
    this.shown = ""; // what the body was made of
    /** @type {HTMLElement[]} which say that an attempt is over */
    this.over = [];
    /** @type {Pages[]} */
    this.boards = [];
    this.asking = 0;
    this.ticking = window.setInterval(() => this.tick(), 1_000);
    this.refreshing = window.setInterval(() => this.refresh(), RESULTS_MS);
    this.wake = () => document.hidden || (void this.load(), this.refresh());
    document.addEventListener("visibilitychange", this.wake);
    this.unwatch = app.online.state.watch(() => this.tellOffline());
    this.tellOffline();
    void this.load();
  }

  /** There is nothing to play without a connection; what is shown already stays. */
  tellOffline() {
    if (this.app.online.isLost && !this.shown) this.body.replaceChildren(h("p", {}, t("needsNetwork")));
  }

  async load() {
    if (this.loading || this.closed) return;
    this.loading = true;
    clearTimeout(this.asking);
    try {
      const { day, rows, next_ms, choosing } = await this.app.online.ask({ tag: "daily" });
      if (this.closed) return;
      this.due = new Deadline(next_ms + this.spread, performance.now(), Date.now());
      this.fill(day, rows, choosing);
      if (choosing.length || !rows.length) this.again();
    } catch (error) {
      this.shown = "";
      this.body.textContent = errorWords(error);
      this.again();
    } finally {
      this.loading = false;
    }
  }

  again() {
    clearTimeout(this.asking);
    if (!this.closed) this.asking = window.setTimeout(() => void this.load(), ASK_AGAIN_MS);
  }

  /** The results so far, where somebody looks. */
  refresh() {
    if (!document.hidden) for (const board of this.boards) void board.refresh();
  }

  /** @param {string} day @param {any[][]} rows @param {string[]} choosing rule sets whose deal is being chosen */
  fill(day, rows, choosing) {
    const shown = JSON.stringify([day, rows, choosing]);
    if (shown === this.shown) return this.tick();
    this.shown = shown;
    this.over = [];
    this.boards = [];
    const cards = rows.map((values) => this.card(readRow("daily", values)));
    const waiting = choosing.map((rules) => h("section", { class: "card-like" }, h("h2", {}, rulesWords(rules)), h("p", {}, t("dailyChoosing"))));
    const none = cards.length || waiting.length ? [] : [h("p", {}, t("dailyChoosing"))];
    this.body.replaceChildren(...cards, ...waiting, ...none);
    this.tick();
    if (waiting.length || none.length) announce(t("dailyChoosing"));
    else if (this.day && day !== this.day) announce(t("dailyNew"));
    this.day = day;
    return undefined;
  }

  /** @param {Record<string, any>} row */
  card(row) {
    const begin = async () => {
      if (await this.naming.settle()) void this.app.enter((turned) => this.app.online.enter({ tag: "play_daily", rules: row.rules }, turned));
    };
    const key = row.attempt === "done" ? "dailyPractice" : row.attempt === "under_way" ? "dailyContinue" : "dailyPlay";
    return h("section", { class: "card-like" },
      h("h2", {}, rulesWords(row.rules)),
      row.time >= 0 ? h("p", { class: "big" }, clock(row.time, true)) : null,
      row.attempt === "done" && row.time < 0 ? this.unfinished() : null,
      h("p", {}, t("streak", { n: row.streak })),
      row.attempt === "open" ? h("p", { class: "note" }, t("dailyOnce")) : null,
      button(key, () => void begin(), "main"),
      ...this.board(row.rules));
  }

  /** The board of a rule set, which begins at its top. @param {string} rules */
  board(rules) {
    let by = "time";
    const ask = (/** @type {import("./boards.js").Asked} */ page) => this.app.online.ask({ tag: "daily_top", rules, by, ...page });
    const pages = new Pages(ask, (values, top) => bestRow(this.app, values, top), { count: COUNT, name: rulesWords(rules) });
    this.boards.push(pages);
    void pages.load();
    const choose = (/** @type {string} */ value) => {
      by = value;
      void pages.load();
    };
    return [h("p", { class: "row" }, select(measures(rules), by, choose, { "aria-label": `${t("board_by")}, ${rulesWords(rules)}` })), pages.element];
  }

  /** What is said of an attempt that ended without a result: the server does not tell which way. */
  unfinished() {
    const said = h("p", { class: "over" });
    this.over.push(said);
    return said;
  }

  tick() {
    if (!this.due) return;
    const now = performance.now();
    if (this.due.isPast(now, Date.now())) void this.load();
    const left = Math.round(Math.max(0, this.due.left(now) - this.spread) / 60_000);
    const [hours, minutes] = [Math.floor(left / 60), left % 60];
    setText(this.next, t("nextDaily", { hours, minutes }));
    for (const said of this.over) setText(said, t("dailyOver", { hours, minutes }));
  }

  close() {
    this.closed = true;
    this.unwatch();
    clearTimeout(this.asking);
    clearInterval(this.ticking);
    clearInterval(this.refreshing);
    document.removeEventListener("visibilitychange", this.wake);
  }
}
