/** One card, drawn. */

import { h } from "./dom.js";
import { face } from "./drawings.js";

const RANK_TEXTS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** The element of a card. @param {number} card @param {boolean} live whether it can be played: a button */
export function cardElement(card, live) {
  const suit = card & 3;
  const rank = card >> 2;
  // As few elements as can be: there are 52 of these on each table.
  const drawn = [h("b", {}, RANK_TEXTS[rank]), face(`suit${suit}`, rank >= 10 ? `court${rank}` : `suit${suit}`)];
  const attributes = { class: `card suit-${suit}`, "data-card": card };
  return live
    ? h("button", { ...attributes, type: "button", tabindex: "-1" }, ...drawn)
    : h("span", attributes, ...drawn);
}
