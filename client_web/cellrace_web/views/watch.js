/** The races that can be watched or joined now, kept current. */

import { isolated, t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords, rulesWords } from "../words.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

export class WatchScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, Record<string, any>>} */
    this.rows = new Map();
    this.list = h("div", { class: "list" });
    this.element = h("div", { class: "screen page" }, h("h1", {}, t("watch")), this.list);
    app.online.listed = (message) => this.changed(message);
    this.closed = false;
    this.asking = false;
    this.follow();
    this.unwatch = app.online.state.watch((state, before) => {
      if (state.being === "on" && before.being !== "on") void this.follow();
      this.tellOffline();
    });
    this.tellOffline();
  }

  tellOffline() {
    if (this.app.online.isLost && !this.rows.size) this.list.replaceChildren(h("p", {}, t("needsNetwork")));
  }

  async follow() {
    if (this.asking) return; // the connection asks again by itself
    this.asking = true;
    try {
      const { rows } = await this.app.online.ask({ tag: "follow" });
      if (this.closed) return this.unfollow(); // what was to end it was said before it began
      this.rows = new Map();
      this.changed({ tag: "listing", rows, gone: [] });
    } catch (error) {
      this.list.textContent = errorWords(error);
    } finally {
      this.asking = false;
    }
  }

  /** @param {import("../wire/messages.js").Message} message */
  changed({ rows, gone }) {
    if (this.closed) return;
    for (const values of rows) {
      const row = readRow("race", values);
      this.rows.set(row.race, row);
    }
    for (const race of gone) this.rows.delete(race);
    const shown = [...this.rows.values()].sort((a, b) => a.age_ms - b.age_ms);
    if (shown.length) this.list.setAttribute("role", "list");
    else this.list.removeAttribute("role"); // a list has entries
    this.list.replaceChildren(...(shown.length ? shown.map((row) => this.entry(row)) : [h("p", {}, t("noRaces")), button("raceFriend", () => this.app.go("#friend"), "main")]));
  }

  /** @param {Record<string, any>} row */
  entry(row) {
    const open = row.phase === "lobby" && row.players.length < row.seats;
    const state = row.phase === "lobby" ? t("waitFor", { n: row.seats - row.players.length }) : t(`phase_${row.phase}`);
    const enter = () => (open ? this.app.go(`/r/${row.race}`) : void this.app.enter((turned) => this.app.online.enter({ tag: "watch", race: row.race }, turned)));
    return h("div", { class: "entry", role: "listitem" },
      h("span", { class: "name" }, row.players.map(isolated).join(" · ") || t("nobody")),
      h("small", {}, `${state} · ${rulesWords(row.rules)}${row.ranked ? ` · ${t("ranked")}` : ""} · ${t("looking", { n: row.spectators })}`),
      button(open ? "sitDown" : "watchThis", enter, "small"));
  }

  close() {
    this.closed = true;
    this.unwatch();
    this.app.online.listed = null;
    this.unfollow();
  }

  unfollow() {
    if (!this.app.online.listed) this.app.online.connection.tell({ tag: "unfollow" });
  }
}
