/** Everything that goes over the network: one connection, one identity, the races that are received on it. */

import { Entering, resumption } from "./entering.js";
import { Held } from "./held.js";
import { OwnRaces } from "./own-races.js";
import { calledIn, keptIdentity, keptTokens } from "./settings.js";
import { scoresOf } from "./series.js";
import { OFFERED, ghostFrom, quickRequest } from "./stand-in.js";
import { Store } from "./store.js";
import { Connection } from "./wire/connection.js";
import { Reception, TAKEN_OVER } from "./wire/reception.js";
import { Refused } from "./wire/requests.js";
import { welcomeFor } from "./wire/trial.js";
import { noticeWords } from "./words.js";

/** @typedef {import("./wire/messages.js").Message} Message */
/** @typedef {import("./wire/race.js").Race} Race */
/** @typedef {import("./settings.js").Settings} Settings */

/** Notices of what the next connection brings to an end; others are over when one goes on to another screen. */
const OF_A_CONNECTION = ["draining", "last_races"];

/** Within which the server has brought us to a rematch of which it tells us. */
const BROUGHT_MS = 2_000;

/** How often what one does is kept for the page after a crash. */
const KEEP_MS = 1_000;

/** How often a race that is played elsewhere is asked for, as long as it is not over. */
const LOOK_MS = 10_000;

const now = () => performance.now();

/** What a message takes of a name, in letters; the server says how long a name may be. */
export const NAME_MOST = 64;

const TOKEN_BYTES = 24;

