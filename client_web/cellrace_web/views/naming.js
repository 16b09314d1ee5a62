/** Who has nothing to lose by another name may choose one before the first race. */

import { t } from "../i18n.js";
import { NAME_MOST } from "../online.js";
import { Refused } from "../wire/requests.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";

/** @typedef {import("../app.js").App} App */

/** The token of somebody new of this name; empty where that is refused, which is said beside its field. @param {App} app
 * @param {string} wanted @param {HTMLInputElement} field @param {HTMLElement} fault */
export async function tokenOf(app, wanted, field, fault) {
  field.removeAttribute("aria-invalid");
  try {
    return await app.online.tokenFor(wanted);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fault.textContent = errorWords(error);
    field.setAttribute("aria-invalid", "true");
    field.focus();
    return "";
  }
}

export class Naming {
  /** @param {App} app @param {(name: string, token: string) => void} [take] a name that was
   * chosen and is there to be had; one is called so by the token */
  constructor(app, take = (name, token) => app.online.become(name, token)) {
    this.app = app;
    this.take = take;
    /** Somebody types a name now, or does not any more. @type {(isAsking: boolean) => void} */
    this.asking = () => {};
    /** @type {HTMLInputElement | null} */
    this.field = null;
    /** Take the name that stands there: whether it is to be had. @type {() => Promise<boolean>} */
    this.submit = async () => true;
    this.element = h("div", { class: "naming", hidden: true });
    void this.offer();
  }

  /** Offer it where there is something to offer. */
  async offer() {
    const { online } = this.app;
    try {
      if (!(await online.isNobodyYet()) || online.underWay || this.app.way || online.own.elsewhere.length) return; // a seat would stay behind
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

  /** Be called what stands there before something begins: false where it is refused, which is said beside it. */
  async settle() {
    return this.typed ? this.submit() : true;
  }

  /** Say what one is called. @param {string} [name] */
  tell(name = this.app.online.state.state.name) {
    if (this.field) this.asking(false);
    this.field = null;
    this.element.replaceChildren(h("p", { class: "row wrap" }, h("span", {}, t("raceAs", { name })), button("changeName", () => this.ask(), "plain")));
  }

  ask() {
    const fault = h("p", { id: "naming-fault", class: "refused", role: "alert" });
    const name = h("input", { id: "naming", maxlength: String(NAME_MOST), "aria-describedby": "naming-fault", autocomplete: "nickname", "aria-label": t("name"), placeholder: this.app.online.state.state.name });
    const save = button("save", () => void this.submit(), "main");
    this.field = name;
    this.submit = () => this.save(name, fault, save);
    name.addEventListener("keydown", (event) => event.key === "Enter" && save.click());
    this.element.replaceChildren(h("p", { class: "row wrap" }, name, save, button("cancel", () => this.tell())), fault);
    this.asking(true);
    name.focus();
  }

  /** Be called so where the server takes the name; where it does not, it says why, and the name can be mended. Whether
   * it was taken. @param {HTMLInputElement} name @param {HTMLElement} fault @param {HTMLButtonElement} save */
  async save(name, fault, save) {
    const wanted = name.value.trim();
    if (!wanted) {
      fault.textContent = t("nameNeeded");
      name.focus();
    }
    if (!wanted || save.disabled) return false; // it is under way already
    fault.textContent = "";
    save.disabled = true;
    const token = await tokenOf(this.app, wanted, name, fault);
    save.disabled = false;
    if (!token || !name.isConnected) return false; // it was cancelled, or the race has begun
    this.field = null; // one is ready as soon as one is called so
    this.tell(wanted);
    this.take(wanted, token);
    return true;
  }
}
