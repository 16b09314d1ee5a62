/** How a race ended: places, times, what was given back for the network, and how exact it is. */

import { isolated, t } from "../i18n.js";
import { seriesOf } from "../series.js";
import { standingWords as dayWords } from "../standing.js";
import { Refused } from "../wire/requests.js";
import { dealWords, listed, rulesWords, seriesLine } from "../words.js";
import { button } from "./dialogs.js";
import { clock, copyTo, h } from "./dom.js";
import { exactness } from "./rows.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/model.js").Model} Model */
/** @typedef {import("../wire/model.js").Place} Place */
/** @typedef {import("../wire/race.js").Race} Race */

const ERASED = "deleted player"; // whose replays are gone
const [TRIES, LATER_MS] = [5, 1_000];

/** The name of a run: its race and its seat. @param {Race} race @param {number} seat */
const runOf = (race, seat) => `${race.session.race}-${seat}`;

/** @param {App} app @param {Race} race */
export function resultCard(app, race) {
  const model = modelOf(race);
  const series = seriesOf(model);
  const said = h("span", { class: "note", role: "status" });
  return h("div", { class: "result" },
    h("h2", {}, resultTitle(modelOf(race))),
    h("table", {}, h("tbody", {}, ...model.standings.map((place) => placeRow(app, race, place)))),
    series ? h("p", { class: "series" }, seriesLine(series, model.seats)) : null,
    model.standings.some((place) => place.time >= 0 && (place.compensation || place.error)) ? h("p", { class: "note" }, t("exactExplained")) : null,
    isAttempt(model) && model.standings.some(({ time }) => time >= 0) ? placeOfDay(app, race) : null,
    h("p", { class: "note" }, dealWords(model.deal)),
    isGathered(model) ? h("p", { class: "note" }, t("rematchBrings")) : null,
    h("p", { class: "buttons" },
      nextButton(app, race), button("copyResult", () => void copyTo(resultText(race, location.origin), t("copyResult"), said)), button("newRace", () => app.go("#friend")), said));
}

/** Whether it is somebody's attempt at the deal of a day. @param {Model} model */
const isAttempt = ({ snap }) => Boolean(snap.daily) && !snap.practice;

/** Where one stands on the board of the day, as soon as that is known. @param {App} app @param {Race} race */
function placeOfDay(app, race) {
  const said = h("p", { class: "standing", role: "status", hidden: true });
  const { rules, snap } = modelOf(race);
  const look = async (/** @type {number} */ tries) => {
    const answer = await app.online.ask({ tag: "daily_top", day: snap.daily, rules, count: 1, around: true });
    const [mine] = answer.mine;
    if (mine) {
      race.placed = t("placeOf", { place: mine[0], total: answer.total });
      said.textContent = dayWords(/** @type {any} */ ({ ...answer, place: mine[0] }));
      said.hidden = false;
    } else if (tries && said.isConnected) setTimeout(() => void begin(tries - 1), LATER_MS); // boards are a little behind
  };
  const begin = (/** @type {number} */ tries) =>
    look(tries).catch((error) => {
      if (!(error instanceof Refused)) throw error; // the page of the day has it
    });
  void begin(TRIES);
  return said;
}

/** One's place and moves, one's time, and small under it how exact that is. @param {App} app @param {Race} race @param {Place} place */
function placeRow(app, race, place) {
  const { seats, you } = modelOf(race);
  const seat = seats[place.seat];
  const isFinished = place.time >= 0;
  const [number, note] = standingWords(place, seat, modelOf(race).standings.length);
  const watch = isFinished && seat.name !== ERASED ? button("watchReplay", () => app.go(`#replay=${runOf(race, place.seat)}`), "small") : null;
  return h("tr", { class: place.seat === you ? "mine" : "" },
    h("td", {}, number),
    h("td", { class: "name" }, seat.name, h("div", { class: "more" }, h("small", {}, note), watch)),
    h("td", { class: "time" }, isFinished ? clock(place.time, true) : `${place.home}/52`, isFinished ? exactness(place) : null));
}

