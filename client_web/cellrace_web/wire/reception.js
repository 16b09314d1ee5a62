/** The races that are received, over as many connections as it takes. */

import { Race } from "./race.js";
import { Refused } from "./requests.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("./requests.js").Make} Make */

/** Another device has the seat. */
export const TAKEN_OVER = "taken_over";

const GONE = new Refused("not_found", "the race is not received any more");
/** Who has seen so much may see the result, where there is one (SPEC 6.2). */
const ITS_END = 2 ** 31 - 1;
const WITHDRAWN = new Refused("withdrawn", "nobody waits for the race any more");

/**
 * Every race that was entered and not parted from, those that are over too: their players may meet again. Each has a
 * channel of the present connection, or none while it is on its way back: channels of a connection that is gone may mean
 * other races. What is parted from on its way back is parted when its channel is known; and nothing is while a request for
 * a race is under way, which may lead to the same one. So it is with seats that were asked for and are not wanted any more.
 */
export class Reception {
  /** @param {import("./connection.js").Connection} connection @param {() => number} now */
  constructor(connection, now) {
    this.connection = connection;
    this.now = now;
    /** @type {Map<string, Race>} by name */
    this.races = new Map();
    /** @type {Set<Race>} those that are asked for on a new connection */
    this.coming = new Set();
    /** @type {Set<Race>} those that are gone on with elsewhere, and asked for */
    this.looking = new Set();
    /** @type {Set<number>} channels to part from */
    this.unwanted = new Set();
    /** @type {Set<Race>} those that were left before they were there */
    this.turnedFrom = new Set();
    /** A race has begun before one could leave it. */
    this.begun = () => {};
    /** How many of these actions another window has taken along. @type {import("./race.js").GoneAlong} */
    this.goneAlong = () => 0;
    this.entering = 0; // requests under way
  }

  get all() {
    return [...this.races.values()];
  }

  /** The race of a channel. @param {number} ch */
  on(ch) {
    return this.all.find((race) => race.ch === ch);
  }

  /** @param {string} name */
  named(name) {
    return this.races.get(name);
  }

  /** @param {Race} race */
  has(race) {
    return this.named(race.session.race) === race;
  }

  /** The connection is gone, and all channels with it. */
  broken() {
    for (const race of this.all) race.channelLost();
    this.unwanted.clear();
  }

  /** Ask for every race on a new connection, for those first that go on. */
  resume() {
    const races = this.all.filter((race) => !race.isTakenOver && !this.coming.has(race)); // what was asked is asked again
    for (const race of races.sort((a, b) => Number(a.session.ended) - Number(b.session.ended))) void this.takeUp(race);
  }

  /** Take a race up on a new connection; its watcher is told where that is refused. @param {Race} race */
  async takeUp(race) {
    this.coming.add(race);
    try {
      await this.come(race, () => this.made(race, race.resume()));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (this.has(race) && race.ch === null) this.notTakenUp(race, error);
    } finally {
      this.coming.delete(race);
    }
  }

  /** @param {Race} race @param {Make} make */
  async come(race, make) {
    const entered = await this.connection.ask(make);
    if (this.has(race)) this.goesOn(race, entered);
    else this.drop(entered.ch);
  }

  /** Show the results of races that were gone on with elsewhere and are over; nothing is taken from there otherwise. */
  lookForResults() {
    for (const race of this.all) if (race.isTakenOver && !this.looking.has(race)) void this.lookForResult(race);
  }

  /** @param {Race} race */
  async lookForResult(race) {
    const make = () => {
      if (!this.has(race) || !race.isTakenOver) throw GONE;
      return { tag: "resume", race: race.session.race, after: ITS_END };
    };
    this.looking.add(race);
    try {
      await this.come(race, make);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const isThere = error.code === TAKEN_OVER || !race.isTakenOver; // it goes on, elsewhere or here
      if (!isThere && this.has(race)) this.forget(race, error);
    } finally {
      this.looking.delete(race);
    }
  }

