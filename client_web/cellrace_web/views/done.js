/** Being done with a race that others still play: home or given up, who is still at it, and the ways on. */

import { t } from "../i18n.js";
import { isDone } from "../wire/model.js";
import { button } from "./dialogs.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

/** What there is to see, as a text: where that is the same the card need not be made again. @param {Race} race */
export const doneSays = (race) => JSON.stringify([title(race), waits(race)]);

/** @param {App} app @param {Race} race @param {() => void} watchOn shows the others' boards */
export function doneCard(app, race, watchOn) {
  const isSeen = othersOf(race).some((seat) => seat.board);
  return h("div", { class: "result done" },
    h("h2", {}, title(race)),
    h("p", { class: "big" }, waits(race)),
    h("p", { class: "note" }, t("doneNote")),
    h("p", { class: "buttons" },
      isSeen ? button("watchOn", watchOn, "main") : null,
      button("leaveRace", () => app.go("/"))));
}

/** @param {Race} race */
function title(race) {
  const { time = -1 } = race.mine ?? {};
  return time >= 0 ? t("youAreHome", { time: clock(time, true) }) : t("youGaveUp");
}

/** @param {Race} race */
function waits(race) {
  const names = othersOf(race).map((seat) => seat.name).join(", ");
  if (!names) return t("entering"); // the end is on its way
  return t((race.mine?.time ?? -1) >= 0 ? "waitForName" : "stillPlaying", { name: names });
}

/** Who still plays, beside oneself. @param {Race} race */
const othersOf = (race) => race.others.filter((seat) => !isDone(seat));
