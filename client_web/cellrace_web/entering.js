/** The ways into a race: asked for by a person, or gone on with where an earlier page of this window was. No document is
 * needed. */

import { raceNamed } from "./race-names.js";
import { TAKEN_OVER } from "./wire/reception.js";
import { Refused } from "./wire/requests.js";

/** @typedef {import("./wire/messages.js").Message} Message */
/** @typedef {import("./wire/race.js").Race} Race */

/** How long a word of which race one wants to play here counts, if it cannot be said, in ms. */
const WORD_MS = 30_000;

/** Why one may not look on where one may sit down. */
const NOT_TO_SEE = ["full", "not_found"];

/** Why nothing is done of what waited for long. */
const LATE = new Refused("late", "it was asked for long ago, and one has gone on elsewhere");

/** Goes on with a race from its beginning, and takes its seat from no other device. @param {string} race */
export const resumption = (race) => ({ tag: "resume", race, after: 0 });

/** Why a race was not entered; empty for what is no refusal. @param {unknown} error */
const codeOf = (error) => (error instanceof Refused ? error.code : "");

export class Entering {
  /** @param {import("./wire/reception.js").Reception} races @param {import("./own-races.js").OwnRaces} own
   * @param {import("./held.js").Held} held */
  constructor(races, own, held) {
    this.races = races;
    this.own = own;
    this.held = held;
    /** @type {Map<string, Promise<Race | null>>} what an earlier page was in, by name, as it is asked for */
    this.going = new Map();
  }

  /** Enter a race; the answer is one that hears from now on, or that is played elsewhere. Rejects with `Refused`.
   * @param {Message} request @param {AbortSignal} [turned] one has turned to something else: one is to have no seat any
   * more @returns {Promise<Race>} */
  async enter(request, turned) {
    const name = raceNamed(request.what ?? request.race ?? "");
    this.races.named(name)?.wishes.delete("leave"); // one has thought better of it
    const before = this.held.races.has(name) ? await this.goOn(name) : null;
    if (before) return before;
    const race = await (name ? this.asked(request, name, turned) : this.askedInTime(() => request, turned));
    if (race.seat >= 0 && !race.isTakenOver) this.takeUp(race);
    return race;
  }

  /** What windows, this one and others, have left of a race goes on here. @param {Race} race */
  takeUp(race) {
    race.takeUp(this.held.takeAll(race.session.race));
    this.held.keep(this.races.all);
  }

  /** Meet those of a race again; on its way back it has no channel to say so on. @param {Race} race
   * @param {AbortSignal} [turned] as for `enter` */
  rematch(race, turned) {
    return this.askedInTime(() => this.races.made(race, race.ch === null ? null : { tag: "rematch", ch: race.ch }), turned);
  }

  /** A race that has no name yet is not entered any more where one has gone on with others meanwhile: it may be one of
   * those. @param {import("./wire/requests.js").Make} make @param {AbortSignal} [turned] as for `enter` */
  askedInTime(make, turned) {
    const until = Date.now() + WORD_MS;
    const known = new Set([...this.own.elsewhere, ...this.races.all.map(({ session }) => session.race)]);
    const inTime = () => {
      if (Date.now() > until && this.own.elsewhere.some((name) => !known.has(name))) throw LATE;
      return make();
    };
    return this.races.enter(inTime, turned);
  }

  /** What was wanted so long ago that somebody may play on another device by now takes nothing from there.
   * @param {Message} request @param {string} name of the race @param {AbortSignal} [turned] as for `enter` */
  async asked(request, name, turned) {
    const until = Date.now() + WORD_MS;
    let isLate = false;
    const make = () => {
      isLate = Date.now() > until;
      return isLate ? resumption(name) : request;
    };
    const again = () => this.races.enter(() => request, turned);
    try {
      const race = await this.races.enter(make, turned);
      return isLate && race.seat < 0 && request.tag === "join" ? await again() : race;
    } catch (error) {
      if (codeOf(error) === TAKEN_OVER) return this.races.elsewhere(name);
      if (isLate && NOT_TO_SEE.includes(codeOf(error))) return again();
      throw error;
    }
  }

  /** Go on with a race where an earlier page was, asked once at a time; `null` where one has no seat any more. Rejects with
   * `Refused`. @param {string} name @returns {Promise<Race | null>} */
  goOn(name) {
    const going = this.going.get(name) ?? this.sendLeft(name).finally(() => this.going.delete(name));
    this.going.set(name, going);
    return going;
  }

  /** What an earlier page has not sent stays until it is. @param {string} name @returns {Promise<Race | null>} */
  async sendLeft(name) {
    try {
      const race = await this.races.enter(() => resumption(name));
      if (race.seat >= 0) this.takeUp(race);
      else this.held.take(name);
      return race.seat >= 0 ? race : null;
    } catch (error) {
      if (codeOf(error) === TAKEN_OVER) return this.takenFrom(name);
      if (codeOf(error) && codeOf(error) !== "page_broken") this.held.take(name); // there is no race, or no seat in it
      throw error;
    }
  }

  /** A race that was gone on with elsewhere, without what an earlier page has not sent. @param {string} name */
  takenFrom(name) {
    const { unsaid, unmade } = this.held.take(name);
    const race = this.races.elsewhere(name);
    race.unmade += unmade;
    race.lose(unsaid);
    return race;
  }

  /** Go on with a race in which something was left to do, whatever is on the screen; `null` where one has no seat any more,
   * and nothing of it is received. @param {string} name @returns {Promise<Race | null>} */
  async goOnUnasked(name) {
    try {
      const race = await this.goOn(name);
      const seen = this.races.named(name);
      if (!race && seen && !seen.watcher) this.races.part(seen);
      return race;
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // whoever asks for the race is told
      return null;
    }
  }

  /** The page shows what it was loaded for. */
  begun() {
    this.held.begun((name) => this.going.has(name));
  }
}
