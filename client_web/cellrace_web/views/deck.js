/** A deck as one picture, from which boards are drawn that are too many to be made of elements. */

import { RANK_TEXTS } from "./card.js";
import { face } from "./drawings.js";

/** What cards look like now, and how plain the lines are where one may lie.
 * @typedef {{face: string, edge: string, ink: string, felt: string, line: number, suits: string[]}} Look */
/** @typedef {{picture: HTMLCanvasElement, width: number, height: number}} Deck sizes in dots of the screen */

const ACROSS = 13; // cards in a row of the picture
const KEPT_MOST = 4; // decks: windows and looks change seldom

/** @type {Map<string, Deck>} */
const kept = new Map();

/** What the style sheets say that cards look like. @param {Element} element @returns {Look} */
export function lookOf(element) {
  const style = getComputedStyle(element);
  const read = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const isForced = matchMedia("(forced-colors: active)").matches;
  const slot = isForced ? { ink: "CanvasText", felt: "Canvas", line: 1 } : { ink: read("ink"), felt: read("felt-deep"), line: 0.3 };
  return { ...slot, face: read("face"), edge: read("edge"), suits: ["club", "diamond", "heart", "spade"].map(read) };
}

/** The deck with cards of a size, drawn when it is first asked for. @param {number} width @param {number} height in dots
 * @param {Look} look @returns {Deck} */
export function deckOf(width, height, look) {
  const key = JSON.stringify([width, height, look]);
  const known = kept.get(key) ?? drawn(width, height, look);
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > KEPT_MOST) kept.delete(/** @type {string} */ (kept.keys().next().value));
  return known;
}

/** Where a card is in the picture of its deck. @param {Deck} deck @param {number} card @returns {[x: number, y: number]} */
export const placeIn = ({ width, height }, card) => [(card % ACROSS) * width, Math.floor(card / ACROSS) * height];

/** @param {number} width @param {number} height @param {Look} look @returns {Deck} */
function drawn(width, height, look) {
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [width * ACROSS, height * 4];
  const deck = { picture, width, height };
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d", { willReadFrequently: true }));
  for (let card = 0; card < 52; card += 1) drawCard(context, deck, card, look);
  return deck;
}

/** @param {CanvasRenderingContext2D} context @param {Deck} deck @param {number} card @param {Look} look */
function drawCard(context, deck, card, look) {
  const { width, height } = deck;
  context.save();
  context.translate(...placeIn(deck, card));
  outline(context, width, height);
  context.fillStyle = look.face;
  context.fill();
  context.strokeStyle = look.edge;
  context.stroke();
  context.fillStyle = look.suits[card & 3];
  context.font = `750 ${height * 0.235}px system-ui, sans-serif`;
  context.letterSpacing = `${-0.06 * height * 0.235}px`;
  context.textBaseline = "middle";
  context.fillText(RANK_TEXTS[card >> 2], width * 0.06, height * 0.155);
  context.scale(width / 100, height / 140);
  context.fill(new Path2D(face(card)));
  context.restore();
}

/** The rounded border of a card or of where one may lie. @param {CanvasRenderingContext2D} context @param {number} width
 * @param {number} height */
export function outline(context, width, height) {
  context.beginPath();
  context.roundRect(0.5, 0.5, width - 1, height - 1, width * 0.09);
}