/** A secret that nobody guesses, in 48 letters. */
const freshToken = () => [...crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Whether nothing is to be lost by who has this profile: it is there from the first seat on. @param {Message} profile */
export const hasNothing = ({ races, runs }) => !races && !runs;

/** How a series stands after one of its races. @param {Race} [race] */
const scoresAfter = (race) => (race?.model ? scoresOf(race.model) : []);

export class Online {
  /** @param {Store<Settings>} settings @param {Held} [held] what the page before has left */
  constructor(settings, held = new Held()) {
    this.settings = settings;
    this.held = held;
    this.state = new Store({ being: /** @type {import("./wire/connection.js").Being} */ ("off"), player: "", name: settings.state.name, notice: /** @type {Message | null} */ (null) });
    /** @type {((race: Race) => void) | null} the server has brought us to another race */
    this.brought = null;
    /** @type {(() => void) | null} the server has said in which races one has a seat, or what of such a race there is to know */
    this.greeted = null;
    /** @type {((message: Message) => void) | null} */
    this.listed = null;
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    const owner = {
      hello: () => this.hello(),
      welcomed: (/** @type {Message} */ welcome) => this.welcomed(welcome),
      broken: () => this.races.broken(),
      hear: (/** @type {Message} */ message) => this.hear(message),
      listens: () => this.races.all.length > 0 || this.listed !== null,
      changed: (/** @type {import("./wire/connection.js").Being} */ being) => this.state.set({ being }),
    };
    this.connection = new Connection(url, owner, new URLSearchParams(location.search).has("json"));
    this.races = new Reception(this.connection, now);
    this.own = new OwnRaces(this.races);
    this.races.goneAlong = (race, unsaid) => held.goneAlong(race, unsaid);
    this.entering = new Entering(this.races, this.own, held);
    const keep = () => this.keep();
    addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", keep);
    document.addEventListener("visibilitychange", () => this.lookForResults());
    setInterval(keep, KEEP_MS);
    setInterval(() => this.lookForResults(), LOOK_MS);
  }

  /** Keep what the page after this one goes on with. */
  keep() {
    this.held.keep(this.races.all);
  }

  /** Learn whether what is played elsewhere is over; who does not look at the page learns it later. */
  lookForResults() {
    if (!document.hidden && this.connection.being === "on") this.races.lookForResults();
  }

  /** Who another tab of this browser is already, where this one is nobody yet. */
  otherTab() {
    return this.settings.state.token ? null : keptIdentity();
  }

  /** Whether there is no connection, and one was wanted. */
  get isLost() {
    return this.state.state.being === "lost";
  }

  /** @returns {Message} */
  hello() {
    const other = this.otherTab();
    if (other) this.settings.set(other); // and so is this one
    const { token } = this.settings.state;
    return { tag: "hello", version: 1, name: [...calledIn(this.settings.state)].slice(0, NAME_MOST).join(""), token, kind: "human", agent: "cellrace page", instance: this.held.instance };
  }

  /** @param {Message} welcome */
  welcomed({ player, name, token, races }) {
    const other = this.otherTab();
    if (other && other.token !== token) return this.become(other.name, other.token); // two tabs came at once
    this.settings.set(this.settings.state.name ? { token } : { token, guest: name });
    if (player === this.state.state.player && this.state.state.notice?.code === "revoked") this.state.set({ notice: null }); // by another token
    this.own.welcomed(races);
    this.state.set({ player, name });
    this.held.who = calledIn(this.settings.state);
    this.forgetNotice(true);
    this.races.resume();
    this.lookForResults();
    for (const name of this.held.undone) void this.goOn(name);
    this.greeted?.();
    return undefined;
  }

  /** Connect, where one is somebody already, to learn of races of one's own. */
  greet() {
    if (this.settings.state.token) this.connection.open();
  }

  /** Whether nobody has asked for anything that needs a connection, and there was none. */
  get isUnasked() {
    return !this.state.state.player && !this.connection.isAsked && !this.races.all.length && !this.listed;
  }

  /** What the server has to say now, in the reader's language; empty where that is nothing. */
  get notice() {
    const { notice } = this.state.state;
    return notice ? noticeWords(notice) : "";
  }

  /** Another screen is shown. */
  moved() {
    this.forgetNotice(false);
  }

  /** @param {boolean} connected on a new connection, else on another screen */
  forgetNotice(connected) {
    const { notice } = this.state.state;
    if (notice && OF_A_CONNECTION.includes(notice.code) === connected) this.state.set({ notice: null });
  }

  /** @param {Message} message */
  hear(message) {
    if (message.tag === "listing") this.listed?.(message);
    else if (message.tag === "in") this.cameTo(message);
    else if (message.tag === "notice") this.noticed(message);
    else if (message.tag === "error") this.refused(message);
    else if ("ch" in message) this.happened(message);
  }

  /** @param {Message} notice */
  noticed(notice) {
    const isOurs = notice.code === "revoked" && !this.settings.state.token; // we have given it up ourselves
    if (notice.code === TAKEN_OVER) this.happened(notice); // its screen says so
    else if (!isOurs) this.state.set({ notice });
  }

  /** @param {Message} message on a channel */
  happened(message) {
    const race = this.races.on(message.ch);
    race?.hear(message);
    if (message.tag === "no") this.keep(); // its number is another's by the next action
    if (race) this.own.happened(race, message.tag);
    if (race && message.tag === "rematched") setTimeout(() => void this.goAlong(race, message.race), BROUGHT_MS);
  }

  /** Go to a rematch to which nobody has brought us: it was opened while there was no connection. @param {Race} race
   * @param {string} name of the rematch */
  async goAlong(race, name) {
    if (!this.races.has(race) || this.races.named(name)) return;
    try {
      const next = await this.foundAgain(race, name);
      next.isRematch = true;
      next.remember(scoresAfter(race));
      this.brought?.(next);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the result has a button for it
    }
  }

  /** A rematch, in one's seat, or in a new one where one had one before. Rejects with `Refused`. @param {Race} race
   * @param {string} name of the rematch */
  async foundAgain(race, name) {
    const found = await this.races.enter(() => resumption(name));
    if (race.seat < 0 || found.seat >= 0) return found;
    try {
      return await this.rematch(race);
    } finally {
      if (found.seat < 0) this.part(found);
    }
  }

  /** @param {Message} error */
  refused({ code, text, facts }) {
    // The identity has another token, or is gone, or the name is not wanted: begin as somebody new.
    if (code === "revoked" || code === "bad_token") this.settings.set({ token: this.otherToken(), nextToken: "" });
    else if (code === "bad_name") this.badName(text, facts);
    else return;
    this.connection.post(this.hello());
  }

  /** The server does not take, or no longer, a name that was chosen before. @param {string} text
   * @param {import("./wire/requests.js").Facts} facts */
  badName(text, facts) {
    const isChosen = Boolean(this.settings.state.name);
    this.settings.set({ name: "", guest: "" });
    if (isChosen) this.state.set({ notice: { tag: "notice", code: "bad_name", text, ch: 0, facts } });
  }

  /** The token that proves who we are where ours is dead: one whose answer was lost, or that another tab has; empty where
   * there is none. */
  otherToken() {
    const { token, nextToken } = this.settings.state;
    return [nextToken, ...keptTokens()].find((other) => other && other !== token) ?? "";
  }

  /** Prove who we are by another token from now on; the old one is dead, wherever it is. Rejects with `Refused`. */
  async renew() {
    const token = freshToken();
    this.settings.set({ nextToken: token });
    await this.ask({ tag: "renew", token });
    this.settings.set({ token, nextToken: "" });
  }

  /** Rejects with `Refused`. @param {Message} message @returns {Promise<Message>} */
  ask(message) {
    return this.connection.ask(() => message);
  }

  /** Whether one has raced nowhere yet, so that another name leaves nothing behind. Rejects with `Refused`. */
  async isNobodyYet() {
    try {
      return hasNothing(await this.ask({ tag: "profile" }));
    } catch (error) {
      if (error instanceof Refused && error.code === "not_found") return true;
      throw error;
    }
  }

  /** The token of somebody new who is called so, which is to be kept secret. Rejects with `Refused` where the server does
   * not take the name. @param {string} name not empty @returns {Promise<string>} */
  async tokenFor(name) {
    const { url, json } = this.connection;
    const { token } = await welcomeFor(url, json, { ...this.hello(), name, token: "" });
    return token;
  }

  /** Be called otherwise: a name belongs to an identity for good, so that another name is another player.
   * @param {string} name @param {string} token that of `tokenFor` */
  become(name, token) {
    this.settings.set({ name, token, nextToken: "" });
    this.connection.drop();
    this.connection.open(); // at once: nothing is wrong
  }

  /** Be who has a key, from another device; the answer is the name. Rejects with `Refused`, by `key_unknown` where there is no
   * such player. @param {string} key @returns {Promise<string>} */
  async becomeBy(key) {
    const { url, json } = this.connection;
    try {
      const { name } = await welcomeFor(url, json, { ...this.hello(), name: "", token: key });
      this.become(name, key);
      return name;
    } catch (error) {
      throw error instanceof Refused && ["not_found", "revoked", "bad_token"].includes(error.code) ? new Refused("key_unknown", "") : error;
    }
  }

  /** Erase oneself from the server, for good; one is somebody new from then on. Rejects with `Refused`. */
  async erase() {
    const { token } = this.settings.state;
    await this.ask({ tag: "erase", token });
    this.settings.set({ token: "", name: "", guest: "" });
  }

  /** As `Entering.enter`. @param {Message} request @param {AbortSignal} [turned] */
  enter(request, turned) {
    return this.entering.enter(request, turned);
  }

  /** Go on with a race where an earlier page was, whatever is on the screen. @param {string} name */
  async goOn(name) {
    const race = await this.entering.goOnUnasked(name);
    const tell = () => this.greeted?.();
    if (race) race.watcher ??= { changed: tell, takenOver: tell, lost: () => (this.part(race), tell()) };
    tell();
  }

  /** Wait for a stranger, and say who may stand in for one; said again, the last word counts. Rejects with `Refused`.
   * @param {import("./stand-in.js").StandIn} standIn @param {AbortSignal} [turned] as for `enter` */
  async quick(standIn, turned) {
    const race = await this.enter(quickRequest(standIn), turned);
    const isNew = !race.standIn;
    race.standIn = standIn;
    race.again = (again) => this.quick({ ...standIn, ghost: null, choice: standIn.choice === "ghost" ? "bot" : standIn.choice }, again);
    if (isNew) void this.findGhost(race, standIn.rules);
    race.watcher?.changed(null);
    return race;
  }

  /** Wait for people who race for their ratings. Rejects with `Refused`. @param {string} rules
   * @param {AbortSignal} [turned] as for `enter` */
  async ranked(rules, turned) {
    const race = await this.enter({ tag: "quick", rules, ranked: true }, turned);
    race.again = (again) => this.ranked(rules, again);
    return race;
  }

  /** Offer a run to race against to who waits, if there is one. @param {Race} race @param {string} rules */
  async findGhost(race, rules) {
    try {
      const board = { tag: "top", deal: "", rules, scope: "ever", count: OFFERED };
      const around = await this.ask({ ...board, around: true });
      const top = around.rows.length > 1 ? around : await this.ask(board);
      const ghost = ghostFrom(top, this.state.state.player);
      if (!ghost || !race.standIn) return;
      race.standIn = { ...race.standIn, ghost };
      race.watcher?.changed(null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // who waits has a bot still
    }
  }

  /** Meet those of a race that is over again. Rejects with `Refused`. @param {Race} race
   * @param {AbortSignal} [turned] as for `enter` */
  async rematch(race, turned) {
    if (race.isTakenOver) await this.races.enter(() => ({ tag: "watch", race: race.session.race }), turned);
    const next = await this.entering.rematch(race, turned);
    next.isRematch = true;
    next.remember(scoresAfter(race));
    return next;
  }

  /** The server has brought us to another race: the rematch of one that is over, or a race of one against a ghost,
   * which waits for nobody. @param {Message} entered */
  cameTo(entered) {
    const race = this.races.entered(entered);
    race.isRematch = true;
    race.remember(scoresAfter(this.races.all.find((one) => one.model?.rematch === entered.race)));
    this.brought?.(race);
  }

  /** A race of one's own that one is to play, or plays, here. */
  get underWay() {
    return this.races.all.find((race) => race.isUnderWay);
  }

  /** Receive nothing more of a race. @param {Race} race */
  part(race) {
    if (this.races.has(race)) this.own.parted(race);
    this.races.part(race);
  }
}
