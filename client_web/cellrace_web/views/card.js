/** One card, drawn. */

import { h } from "./dom.js";
import { faceDrawing } from "./drawings.js";

export const RANK_TEXTS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** The element of a card. @param {number} card @param {boolean} live whether it can be played: a button */
export function cardElement(card, live) {
  const attributes = { class: `card suit-${card & 3}`, "data-card": card };
  const drawn = [RANK_TEXTS[card >> 2], faceDrawing(card)];
  return live ? h("button", { ...attributes, type: "button", tabindex: "-1" }, ...drawn) : h("span", attributes, ...drawn);
}
