/** Where there is nothing to show: why, and the way home. */

import { t } from "../i18n.js";
import { h } from "./dom.js";

/** @param {import("../app.js").App} app @param {string} words */
export function lost(app, words) {
  const follow = (/** @type {MouseEvent} */ event) => app.follow(event);
  return h("div", { class: "lost" },
    h("p", { class: "refused", role: "alert" }, words),
    h("p", { class: "buttons" }, h("a", { href: "/", class: "button", onclick: follow }, t("practice")), h("a", { href: "/#friend", class: "button", onclick: follow }, t("raceFriend"))));
}
