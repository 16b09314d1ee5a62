/** The ways back to races of one's own that go on elsewhere: with whom each is, and how it stood. */

import { t } from "../i18n.js";
import { listed } from "../words.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../own-races.js").Known} Known */

/** @param {App} app @param {string[]} names of races, one at least */
export function ownRaces(app, names) {
  const follow = (/** @type {MouseEvent} */ event) => app.follow(event);
  const links = names.map((name) => {
    const known = app.online.own.known(name);
    return h("a", { href: `/r/${name}`, class: isPlayed(known) ? "button main" : "button" }, raceWords(name, known));
  });
  return h("nav", { class: "own-races", "aria-label": t("ownRaces"), onclick: follow }, h("span", { "aria-hidden": "true" }, t("ownRaces")), ...links);
}

/** Whether one's clock runs in it. @param {Known} [known] */
const isPlayed = (known) => known !== undefined && ["countdown", "running"].includes(known.phase) && known.time < 0 && !known.gaveUp;

/** A race by its code, which is all there is to say where this browser has never seen it. @param {string} name
 * @param {Known} [known] */
export function raceWords(name, known) {
  const code = name.toUpperCase();
  if (!known) return code;
  return [known.daily ? t("daily") : code, listed(known.others), standWords(known)].filter(Boolean).join(" · ");
}

/** @param {Known} known */
function standWords({ phase, time, gaveUp }) {
  if (time >= 0) return t("youAreHome", { time: clock(time, true) });
  if (gaveUp) return t("youGaveUp");
  if (phase === "countdown") return t("phase_running"); // by now
  return phase ? t(`phase_${phase}`) : "";
}
