/** A table with cards: `<card-table>`. Shows a board; where there is a `game`, it can be played by pointer and keys. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf } from "../game/board.js";
import { moveText } from "../game/notation.js";
import { reasonAgainst, targetsOf, tapped, usualCount } from "../game/referee.js";
import { runLength } from "../game/cards.js";
import { t } from "../i18n.js";
import { pileWords, placeWords } from "../words.js";
import { cardElement } from "./card.js";
import { h, reclass, setAttribute } from "./dom.js";
import { drawing } from "./drawings.js";
import { Keys } from "./keys.js";
import { layout } from "./layout.js";
import { Pointer } from "./pointer.js";

/** @typedef {import("../game/board.js").Board} Board */
/** @typedef {import("../game/line.js").Line} Line */
/** @typedef {import("../game/referee.js").Refusal} Refusal */
/** @typedef {import("../wire/session.js").Action} Action */
/** @typedef {{pile: number, count: number}} Place the last `count` cards of a pile */
/**
 * What the table plays: the line as it is shown, and how to act on it. `say` tells of a refusal in one line.
 * @typedef {object} Game
 * @property {() => Line} line
 * @property {(action: Action) => void} act
 * @property {(refusal: Refusal | null) => void} say
 * @property {(name: "redo" | "hint") => void} [extra]
 */

const DURATION = 130; // ms

export class CardTable extends HTMLElement {
  constructor() {
    super();
    /** @type {Game | null} */
    this.game = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {Place | null} */
    this.selected = null;
    this.mirrored = false;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    /** @type {(touch: boolean) => boolean} whether one tap sends a card */
    this.tapSends = (touch) => touch;
    /** @type {HTMLElement[]} */
    this.cards = [];
    /** @type {HTMLElement[]} */
    this.piles = [];
    /** @type {import("./layout.js").Layout | null} */
    this.laid = null;
    this.cells = 0;
    /** @type {string[]} where each card was put, as it was written: a browser writes it in another way */
    this.points = [];
    /** @type {string[]} */
    this.places = [];
    /** @type {HTMLElement[]} */
    this.chosen = [];
    /** @type {HTMLElement[]} piles to which what is held may go */
    this.legal = [];
    /** @type {[width: number, height: number]} */
    this.size = [0, 0];
  }

  connectedCallback() {
    if (!this.piles.length) this.build();
    if (!this.game) return;
    this.attached = new AbortController();
    this.pointer = new Pointer(this, this.attached.signal);
    this.keys = new Keys(this, this.attached.signal);
  }

  disconnectedCallback() {
    this.attached?.abort();
  }

  build() {
    const live = this.game !== null;
    this.setAttribute("role", live ? "application" : "img");
    this.setAttribute("aria-label", t("table"));
    this.piles = Array.from({ length: 16 }, (_, pile) => this.pileElement(pile, live));
    // In reading order: cells, foundations, columns.
    this.append(...this.piles.slice(8), ...this.piles.slice(0, 8));
    this.cards = Array.from({ length: 52 }, (_, card) => cardElement(card, live));
    // Known from here, so that showing a move never has to ask for a layout.
    new ResizeObserver(([{ contentRect }]) => {
      this.size = [contentRect.width, contentRect.height];
      this.arrange(false);
    }).observe(this);
    if (this.board) this.show(this.board, false);
  }

  /** @param {number} pile @param {boolean} live */
  pileElement(pile, live) {
    const mark = pile >= FIRST_FOUNDATION ? drawing(`suit${pile - FIRST_FOUNDATION}`) : "";
    const kind = pile < FIRST_CELL ? "column" : pile < FIRST_FOUNDATION ? "cell" : "foundation";
    const slot = live ? h("button", { class: `slot ${kind}`, type: "button", tabindex: "-1", "data-pile": pile }, mark) : h("span", { class: `slot ${kind}` }, mark);
    return h("div", { class: "pile", role: live ? "group" : null, "aria-label": live ? pileWords(pile) : null }, slot);
  }

