/** Being done with a race that others still play: home or given up, who is still at it, and the ways on. */

import { t } from "../i18n.js";
import { isDone } from "../wire/model.js";
import { listed } from "../words.js";
import { button } from "./dialogs.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

/** What there is to see, as a text: where that is the same the card need not be made again. @param {Race} race */
export const doneSays = (race) => JSON.stringify([title(race), ownWords(race), waits(race)]);

/** @param {App} app @param {Race} race @param {() => void} look shows the boards that one may see: the others' where they
 * are open, and one's own */
export function doneCard(app, race, look) {
  const isSeen = othersOf(race).some((seat) => seat.board);
  return h("div", { class: "result done" },
    h("h2", {}, title(race)),
    h("p", {}, ownWords(race)),
    h("p", { class: "big" }, waits(race)),
    h("p", { class: "note" }, t("doneNote"), isSeen ? "" : ` ${t("boardsHidden")}`),
    h("p", { class: "buttons" },
      button(isSeen ? "watchOn" : "ownBoard", look, "main"),
      button("leaveRace", () => app.go("/"))));
}

/** @param {Race} race */
function title(race) {
  const { time = -1 } = race.mine ?? {};
  return time >= 0 ? t("youAreHome", { time: clock(time, true) }) : t("youGaveUp");
}

/** One's result so far: the place among those who are home, and what it took. @param {Race} race */
function ownWords(race) {
  const { time = -1, home = 0, moves = 0 } = race.mine ?? {};
  const faster = race.others.filter((seat) => seat.time >= 0 && seat.time < time).length;
  return [time >= 0 ? t("placeSoFar", { place: faster + 1 }) : t("home", { n: home }), t("moves", { n: moves })].join(" · ");
}

/** @param {Race} race */
function waits(race) {
  const names = listed(othersOf(race).map((seat) => seat.name));
  if (!names) return t("entering"); // the end is on its way
  return t((race.mine?.time ?? -1) >= 0 ? "waitForName" : "stillPlaying", { name: names });
}

/** Who still plays, beside oneself. @param {Race} race */
const othersOf = (race) => race.others.filter((seat) => !isDone(seat));
