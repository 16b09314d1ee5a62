/** How a race ended: places, times, what was given back for the network, and how exact it is. */

import { t } from "../i18n.js";
import { button } from "./dialogs.js";
import { clock, copied, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

/** The name of a run: its race and its seat. @param {Race} race @param {number} seat */
const runOf = (race, seat) => `${race.session.race}-${seat}`;

/** @param {App} app @param {Race} race */
export function resultCard(app, race) {
  const model = /** @type {import("../wire/model.js").Model} */ (race.model);
  const rows = model.standings.map((place) => {
    const finished = place.time >= 0;
    const time = finished ? clock(place.time, true) : `${place.home}/52`;
    const exact = finished ? t("exactness", { back: place.compensation, error: place.error }) : "";
    const watch = finished ? button("watchReplay", () => app.go(`#replay=${runOf(race, place.seat)}`), "small") : "";
    return h("tr", { class: place.seat === model.you ? "mine" : "" },
      h("td", {}, `${place.place}.`), h("td", { class: "name" }, model.seats[place.seat].name), h("td", {}, h("b", {}, time), h("small", { class: "exact" }, exact)), h("td", {}, watch));
  });
  const said = h("span", { class: "note", role: "status" });
  const copy = async () => {
    const text = resultText(race);
    const byHand = h("textarea", { readonly: true, rows: 4, "aria-label": t("copyResult") }, text);
    const isCopied = await copied(text);
    said.replaceChildren(isCopied ? t("copied") : byHand);
    if (!isCopied) byHand.select();
  };
  const again = () => app.enter(() => app.online.enter({ tag: "rematch", ch: race.ch }));
  const daily = Boolean(model.snap.daily);
  return h("div", { class: "result" },
    h("h2", {}, title(race)),
    h("table", {}, h("tbody", {}, ...rows)),
    h("p", { class: "note" }, model.deal),
    h("p", { class: "buttons" },
      daily ? button("daily", () => app.go("#daily"), "main") : button("rematch", () => void again(), "main"),
      button("copyResult", () => void copy()), button("newRace", () => app.go("#friend")), said));
}

/** @param {Race} race */
function title(race) {
  const model = /** @type {import("../wire/model.js").Model} */ (race.model);
  const mine = model.standings.find((place) => place.seat === model.you);
  if (!mine) return model.standings.length ? t("raceOver") : t(`end_${model.end}`);
  const firsts = model.standings.filter((place) => place.place === 1 && place.time >= 0);
  if (mine.place !== 1 || mine.time < 0) return t("raceOver");
  return firsts.length > 1 ? t("sharedWin") : t("youWon");
}

/** @param {Race} race */
function resultText(race) {
  const model = /** @type {import("../wire/model.js").Model} */ (race.model);
  const lines = model.standings.map((place) => `${place.place}. ${model.seats[place.seat].name} ${place.time >= 0 ? clock(place.time, true) : `${place.home}/52`}`);
  return [`cellrace ${model.deal}`, ...lines, `${location.origin}/g/${runOf(race, model.standings[0]?.seat ?? 0)}`].join("\n");
}
