/** A table with cards: `<card-table>`. Shows a board; where there is a `game`, it can be played by pointer and keys. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf, samePile } from "../game/board.js";
import { moveText } from "../game/notation.js";
import { reasonAgainst, targetsOf, tapped, usualCount } from "../game/referee.js";
import { runLength } from "../game/cards.js";
import { t } from "../i18n.js";
import { Later } from "../later.js";
import { Arrangement } from "./arrangement.js";
import { reclass } from "./dom.js";
import { Keys } from "./keys.js";
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

export class CardTable extends HTMLElement {
  constructor() {
    super();
    /** @type {Game | null} */
    this.game = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {Place | null} */
    this.selected = null;
    /** @type {{from: Place, to: number} | null} a move that is shown and not begun */
    this.hinted = null;
    this.mirrored = false;
    /** @type {(touch: boolean) => boolean} whether one tap sends a card */
    this.tapSends = (touch) => touch;
    /** @type {Arrangement | null} what lies on the table, once it is shown */
    this.arranged = null;
    /** @type {HTMLElement[]} */
    this.chosen = [];
    /** @type {HTMLElement[]} where what is held may go: cards, and slots where none lies */
    this.legal = [];
    /** @type {HTMLElement[]} what a hint speaks of: its cards, and where they go */
    this.advised = [];
    this.marking = 0; // the frame that shows what is selected now
    this.unmarking = new Later(() => this.mark());
    /** @type {[width: number, height: number]} */
    this.size = [0, 0];
  }

  get cards() {
    return this.arranged?.cards ?? [];
  }

  get piles() {
    return this.arranged?.piles ?? [];
  }

  get laid() {
    return this.arranged?.laid ?? null;
  }

  connectedCallback() {
    if (!this.arranged) this.build();
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
    // An application: arrows and letters are the game's, and a screen reader has to let them through.
    this.setAttribute("role", live ? "application" : "img");
    this.setAttribute("aria-label", t(live ? "tablePlayed" : "table"));
    this.arranged = new Arrangement(live);
    // Before they are in the document: cards that come to their places are styled and laid out once, and not twice.
    const { width, height } = this.getBoundingClientRect();
    this.resize(width, height);
    this.append(...this.arranged.elements);
    // Known from here, so that showing a move never has to ask for a layout.
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width, contentRect.height)).observe(this);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    if (width === this.size[0] && height === this.size[1]) return;
    this.size = [width, height];
    this.arrange(false);
  }

  /** Show a board. @param {Board} board @param {boolean} [moving] let cards travel to their places */
  show(board, moving = true) {
    const { selected, board: before } = this;
    // Cards are held, not places: others may lie there now.
    if (selected && before && !samePile(before, board, selected.pile)) this.selected = null;
    if (before !== board) this.hinted = null;
    this.board = board;
    this.arrange(moving);
  }

  /** Put all cards where they belong. @param {boolean} moving */
  arrange(moving) {
    const { board, arranged, size } = this;
    if (!board || !arranged || !size[0] || !size[1]) return;
    arranged.arrange(board, size, this.mirrored, moving, this.style);
    if (!moving) return this.mark();
    // Marks would be painted anew: they have time until the cards travel.
    cancelAnimationFrame(this.marking);
    this.unmarking.ask();
  }

  /** The place of a card or slot. @param {Element | null} target @returns {Place | null} */
  placeOf(target) {
    const element = /** @type {HTMLElement | null} */ (target?.closest("[data-card],[data-pile]") ?? null);
    const { board } = this;
    if (!element || !board || !this.contains(element)) return null;
    if (element.dataset.pile !== undefined) return { pile: Number(element.dataset.pile), count: 0 };
    // By the board: in the document a card that moves comes to its pile when it has arrived.
    const card = Number(element.dataset.card);
    const pile = this.piles.findIndex((_, at) => pileOf(board, at).includes(card));
    const cards = pileOf(board, pile);
    return { pile, count: cards.length - cards.indexOf(card) };
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

  /** Take cards up by a click or a key, or put them down again; a hint has been seen then. @param {Place | null} place */
  select(place) {
    this.selected = place;
    this.hinted = null;
    this.markSoon();
  }

  /** Hold nothing any more, and forget the half of a move that was typed. */
  letGo() {
    this.keys?.clear();
  }

  /** Show a move without beginning it: the next tap plays as if it were not shown. @param {Place} from @param {number} to */
  hint(from, to) {
    this.selected = null;
    this.hinted = { from, to };
    this.markSoon();
  }

  markSoon() {
    cancelAnimationFrame(this.marking);
    this.marking = requestAnimationFrame(() => this.mark());
  }

  /** Show what is selected and where it may go. @param {Place | null} [held] */
  mark(held = this.selected) {
    cancelAnimationFrame(this.marking);
    this.unmarking.drop();
    const chosen = held ? this.elementsOf(held) : [];
    const isOther = chosen.some((element, at) => element !== this.chosen[at]) || chosen.length !== this.chosen.length;
    this.chosen = reclass("selected", this.chosen, chosen);
    this.legal = reclass("legal", this.legal, this.targets(held).map((pile) => this.topOf(pile)));
    const { hinted } = this;
    this.advised = reclass("advised", this.advised, hinted && !held ? [...this.elementsOf(hinted.from), this.topOf(hinted.to)] : []);
    if (isOther) this.arranged?.takeUp(held);
  }

  /** The element on which a card would be laid. @param {number} pile */
  topOf(pile) {
    return this.elementsOf({ pile, count: 1 })[0] ?? /** @type {HTMLElement} */ (this.piles[pile].firstChild);
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
    if (this.hinted) this.select(null);
    if (held) {
      if (held.pile === place.pile) this.select(held.count === place.count || !this.canTake(place) ? null : place);
      else if (!this.move(held, this.targetFor(held, place.pile)) && this.canTake(place)) this.select(place);
      return;
    }
    if (place.count === 0) return;
    if (!this.canTake(place)) {
      this.game?.say(place.pile >= FIRST_FOUNDATION ? { reason: "never_from_foundation" } : { reason: "covered", possible: place.count - 1 });
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