/** The number of a place, which who raced alone has not, and what there is to say of it. @param {Place} place
 * @param {{gave_up: boolean}} seat @param {number} of how many places @returns {[number: string, note: string]} */
export function standingWords({ place, time, home, moves }, { gave_up }, of) {
  const number = of > 1 ? `${place}.` : "";
  if (time >= 0) return [number, t("moves", { n: moves })];
  const notes = [home > 0 || moves > 0 ? t("moves", { n: moves }) : t("noMove"), gave_up ? t("gaveUp") : ""];
  return [number, notes.filter(Boolean).join(", ")];
}

/** What comes next: only who has raced can ask for a rematch, and a deal of the day has none (SPEC 3.11, 4.7).
 * @param {App} app @param {Race} race */
function nextButton(app, race) {
  const { snap, you, rematch } = modelOf(race);
  const goesOn = seriesOf(modelOf(race))?.isOver === false;
  if (snap.daily) return button("daily", () => app.go("#daily"), "main");
  if (you >= 0) return button(goesOn ? "nextOfSeries" : "rematch", () => void app.enter((turned) => again(app, race, turned)), "main");
  const watch = () => void app.enter((turned) => app.online.enter({ tag: "watch", race: rematch }, turned));
  return rematch ? button("watchRematch", watch, "main") : null;
}

/** Meet those of a race again: who asks for it is ready, those who are brought say so themselves.
 * @param {App} app @param {Race} race @param {AbortSignal} turned one has turned to something else */
async function again(app, race, turned) {
  const next = await app.online.rematch(race, turned);
  if (!turned.aborted && ["waiting", "lobby"].includes(next.stage)) next.wish("ready", { ready: true });
  return next;
}

/** Whether one looks on at a race whose rematch one may still be brought to. @param {Model} model */
const isGathered = ({ snap, you, seats, rematch }) => you < 0 && !snap.daily && !rematch && seats.length > 1;

/** @param {Race} race */
const modelOf = (race) => /** @type {Model} */ (race.model);

/** How it ended for whoever looks. @param {Model} model */
export function resultTitle(model) {
  const mine = model.standings.find((place) => place.seat === model.you);
  const firsts = model.standings.filter((place) => place.place === 1 && place.time >= 0);
  const wonBy = () => t("wonBy", { name: listed(firsts.map(({ seat }) => model.seats[seat].name)) });
  if (!mine && firsts.length) return wonBy();
  if (!mine) return model.standings.length || (model.end === "empty" && model.seats.length === 1) ? t("raceOver") : t(`end_${model.end}`);
  if (firsts.length && (mine.place !== 1 || mine.time < 0)) return wonBy();
  if (mine.time < 0) return t(model.end === "all_done" ? "raceOver" : `end_${model.end}`);
  const faster = [...model.ghosts.values()].filter((ghost) => ghost.time < mine.time).sort((a, b) => a.time - b.time)[0];
  if (faster) return t("ghostWon", { name: faster.name, time: clock(faster.time, true) });
  if (model.standings.length + model.ghosts.size === 1) return t("youAreHome", { time: clock(mine.time, true) });
  return firsts.length > 1 ? t("sharedWin") : t("youWon");
}

/** A result to be shown to others: the way to a race against the best run where one was finished. What identifies the deal of
 * the day is for nobody who may still play it. @param {Race} race @param {string} origin */
export function resultText(race, origin) {
  const model = modelOf(race);
  const shown = model.standings;
  const { daily } = model.snap;
  const best = shown.find((place) => place.time >= 0);
  const links = daily ? [`${origin}/#daily`] : best ? [`${origin}/g/${runOf(race, best.seat)}`] : [];
  const what = daily ? `${t("daily")} ${daily}, ${rulesWords(model.rules)}` : dealWords(model.deal);
  const lines = shown.map((place) => `${standingWords(place, model.seats[place.seat], shown.length)[0]} ${isolated(model.seats[place.seat].name)} ${place.time >= 0 ? clock(place.time, true) : `${place.home}/52`}`.trimStart());
  return [`cellrace ${what}`, ...lines, ...(race.placed ? [race.placed] : []), ...links].join("\n");
}
