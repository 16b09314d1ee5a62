/** Who races, and how far: a row for each, with a bar. */

import { ghostAt } from "../wire/model.js";
import { t } from "../i18n.js";
import { clock, h, setAttribute, setText } from "./dom.js";

/** @typedef {import("../wire/race.js").Race} Race */
/** @typedef {{name: string, home: number, state: string, kind: string}} Standing */

export class Racers {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    this.element = h("div", { class: "racers" });
  }

  /** Show how a race stands; only what is different is touched. @param {Race} race @param {number} now */
  show(race, now) {
    const standings = standingsOf(race, now);
    while (this.rows.length > standings.length) this.rows.pop()?.element.remove();
    while (this.rows.length < standings.length) this.rows.push(new Row(this.element));
    standings.forEach((standing, at) => this.rows[at].show(standing));
  }
}

class Row {
  /** @param {HTMLElement} above */
  constructor(above) {
    this.name = h("span", { class: "name" });
    this.bar = h("progress", { max: 52, value: 0 });
    this.count = h("span", { class: "count" });
    this.state = h("span", { class: "state" });
    this.element = h("div", {}, this.name, this.bar, this.count, this.state);
    above.append(this.element);
  }

  /** @param {Standing} standing */
  show({ name, home, state, kind }) {
    setText(this.name, name);
    setAttribute(this.bar, "aria-label", name);
    setAttribute(this.bar, "value", String(home));
    setText(this.count, `${home}/52`);
    setText(this.state, state);
    setAttribute(this.element, "class", `racer ${kind}`);
  }
}

/** @param {Race} race @param {number} now @returns {Standing[]} */
function standingsOf(race, now) {
  const model = race.model;
  if (!model) return [];
  const time = model.timeAt(now);
  const seats = model.seats.map((seat, index) => {
    if (!seat.player) return { name: t("freeSeat"), home: 0, state: "", kind: "free" };
    const mine = index === model.you;
    const home = mine && race.prediction ? race.prediction.shown.home : seat.home;
    return { name: nameWords(seat, mine), home, state: stateOf(seat, model.phase), kind: `${mine ? "mine" : ""} ${seat.away ? "away" : ""}` };
  });
  const ghosts = [...model.ghosts.values()].map((ghost) => {
    const done = time >= ghost.time && model.phase !== "lobby";
    const home = done ? 52 : ghostAt(ghost, time).home;
    return { name: `${ghost.name} (${t("ghost")})`, home, state: done ? clock(ghost.time, true) : "", kind: "ghost" };
  });
  return [...seats, ...ghosts];
}

/** What a seat is called; that it is a bot's is said once, also where its name says so.
 * @param {{name: string, kind: string}} seat @param {boolean} mine */
export function nameWords({ name, kind }, mine) {
  const isToldBot = kind === "bot" && !/\bbot\b/i.test(name);
  return `${name}${mine ? ` (${t("you")})` : ""}${isToldBot ? ` (${t("bot")})` : ""}`;
}

/** @param {import("../wire/model.js").Seat} seat @param {string} phase */
function stateOf(seat, phase) {
  if (seat.time >= 0) return clock(seat.time, true);
  if (seat.gave_up) return t("gaveUp");
  if (seat.away) return t("away");
  if (phase === "lobby") return t(seat.ready ? "isReady" : "isNotReady");
  return "";
}
