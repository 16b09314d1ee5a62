/** The rows of boards and of lists of runs. */

import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { dayWords, dealWords, rulesWords } from "../words.js";
import { clock, h } from "./dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/messages.js").Message} Message */

/** How exact a time is, short, and in words for who hears it or turns to it. @param {Record<string, any>} run */
export function exactness({ compensation, error }) {
  if (!compensation && !error) return null;
  const words = t(compensation ? "exactness" : "exactOnly", { back: compensation, error });
  const short = `${compensation ? `−${compensation} ` : ""}${t("exactShort", { error })}`;
  return h("small", { class: "exact", tabindex: 0 }, h("span", { "aria-hidden": "true" }, short), h("span", { class: "explained" }, words));
}

/** What a run is measured by, and beneath it what else there is to say. @param {string} by @param {Record<string, any>} run */
export function measure(by, run) {
  const time = clock(run.time, true);
  if (by === "time") return h("td", { class: "time" }, time, exactness(run));
  return h("td", { class: "time" }, t(by === "score" ? "points" : "moves", { n: by === "score" ? run.score : run.moves }), h("small", { class: "exact" }, time));
}

/** The way to a replay: a sign where there is no room for a word. @param {App} app @param {string} run */
export const watchButton = (app, run) => h("button", { type: "button", class: "small watch", onclick: () => app.go(`#replay=${run}`) }, h("span", { class: "sign", "aria-hidden": "true" }, "▶"), h("span", { class: "word" }, t("watchReplay")));

/** @param {App} app @param {{run: string, deal: string}} run @param {boolean} isHidden whether its deal still is */
const watchCell = (app, { run, deal }, isHidden) => h("td", {}, isHidden && !deal ? "" : watchButton(app, run));

/** @param {App} app @param {{player: string, name: string}} row */
const nameLink = (app, { player, name }) => h("a", { href: `/#profile=${player}`, onclick: (/** @type {MouseEvent} */ event) => app.follow(event) }, name);

/** @param {App} app @param {{player: string}} row */
const kindOf = (app, { player }) => (player === app.online.state.state.player ? "mine" : "");

/** The best run of a player. @param {App} app @param {any[]} values @param {Message} top */
export function bestRow(app, values, top) {
  const row = /** @type {any} */ (readRow("best", values));
  const first = top.sight === "any" && row.first ? h("div", {}, h("small", {}, t("firstSight"))) : null;
  return h("tr", { class: kindOf(app, row), "data-key": row.player },
    h("td", {}, `${row.place}.`), h("td", { class: "name" }, nameLink(app, row), first), measure(top.by, row), watchCell(app, row, top.scope === "day"));
}

/** A player on a board of ratings. @param {App} app @param {any[]} values */
export function rankRow(app, values) {
  const row = /** @type {any} */ (readRow("rank", values));
  return h("tr", { class: kindOf(app, row), "data-key": row.player },
    h("td", {}, `${row.place}.`), h("td", { class: "name" }, nameLink(app, row)),
    h("td", { class: "time" }, `${row.rating} ± ${row.deviation}`, h("small", { class: "exact" }, t("rankedRaces", { n: row.races }))));
}

/** A run of a player. @param {App} app @param {any[]} values */
export function runRow(app, values) {
  const run = /** @type {any} */ (readRow("run", values));
  const day = dayWords(run.at);
  const notes = [run.deal && dealWords(run.deal), rulesWords(run.rules), run.ranked ? t("ranked") : "", t("moves", { n: run.moves })];
  return h("tr", { "data-key": run.run }, h("td", { class: "name" }, day, h("div", {}, h("small", {}, notes.filter(Boolean).join(" · ")))), measure("time", run), watchCell(app, run, true));
}
