/** What the link of a run leads to: the result first, then a race against it, or its replay. */

import { PRESETS } from "../game/rules.js";
import { t } from "../i18n.js";
import { readRow } from "../wire/messages.js";
import { Refused } from "../wire/requests.js";
import { dayWords, dealWords, errorWords, rulesWords } from "../words.js";
import { clock, h } from "./dom.js";
import { lost } from "./lost.js";

/** @typedef {import("../app.js").App} App */

const ROWS = 100; // of the deal's board, where the day of the run is looked for

/** The rules of a replay document as a text; empty where they are none of a preset's.
 * @param {Record<string, unknown>} fields */
export function rulesTextOf(fields) {
  const isLike = (/** @type {Record<string, unknown>} */ preset) => Object.keys(preset).every((field) => field === "cells" || preset[field] === fields[field]);
  const found = Object.entries(PRESETS).find(([, preset]) => isLike(/** @type {any} */ (preset)));
  if (!found) return "";
  return fields.cells === found[1].cells ? found[0] : `${found[0]}+cells=${fields.cells}`;
}

export class ChallengeScreen {
  /** @param {App} app @param {string} run */
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.day = h("span", {});
    this.element = h("div", { class: "screen page challenge" }, h("p", { role: "status" }, t("entering")));
    void this.load();
  }

  async load() {
    const { app, run } = this;
    try {
      const { document } = await app.online.ask({ tag: "replay", run });
      const read = JSON.parse(document);
      this.element.replaceChildren(...this.shown(read));
      await this.findDay(read.deal, rulesTextOf(read.rules));
    } catch (error) {
      if (!this.element.querySelector("h1")) this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (!(error instanceof Refused)) throw error;
    this.element.replaceChildren(lost(this.app, errorWords(error)));
  }

  /** @param {any} read the replay document */
  shown(read) {
    const { app, run } = this;
    const [{ name, result, actions }] = read.players;
    const isHome = result.cards_home === 52;
    const rules = rulesTextOf(read.rules);
    const race = () => void app.enter((turned) => app.online.enter({ tag: "race_ghosts", runs: [run] }, turned));
    return [
      h("h1", {}, isHome ? t("isHome", { name, time: clock(result.time_ms, true) }) : t("otherHome", { name, n: result.cards_home })),
      h("p", {}, [dealWords(read.deal), rules && rulesWords(rules), t("moves", { n: result.moves ?? actions.length })].filter(Boolean).join(" · "), this.day),
      h("p", { class: "buttons" },
        h("button", { type: "button", class: "main big", onclick: race }, isHome ? t("raceGhost", { time: clock(result.time_ms) }) : t("raceThis")),
        h("button", { type: "button", onclick: () => app.go(`#replay=${run}`) }, t("watchTheReplay"))),
      h("p", { class: "note" }, t("ghostExplained", { name })),
    ];
  }

  /** When it was, where the deal's board tells: the document does not. @param {string} deal @param {string} rules */
  async findDay(deal, rules) {
    if (!rules) return;
    const { rows } = await this.app.online.ask({ tag: "top", deal, rules, count: ROWS });
    const row = rows.map((/** @type {any[]} */ values) => readRow("best", values)).find((/** @type {any} */ one) => one.run === this.run);
    if (row) this.day.textContent = ` · ${dayWords(row.at)}`;
  }

  close() {}
}