  /** @param {Race} race @param {Refused} error */
  notTakenUp(race, error) {
    if (error.code !== TAKEN_OVER) return this.forget(race, error);
    race.takenOver();
    return void this.lookForResult(race);
  }

  /** A request about a race that is received. @template Asked @param {Race} race @param {Asked} request */
  made(race, request) {
    if (!this.has(race) || race.isTakenOver) throw GONE;
    return request;
  }

  /** Enter a race; the answer is one that hears from now on. Rejects with `Refused`. @param {Make} make
   * @param {AbortSignal} [turned] one has turned to something else: what is not said yet is not said any more, and a seat
   * that comes is given back @returns {Promise<Race>} */
  async enter(make, turned) {
    const wanted = () => {
      if (turned?.aborted) throw WITHDRAWN;
      return make();
    };
    this.entering += 1;
    try {
      const message = await this.connection.ask(wanted);
      const isNew = !this.named(message.race);
      const race = this.entered(message);
      if (!turned?.aborted) this.turnedFrom.delete(race);
      else if (isNew) this.turnedFrom.add(race);
      return race;
    } finally {
      this.entering -= 1;
      this.tidy();
    }
  }

  /** Give the seat of a race that nobody has seen back, and receive nothing more of it; one that runs goes on.
   * @param {Race} race */
  async giveBack(race) {
    await race.left();
    race.watcher = null;
    if (race.isUnderWay) this.begun();
    else this.part(race);
  }

  /** The race that an `in` leads to. @param {Message} entered @returns {Race} */
  entered(entered) {
    const known = this.named(entered.race);
    if (known) {
      known.wishes.delete("leave");
      this.goesOn(known, entered);
      return known;
    }
    const race = new Race(this.connection, entered, this.now, this.goneAlong);
    this.makeRoom(entered.ch, race);
    this.races.set(entered.race, race);
    this.unwanted.delete(entered.ch);
    return race;
  }

  /** A race that another device goes on with, of which nothing may be known here. @param {string} name @returns {Race} */
  elsewhere(name) {
    const race = this.named(name) ?? new Race(this.connection, { tag: "in", race: name, ch: null, seat: 0, n: 1 }, this.now, this.goneAlong);
    this.races.set(name, race);
    race.takenOver();
    void this.lookForResult(race);
    return race;
  }

  /** @param {Race} race @param {Message} entered */
  goesOn(race, entered) {
    this.unwanted.delete(entered.ch);
    this.makeRoom(entered.ch, race);
    race.enteredAgain(entered);
    this.connection.sendDue(); // what had to wait for this channel
  }

  /** A channel is this race's: beyond 64 the server parts from races that are over, and gives their numbers away.
   * @param {number} ch @param {Race} race */
  makeRoom(ch, race) {
    const older = this.on(ch);
    if (older && older !== race) this.forget(older, GONE);
  }

  /** Receive nothing more of a race. @param {Race} race */
  part(race) {
    if (!this.has(race)) return;
    const { ch } = race;
    this.forget(race);
    if (ch !== null) this.drop(ch);
  }

  /** Another race than these is of no interest. @param {number} ch */
  drop(ch) {
    if (!this.on(ch)) this.unwanted.add(ch);
    this.tidy();
  }

  /** @param {Race} race @param {Refused} [error] why it is not received any more */
  forget(race, error) {
    this.races.delete(race.session.race);
    race.channelLost();
    if (error) race.watcher?.lost(error);
    this.connection.sendDue(); // which finds what was asked about it
  }

  /** Part from what nobody wants, unless it may just have been asked for. */
  tidy() {
    if (this.entering) return;
    for (const race of this.turnedFrom) void this.giveBack(race);
    this.turnedFrom.clear();
    this.connection.tell(...[...this.unwanted].map((ch) => ({ tag: "part", ch })));
    this.unwanted.clear();
  }
}
