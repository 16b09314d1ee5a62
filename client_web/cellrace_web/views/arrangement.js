/** The elements of a table and where they lie. Showing a move lets the cards that move travel and changes nothing in the
 * document; what has time until they have arrived (where they lie there, in which order, their names) comes behind. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf, samePile } from "../game/board.js";
import { runLength } from "../game/cards.js";
import { t } from "../i18n.js";
import { Later } from "../later.js";
import { pileWords, placeWords } from "../words.js";
import { cardElement } from "./card.js";
import { h, setAttribute } from "./dom.js";
import { drawing } from "./drawings.js";
import { ALOFT, Flights } from "./flights.js";
import { layout } from "./layout.js";

/** @typedef {import("../game/board.js").Board} Board */

const TOP = 2; // so many cards of a foundation are shown: one may be taken up
const RANKS = 13;
const PILES = Array.from({ length: 16 }, (_, pile) => pile);

export class Arrangement {
  /** @param {boolean} live whether the table can be played */
  constructor(live) {
    this.live = live;
    this.piles = PILES.map((pile) => pileElement(pile, live));
    this.cards = Array.from({ length: 52 }, (_, card) => cardElement(card, live));
    /** @type {import("./layout.js").Layout | null} */
    this.laid = null;
    /** @type {Board | null} */
    this.board = null;
    this.flights = new Flights(this.cards, () => this.settle());
    this.aloft = -1; // the pile of which cards are taken up
    /** @type {string[]} what each card was called by */
    this.places = [];
    /** @type {HTMLElement | null} the one card or slot that the Tab key leads to */
    this.stop = null;
    /** @type {Set<number>} piles whose cards do not lie in the document as they should, or are not named, yet */
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
    const laid = layout(width, height, board, mirrored, before);
    const resized = before?.width !== laid.width;
    const laidAnew = before?.frame !== laid.frame || known?.cells.length !== board.cells.length;
    this.laid = laid;
    this.board = board;
    if (resized) {
      style.setProperty("--w", `${laid.width}px`);
      style.setProperty("--h", `${laid.height}px`);
    }
    for (const pile of PILES) {
      if (laidAnew) this.arrangeSlot(pile, board);
      if (laidAnew || !known || before?.fan[pile] !== laid.fan[pile] || this.unsettled.has(pile) || !samePile(known, board, pile)) this.arrangePile(pile, board, moving && !resized);
    }
    if (!moving) this.lie(board);
    this.settling.ask();
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
      const isTravelling = this.flights.go(card, x, y + (pile < FIRST_CELL ? fan[pile] * index : 0), moving);
      const below = index > 0 ? this.flights.heights[cards[index - 1]] : -1;
      // As after an undo: what goes home or onto a card that it fits is above that anyhow.
      if (isTravelling && this.flights.heights[card] <= below) this.flights.raise(card, Math.max(below + 1, ALOFT));
    });
    this.unsettled.add(pile);
  }

  /** The last cards of a pile were carried by hand. @param {{pile: number, count: number}} held @param {number} x
   * @param {number} y how far */
  carried({ pile, count }, x, y) {
    if (!this.board) return;
    for (const card of pileOf(this.board, pile).slice(-count)) this.flights.carried(card, x, y);
    this.unsettled.add(pile);
  }

  /** Let the last cards of a pile lie above all others, and those that did before as they lie.
   * @param {{pile: number, count: number} | null} held */
  takeUp(held) {
    if (this.aloft >= 0) {
      this.unsettled.add(this.aloft);
      this.settling.ask();
    }
    this.aloft = held?.pile ?? -1;
    if (held && this.board) pileOf(this.board, held.pile).slice(-held.count).forEach((card, index) => this.flights.raise(card, ALOFT + index));
  }

  /** Bring the document behind what is to be seen: names, and the cards of piles where all have arrived. */
  settle() {
    this.settling.drop();
    const { board } = this;
    if (!board) return;
    if (this.live) for (const pile of this.unsettled) this.name(pile, pileOf(board, pile));
    for (const pile of this.lie(board)) {
      this.standBy(pile, pileOf(board, pile));
      this.unsettled.delete(pile);
    }
    if (this.live) this.keepStop(board);
  }

  /** Let cards lie in the document as they should, but on piles to which some still travel. @param {Board} board
   * @returns {number[]} the piles that were not settled and have theirs */
  lie(board) {
    const there = [...this.unsettled].filter((pile) => !pileOf(board, pile).some((card) => this.flights.underWay.has(card)));
    for (const pile of there) this.order(pile, pileOf(board, pile));
    return there;
  }

  /** Let the Tab key lead to a card or slot. @param {HTMLElement} element */
  stopAt(element) {
    if (element === this.stop) return;
    this.stop?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    this.stop = element;
  }

  /** The Tab key leads to what is to be seen: from the start on to the first exposed card. What has vanished, or lies under
   * cards, is followed by what lies there now, which gets the focus too. @param {Board} board */
  keepStop(board) {
    const { stop } = this;
    const pile = stop ? this.pileOfStop(stop, board) : -1;
    const isSlot = stop?.dataset.pile !== undefined;
    if (stop && !stop.closest("[hidden]") && !(isSlot && pileOf(board, pile).length)) return;
    const exposed = [pile, ...PILES].filter((one) => one >= 0).map((one) => pileOf(board, one).at(-1)).find((card) => card !== undefined);
    if (exposed === undefined) return;
    const isFocused = stop !== null && document.activeElement === stop;
    this.stopAt(this.cards[exposed]);
    if (isFocused) this.cards[exposed].focus({ preventScroll: true });
  }

  /** @param {HTMLElement} stop @param {Board} board */
  pileOfStop({ dataset }, board) {
    return dataset.pile === undefined ? PILES.findIndex((pile) => pileOf(board, pile).includes(Number(dataset.card))) : Number(dataset.pile);
  }

  /** Cards that may be taken up lie above all others, the lower above the higher, on which they go. @param {number} pile @param {number[]} cards */
  order(pile, cards) {
    const group = this.piles[pile];
    const deep = pile >= FIRST_FOUNDATION ? cards.length - TOP : 0;
    const open = firstOpen(pile, cards);
    cards.forEach((card, index) => {
      const element = this.cards[card];
      this.flights.land(card);
      this.flights.raise(card, index < open ? 0 : RANKS - (card >> 2));
      if (element.hidden !== index < deep) element.hidden = index < deep;
      if (element.parentElement === group && element === group.children[index + 1]) return;
      const focused = document.activeElement === element;
      group.insertBefore(element, group.children[index + 1] ?? null);
      if (focused) element.focus({ preventScroll: true });
    });
  }

  /** Let those of a pile that may be moved be ready to set out. @param {number} pile @param {number[]} cards */
  standBy(pile, cards) {
    const open = firstOpen(pile, cards);
    cards.forEach((card, index) => this.flights.standBy(card, index >= open));
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

/** Where the cards begin that may be taken up. @param {number} pile @param {number[]} cards */
const firstOpen = (pile, cards) => cards.length - (pile >= FIRST_FOUNDATION ? 0 : runLength(cards));

/** @param {number} pile @param {boolean} live */
function pileElement(pile, live) {
  const mark = pile >= FIRST_FOUNDATION ? drawing(`suit${pile - FIRST_FOUNDATION}`) : "";
  const kind = pile < FIRST_CELL ? "column" : pile < FIRST_FOUNDATION ? "cell" : "foundation";
  const slot = live ? h("button", { class: `slot ${kind}`, type: "button", tabindex: "-1", "data-pile": pile }, mark) : h("span", { class: `slot ${kind}` }, mark);
  return h("div", { class: "pile", role: live ? "group" : null, "aria-label": live ? pileWords(pile) : null }, slot);
}
