/** A player: the name, and the runs. */

import { spoken, t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

export class ProfileScreen {
  /** @param {App} app @param {string} player empty: one's own */
  constructor(app, player) {
    this.app = app;
    this.player = player;
    this.runs = h("div", {});
    const { settings, online } = app;
    const name = h("input", { id: "name", maxlength: "24", value: settings.state.name || online.state.state.name, autocomplete: "nickname" });
    const said = h("span", { class: "note", role: "status" });
    const save = () => {
      // A name belongs to an identity for good; another name is another player.
      settings.set({ name: name.value.trim(), token: "" });
      online.connection.drop();
      said.textContent = t("saved");
    };
    const own = !player || player === online.state.state.player;
    this.element = h("div", { class: "screen page" }, h("h1", {}, t("profile")),
      own ? h("p", { class: "row wrap" }, h("label", { for: "name" }, t("name")), name, button("save", save, "main"), said) : null,
      own ? h("p", { class: "note" }, t("nameNote")) : null,
      h("h2", {}, t("runs")), this.runs);
    void this.load();
  }

  async load() {
    try {
      const { rows, total } = await this.app.online.ask({ tag: "runs", player: this.player, count: 50 });
      const shown = rows.map((/** @type {any[]} */ values) => {
        const run = readRow("run", values);
        const day = new Date(run.at).toLocaleDateString(spoken());
        return h("tr", {}, h("td", {}, day), h("td", {}, clock(run.time, true)), h("td", {}, t("moves", { n: run.moves })), h("td", {}, run.deal ? button("watchReplay", () => this.app.go(`#replay=${run.run}`), "small") : ""));
      });
      this.runs.replaceChildren(h("p", {}, t("runsTotal", { n: total })), shown.length ? h("table", {}, h("tbody", {}, ...shown)) : "");
    } catch (error) {
      this.runs.textContent = errorWords(error);
    }
  }

  close() {}
}
