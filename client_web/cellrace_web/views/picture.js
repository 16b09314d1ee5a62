/** A board to look at, drawn on one canvas: for grids, where cards as elements would be too many to move smoothly. A move
 * draws the piles that it changes and nothing else. */

import { FIRST_CELL, FIRST_FOUNDATION, pileOf, samePile } from "../game/board.js";
import { h, setAttribute } from "./dom.js";
import { deckOf, lookOf, outline, placeIn } from "./deck.js";
import { suitPath } from "./drawings.js";
import { layout } from "./layout.js";

/** @typedef {import("../game/board.js").Board} Board */

export class Picture {
  /** @param {boolean} mirrored */
  constructor(mirrored) {
    this.mirrored = mirrored;
    this.canvas = h("canvas", {});
    this.element = h("div", { class: "picture", role: "img" }, this.canvas);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { willReadFrequently: true }));
    /** @type {Board | null} */
    this.board = null;
    /** @type {Board | null} what the canvas shows */
    this.drawn = null;
    /** @type {import("./layout.js").Layout | null} */
    this.laid = null;
    /** @type {[width: number, height: number]} */
    this.size = [0, 0];
    this.dots = 1; // to a pixel of the page
    /** @type {import("./deck.js").Look | null} */
    this.look = null;
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width, contentRect.height)).observe(this.element);
  }

  /** Say how it stands to those who do not see it. @param {string} text */
  name(text) {
    setAttribute(this.element, "aria-label", text);
  }

  /** Show a board. @param {Board} board */
  show(board) {
    this.board = board;
    this.draw();
  }

  /** Draw it again: cards look otherwise now. */
  redraw() {
    this.look = null;
    this.drawn = null;
    this.draw();
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.size = [width, height];
    this.dots = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.dots);
    this.canvas.height = Math.round(height * this.dots);
    this.drawn = null;
    this.draw();
  }

  draw() {
    const { board, context } = this;
    const [width, height] = this.size;
    if (!board || !width || !height) return;
    const laid = layout(width, height, board, this.mirrored, this.laid);
    const before = laid.width === this.laid?.width && this.drawn?.cells.length === board.cells.length ? this.drawn : null;
    this.look ??= lookOf(this.element);
    this.laid = laid;
    if (!before) context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let pile = 0; pile < 16; pile += 1) if (!before || !samePile(before, board, pile)) this.drawPile(pile, board, this.look);
    this.drawn = board;
  }

  /** @param {number} pile @param {Board} board @param {import("./deck.js").Look} look */
  drawPile(pile, board, look) {
    const { context, dots } = this;
    const { piles, fan, width, height } = /** @type {import("./layout.js").Layout} */ (this.laid);
    const deck = deckOf(Math.floor(width * dots), Math.floor(height * dots), look); // so that none lies on its neighbour's edge
    const [x, y] = [Math.round(piles[pile].x * dots), Math.round(piles[pile].y * dots)];
    context.clearRect(x, y, deck.width, pile < FIRST_CELL ? this.canvas.height - y : deck.height);
    const cards = pileOf(board, pile);
    if (pile >= FIRST_CELL && pile - FIRST_CELL >= board.cells.length && pile < FIRST_FOUNDATION) return;
    if (!cards.length) this.drawSlot(pile, x, y, deck, look);
    const first = pile >= FIRST_FOUNDATION ? Math.max(0, cards.length - 1) : 0;
    cards.slice(first).forEach((card, index) => {
      const down = pile < FIRST_CELL ? Math.round(fan[pile] * index * dots) : 0;
      context.drawImage(deck.picture, ...placeIn(deck, card), deck.width, deck.height, x, y + down, deck.width, deck.height);
    });
  }

  /** @param {number} pile @param {number} x @param {number} y @param {import("./deck.js").Deck} deck
   * @param {import("./deck.js").Look} look */
  drawSlot(pile, x, y, deck, look) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    outline(context, deck.width, deck.height);
    context.globalAlpha = 0.6;
    context.fillStyle = look.felt;
    context.fill();
    context.globalAlpha = look.line;
    context.strokeStyle = look.ink;
    context.stroke();
    if (pile >= FIRST_FOUNDATION) {
      context.fillStyle = look.ink;
      context.translate(deck.width / 4, deck.height / 2 - deck.width / 4);
      context.scale(deck.width / 64, deck.width / 64);
      context.fill(new Path2D(suitPath(pile - FIRST_FOUNDATION)));
    }
    context.restore();
  }
}
