/** What there is no way back from: asked twice. */

import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";

export class Twice {
  /** @param {string} yes the button of the second time
   * @param {() => Promise<string>} run what is said when it is done @param {() => void} [not] it is not done after all */
  constructor(yes, run, not = () => {}) {
    this.not = not;
    this.run = run;
    this.said = h("p", { role: "status" });
    this.sure = button(yes, () => void this.done(), "danger");
    this.buttons = h("p", { class: "buttons", hidden: true }, this.sure, button("giveUpNot", () => this.back()));
    /** @type {HTMLElement | null} where it was asked for */
    this.first = null;
  }

  /** @param {HTMLElement} first what is out of sight, or out of use, meanwhile @param {string} words */
  ask(first, words) {
    this.first = first;
    first.hidden = true;
    this.buttons.hidden = false;
    this.said.textContent = words;
    this.sure.focus();
  }

  back() {
    this.buttons.hidden = true;
    this.said.textContent = "";
    this.not();
    if (!this.first) return;
    this.first.hidden = false;
    this.first.focus();
  }

  async done() {
    try {
      const words = await this.run();
      this.buttons.hidden = true;
      this.said.textContent = words;
    } catch (error) {
      this.said.textContent = errorWords(error);
    }
  }
}
