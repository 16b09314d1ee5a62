/** The frame around all screens: where one can go, which language and colours, whether there is a connection. */

import { spoken, speak, t, chosen } from "./i18n.js";
import { Later } from "./later.js";
import { Online } from "./online.js";
import { goOn, wayTo } from "./own-races.js";
import { isRaceName } from "./race-names.js";
import { usualStandIn } from "./stand-in.js";
import { BoardsScreen } from "./views/boards.js";
import { ChallengeScreen } from "./views/challenge.js";
import { DailyScreen } from "./views/daily.js";
import { openDialog } from "./views/dialogs.js";
import { announce, h, setText } from "./views/dom.js";
import { helpContent } from "./views/help.js";
import { lost } from "./views/lost.js";
import { FriendScreen, enterRace } from "./views/meeting.js";
import { Offer } from "./views/offer.js";
import { ownRaces } from "./views/own-races.js";
import { PracticeScreen } from "./views/practice.js";
import { ProfileScreen } from "./views/profile.js";
import { RaceScreen } from "./views/race.js";
import { ReplayScreen } from "./views/replay.js";
import { resultTitle } from "./views/result.js";
import { SecondTap } from "./views/second-tap.js";
import { settingsContent } from "./views/settings.js";
import { tendTab } from "./views/tab.js";
import { WatchScreen } from "./views/watch.js";
import { Refused } from "./wire/requests.js";
import { errorWords } from "./words.js";

/** @typedef {import("./store.js").Store<import("./settings.js").Settings>} SettingsStore */
/** @typedef {{element: HTMLElement, close: () => void}} Screen */

/** Places in the menu; those with `true` are beside or below it where there is room. @type {[key: string, where: string, shown: boolean][]} */
const PLACES = [
  ["raceFriend", "#friend", true],
  ["quickRace", "#quick", true],
  ["rankedRace", "#ranked", true],
  ["daily", "#daily", true],
  ["watch", "#watch", true],
  ["boards", "#boards", true],
  ["practice", "/", true],
  ["profile", "#profile", false],
];

/** Where one has nothing under way. */
const FREE = [PracticeScreen, FriendScreen, WatchScreen];

/** What a part of an address says; one that is not escaped rightly is taken as it is. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether something may be missing in a race of one's own, and has been told nowhere. @param {import("./wire/race.js").Race} race */
const isUntold = ({ seat, unmade, isUnmadeTold, stage }) => seat >= 0 && unmade > 0 && !isUnmadeTold && stage !== "play";

/** What there is to say of a race to which a way leads back. @param {import("./wire/race.js").Race} race */
function backWords(race) {
  if (isUntold(race)) return t("unmade", { n: race.unmade });
  if (race.model && race.session.ended) return resultTitle(race.model);
  return race.stage === "lobby" ? `${t("halted")} · ${t("backToRace")}` : t("backToRace");
}

/** A screen on which nothing happens. @param {...HTMLElement} children @returns {Screen} */
const still = (...children) => ({ element: h("div", { class: "screen waiting" }, ...children), close: () => {} });

export class App {
  /** @param {SettingsStore} settings @param {import("./held.js").Held} held @param {HTMLElement} root */
  constructor(settings, held, root) {
    this.settings = settings;
    this.root = root;
    this.online = new Online(settings, held);
    this.online.brought = (race) => this.broughtTo(race);
    this.online.races.begun = () => this.tellBack();
    this.online.greeted = () => (this.tellBack(), this.tellOwn());
    this.greeting = new Later(() => this.online.greet());
    this.offer = new Offer(this);
    /** @type {Screen | null} */
    this.screen = null;
    this.main = h("main", {});
    this.banner = h("p", { class: "banner", role: "status", hidden: true });
    this.back = h("a", { href: "/", class: "button main back", hidden: true, onclick: (/** @type {MouseEvent} */ event) => this.goBack(event) });
    /** @type {import("./wire/race.js").Race | null} the race to which it leads */
    this.way = null;
    this.own = h("div", { hidden: true });
    addEventListener("popstate", () => this.open());
    const taps = new SecondTap();
    for (const kind of ["keydown", "input"]) document.addEventListener(kind, () => taps.forget(), true);
    document.addEventListener("click", (event) => taps.isStray(event) && (event.preventDefault(), event.stopPropagation()), true);
    tendTab();
    settings.watch((now, before) => this.changed(now, before));
    this.online.state.watch(() => this.tellConnection());
    this.dress();
    this.frame();
  }

