/** What there is to know of a player: races, ratings with where they came from, bests, streaks. */

import { t } from "../i18n.js";
import { linePath } from "../profile.js";
import { readRow } from "../wire/messages.js";
import { dayWords, rulesWords } from "../words.js";
import { h } from "./dom.js";
import { measure, watchButton } from "./rows.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/messages.js").Message} Message */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [160, 36, 3];

/** @param {App} app @param {Message} profile */
export function career(app, profile) {
  const { since, races, wins, runs, kind } = profile;
  const counts = [t("racesCount", { n: races }), t("winsCount", { n: wins }), t("runsTotal", { n: runs })].join(" · ");
  const from = t("since", { day: dayWords(since) });
  return [
    h("p", { class: "note" }, kind === "bot" ? `${t("bot")} · ${from}` : from),
    h("p", { class: "big" }, counts),
    ...part("scope_ratings", profile.ratings.map((/** @type {any[]} */ values) => rating(profile, readRow("rating", values)))),
    ...part("bests", bests(app, profile.bests)),
    ...part("streaks", profile.streaks.map((/** @type {any[]} */ values) => streak(readRow("streak", values)))),
  ];
}

/** @param {string} key @param {HTMLElement[]} children */
const part = (key, children) => (children.length ? [h("h2", {}, t(key)), ...children] : []);

/** @param {Message} profile @param {Record<string, any>} row */
function rating({ steps }, { rules, rating: now, deviation, races, provisional, place, total }) {
  const where = provisional ? t("provisional") : place ? t("placeOf", { place, total }) : "";
  const said = [`${now} ± ${deviation}`, where, t("rankedRaces", { n: races })].filter(Boolean).join(" · ");
  const numbers = steps.map((/** @type {any[]} */ values) => readRow("rated", values)).flatMap((/** @type {any} */ step) => (step.rules === rules ? [step.rating] : []));
  return h("section", { class: "card-like" }, h("h3", {}, rulesWords(rules)), h("p", {}, said), ...history(numbers));
}

/** The last ratings, drawn and in words. @param {number[]} numbers the oldest first */
function history(numbers) {
  if (numbers.length < 2) return [];
  const words = t("ratingLine", { n: numbers.length, from: numbers[0], to: numbers[numbers.length - 1], low: Math.min(...numbers), high: Math.max(...numbers) });
  const [drawing, line] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "path")];
  for (const [name, value] of Object.entries({ viewBox: `${-EDGE} ${-EDGE} ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`, class: "history", "aria-hidden": "true" })) drawing.setAttribute(name, value);
  line.setAttribute("d", linePath(numbers, WIDTH, HEIGHT));
  drawing.append(line);
  return [drawing, h("p", { class: "note" }, words)];
}

/** @param {App} app @param {any[][]} rows */
function bests(app, rows) {
  const names = /** @type {Record<string, string>} */ ({ time: t("byTime"), moves: t("byMoves"), score: t("byScore") });
  const shown = rows.map((values) => {
    const { by, place, total, run: values_ } = readRow("measured", values);
    const run = /** @type {any} */ (readRow("run", values_));
    const said = `${names[by] ?? by} · ${t("placeOf", { place, total })}`;
    return h("tr", {}, h("td", { class: "name" }, rulesWords(run.rules), h("div", {}, h("small", {}, said))), measure(by, run), h("td", {}, run.deal ? watchButton(app, run.run) : ""));
  });
  return shown.length ? [h("table", { "aria-label": t("bests") }, h("tbody", {}, ...shown))] : [];
}

/** @param {Record<string, any>} row */
const streak = ({ rules, streak: n, longest }) => h("p", {}, `${rulesWords(rules)}: ${t("streak", { n })} · ${t("longest", { n: longest })}`);
