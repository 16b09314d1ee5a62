/** A list of any length: a page of its rows, one's own place in it, and the ways to the rest. */

import { t } from "../i18n.js";
import { isShown, pagesAround, shownWords, standingWords } from "../standing.js";
import { errorWords } from "../words.js";
import { announce, h, setText } from "./dom.js";

/** @typedef {import("../standing.js").Page} Page */
/** @typedef {import("../wire/messages.js").Message} Message */
/** @typedef {{count: number, name: string, none?: () => string | Node}} How `name` is what the table is called */

const TOP = { offset: 0, around: false };

export class Pages {
  /** @param {(page: Page & {count: number}) => Promise<Message>} ask for rows; rejects with `Refused`
   * @param {(values: any[], answer: Message) => HTMLTableRowElement} row whose `data-key` says what it is about
   * @param {How} how */
  constructor(ask, row, how) {
    this.ask = ask;
    this.row = row;
    this.how = how;
    /** @type {Page} */
    this.page = TOP;
    this.asked = 0;
    this.shown = "";
    /** @type {Message | null} */
    this.answer = null;
    this.standing = h("p", { class: "standing", hidden: true });
    this.body = h("tbody", {});
    this.table = h("table", { "aria-label": how.name, hidden: true }, this.body);
    this.said = h("p", { hidden: true });
    this.range = h("span", { class: "note" });
    this.before = this.way("pageBefore", () => this.answer && pagesAround(this.answer, how.count).before);
    this.next = this.way("pageNext", () => this.answer && pagesAround(this.answer, how.count).next);
    this.mine = this.way("pageMine", () => ({ offset: 0, around: true }));
    this.ways = h("p", { class: "buttons pages", hidden: true }, this.before, this.range, this.next, this.mine);
    this.element = h("div", { class: "board" }, this.standing, this.table, this.said, this.ways);
  }

  /** @param {string} key @param {() => Page | null} where */
  way(key, where) {
    const turn = async () => {
      const page = where();
      if (page && (await this.load(page))) announce(this.range.textContent || this.standing.textContent || "");
    };
    return h("button", { type: "button", class: "small", onclick: () => void turn() }, t(key));
  }

  /** Show a page; whether it is there now, and no other was asked for meanwhile. @param {Page} [page]
   * @param {boolean} [isKept] where it is refused, what is shown stays */
  async load(page = TOP, isKept = false) {
    const mine = (this.asked += 1);
    try {
      const answer = await this.ask({ ...page, count: this.how.count });
      if (mine !== this.asked) return false;
      this.page = page;
      this.show(answer);
      return true;
    } catch (error) {
      if (mine === this.asked && !(isKept && this.answer)) this.fail(errorWords(error));
      return false;
    }
  }

  /** Show the same page as it is now. */
  refresh() {
    return this.load(this.page, true);
  }

  /** Show nothing but a text. @param {string} text */
  fail(text) {
    this.asked += 1; // what was asked is of no interest any more
    this.shown = "";
    this.answer = null;
    for (const part of [this.standing, this.table, this.ways]) part.hidden = true;
    this.said.hidden = false;
    setText(this.said, text);
  }

  /** @param {Message} answer */
  show(answer) {
    const shown = JSON.stringify({ ...answer, r: 0 });
    this.answer = answer;
    if (shown === this.shown) return;
    this.shown = shown;
    this.fill(answer.rows.map((/** @type {any[]} */ values) => this.row(values, answer)));
    this.table.hidden = answer.rows.length === 0;
    this.said.hidden = answer.rows.length > 0;
    this.said.replaceChildren(this.how.none?.() ?? t("nothingYet"));
    const place = answer.mine?.[0]?.[0];
    const words = standingWords(/** @type {any} */ ({ ...answer, place }));
    this.standing.hidden = !words;
    setText(this.standing, words);
    this.offer(answer, Boolean(place));
  }

  /** @param {Message} answer @param {boolean} isOn whether one is on the board */
  offer(answer, isOn) {
    const { before, next } = pagesAround(answer, this.how.count);
    this.before.disabled = !before;
    this.next.disabled = !next;
    this.mine.hidden = !isOn || isShown(answer, answer.ahead);
    setText(this.range, shownWords(answer));
    this.ways.hidden = !before && !next;
  }

  /** Put other rows there; who was on one of them stays on it. @param {HTMLTableRowElement[]} rows */
  fill(rows) {
    const on = this.body.contains(document.activeElement) ? document.activeElement : null;
    const key = on?.closest("tr")?.dataset.key;
    this.body.replaceChildren(...rows);
    const row = on && rows.find((one) => one.dataset.key === key);
    /** @type {HTMLElement | null | undefined} */ (row?.querySelector(on?.tagName ?? ""))?.focus({ preventScroll: true });
  }
}
