/** The elements of a table and where they lie. Showing a move touches the cards that move and nothing else; what has time
 * until they have arrived (their order in the document, their names) comes behind the frame. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf, samePile } from "../game/board.js";
import { t } from "../i18n.js";
import { Later } from "../later.js";
import { pileWords, placeWords } from "../words.js";
import { cardElement } from "./card.js";
import { h, setAttribute } from "./dom.js";
import { drawing } from "./drawings.js";
import { layout } from "./layout.js";

/** @typedef {import("../game/board.js").Board} Board */

const DURATION = 130; // ms
const TOP = 2; // so many cards of a foundation are shown: one may be taken up
const PILES = Array.from({ length: 16 }, (_, pile) => pile);

export class Arrangement {
  /** @param {boolean} live whether the table can be played */
  constructor(live) {
    this.live = live;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.piles = PILES.map((pile) => pileElement(pile, live));
    this.cards = Array.from({ length: 52 }, (_, card) => cardElement(card, live));
    /** @type {import("./layout.js").Layout | null} */
    this.laid = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {string[]} where each card was put, as it was written: a browser writes it in another way */
    this.points = [];
    /** @type {string[]} what each card was called by */
    this.places = [];
    /** @type {Set<number>} cards on their way */
    this.travelling = new Set();
    /** @type {Set<number>} piles whose cards are not in order in the document, or not named, yet */
    this.unsettled = new Set();
    this.settling = new Later(() => this.settle());
  }

  /** In reading order: cells, foundations, columns. */
  get elements() {
    return [...this.piles.slice(FIRST_CELL), ...this.piles.slice(0, FIRST_CELL)];
  }

  /** Put all cards where they belong. @param {Board} board @param {[width: number, height: number]} size @param {boolean} mirrored
   * @param {boolean} moving let cards travel @param {CSSStyleDeclaration} style the table's, for the size of cards */
  arrange(board, [width, height], mirrored, moving, style) {
    const [before, known] = [this.laid, this.board];
    const laid = layout(width, height, board, mirrored);
    const resized = before?.width !== laid.width;
    const laidAnew = !before || resized || known?.cells.length !== board.cells.length || before.piles.some(({ x, y }, pile) => x !== laid.piles[pile].x || y !== laid.piles[pile].y);
    this.laid = laid;
    this.board = board;
    if (resized) {
      style.setProperty("--w", `${laid.width}px`);
      style.setProperty("--h", `${laid.height}px`);
    }
    for (const pile of PILES) {
      if (laidAnew) this.arrangeSlot(pile, board);
      if (laidAnew || !known || before.fan[pile] !== laid.fan[pile] || !samePile(known, board, pile)) this.arrangePile(pile, board, moving && !resized);
    }
    if (moving) this.settling.ask();
    else this.settle();
  }

  /** @param {number} pile @param {Board} board */
  arrangeSlot(pile, board) {
    const { x, y } = /** @type {import("./layout.js").Layout} */ (this.laid).piles[pile];
    const group = this.piles[pile];
    /** @type {HTMLElement} */ (group.firstChild).style.transform = `translate(${x}px,${y}px)`;
    group.hidden = pile >= FIRST_CELL && pile < FIRST_FOUNDATION && pile - FIRST_CELL >= board.cells.length;
  }

  /** @param {number} pile @param {Board} board @param {boolean} moving */
  arrangePile(pile, board, moving) {
    const { piles, fan } = /** @type {import("./layout.js").Layout} */ (this.laid);
    const { x, y } = piles[pile];
    const cards = pileOf(board, pile);
    cards.forEach((card, index) => {
      if (index >= cards.length - TOP && this.cards[card].hidden) this.cards[card].hidden = false;
      this.travel(card, x, y + (pile < FIRST_CELL ? fan[pile] * index : 0), moving);
    });
    this.unsettled.add(pile);
  }

  /** @param {number} card @param {number} x @param {number} y @param {boolean} moving */
  travel(card, x, y, moving) {
    const element = this.cards[card];
    const next = `translate(${Math.round(x * 2) / 2}px,${Math.round(y * 2) / 2}px)`;
    const before = this.points[card];
    if (before === next) return;
    this.points[card] = next;
    element.style.transform = next;
    if (!moving || !before || this.still.matches || typeof element.animate !== "function") return;
    element.classList.add("travelling");
    this.travelling.add(card);
    const travel = element.animate([{ transform: before }, { transform: next }], { duration: DURATION, easing: "ease-out" });
    travel.onfinish = () => {
      element.classList.remove("travelling");
      this.travelling.delete(card);
      this.settle();
    };
  }

  /** Bring the document behind what is to be seen: names, and the order of the cards of piles where all have arrived (those on
   * their way lie above all others anyhow). */
  settle() {
    this.settling.drop();
    const { board } = this;
    if (!board) return;
    for (const pile of this.unsettled) {
      const cards = pileOf(board, pile);
      if (this.live) this.name(pile, cards);
      if (cards.some((card) => this.travelling.has(card))) continue;
      this.order(pile, cards);
      this.unsettled.delete(pile);
    }
  }

  /** @param {number} pile @param {number[]} cards */
  order(pile, cards) {
    const group = this.piles[pile];
    const deep = pile >= FIRST_FOUNDATION ? cards.length - TOP : 0;
    cards.forEach((card, index) => {
      const element = this.cards[card];
      if (element.hidden !== index < deep) element.hidden = index < deep;
      if (element.parentElement === group && element === group.children[index + 1]) return;
      const focused = document.activeElement === element;
      group.insertBefore(element, group.children[index + 1] ?? null);
      if (focused) element.focus({ preventScroll: true });
    });
  }

  /** @param {number} pile @param {number[]} cards */
  name(pile, cards) {
    cards.forEach((card, index) => {
      const above = cards.length - 1 - index;
      const place = `${pile} ${above}`;
      if (this.places[card] === place) return;
      this.places[card] = place;
      this.cards[card].setAttribute("aria-label", placeWords(card, pile, above));
    });
    setAttribute(/** @type {HTMLElement} */ (this.piles[pile].firstChild), "aria-label", `${pileWords(pile)}, ${t(cards.length ? "slotTaken" : "slotEmpty")}`);
  }
}

/** @param {number} pile @param {boolean} live */
function pileElement(pile, live) {
  const mark = pile >= FIRST_FOUNDATION ? drawing(`suit${pile - FIRST_FOUNDATION}`) : "";
  const kind = pile < FIRST_CELL ? "column" : pile < FIRST_FOUNDATION ? "cell" : "foundation";
  const slot = live ? h("button", { class: `slot ${kind}`, type: "button", tabindex: "-1", "data-pile": pile }, mark) : h("span", { class: `slot ${kind}` }, mark);
  return h("div", { class: "pile", role: live ? "group" : null, "aria-label": live ? pileWords(pile) : null }, slot);
}
