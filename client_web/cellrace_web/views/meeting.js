/** Meeting others: a race for a friend, and what a link leads to. */

import { t } from "../i18n.js";
import { Refused } from "../wire/requests.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

const NOT_TO_SIT = ["full", "started", "starting", "race_over", "no_bots", "bad_options"];

/** What a link leads to: a seat where there is one, else a look at the race. @param {App} app @param {string} name */
export async function enterRace(app, name) {
  try {
    return await app.online.enter({ tag: "join", what: name });
  } catch (error) {
    if (!(error instanceof Refused) || !NOT_TO_SIT.includes(error.code)) throw error;
    return app.online.enter({ tag: "watch", race: name });
  }
}

/** Opens a race for a friend at once; its screen shows the link. */
export class FriendScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const code = h("input", { id: "code", autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "kbjueza", "aria-label": t("raceCode") });
    const enter = () => code.value.trim() && app.go(`/r/${encodeURIComponent(code.value.trim())}`);
    code.addEventListener("keydown", (event) => event.key === "Enter" && enter());
    const seats = h("select", { id: "seats" }, ...[2, 3, 4, 6, 8].map((n) => h("option", { value: n }, n)));
    const deal = h("input", { id: "with-deal", autocomplete: "off", placeholder: t("randomDeal") });
    const open = h("input", { id: "open", type: "checkbox" });
    this.element = h("div", { class: "screen form" },
      h("h1", {}, t("raceFriend")),
      h("p", {}, t("friendExplained")),
      button("openRace", () => this.create(Number(seats.value), deal.value.trim(), open.checked), "main wide"),
      h("details", {}, h("summary", {}, t("options")),
        h("label", { class: "setting" }, h("span", {}, t("seats")), seats),
        h("label", { class: "setting" }, h("span", {}, t("dealNumber")), deal),
        h("label", { class: "setting" }, h("span", {}, t("openBoards")), open)),
      h("h2", {}, t("haveCode")),
      h("p", { class: "row" }, code, button("enter", enter)));
  }

  /** @param {number} seats @param {string} deal @param {boolean} open */
  create(seats, deal, open) {
    const { rules } = this.app.settings.state;
    void this.app.enter(async () => {
      const race = await this.app.online.enter({ tag: "create", deal, rules, seats, open_boards: open, public: false, bots: false });
      race.wish("ready", { ready: true }); // the friend's word starts it
      return race;
    });
  }

  close() {}
}