  /** Show a board. @param {Board} board @param {boolean} [moving] let cards travel to their places */
  show(board, moving = true) {
    this.board = board;
    if (this.selected && pileOf(board, this.selected.pile).length < this.selected.count) this.selected = null;
    if (this.piles.length) this.arrange(moving);
  }

  /** Put all cards where they belong. @param {boolean} moving */
  arrange(moving) {
    const { board } = this;
    const [width, height] = this.size;
    if (!board || !width || !height) return;
    const laid = layout(width, height, board, this.mirrored);
    const resized = this.laid?.width !== laid.width;
    const laidAnew = JSON.stringify(this.laid?.piles) !== JSON.stringify(laid.piles) || this.cells !== board.cells.length;
    this.laid = laid;
    this.cells = board.cells.length;
    if (resized) {
      this.style.setProperty("--w", `${laid.width}px`);
      this.style.setProperty("--h", `${laid.height}px`);
    }
    for (let pile = 0; pile < 16; pile += 1) this.arrangePile(pile, board, moving && !resized, laidAnew);
    this.mark();
  }

  /** @param {number} pile @param {Board} board @param {boolean} moving @param {boolean} laidAnew whether piles lie elsewhere */
  arrangePile(pile, board, moving, laidAnew) {
    const { piles, fan } = /** @type {import("./layout.js").Layout} */ (this.laid);
    const { x, y } = piles[pile];
    const group = this.piles[pile];
    if (laidAnew) this.arrangeSlot(pile, board);
    const cards = pileOf(board, pile);
    const known = pile >= FIRST_FOUNDATION ? Math.max(0, cards.length - 2) : 0;
    cards.forEach((card, index) => {
      const element = this.cards[card];
      const deep = index < known; // down on a foundation
      if (element.hidden !== deep) element.hidden = deep;
      const down = pile < FIRST_CELL ? fan[pile] * index : 0;
      if (element.parentElement !== group || element !== group.children[index + 1]) this.place(element, group, index);
      this.travel(card, x, y + down, moving);
      if (this.game) this.name(element, card, pile, cards.length - 1 - index);
    });
    if (this.game) setAttribute(/** @type {HTMLElement} */ (group.firstChild), "aria-label", `${pileWords(pile)}, ${t(cards.length ? "slotTaken" : "slotEmpty")}`);
  }

  /** @param {number} pile @param {Board} board */
  arrangeSlot(pile, board) {
    const { x, y } = /** @type {import("./layout.js").Layout} */ (this.laid).piles[pile];
    const group = this.piles[pile];
    /** @type {HTMLElement} */ (group.firstChild).style.transform = `translate(${x}px,${y}px)`;
    group.hidden = pile >= FIRST_CELL && pile < FIRST_FOUNDATION && pile - FIRST_CELL >= board.cells.length;
  }

  /** @param {HTMLElement} element @param {HTMLElement} group @param {number} index */
  place(element, group, index) {
    const focused = document.activeElement === element;
    group.insertBefore(element, group.children[index + 1] ?? null);
    if (focused) element.focus({ preventScroll: true });
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
    const travel = element.animate([{ transform: before }, { transform: next }], { duration: DURATION, easing: "ease-out" });
    travel.onfinish = () => element.classList.remove("travelling");
  }

  /** @param {HTMLElement} element @param {number} card @param {number} pile @param {number} above */
  name(element, card, pile, above) {
    const place = `${pile} ${above}`;
    if (this.places[card] === place) return;
    this.places[card] = place;
    element.setAttribute("aria-label", placeWords(card, pile, above));
  }

