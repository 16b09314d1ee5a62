/** Looking on: all boards of a race on one clock, or one of them; or, beside one's own, small pictures of the others'. */

import { isolated, t } from "../i18n.js";
import { h, setText } from "./dom.js";
import { Picture } from "./picture.js";
import { CardTable } from "./table.js";

/** @typedef {import("../wire/race.js").Race} Race */
/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {{caption: HTMLElement, figure: HTMLElement, view: CardTable | Picture}} Shown */

const TABLES_MOST = 2; // more boards at once are drawn: moving cards would not be smooth any more

export class Gallery {
  /** @param {Race} race @param {import("../store.js").Store<import("../settings.js").Settings>} settings
   * @param {boolean} [isBeside] one plays meanwhile */
  constructor(race, settings, isBeside = false) {
    this.race = race;
    this.isBeside = isBeside;
    this.mirrored = settings.state.leftHanded;
    this.focused = -1;
    /** @type {Map<number, Shown>} */
    this.boards = new Map();
    this.element = h("div", { class: isBeside ? "beside" : "gallery" });
    const redraw = () => this.redraw();
    this.looks = ["(prefers-color-scheme: light)", "(forced-colors: active)"].map((query) => matchMedia(query));
    const unwatch = settings.watch(redraw);
    for (const look of this.looks) look.addEventListener("change", redraw);
    this.close = () => {
      unwatch();
      for (const look of this.looks) look.removeEventListener("change", redraw);
    };
  }

  show() {
    const seats = this.race.model?.seats ?? [];
    const boards = seats.filter((seat) => seat.board).length;
    seats.forEach((seat, index) => {
      if (!seat.board || (this.isBeside && index === this.race.model?.you)) return;
      const shown = this.boards.get(index) ?? this.add(index);
      const isTable = this.isBeside ? false : boards <= TABLES_MOST || index === this.focused;
      if (isTable !== shown.view instanceof CardTable) this.turn(shown, isTable);
      const standing = `${isolated(seat.name)} · ${t("moves", { n: seat.moves })} · ${seat.home}/52`;
      setText(shown.caption, standing);
      if (shown.view.board !== seat.board) shown.view.show(seat.board);
      if (shown.view instanceof Picture) shown.view.name(standing);
    });
  }

  /** @param {number} index @returns {Shown} */
  add(index) {
    const turn = () => this.focus(index);
    const view = new Picture(this.mirrored);
    // Beside one's own there is no room for a button: the board is one, and for keys what is written above it.
    const caption = this.isBeside ? h("button", { type: "button", class: "caption", "aria-pressed": "false", onclick: turn }) : h("figcaption", {});
    const focus = this.isBeside ? null : h("button", { type: "button", class: "small", onclick: turn }, t("oneBoard"));
    const figure = h("figure", {}, this.isBeside ? h("figcaption", {}, caption) : h("div", { class: "row" }, caption, focus), view.element);
    if (this.isBeside) view.element.addEventListener("click", turn);
    const shown = { caption, figure, view };
    this.boards.set(index, shown);
    this.element.append(figure);
    return shown;
  }

  /** Let a board be a table with cards, or a picture. @param {Shown} shown @param {boolean} isTable */
  turn(shown, isTable) {
    const before = shown.view instanceof CardTable ? shown.view : shown.view.element;
    if (isTable) {
      shown.view = /** @type {CardTable} */ (document.createElement("card-table"));
      shown.view.mirrored = this.mirrored;
      before.replaceWith(shown.view);
    } else {
      shown.view = new Picture(this.mirrored);
      before.replaceWith(shown.view.element);
    }
  }

  /** Show one board alone and large, or all again. @param {number} index */
  focus(index) {
    if (!this.boards.has(index)) return;
    this.focused = this.focused === index ? -1 : index;
    this.element.classList.toggle("large", this.focused >= 0);
    for (const [seat, { figure }] of this.boards) {
      figure.hidden = this.focused >= 0 && seat !== this.focused;
      const button = figure.querySelector("button");
      if (this.isBeside) button?.setAttribute("aria-pressed", String(seat === this.focused));
      else if (button) button.textContent = t(seat === this.focused ? "allBoards" : "oneBoard");
    }
    this.show();
  }

  /** Cards look otherwise now. */
  redraw() {
    for (const { view } of this.boards.values()) if (view instanceof Picture) view.redraw();
  }
}
