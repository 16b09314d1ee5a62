/** Before the start: the link for others, who is there, and being ready. */

import { t } from "../i18n.js";
import { seriesOf } from "../series.js";
import { errorWords, rulesWords, seriesLine, termsWords } from "../words.js";
import { button } from "./dialogs.js";
import { clock, copied, h } from "./dom.js";
import { select, setting } from "./fields.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

/** What there is to see in the lobby, as a text: where that is the same the lobby need not be made again.
 * @param {App} app @param {Race} race */
export function lobbySays(app, race) {
  const { host, hasLeft, isHostAway, you, seats, snap, ghosts } = /** @type {import("../wire/model.js").Model} */ (race.model);
  return JSON.stringify([host, isHostAway, you, snap.wins, hasLeft, ghosts.size, race.standIn, app.online.state.state.player, isBotComing(app.online, race), seats.map(({ player, name, ready }) => [player, name, ready])]);
}

/** Whether a bot of the house may come where nobody else does (SPEC 3.8).
 * @param {import("../online.js").Online} online @param {Race} race */
export function isBotComing(online, race) {
  const { snap } = /** @type {import("../wire/model.js").Model} */ (race.model);
  const isWelcome = snap.public && snap.bots && !snap.ranked && Boolean(race.mine?.bots);
  return isWelcome && race.others.length === 0 && online.state.state.notice?.code !== "no_house_bot";
}

/** @param {App} app @param {Race} race @param {HTMLElement | null} naming where one may choose a name
 * @param {(isReady: boolean) => void} beReady */
export function lobby(app, race, naming, beReady) {
  const model = /** @type {import("../wire/model.js").Model} */ (race.model);
  const link = `${location.origin}/r/${model.race}`;
  const seat = model.you >= 0 ? model.seats[model.you] : null;
  const free = model.seats.some((one) => !one.player);
  const alone = model.snap.seats.length === 1;
  const ready = seat?.ready ? button("notReady", () => beReady(false)) : button("ready", () => beReady(true), "main big");
  const hosting = model.host === app.online.state.state.player && free && model.seats.filter((one) => one.player).length > 1;
  const series = seriesOf(model);
  const terms = termsWords(model.snap);
  const sit = () => void app.enter((turned) => app.online.enter({ tag: "join", what: model.race }, turned));
  const called = app.online.state.state.name;
  const isNumbered = seat && app.settings.state.name && seat.name.startsWith(called) && seat.name !== called;
  const asker = race.isBrought && model.you >= 0 ? askerOf(race)?.name : undefined;
  const isAllReady = model.seats.every((one) => !one.player || one.ready);
  const note = alone ? "aloneNote" : model.seats.length > 2 ? "lobbyNoteMany" : "lobbyNote";
  return h("div", { class: "lobby" },
    asker ? h("p", { class: "brought", role: "status" }, t("broughtAgain", { name: asker })) : null,
    ...((free || isCalling(race)) && seat && !alone ? [isSearching(race) ? search(app, race) : null, isSearching(race) && !race.isShared ? null : invitation(link, race)] : []),
    series ? h("p", { class: "series" }, seriesLine(series, model.seats, race.before)) : null,
    model.hasLeft ? h("p", { class: "note", role: "status" }, t("hasLeft", { name: model.hasLeft })) : null,
    h("p", { class: "big" }, waitsFor(model, seat)),
    h("p", { class: "buttons" },
      seat ? ready : free ? button("sitDown", sit, "main") : null,
      hosting ? button("startNow", () => race.wish("start"), isAllReady ? "main" : "") : null,
      button("leave", () => app.go("/"))), // whose screen is closed leaves
    seat ? naming : null,
    isNumbered ? h("p", { class: "note", role: "status" }, t("nameTaken", { wanted: called, name: seat.name })) : null,
    model.isHostAway && model.isHostNeeded ? h("p", { class: "note", role: "status" }, t("hostAway")) : null,
    h("p", { class: "note" }, t(note, { rules: rulesWords(model.rules) })),
    terms ? h("p", { class: "note" }, terms) : null);
}

