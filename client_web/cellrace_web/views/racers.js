/** Who races, and how far: a row for each, with a bar. */

import { ghostAt } from "../wire/model.js";
import { t } from "../i18n.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../wire/race.js").Race} Race */

/** @param {Race} race @param {number} now @returns {HTMLElement[]} */
export function racerRows(race, now) {
  const model = race.model;
  if (!model) return [];
  const time = model.timeAt(now);
  const seats = model.seats.map((seat, index) => {
    if (!seat.player) return row(t("freeSeat"), 0, "", "free");
    const mine = index === model.you;
    const home = mine && race.prediction ? race.prediction.shown.home : seat.home;
    const name = `${seat.name}${mine ? ` (${t("you")})` : ""}${seat.kind === "bot" ? ` (${t("bot")})` : ""}`;
    return row(name, home, stateOf(seat, model.phase), `${mine ? "mine" : ""} ${seat.away ? "away" : ""}`);
  });
  const ghosts = [...model.ghosts.values()].map((ghost) => {
    const done = time >= ghost.time && model.phase !== "lobby";
    return row(`${ghost.name} (${t("ghost")})`, done ? 52 : ghostAt(ghost, time).home, done ? clock(ghost.time, true) : "", "ghost");
  });
  return [...seats, ...ghosts];
}

/** @param {import("../wire/model.js").Seat} seat @param {string} phase */
function stateOf(seat, phase) {
  if (seat.time >= 0) return clock(seat.time, true);
  if (seat.gave_up) return t("gaveUp");
  if (seat.away) return t("away");
  if (phase === "lobby") return t(seat.ready ? "isReady" : "isNotReady");
  return "";
}

/** @param {string} name @param {number} home @param {string} state @param {string} kind */
function row(name, home, state, kind) {
  const bar = h("progress", { max: 52, value: home, "aria-label": name });
  return h("div", { class: `racer ${kind}` }, h("span", { class: "name" }, name), bar, h("span", { class: "count" }, `${home}/52`), h("span", { class: "state" }, state));
}
