/** A race: the lobby, the countdown, playing it or looking on, and the result. */

import { moveText } from "../game/notation.js";
import { t } from "../i18n.js";
import { Later } from "../later.js";
import { codeWords } from "../words.js";
import { button } from "./dialogs.js";
import { doneCard, doneSays } from "./done.js";
import { announce, clock, h, setText, stopwatch } from "./dom.js";
import { Gallery } from "./gallery.js";
import { lobby, lobbySays } from "./lobby.js";
import { comeBackAs } from "./meeting.js";
import { Naming } from "./naming.js";
import { Pane } from "./pane.js";
import { Racers } from "./racers.js";
import { resultCard } from "./result.js";
import { play } from "./sounds.js";
import { Status } from "./status.js";
import { tabWords, tellTab } from "./tab.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

const now = () => performance.now();
const ROOM = "(min-height: 600px)"; // for the others' boards below or beside one's own
const TELL_MS = 15_000; // between words about the others

export class RaceScreen {
  /** @param {App} app @param {Race} race */
  constructor(app, race) {
    this.app = app;
    this.race = race;
    this.top = new Status("label", "time", "moves", "pending", "home", "watching", "delayed", "looking");
    this.racers = new Racers();
    this.body = h("div", { class: "body" });
    this.element = h("div", { class: "screen race" }, this.top.element, this.racers.element, this.body);
    this.missed = h("p", { class: "missed", role: "status", hidden: true });
    this.racers.element.after(this.missed);
    this.stage = "";
    this.shown = ""; // what the lobby says, or the card of who is done, or the result
    this.told = 0;
    this.counted = 0;
    this.drawing = 0;
    this.telling = new Later(() => this.draw());
    /** @type {Pane | null} */
    this.pane = null;
    /** @type {Gallery | null} */
    this.gallery = null;
    /** @type {Naming | null} */
    this.naming = null;
    this.isReady = false; // as soon as a name was chosen
    /** @type {boolean | null} whether one wants to see the others' boards; `null` as long as one has not said so */
    this.wantsOthers = null;
    this.racers.element.addEventListener("click", (event) => this.turnTo(this.racers.at(/** @type {Element} */ (event.target))));
    /** @type {boolean | null} whether one hosts; null before that is known */
    this.isHost = null;
    race.watcher = {
      changed: (message) => this.changed(message),
      refused: ({ reason, text = "" }) => this.pane?.refuse({ reason, text: codeWords(reason, text) }),
      takenOver: () => this.draw(),
      lost: (error) => race.session.ended || app.fail(error), // a result stays
    };
    this.ticking = window.setInterval(() => this.tick(), 100);
    this.draw();
  }

  close() {
    clearInterval(this.ticking);
    cancelAnimationFrame(this.drawing);
    this.telling.drop();
    this.pane?.close();
    this.gallery?.close();
    this.race.watcher = null;
    const model = this.race.model;
    const playing = model && model.you >= 0 && !["done", "ended"].includes(this.race.stage);
    const isKept = playing || this.race.isTakenOver || (model?.phase === "ended" && model.you >= 0); // somebody may want to race again
    const isThere = location.pathname.endsWith(this.race.session.race);
    if (!model && this.race.seat >= 0 && !isThere && !isKept) void this.app.online.races.giveBack(this.race);
    else if (!isThere && !isKept) this.app.online.part(this.race);
    else if (this.race.stage === "lobby" && !isThere) void this.app.online.races.giveBack(this.race); // not where another window has the seat
  }

  /** @param {import("../wire/messages.js").Message | null} message */
  changed(message) {
    if (message) tellTab(tabWords(message, this.race, this.stage));
    this.hearHosting();
    if (message?.tag === "halted") announce(t("halted"));
    if (message?.tag === "go") play("go", this.app.settings.state.sounds);
    if (message?.tag === "done") {
      const seat = this.race.model?.seats[message.seat];
      if (seat) announce(t("isHome", { name: seat.name, time: clock(message.time, true) }));
      if (message.seat === this.race.seat) play("won", this.app.settings.state.sounds);
    }
    // One's own move is on the board already: what it means for the rest has time until it was seen there.
    const isShown = this.stage === "play" && (!message || message.tag === "a");
    if (isShown) this.telling.ask();
    // Everything else that comes within a frame is drawn once.
    else if (!this.drawing) this.drawing = requestAnimationFrame(() => this.draw());
  }