  /** The place of a card or slot. @param {Element | null} target @returns {Place | null} */
  placeOf(target) {
    const element = /** @type {HTMLElement | null} */ (target?.closest("[data-card],[data-pile]") ?? null);
    const group = element?.parentElement;
    const pile = group ? this.piles.indexOf(group) : -1;
    if (!element || pile < 0 || !this.board) return null;
    if (element.dataset.pile !== undefined) return { pile, count: 0 };
    const cards = pileOf(this.board, pile);
    return { pile, count: cards.length - cards.indexOf(Number(element.dataset.card)) };
  }

  /** The elements of the last cards of a pile. @param {Place} place */
  elementsOf({ pile, count }) {
    return this.board ? pileOf(this.board, pile).slice(-count).map((card) => this.cards[card]) : [];
  }

  /** Whether these cards can be taken up at all. @param {Place} place */
  canTake({ pile, count }) {
    const game = this.game;
    if (!game || !this.board || count < 1) return false;
    if (pile < FIRST_CELL) return count <= runLength(this.board.columns[pile]);
    return count === 1 && (pile < FIRST_FOUNDATION || game.line().rules.take_back !== "never");
  }

  /** @param {Place | null} place */
  targets(place) {
    return place && place.count && this.game && this.board ? targetsOf(this.board, place.pile, place.count, this.game.line().rules) : [];
  }

  /** Take cards up by a click or a key, or put them down again. @param {Place | null} place */
  select(place) {
    this.selected = place;
    this.mark();
  }

  /** Show what is selected and where it may go. @param {Place | null} [held] */
  mark(held = this.selected) {
    this.chosen = reclass("selected", this.chosen, held ? this.elementsOf(held) : []);
    this.legal = reclass("legal", this.legal, this.targets(held).map((pile) => this.piles[pile]));
  }

  /** Move cards, or say why not. @param {Place} from @param {number} destination @returns {boolean} */
  move(from, destination) {
    const game = this.game;
    if (!game || !this.board) return false;
    const { rules } = game.line();
    let move = { source: from.pile, destination, count: from.count };
    let refusal = reasonAgainst(this.board, move, rules);
    if (refusal && from.count === 1) {
      const other = { ...move, count: usualCount(this.board, from.pile, destination, rules) };
      if (!reasonAgainst(this.board, other, rules)) [move, refusal] = [other, null];
    }
    this.select(null);
    game.say(refusal);
    if (!refusal) game.act({ move: moveText(move, this.board, rules) });
    return !refusal;
  }

  /** A tap or click on a place. @param {Place} place @param {boolean} touch */
  tap(place, touch) {
    const held = this.selected;
    if (held) {
      if (held.pile === place.pile) this.select(held.count === place.count || !this.canTake(place) ? null : place);
      else if (!this.move(held, this.targetFor(held, place.pile)) && this.canTake(place)) this.select(place);
      return;
    }
    if (place.count === 0) return;
    if (!this.canTake(place)) {
      this.game?.say({ reason: place.pile >= FIRST_FOUNDATION ? "never_from_foundation" : "not_a_run_here" });
    } else if (this.tapSends(touch)) this.send(place);
    else this.select(place);
  }

  /** Any foundation means that of the suit. @param {Place} held @param {number} pile */
  targetFor(held, pile) {
    const card = this.board && pileOf(this.board, held.pile).at(-1);
    return pile >= FIRST_FOUNDATION && card !== undefined && card !== null ? FIRST_FOUNDATION + (card & 3) : pile;
  }

  /** Send cards where one tap sends them. @param {Place} place */
  send(place) {
    const game = this.game;
    if (!game || !this.board) return;
    const move = tapped(this.board, place.pile, place.count, game.line().rules);
    if (move) this.move(place, move.destination);
    else game.say({ reason: "nowhere" });
  }

  /** Send an exposed card home. @param {Place} place */
  sendHome(place) {
    if (place.count === 1 && place.pile < FIRST_FOUNDATION) this.move(place, this.targetFor(place, FIRST_FOUNDATION));
  }
}

customElements.define("card-table", CardTable);
