/** A player: the name, the career, the runs, and what is kept of oneself. */

import { t } from "../i18n.js";
import { NAME_MOST, hasNothing } from "../online.js";
import { Refused } from "../wire/requests.js";
import { errorWords } from "../words.js";
import { career } from "./career.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";
import { tokenOf } from "./naming.js";
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
    this.runs = new Pages((page) => app.online.ask({ tag: "runs", player: this.player, offset: page.offset, count: page.count }), (values) => runRow(app, values), { count: COUNT, name: t("runs") });
    this.data = h("div", {});
    this.element = h("div", { class: "screen page" }, this.title, this.own, this.career, h("h2", {}, t("runs")), this.runs.element, this.data);
    this.isOwn = false;
    this.isNobody = false; // nothing is kept of whose profile it is
    this.isTyped = false;
    /** @type {HTMLInputElement | null} */
    this.name = null;
    this.nameNote = h("p", { class: "note" }, t("nameNote"));
    if (!player || player === app.online.state.state.player) this.makeOwn();
    void this.load();
    void this.runs.load();
  }

  /** It is one's own: what only oneself can do. */
  makeOwn() {
    if (this.isOwn) return;
    this.isOwn = true;
    this.own.append(...this.ownName());
    this.data.append(ownData(this.app, () => this.forget()));
  }

  /** What was shown is erased: one is somebody new. */
  forget() {
    this.player = "";
    this.title.textContent = t("profile");
    this.isTyped = false;
    if (this.name) this.name.value = "";
    void this.load();
    void this.runs.load();
  }

  ownName() {
    const { settings, online } = this.app;
    const name = h("input", { id: "name", oninput: () => (this.isTyped = true), maxlength: String(NAME_MOST), "aria-describedby": "name-fault", value: settings.state.name || online.state.state.name, autocomplete: "nickname" });
    // A name belongs to an identity for good; another name is another player.
    const fault = h("p", { id: "name-fault", class: "refused", role: "alert" });
    let token = "";
    const twice = new Twice("nameYes", async () => {
      const wanted = name.value.trim();
      online.become(wanted, token);
      save.hidden = false;
      this.title.textContent = wanted;
      void this.load();
      void this.runs.load();
      return t("saved");
    }, () => (name.value = online.state.state.name));
    const asks = async () => {
      fault.textContent = twice.said.textContent = "";
      const mine = online.state.state.name;
      const wanted = name.value.trim();
      const isSame = [mine, settings.state.name].includes(wanted);
      if (!wanted) return void ((twice.said.textContent = t("nameNeeded")), name.focus());
      if (isSame) return void (twice.said.textContent = t("saved"));
      save.disabled = true;
      token = await tokenOf(this.app, wanted, name, fault);
      save.disabled = false;
      if (!token || name.value.trim() !== wanted) return undefined;
      if (this.isNobody) return twice.done();
      twice.ask(save, t("nameSure", { name: mine }));
      return undefined;
    };
    const save = button("save", () => void asks(), "main");
    this.name = name;
    return [
      h("p", { class: "row wrap" }, h("label", { for: "name" }, t("name")), name, save),
      fault,
      this.nameNote,
      twice.said,
      twice.buttons,
    ];
  }

  async load() {
    if (this.app.online.isLost) this.career.replaceChildren(h("p", { class: "note" }, t("needsNetwork")));
    try {
      const profile = await this.app.online.ask({ tag: "profile", player: this.player, history: HISTORY });
      this.title.textContent = profile.name;
      if (profile.player === this.app.online.state.state.player) this.makeOwn(); // which a page just loaded learns now
      this.nameNote.hidden = this.isNobody = hasNothing(profile) && !this.app.online.underWay && !this.app.way && !this.app.online.own.elsewhere.length;
      this.career.replaceChildren(...career(this.app, profile));
    } catch (error) {
      const isGuest = !this.player && error instanceof Refused && error.code === "not_found";
      this.nameNote.hidden = this.isNobody = isGuest;
      this.career.replaceChildren(h("p", { class: "note" }, isGuest ? t("nothingKept") : errorWords(error)));
    }
    // The server gives a name to who has none; a page just loaded learns it with the first answer.
    if (this.name && !this.isTyped) this.name.value ||= this.app.online.state.state.name;
  }

  close() {}
}