  frame() {
    const places = PLACES.filter(([, , shown]) => shown).map(([key, where]) => h("a", { href: this.path(where), class: `place ${key}` }, t(key)));
    const menu = h("button", { type: "button", class: "menu", "aria-haspopup": "dialog", "aria-label": t("menu"), onclick: () => this.menu() }, "☰", h("span", { class: "word" }, t("menu")));
    this.header = h("header", { class: "top" }, h("a", { href: "/", class: "brand" }, "cellrace"), h("nav", { "aria-label": t("menu") }, ...places), menu);
    this.header.addEventListener("click", (event) => this.follow(event));
    this.markPlace(this.header);
    this.root.replaceChildren(this.header, h("div", { class: "above" }, this.banner, this.offer.element), this.back, this.own, this.main);
    document.title = t("title");
    this.tellConnection();
  }

  /** Mark where one is among the links there. @param {HTMLElement | undefined} within */
  markPlace(within) {
    const place = location.hash.slice(1).split("=")[0];
    const isNamed = PLACES.some(([, where]) => where === `#${place}`);
    const here = !["/", "/index.html"].includes(location.pathname) || place === "replay" ? "" : isNamed ? `/#${place}` : "/";
    for (const link of within?.querySelectorAll("a:not(.brand)") ?? []) {
      if (link.getAttribute("href") === here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** Links within the page do not load it again. @param {MouseEvent} event */
  follow(event) {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(link.getAttribute("href") ?? "/");
  }

  /** @param {string} where */
  path(where) {
    return where.startsWith("#") ? `/${where}` : where;
  }

  /** Go to a place of the page. @param {string} where */
  go(where) {
    history.pushState(null, "", this.path(where));
    this.open();
  }

  /** Show what the address says. */
  open() {
    const [, kind, name] = location.pathname.toLowerCase().replace(/\/+$/, "").split("/");
    const [place, ...values] = decoded(location.hash.slice(1)).split("=");
    const value = values.join("=");
    if (kind === "r" && name) return this.enterNamed(decoded(name));
    if (kind === "g" && name) return this.show(() => new ChallengeScreen(this, decoded(name)));
    if (kind && kind !== "index.html") return this.show(() => still(lost(this, t("nowhere"))));
    if (place === "quick") {
      return void this.enter((turned) => this.online.quick(usualStandIn(this.settings.state.rules), turned));
    }
    if (place === "ranked") {
      return void this.enter((turned) => this.online.ranked(this.settings.state.rules, turned));
    }
    this.show(() => this.screenOf(place, value));
  }

  /** What the page has is shown as it is, also without a connection; what it has not is asked for. @param {string} name */
  enterNamed(name) {
    const held = this.online.races.named(name);
    if (held?.model && held.seat >= 0 && !held.isTakenOver && !held.wishes.has("leave")) return this.showRace(held);
    if (!isRaceName(name)) return this.show(() => still(lost(this, t("err_not_found"), name)));
    // No snapshot says so, and the page may have been loaded again.
    const ways = [history.state, this.online.own.known(name)?.way];
    void this.enter(async (turned) => {
      const race = await enterRace(this, name, turned);
      for (const way of ways) goOn(race, way);
      return race;
    });
  }

  /** @param {string} place @param {string} value @returns {Screen} */
  screenOf(place, value) {
    if (place === "friend") return new FriendScreen(this);
    if (place === "watch") return new WatchScreen(this);
    if (place === "boards") return new BoardsScreen(this, value);
    if (place === "daily") return new DailyScreen(this);
    if (place === "profile") return new ProfileScreen(this, value);
    if (place === "replay") return new ReplayScreen(this, value);
    this.greeting.ask();
    return new PracticeScreen(this, place === "deal" ? value : "");
  }

  /** Show another screen; it is made when the one before has let go of what both use. @param {() => Screen} make */
  show(make) {
    this.online.moved();
    if (this.way?.session.ended) this.way = null; // that was told
    this.screen?.close();
    this.screen = null;
    announce(""); // what was said of the screen before
    this.screen = make();
    this.root.classList.toggle("plays", this.screen instanceof RaceScreen || this.screen instanceof ReplayScreen);
    this.main.replaceChildren(this.screen.element);
    this.markPlace(this.header);
    this.tellBack();
    this.tellOwn();
    this.tellConnection();
    for (const dialog of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (dialog).close();
  }

  /** Enter a race, and say so meanwhile; who turns to something else has no seat in it.
   * @param {(turned: AbortSignal) => Promise<import("./wire/race.js").Race>} entering */
  async enter(entering) {
    const turning = new AbortController();
    const { signal } = turning;
    const said = h("p", { role: "status" });
    const tell = () => setText(said, t(this.online.isLost ? "needsNetwork" : "entering"));
    const unwatch = this.online.state.watch(tell);
    tell();
    this.show(() => ({ ...still(said), close: () => (unwatch(), turning.abort()) }));
    try {
      const race = await entering(signal);
      if (signal.aborted) this.tellBack();
      else this.showRace(race);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
      else if (!(error instanceof Refused)) throw error;
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.show(() => still(lost(this, errorWords(error))));
  }

  /** @param {import("./wire/race.js").Race} race */
  showRace(race) {
    const where = `/r/${race.session.race}`;
    // The way back leads to no place that would bring one to yet another race.
    const passed = ["#quick", "#ranked"].includes(location.hash);
    const state = wayTo(race);
    if (passed) history.replaceState(state, "", where);
    else if (location.pathname !== where) history.pushState(state, "", where);
    if (this.offer.race === race) this.offer.drop();
    for (const other of this.online.races.all) {
      if (other !== race && (other.seat < 0 || other.session.ended)) this.online.part(other);
    }
    this.show(() => new RaceScreen(this, race));
  }

  /** The server has brought us to another race: we go along where we look at the one before, or wait for a ghost, else it
   * is offered. @param {import("./wire/race.js").Race} race */
  broughtTo(race) {
    race.isBrought = true;
    const here = this.screen instanceof RaceScreen ? this.screen.race : null;
    const isFree = here && (here.session.ended || here.standIn?.choice === "ghost");
    if (race.seat < 0 || isFree) this.showRace(race);
    else this.offer.make(race);
  }

  /** Show the way back to a race of one's own that goes on, on every screen but its own. Where it waits again meanwhile, or
   * is over, that is said, and the way stays. */
  tellBack() {
    const before = this.way;
    const race = this.online.underWay ?? (before && this.isHeld(before) ? before : null) ?? this.online.races.all.find(isUntold) ?? null;
    this.way = this.screen instanceof RaceScreen && this.screen.race === race ? null : race;
    this.back.hidden = !this.way;
    if (!race || !this.way) return;
    const words = backWords(race);
    if (race === before && this.back.textContent !== words) announce(words);
    setText(this.back, words);
    this.back.href = `/r/${race.session.race}`;
    const tell = () => this.tellBack();
    race.watcher ??= { changed: tell, takenOver: tell, lost: () => (this.online.part(race), tell()) };
  }

  /** Whether one has a seat still where one was about to play, or has a result. @param {import("./wire/race.js").Race} race */
  isHeld(race) {
    return this.online.races.has(race) && race.seat >= 0 && !race.wishes.has("leave") && ["lobby", "ended"].includes(race.stage);
  }

  /** Show the ways back to races of one's own that go on elsewhere, where one looks for something to do. */
  tellOwn() {
    const names = this.online.own.elsewhere;
    this.own.hidden = !names.length || !FREE.some((kind) => this.screen instanceof kind);
    this.own.replaceChildren(...(this.own.hidden ? [] : [ownRaces(this, names)]));
  }

  /** @param {MouseEvent} event */
  goBack(event) {
    const race = this.way;
    if (!race || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.showRace(race);
  }

  /** What it means here that there is no connection. */
  get lostWords() {
    if (this.screen instanceof RaceScreen && this.online.underWay) return "connectionLost";
    return this.screen instanceof PracticeScreen ? "connectionLostAlone" : "connectionLostElse";
  }

  tellConnection() {
    const { being } = this.online.state.state;
    const isMissed = this.online.isLost && !this.online.isUnasked;
    const text = isMissed ? t(this.lostWords) : being === "ended" ? t("err_page_broken") : this.online.notice;
    this.banner.hidden = !text;
    this.banner.textContent = text;
    if (this.screen instanceof RaceScreen) this.screen.draw();
  }

  menu() {
    const links = PLACES.map(([key, where]) => h("a", { href: this.path(where), class: "wide" }, t(key)));
    const dialog = openDialog(
      t("menu"),
      h("nav", { class: "places" }, ...links,
        h("button", { type: "button", class: "wide", onclick: () => (dialog.close(), openDialog(t("settings"), settingsContent(this.settings, this.online))) }, t("settings")),
        h("button", { type: "button", class: "wide", onclick: () => (dialog.close(), openDialog(t("help"), helpContent(this.settings.state.tap))) }, t("help")),
      ),
    );
    this.markPlace(dialog);
    dialog.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("a")) dialog.close();
      this.follow(event);
    });
  }

  /** @param {import("./settings.js").Settings} now @param {import("./settings.js").Settings} before */
  async changed(now, before) {
    this.dress();
    const language = now.language || chosen(navigator.languages);
    const again = language !== spoken() || now.leftHanded !== before.leftHanded;
    if (language !== spoken()) {
      await speak(language);
      this.frame();
    }
    if (!again) return;
    const open = document.querySelector("dialog[open]");
    const { screen } = this;
    if (screen instanceof RaceScreen) this.show(() => new RaceScreen(this, screen.race));
    else this.open();
    if (open) openDialog(t("settings"), settingsContent(this.settings, this.online));
  }

  /** Put the chosen look on. */
  dress() {
    const { theme, fourColours, leftHanded } = this.settings.state;
    const { classList, dataset } = document.documentElement;
    dataset.theme = theme;
    classList.toggle("four-colours", fourColours);
    classList.toggle("left-handed", leftHanded);
  }
}
