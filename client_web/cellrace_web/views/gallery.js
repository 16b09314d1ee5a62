/** Looking on: all boards of a race on one clock, or one of them. */

import { t } from "../i18n.js";
import { h, setText } from "./dom.js";
import { CardTable } from "./table.js";

/** @typedef {import("../wire/race.js").Race} Race */

export class Gallery {
  /** @param {Race} race @param {import("../store.js").Store<import("../settings.js").Settings>} settings */
  constructor(race, settings) {
    this.race = race;
    this.mirrored = settings.state.leftHanded;
    this.focused = -1;
    /** @type {Map<number, {table: CardTable, caption: HTMLElement, figure: HTMLElement}>} */
    this.boards = new Map();
    this.element = h("div", { class: "gallery" });
  }

  show() {
    const seats = this.race.model?.seats ?? [];
    seats.forEach((seat, index) => {
      if (!seat.board) return;
      const shown = this.boards.get(index) ?? this.add(index);
      if (shown.table.board !== seat.board) shown.table.show(seat.board);
      setText(shown.caption, `${seat.name} · ${t("moves", { n: seat.moves })} · ${seat.home}/52`);
    });
  }

  /** @param {number} index */
  add(index) {
    const table = /** @type {CardTable} */ (document.createElement("card-table"));
    table.mirrored = this.mirrored;
    const caption = h("figcaption", {});
    const focus = h("button", { type: "button", class: "small", onclick: () => this.focus(index) }, t("oneBoard"));
    const figure = h("figure", {}, h("div", { class: "row" }, caption, focus), table);
    const shown = { table, caption, figure };
    this.boards.set(index, shown);
    this.element.append(figure);
    return shown;
  }

  /** Show one board alone and large, or all again. @param {number} index */
  focus(index) {
    this.focused = this.focused === index ? -1 : index;
    for (const [seat, { figure }] of this.boards) {
      figure.hidden = this.focused >= 0 && seat !== this.focused;
      const button = figure.querySelector("button");
      if (button) button.textContent = t(seat === this.focused ? "allBoards" : "oneBoard");
    }
    this.show();
  }
}
