/** Where there is nothing to show: why, and the way home. */

import { dealCode, readDeal } from "../game/deals.js";
import { t } from "../i18n.js";
import { dealWords } from "../words.js";
import { h } from "./dom.js";

/** @param {import("../app.js").App} app @param {string} words
 * @param {string} [typed] what was asked for: where it is a deal, it is the one to practise on */
export function lost(app, words, typed = "") {
  const deal = readDeal(typed);
  const code = deal ? dealCode(deal.number, deal.cells) : "";
  const follow = (/** @type {MouseEvent} */ event) => app.follow(event);
  return h("div", { class: "lost" },
    h("p", { class: "refused", role: "alert" }, words),
    h("p", { class: "buttons" }, h("a", { href: code ? `/#deal=${code}` : "/", class: "button", onclick: follow }, `${t("practice")} ${dealWords(code)}`.trimEnd()), h("a", { href: "/#friend", class: "button", onclick: follow }, t("raceFriend"))));
}
