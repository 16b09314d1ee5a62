/** Meeting others: a race for a friend, and what a link leads to. */

import { t } from "../i18n.js";
import { isRaceName } from "../race-names.js";
import { creation } from "../race-options.js";
import { Refused } from "../wire/requests.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { Naming } from "./naming.js";
import { RaceOptions } from "./race-options.js";

/** @typedef {import("../app.js").App} App */

const CODE_MOST = 32; // characters that a race's name may have on the wire
const NOT_TO_SIT = ["full", "started", "starting", "race_over", "no_bots", "bad_options"];

/** What a link leads to: a seat where there is one, else a look at the race. A deal is no race: nobody sits down by it. @param {App} app @param {string} name
 * @param {AbortSignal} turned one has turned to something else */
export async function enterRace(app, name, turned) {
  if (name.length > CODE_MOST || !isRaceName(name)) throw new Refused("not_found", "");
  try {
    return await app.online.enter({ tag: "join", what: name }, turned);
  } catch (error) {
    if (!(error instanceof Refused) || !NOT_TO_SIT.includes(error.code)) throw error;
    const race = await app.online.enter({ tag: "watch", race: name }, turned);
    race.missed = error.code;
    return race;
  }
}

/** Leave a race that has not begun, and come back under another name: to those who are there, else to another like it.
 * @param {App} app @param {import("../wire/race.js").Race} race @param {string} name
 * @param {string} token by which one is called so @param {boolean} isReady whether one was ready
 * @param {AbortSignal} turned one has turned to something else */
export async function comeBackAs(app, race, name, token, isReady, turned) {
  const { again } = race;
  const isAwaited = race.others.length > 0;
  await race.left();
  app.online.part(race);
  app.online.become(name, token);
  if (isAwaited || !again) {
    const back = await enterRace(app, race.session.race, turned);
    if (isReady && back.seat >= 0 && !turned.aborted) back.wish("ready", { ready: true });
    return back;
  }
  if (!turned.aborted) history.replaceState(null, "", "/"); // nobody comes to the one before any more
  return again(turned);
}

/** Opens a race for a friend at once; its screen shows the link. */
export class FriendScreen {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.turning = new AbortController();
    const code = h("input", { id: "code", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-describedby": "code-fault", placeholder: "kbjueza", "aria-label": t("raceCode") });
    const enter = () => void this.enter(code);
    code.addEventListener("keydown", (event) => event.key === "Enter" && enter());
    this.wrong = h("p", { class: "refused", id: "code-fault", role: "alert" });
    this.options = new RaceOptions(app.settings.state.rules);
    this.naming = new Naming(app);
    this.opener = button("openRace", () => void this.create(), "main wide opener");
    this.said = h("p", { role: "status" });
    this.element = h("div", { class: "screen form" },
      h("h1", {}, t("raceFriend")),
      h("p", {}, t("friendExplained")),
      this.naming.element,
      this.opener, this.said, this.options.element,
      h("h2", {}, t("haveCode")),
      h("p", { class: "row" }, code, button("enter", enter)), this.wrong);
  }

  /** Open the race; what is refused is said here, where it can be chosen anew. */
  async create() {
    const { app, options, opener, said } = this;
    const { signal } = this.turning;
    if (!options.isFit || !(await this.naming.settle())) return;
    opener.disabled = true;
    said.className = "";
    said.textContent = t("entering");
    try {
      const race = await app.online.enter(creation(options.terms), signal);
      race.isShared = true;
      if (signal.aborted) return;
      race.wish("ready", { ready: true }); // the friend's word starts it
      app.showRace(race);
    } catch (error) {
      said.className = "refused";
      said.textContent = errorWords(error);
    }
    opener.disabled = false;
  }

  /** Enter the race of a code; what is refused is said beside it, where it can be typed anew. @param {HTMLInputElement} code */
  async enter(code) {
    const { signal } = this.turning;
    const pasted = code.value.trim();
    const typed = /\/r\/([^/]+)\/?$/.exec(pasted)?.[1] ?? pasted; // the link will do as well
    if (!typed) return code.focus();
    if (!(await this.naming.settle())) return undefined;
    setText(this.wrong, t("entering"));
    try {
      const race = await enterRace(this.app, typed, signal);
      if (!signal.aborted) this.app.showRace(race);
    } catch (error) {
      setText(this.wrong, errorWords(error));
      code.setAttribute("aria-invalid", "true");
      code.focus();
    }
    return undefined;
  }

  close() {
    this.turning.abort();
  }
}
