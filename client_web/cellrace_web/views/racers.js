/** Who races, and how far: a row for each, with a bar. Many of them are one line on a small window, the rows behind it. */

import { ghostAt } from "../wire/model.js";
import { isolated, t } from "../i18n.js";
import { clock, h, setAttribute, setText } from "./dom.js";

/** @typedef {import("../wire/race.js").Race} Race */
/** `time` is the result in ms, -1 without one.
 * @typedef {{name: string, home: number, state: string, kind: string, time: number}} Standing */

const FEW = 3; // so many have room beside a board on every window
const SMALL = "(max-width: 480px), (max-height: 480px)";

export class Racers {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    this.lead = h("span", { class: "lead" });
    this.own = h("span", { class: "own" });
    this.more = h("span", { class: "others" });
    this.list = h("div", { class: "rows" });
    this.summary = h("summary", { hidden: true }, this.lead, this.own, this.more);
    this.element = h("details", { class: "racers", open: true }, this.summary, this.list);
    this.small = matchMedia(SMALL);
    this.wasSmall = false;
  }

  /** Whether the window has become another since they were shown. */
  get isOutgrown() {
    return this.small.matches !== this.wasSmall;
  }

  /** The seat whose row this is in; -1 where it is in none. @param {Element} target */
  at(target) {
    return this.rows.findIndex(({ element }) => element.contains(target));
  }

  /** Show how a race stands; only what is different is touched. @param {Race} race @param {number} now */
  show(race, now) {
    const standings = standingsOf(race, now);
    this.wasSmall = this.small.matches;
    while (this.rows.length > standings.length) this.rows.pop()?.element.remove();
    while (this.rows.length < standings.length) this.rows.push(new Row(this.list));
    standings.forEach((standing, at) => this.rows[at].show(standing));
    this.beBrief(standings, race.model?.phase !== "lobby" && this.wasSmall && standings.filter(({ kind }) => kind !== "free").length > FEW);
  }

  /** One line, behind which the rows are: whoever opens them has them until they are closed, or there is room.
   * @param {Standing[]} standings @param {boolean} isBrief */
  beBrief(standings, isBrief) {
    if (this.summary.hidden === isBrief) {
      this.summary.hidden = !isBrief;
      this.element.open = !isBrief;
    }
    if (!isBrief) return;
    const [lead, own, more] = briefWords(standings);
    setText(this.lead, lead);
    setText(this.own, own);
    setText(this.more, more);
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
    setText(this.count, kind === "free" ? "" : `${home}/52`);
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
    if (!seat.player) return { name: t("freeSeat"), home: 0, state: "", kind: "free", time: -1 };
    const mine = index === model.you;
    const home = mine && race.prediction ? race.prediction.shown.home : seat.home;
    const name = nameWords(seat, mine);
    const hosts = model.isHostNeeded && seat.player === model.host;
    return { name: hosts ? `${name} (${t("host")})` : name, home, state: stateOf(seat, model.phase), kind: `${mine ? "mine" : ""} ${seat.away ? "away" : ""}`, time: seat.time };
  });
  const ghosts = [...model.ghosts.values()].map((ghost) => {
    const done = time >= ghost.time && model.phase !== "lobby";
    const home = done ? 52 : ghostAt(ghost, time).home;
    return { name: `${isolated(ghost.name)} (${t("ghost")})`, home, state: done ? clock(ghost.time, true) : "", kind: "ghost", time: done ? ghost.time : -1 };
  });
  return [...seats, ...ghosts];
}

/** How it stands in one line: who leads, oneself where that is another, and how many more there are. Who is equal shares a
 * place, and leads where that is oneself. @param {Standing[]} standings @returns {[lead: string, own: string, more: string]} */
export function briefWords(standings) {
  const racing = standings.filter(({ kind }) => kind !== "free");
  const placed = racing.map((one) => ({ ...one, place: 1 + racing.filter((other) => isAhead(other, one)).length, isMine: isMine(one) }));
  const words = (/** @type {typeof placed[0] | undefined} */ one) => (one ? `${one.place}. ${one.name} ${one.home}/52` : "");
  const own = placed.find((one) => one.isMine);
  const lead = own?.place === 1 ? own : placed.find((one) => one.place === 1);
  const told = own && own !== lead ? 2 : 1;
  return [words(lead), told === 2 ? words(own) : "", racing.length > told ? `+${racing.length - told}` : ""];
}

/** @param {Standing} one */
const isMine = ({ kind }) => kind.split(" ").includes("mine");

/** @param {Standing} one @param {Standing} other */
function isAhead(one, other) {
  if (one.time >= 0 && other.time >= 0) return one.time < other.time;
  return one.time >= 0 || (other.time < 0 && one.home > other.home);
}

/** What a seat is called; that it is a bot's is said once, also where its name says so.
 * @param {{name: string, kind: string}} seat @param {boolean} mine */
export function nameWords({ name, kind }, mine) {
  const isToldBot = kind === "bot" && !/\bbot\b/i.test(name);
  return `${isolated(name)}${mine ? ` (${t("you")})` : ""}${isToldBot ? ` (${t("bot")})` : ""}`;
}

/** @param {import("../wire/model.js").Seat} seat @param {string} phase */
function stateOf(seat, phase) {
  if (seat.time >= 0) return clock(seat.time, true);
  if (seat.gave_up) return t("gaveUp");
  if (seat.away) return t("away");
  if (phase === "lobby") return t(seat.ready ? "isReady" : "isNotReady");
  return "";
}
