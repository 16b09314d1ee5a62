/** A replay: play, step, speed, a scrubber, a link to a moment, and racing against it. */

import { momentAt, moments, stepFrom } from "../game/replay.js";
import { t } from "../i18n.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { clock, copied, h, stopwatch } from "./dom.js";
import { lost } from "./lost.js";
import { Status } from "./status.js";
import { CardTable } from "./table.js";

/** @typedef {import("../app.js").App} App */

const SPEEDS = [1, 2, 4, 8, 16];

export class ReplayScreen {
  /** @param {App} app @param {string} value the run, and the moment in ms behind `@` */
  constructor(app, value) {
    this.app = app;
    const [run, at = "0"] = value.split("@");
    this.run = run;
    this.time = Number(at) || 0;
    this.speed = 4;
    this.playing = false;
    this.before = 0;
    /** @type {import("../game/replay.js").Moment[]} */
    this.moments = [];
    this.table = /** @type {CardTable} */ (document.createElement("card-table"));
    this.table.mirrored = app.settings.state.leftHanded;
    this.status = new Status("label", "time", "moves", "home");
    this.scrubber = h("input", { type: "range", min: "0", value: "0", class: "scrubber", "aria-label": t("moment"), onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event), oninput: () => this.seek(Number(this.scrubber.value)) });
    this.toggle = button("play", () => this.play(!this.playing), "main");
    const speed = h("select", { "aria-label": t("speed"), onchange: () => (this.speed = Number(speed.value)) }, ...SPEEDS.map((one) => h("option", { value: one, selected: one === this.speed }, `${one}×`)));
    this.said = h("span", { class: "note", role: "status" });
    this.element = h("div", { class: "screen replay" }, this.status.element, h("section", { class: "pane" }, this.table, this.scrubber,
      h("div", { class: "tools" },
        this.stepper("stepBack", "◀ {}", -1), this.toggle, this.stepper("stepOn", "{} ▶", 1), speed,
        button("linkMoment", () => void this.copyLink()), this.wayBack(), button("raceThis", () => void app.enter((turned) => app.online.enter({ tag: "race_ghosts", runs: [this.run] }, turned))), this.said)));
    this.drawing = 0;
    void this.load();
  }

  /** @param {string} key its name @param {string} look what is seen, around a word @param {number} by */
  stepper(key, look, by) {
    return h("button", { type: "button", "aria-label": t(key), onclick: () => this.step(by) }, look.replace("{}", t("step")));
  }

  /** Back to the result of the race, where it is received still. */
  wayBack() {
    const race = this.app.online.races.named(this.run.slice(0, this.run.lastIndexOf("-")));
    return race?.session.ended ? button("backToResult", () => this.app.showRace(race)) : null;
  }

  async load() {
    try {
      const { document } = await this.app.online.ask({ tag: "replay", run: this.run });
      const read = JSON.parse(document);
      this.moments = moments(read);
      this.name = read.players[0].name;
      this.scrubber.max = String(this.moments[this.moments.length - 1].time);
      this.seek(this.time);
    } catch (error) {
      this.element.className = "screen waiting";
      this.element.replaceChildren(lost(this.app, errorWords(error))); // there is nothing to control
    }
  }

  /** @param {number} time */
  seek(time) {
    if (!this.moments.length) return;
    const last = this.moments[this.moments.length - 1].time;
    this.time = Math.min(last, Math.max(0, time));
    const { line } = this.moments[momentAt(this.moments, this.time)];
    if (this.table.board !== line.board) this.table.show(line.board);
    this.scrubber.value = String(this.time);
    this.scrubber.setAttribute("aria-valuetext", clock(this.time));
    this.status.show(this.name ?? "", stopwatch(this.time), t("moves", { n: line.moves }), t("home", { n: line.home }));
    if (this.time >= last) this.play(false);
  }

  /** An arrow goes from move to move: a millisecond on, which the bar would go, nothing is different. @param {KeyboardEvent} event */
  pressed(event) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.step(by);
  }

  /** @param {number} by 1 or -1 */
  step(by) {
    this.play(false);
    const time = stepFrom(this.moments, this.time, by);
    if (time !== null) this.seek(time);
  }

  /** @param {boolean} on */
  play(on) {
    if (!this.moments.length) return;
    if (on && this.time >= Number(this.scrubber.max)) this.time = 0;
    this.playing = on;
    this.toggle.textContent = t(on ? "pause" : "play");
    cancelAnimationFrame(this.drawing);
    this.before = performance.now();
    if (on) this.drawing = requestAnimationFrame((at) => this.frame(at));
  }

  /** @param {number} at */
  frame(at) {
    this.drawing = requestAnimationFrame((next) => this.frame(next));
    this.seek(this.time + Math.max(0, at - this.before) * this.speed);
    this.before = at;
  }

  async copyLink() {
    const link = `${location.origin}/#replay=${this.run}@${Math.round(this.time)}`;
    history.replaceState(null, "", `/#replay=${this.run}@${Math.round(this.time)}`);
    if (await copied(link)) this.said.textContent = t("copied"); // else it is in the address
  }

  close() {
    cancelAnimationFrame(this.drawing);
  }
}