/** @param {import("../wire/model.js").Model} model @param {import("../wire/model.js").Seat | null} seat */
function waitsFor(model, seat) {
  const free = model.seats.filter((one) => !one.player).length;
  if (free) return t("waitFor", { n: free });
  if (seat && !seat.ready && model.seats.length === 1) return t(model.ghosts.size ? "waitForGhost" : "waitAlone");
  if (seat && !seat.ready) return t("waitForYou");
  const slow = model.seats.find((one) => one.player && !one.ready);
  return slow ? t("waitForName", { name: slow.name }) : t("entering");
}

/** Whether strangers are waited for; those of the race before may have to be called. @param {Race} race */
const isSearching = (race) => Boolean(race.model?.snap.public) && !race.isRematch;

/** Whether one waits for those of the race before, who have a seat again and may not know. @param {Race} race */
const isCalling = (race) => race.isRematch && Boolean(race.mine?.ready) && race.others.some((seat) => !seat.ready);

/** Who asks for another race is ready for it. @param {Race} race */
export const askerOf = ({ others }) => others.find(({ ready }) => ready) ?? others[0];

/** Rules by which few may look for a race, so that nobody waits unawares. @param {Race} race */
function otherRules({ model }) {
  const words = model ? rulesWords(model.rules) : "";
  return words === t("rules_classic") ? null : h("p", { class: "big" }, words);
}

/** Strangers come by themselves. @param {App} app @param {Race} race */
function search(app, race) {
  const { snap } = /** @type {import("../wire/model.js").Model} */ (race.model);
  if (snap.ranked) {
    const quick = button("quickRace", () => app.go("#quick")); // whose screen is closed leaves
    return h("div", { class: "invitation" }, h("h2", { role: "status" }, t("searching")), otherRules(race), h("p", {}, t("rankedWaits")), h("p", { class: "buttons" }, quick));
  }
  const bot = isBotComing(app.online, race) ? h("p", {}, t("botComes")) : null;
  return h("div", { class: "invitation" }, h("h2", { role: "status" }, t("searching")), otherRules(race), ...(race.standIn ? standingIn(app, race) : [bot]));
}

/** Who may stand in if no stranger comes: said here before it is so. @param {App} app @param {Race} race */
function standingIn(app, race) {
  const standIn = /** @type {import("../stand-in.js").StandIn} */ (race.standIn);
  const { choice, ghost } = standIn;
  const said = h("p", { role: "status", class: "note" });
  const choose = async (/** @type {string} */ value) => {
    try {
      await app.online.quick({ ...standIn, choice: /** @type {typeof choice} */ (value) });
      history.replaceState({ ...history.state, standIn: race.standIn }, ""); // for when the page is loaded again
    } catch (error) {
      list.value = shown; // as it is still
      said.textContent = errorWords(error);
    }
  };
  const isNone = app.online.state.state.notice?.code === "no_house_bot";
  /** @type {[string, string][]} */
  const options = [["nobody", t("standIn_nobody")]];
  if (ghost) options.unshift(["ghost", t("standIn_ghost", { name: ghost.name, time: clock(ghost.time, true) })]);
  if (!isNone) options.unshift(["bot", t("standIn_bot")]);
  const shown = isNone && choice === "bot" ? "nobody" : choice;
  const list = select(options, shown, (value) => void choose(value), { id: "stand-in" });
  return [setting("ifNobody", list), h("p", { class: "note" }, t(`wait_${shown}`)), said];
}

/** @param {string} link @param {Race} race */
function invitation(link, race) {
  const shown = h("input", { class: "link", readonly: true, value: link, "aria-label": t("link"), onfocus: (/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select() });
  const done = h("span", { class: "note", role: "status" });
  const copy = async () => {
    if (await copied(link)) done.textContent = t("copied");
    else shown.select();
  };
  const share = typeof navigator.share === "function" ? button("share", () => void navigator.share({ title: t("title"), url: link }).catch(() => undefined)) : null;
  return h("div", { class: "invitation" }, h("h2", {}, t(race.isRematch && !race.model?.hasLeft ? "regathering" : "sendLink")), h("p", { class: "row" }, shown, button("copy", () => void copy(), "main"), share), done, h("p", {}, t("orCode"), " ", h("b", { class: "code" }, race.session.race.toUpperCase())));
}
