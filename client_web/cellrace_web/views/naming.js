/** Who has a made-up name and nothing to lose by another may choose one before the first race. */

import { t } from "../i18n.js";
import { Refused } from "../wire/requests.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

export class Naming {
  /** @param {App} app @param {(name: string) => void} take a name that was chosen */
  constructor(app, take) {
    this.app = app;
    this.take = take;
    /** Somebody types a name now, or does not any more. @type {(isAsking: boolean) => void} */
    this.asking = () => {};
    /** @type {HTMLInputElement | null} */
    this.field = null;
    this.element = h("div", { class: "naming", hidden: true });
    void this.offer();
  }

  /** Offer it where there is something to offer. */
  async offer() {
    const { settings, online } = this.app;
    if (settings.state.name) return;
    try {
      if (!(await online.isNobodyYet())) return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return; // one may race under any name
    }
    this.element.hidden = false;
    this.tell();
  }

  /** The name that stands there and was not taken yet. */
  get typed() {
    return this.field?.value.trim() ?? "";
  }

  /** Say what one is called. */
  tell() {
    if (this.field) this.asking(false);
    this.field = null;
    const { name } = this.app.online.state.state;
    this.element.replaceChildren(h("p", { class: "row wrap" }, h("span", {}, t("raceAs", { name })), button("changeName", () => this.ask(), "plain")));
  }

  ask() {
    const name = h("input", { id: "naming", maxlength: "24", autocomplete: "nickname", "aria-label": t("name"), placeholder: this.app.online.state.state.name });
    const save = () => (this.typed ? this.done(this.typed) : name.focus());
    this.field = name;
    name.addEventListener("keydown", (event) => event.key === "Enter" && save());
    this.element.replaceChildren(h("p", { class: "row wrap" }, name, button("save", save, "main"), button("cancel", () => this.tell())));
    this.asking(true);
    name.focus();
  }

  /** @param {string} name */
  done(name) {
    this.field = null;
    this.element.replaceChildren(h("p", { role: "status" }, t("raceAs", { name })));
    this.take(name);
  }
}
