/** How a race ended: places, times, what was given back for the network, and how exact it is. */

import { t } from "../i18n.js";
import { button } from "./dialogs.js";
import { clock, copied, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/model.js").Model} Model */
/** @typedef {import("../wire/model.js").Place} Place */
/** @typedef {import("../wire/race.js").Race} Race */

/** The name of a run: its race and its seat. @param {Race} race @param {number} seat */
const runOf = (race, seat) => `${race.session.race}-${seat}`;

/** @param {App} app @param {Race} race */
export function resultCard(app, race) {
  const model = modelOf(race);
  const said = h("span", { class: "note", role: "status" });
  const copy = async () => {
    const text = resultText(race);
    const byHand = h("textarea", { readonly: true, rows: 4, "aria-label": t("copyResult") }, text);
    const isCopied = await copied(text);
    said.replaceChildren(isCopied ? t("copied") : byHand);
    if (!isCopied) byHand.select();
  };
  return h("div", { class: "result" },
    h("h2", {}, title(race)),
    h("table", {}, h("tbody", {}, ...model.standings.map((place) => placeRow(app, race, place)))),
    h("p", { class: "note" }, model.deal),
    isGathered(model) ? h("p", { class: "note" }, t("rematchBrings")) : null,
    h("p", { class: "buttons" },
      nextButton(app, race), button("copyResult", () => void copy()), button("newRace", () => app.go("#friend")), said));
}

/** One's place, one's time, and how exact it is. @param {App} app @param {Race} race @param {Place} place */
function placeRow(app, race, place) {
  const { seats, you } = modelOf(race);
  const seat = seats[place.seat];
  const isFinished = place.time >= 0;
  const note = isFinished ? t("exactness", { back: place.compensation, error: place.error }) : seat.gave_up ? t("gaveUp") : "";
  const watch = isFinished ? button("watchReplay", () => app.go(`#replay=${runOf(race, place.seat)}`), "small") : null;
  return h("tr", { class: place.seat === you ? "mine" : "" },
    h("td", {}, `${place.place}.`),
    h("td", { class: "name" }, seat.name, h("div", { class: "more" }, h("small", {}, note), watch)),
    h("td", { class: "time" }, isFinished ? clock(place.time, true) : `${place.home}/52`));
}

/** What comes next: only who has raced can ask for a rematch, and a deal of the day has none (SPEC 3.11, 4.7).
 * @param {App} app @param {Race} race */
function nextButton(app, race) {
  const { snap, you, rematch } = modelOf(race);
  if (snap.daily) return button("daily", () => app.go("#daily"), "main");
  if (you >= 0) return button("rematch", () => void app.enter(() => app.online.rematch(race)), "main");
  const watch = () => void app.enter(() => app.online.enter({ tag: "watch", race: rematch }));
  return rematch ? button("watchRematch", watch, "main") : null;
}

/** Whether one looks on at a race whose rematch one may still be brought to. @param {Model} model */
const isGathered = ({ snap, you, rematch }) => you < 0 && !snap.daily && !rematch;

/** @param {Race} race */
const modelOf = (race) => /** @type {Model} */ (race.model);

/** @param {Race} race */
function title(race) {
  const model = modelOf(race);
  const mine = model.standings.find((place) => place.seat === model.you);
  if (!mine) return model.standings.length ? t("raceOver") : t(`end_${model.end}`);
  const firsts = model.standings.filter((place) => place.place === 1 && place.time >= 0);
  if (mine.place !== 1 || mine.time < 0) return t("raceOver");
  return firsts.length > 1 ? t("sharedWin") : t("youWon");
}

/** @param {Race} race */
function resultText(race) {
  const model = modelOf(race);
  const lines = model.standings.map((place) => `${place.place}. ${model.seats[place.seat].name} ${place.time >= 0 ? clock(place.time, true) : `${place.home}/52`}`);
  return [`cellrace ${model.deal}`, ...lines, `${location.origin}/g/${runOf(race, model.standings[0]?.seat ?? 0)}`].join("\n");
}