  /** Whoever is made the host is told, who may not look for a button that was not there. */
  hearHosting() {
    const { model } = this.race;
    if (!model) return;
    const isHost = model.isHostNeeded && model.host === this.app.online.state.state.player;
    if (isHost && this.isHost === false) announce(t("youHost"));
    this.isHost = isHost;
  }

  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    this.telling.drop();
    const { model, stage } = this.race;
    const shown = this.says(stage);
    if (stage !== this.stage || shown !== this.shown) this.enter(stage);
    this.shown = shown;
    this.element.dataset.stage = stage;
    this.tellMissed(stage);
    if (this.pane && this.race.prediction) this.pane.show();
    this.pane?.stand(this.race.isLastOne ? t("allGaveUp") : "");
    this.gallery?.show();
    if (model) this.racers.show(this.race, now());
    this.tick();
  }

  /** Who came by a link to sit down is told why there is no seat; who has played, that not all of it counts. @param {string} stage */
  tellMissed(stage) {
    const { missed, seat, unmade } = this.race;
    const isUnseated = missed && seat < 0 && stage !== "ended" && missed !== "race_over";
    const isUnmade = unmade && ["taken", "done", "ended", "watch"].includes(stage);
    this.race.isUnmadeTold ||= Boolean(isUnmade);
    this.missed.hidden = !isUnseated && !isUnmade;
    if (isUnseated) setText(this.missed, t("missedWatching", { why: codeWords(missed, missed) }));
    else if (isUnmade) setText(this.missed, t("unmade", { n: unmade }));
  }

  /** What there is to see beside what is drawn at each change. @param {string} stage */
  says(stage) {
    if (stage === "lobby") return lobbySays(this.app, this.race);
    if (stage === "ended") return this.race.model?.rematch ?? "";
    return stage === "done" && !this.gallery ? doneSays(this.race) : "";
  }

  /** @param {string} stage */
  enter(stage) {
    this.stage = stage;
    this.pane?.close();
    this.pane = null;
    this.gallery?.close();
    this.gallery = null;
    const { race, app } = this;
    if (stage === "taken") {
      const back = () => void app.enter((turned) => app.online.enter({ tag: "watch", race: race.session.race }, turned));
      this.body.replaceChildren(h("p", { class: "big" }, t("takenOver")), button("playHere", back, "main"));
    } else if (stage === "waiting") this.body.replaceChildren(h("p", {}, t("entering")));
    else if (stage === "lobby") this.lobbyHere();
    else if (stage === "countdown") this.countdownHere();
    else if (stage === "play") this.playHere();
    else if (stage === "done") this.doneHere();
    else if (stage === "watch") this.watchHere();
    else this.endedHere();
  }

  endedHere() {
    const card = resultCard(this.app, this.race);
    this.body.replaceChildren(card);
    this.lead(card);
  }

  /** Tell how it went, and be there: what had the focus is gone. @param {HTMLElement} card */
  lead(card) {
    const title = /** @type {HTMLElement} */ (card.querySelector("h2"));
    announce(title.textContent ?? "");
    if (document.activeElement && document.activeElement !== document.body) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  }

  lobbyHere() {
    this.stay(() => [lobby(this.app, this.race, this.namingHere(), (isReady) => this.beReady(isReady))]);
  }

  /** Who types a name types on, and may still come back under it. */
  countdownHere() {
    const typing = this.naming?.field ? [this.naming.element] : [];
    this.stay(() => [h("p", { class: "countdown", role: "timer" }, ""), ...typing]);
  }

  /** Show something else; who was on a field of what was shown before stays on it. @param {() => HTMLElement[]} make */
  stay(make) {
    const on = this.body.contains(document.activeElement) ? document.activeElement?.id : "";
    this.body.replaceChildren(...make());
    if (on) document.getElementById(on)?.focus();
  }

  /** Nobody is ready while a name is typed: the race would begin without it. A name that stands there is taken first.
   * @param {boolean} isReady */
  beReady(isReady) {
    this.isReady = isReady;
    const typed = isReady ? this.naming?.typed : "";
    if (typed) void this.naming?.submit();
    else this.race.wish("ready", { ready: isReady });
  }

  /** @param {boolean} isAsking for another name */
  asksName(isAsking) {
    if (isAsking) this.isReady = this.race.mine?.ready ?? false;
    if (this.isReady) this.race.wish("ready", { ready: !isAsking });
  }

  /** A name may be chosen where one can come back under it: to those who wait here, or by asking for a race anew. */
  namingHere() {
    const { app, race } = this;
    if (!race.again && !race.others.length) return null;
    const comeBack = (/** @type {string} */ name, /** @type {string} */ token) => void app.enter((turned) => comeBackAs(app, race, name, token, this.isReady, turned));
    if (!this.naming) {
      this.naming = new Naming(app, comeBack);
      this.naming.asking = (isAsking) => this.asksName(isAsking);
    }
    return this.naming.element;
  }

  playHere() {
    const { race } = this;
    const line = () => /** @type {import("../wire/prediction.js").Prediction} */ (race.prediction).shown;
    const seat = () => race.model?.seats[race.model.you];
    const open = () => !line().won && (seat()?.time ?? -1) < 0 && !seat()?.gave_up;
    this.pane = new Pane(this.app.settings, { line, act: (action) => race.act(action), extra: (name) => (name === "redo" ? this.redo() : this.pane?.say(t("noHints"), true)) }, [
      { key: "undo", sign: "↶", shortcut: "U", run: () => this.pane?.act({ tag: "u" }), when: () => open() && line().moves > 0 },
      { key: "redo", sign: "↷", shortcut: "Y", run: () => this.redo(), when: () => open() && race.takenBack.next !== undefined },
      { key: "finish", sign: "⇈", shortcut: "F", run: () => this.pane?.act({ tag: "finish" }), when: () => open() && line().finishable },
      { key: "restart", sign: "⟲", run: () => this.restart(), when: () => open() && line().moves > 0 },
      ...(this.seesOthers ? [{ key: "otherBoards", sign: "▦", run: () => this.turnOthers() }] : []),
      { key: "giveUp", sign: "⚑", run: () => this.giveUp(), when: open },
    ]);
    if (this.seesOthers) this.othersHere(this.pane);
    this.body.replaceChildren(this.pane.element);
    this.pane.show(false);
    if (race.unmade) this.pane.say(t("unmade", { n: race.unmade }), true);
    race.unmade = 0;
  }

  /** Whether those who play see each other's boards. */
  get seesOthers() {
    return this.race.model?.snap.open_boards === true && this.race.others.length > 0;
  }

  /** The boards of the others, where there is room for them or they are asked for. @param {Pane} pane */
  othersHere(pane) {
    this.gallery = new Gallery(this.race, this.app.settings, true);
    this.gallery.element.hidden = !(this.wantsOthers ?? matchMedia(ROOM).matches);
    pane.seat(this.gallery.element);
  }

  /** Show the board of one of the others larger, or all again. @param {number} seat */
  turnTo(seat) {
    if (!this.gallery || this.stage !== "play" || seat < 0 || seat === this.race.seat) return;
    if (this.gallery.element.hidden) this.turnOthers();
    else this.gallery.focus(seat);
  }

  turnOthers() {
    if (!this.gallery || this.stage !== "play") return;
    this.wantsOthers = this.gallery.element.hidden;
    this.gallery.element.hidden = !this.wantsOthers;
  }

  redo() {
    const [before, move] = [this.race.prediction?.shown, this.race.takenBack.next];
    const refusal = this.race.redo();
    this.pane?.show();
    this.pane?.refuse(refusal);
    if (!refusal && before && move) this.pane?.redone(moveText(move, before.board, before.rules));
  }

  restart() {
    this.surely("restartAsk", "restartSure", () => this.pane?.act({ tag: "restart" }));
  }

  giveUp() {
    this.surely("giveUpAsk", "giveUpSure", () => this.race.act({ tag: "giveup" }));
  }

  /** Do what there is no way back from when it is asked for twice. @param {string} question @param {string} yes
   * @param {() => void} run */
  surely(question, yes, run) {
    const { pane } = this;
    const sure = button(yes, () => (pane?.answered(), run()), "danger");
    pane?.ask(t(question), sure, button("giveUpNot", () => pane?.answered()));
  }

  doneHere() {
    const card = doneCard(this.app, this.race, () => {
      this.watchHere();
      this.body.prepend(h("p", { class: "buttons" }, button("resultSoFar", () => this.enter("done"))));
      this.shown = "";
      this.draw();
    });
    this.body.replaceChildren(card);
    this.lead(card);
  }

  watchHere() {
    this.gallery = new Gallery(this.race, this.app.settings);
    this.body.replaceChildren(this.gallery.element);
  }

  tick() {
    const { race } = this;
    const model = race.model;
    if (!model) return;
    const running = model.phase === "running";
    const mine = running ? race.prediction?.shown : undefined;
    const looksOn = model.you < 0;
    const { delay_ms: delay, daily, practice } = model.snap;
    const pending = race.session.waiting;
    this.top.show(
      practice ? t("unranked") : daily ? t("daily") : model.race.toUpperCase(),
      running ? stopwatch(model.timeAt(now())) : model.phase === "ended" ? clock(model.timeAt(now())) : "",
      mine && !pending ? t("moves", { n: mine.moves }) : "", // there is no room for both
      pending ? t("pending", { n: pending }) : "",
      mine ? t("home", { n: mine.home }) : "",
      looksOn ? t("watching") : "",
      looksOn && delay ? t("delayed", { n: Math.round(delay / 1000) }) : "",
      model.spectators ? t("looking", { n: model.spectators }) : "",
    );
    if (model.phase === "countdown") this.count(Math.max(0, Math.ceil((model.dealsAt - now()) / 1000)));
    if (this.racers.isOutgrown || (running && model.ghosts.size)) this.racers.show(race, now());
    if (model.phase === "running" && now() - this.told > TELL_MS) this.tell();
  }

  /** @param {number} seconds */
  count(seconds) {
    const shown = this.body.querySelector(".countdown");
    if (shown) shown.textContent = String(seconds || "…");
    if (seconds !== this.counted) {
      announce(String(seconds));
      play("tick", this.app.settings.state.sounds);
    }
    this.counted = seconds;
  }

  /** Tell screen readers how the others stand, now and then. */
  tell() {
    this.told = now();
    const { others } = this.race;
    if (others.length) announce(others.map((seat) => t("otherHome", { name: seat.name, n: seat.home })).join(". "));
  }
}
