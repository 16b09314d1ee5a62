/** A player: the name, the career, the runs, and what is kept of oneself. */

import { t } from "../i18n.js";
import { Refused } from "../wire/requests.js";
import { errorWords } from "../words.js";
import { career } from "./career.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";
import { ownData } from "./own-data.js";
import { Pages } from "./pages.js";
import { runRow } from "./rows.js";
import { Twice } from "./twice.js";

/** @typedef {import("../app.js").App} App */

const COUNT = 20; // runs of a page
const HISTORY = 100; // steps of each rating

export class ProfileScreen {
  /** @param {App} app @param {string} player empty: one's own */
  constructor(app, player) {
    this.app = app;
    this.player = player;
    this.title = h("h1", {}, t("profile"));
    this.own = h("div", {});
    this.career = h("div", {});
    this.runs = new Pages((page) => app.online.ask({ tag: "runs", player, offset: page.offset, count: page.count }), (values) => runRow(app, values), { count: COUNT, name: t("runs") });
    this.data = h("div", {});
    this.element = h("div", { class: "screen page" }, this.title, this.own, this.career, h("h2", {}, t("runs")), this.runs.element, this.data);
    this.isOwn = false;
    if (!player || player === app.online.state.state.player) this.makeOwn();
    void this.load();
    void this.runs.load();
  }

  /** It is one's own: what only oneself can do. */
  makeOwn() {
    if (this.isOwn) return;
    this.isOwn = true;
    this.own.append(...this.ownName());
    this.data.append(ownData(this.app));
  }

  ownName() {
    const { settings, online } = this.app;
    const name = h("input", { id: "name", maxlength: "24", value: settings.state.name || online.state.state.name, autocomplete: "nickname" });
    // A name belongs to an identity for good; another name is another player.
    const twice = new Twice("nameYes", async () => {
      settings.set({ name: name.value.trim(), token: "" });
      online.connection.drop();
      save.hidden = false;
      return t("saved");
    });
    const asks = () => {
      const mine = online.state.state.name;
      const isSame = [mine, settings.state.name].includes(name.value.trim());
      if (isSame) twice.said.textContent = t("saved");
      else twice.ask(save, t("nameSure", { name: mine }));
    };
    const save = button("save", asks, "main");
    return [
      h("p", { class: "row wrap" }, h("label", { for: "name" }, t("name")), name, save),
      h("p", { class: "note" }, t("nameNote")),
      twice.said,
      twice.buttons,
    ];
  }

  async load() {
    try {
      const profile = await this.app.online.ask({ tag: "profile", player: this.player, history: HISTORY });
      this.title.textContent = profile.name;
      if (profile.player === this.app.online.state.state.player) this.makeOwn(); // which a page just loaded learns now
      this.career.replaceChildren(...career(this.app, profile));
    } catch (error) {
      const isGuest = !this.player && error instanceof Refused && error.code === "not_found";
      this.career.replaceChildren(h("p", { class: "note" }, isGuest ? t("nothingKept") : errorWords(error)));
    }
  }

  close() {}
}
