/** Everything that goes over the network: one connection, one identity, the races that are received on it. */

import { Store } from "./store.js";
import { Connection } from "./wire/connection.js";
import { Race } from "./wire/race.js";

/** @typedef {import("./wire/messages.js").Message} Message */
/** @typedef {import("./settings.js").Settings} Settings */

/** Notices about the race on their channel; others have channel 0, which is also that of the first race. */
const OF_A_RACE = ["taken_over", "closed"];

const now = () => performance.now();

export class Online {
  /** @param {Store<Settings>} settings */
  constructor(settings) {
    this.settings = settings;
    this.state = new Store({ being: /** @type {import("./wire/connection.js").Being} */ ("off"), player: "", name: settings.state.name, notice: "" });
    /** @type {Map<number, Race>} by channel */
    this.races = new Map();
    /** @type {((race: Race) => void) | null} the server has brought us to another race */
    this.brought = null;
    /** @type {((message: Message) => void) | null} */
    this.listed = null;
    const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
    const owner = {
      hello: () => this.hello(),
      welcomed: (/** @type {Message} */ welcome) => this.welcomed(welcome),
      hear: (/** @type {Message} */ message) => this.hear(message),
      changed: (/** @type {import("./wire/connection.js").Being} */ being) => this.state.set({ being }),
    };
    this.connection = new Connection(url, owner, new URLSearchParams(location.search).has("json"));
  }

  /** @returns {Message} */
  hello() {
    const { name, token } = this.settings.state;
    return { tag: "hello", version: 1, name: name.slice(0, 24), token, kind: "human", agent: "cellrace page" };
  }

  /** @param {Message} welcome */
  welcomed({ player, name, token }) {
    this.settings.set({ token });
    this.state.set({ player, name });
    for (const race of [...this.races.values()]) if (!race.isTakenOver) void this.resume(race);
  }

  /** @param {Race} race */
  async resume(race) {
    try {
      const entered = await this.ask(race.session.resume(0));
      this.races.delete(race.ch);
      race.enteredAgain(entered);
      this.races.set(race.ch, race);
    } catch {
      this.races.delete(race.ch);
    }
  }

  /** @param {Message} message */
  hear(message) {
    if (message.tag === "listing") this.listed?.(message);
    else if (message.tag === "in") this.brought?.(this.entered(message));
    else if (message.tag === "notice" && !OF_A_RACE.includes(message.code)) this.state.set({ notice: message.text });
    else if (message.tag === "error") this.refused(message);
    else if ("ch" in message) this.races.get(message.ch)?.hear(message);
  }

  /** @param {Message} error */
  refused({ code }) {
    // The identity is gone, or the name is not wanted: begin as somebody new.
    if (code === "revoked" || code === "bad_token") this.settings.set({ token: "" });
    else if (code === "bad_name") this.settings.set({ name: "" });
    else return;
    this.connection.post(this.hello());
  }

  /** @param {Message} message @returns {Promise<Message>} */
  ask(message) {
    const answer = this.connection.ask(message);
    return answer;
  }

  /** Enter a race; the answer is one that hears from now on. @param {Message} request @returns {Promise<Race>} */
  async enter(request) {
    const race = this.entered(await this.ask(request));
    return race;
  }

  /** @param {Message} entered */
  entered(entered) {
    const known = this.races.get(entered.ch);
    if (known && known.session.race === entered.race) {
      known.isTakenOver = false;
      known.enteredAgain(entered);
      return known;
    }
    const race = new Race(this.connection, entered, now);
    this.races.set(entered.ch, race);
    return race;
  }

  /** Receive nothing more of a race. @param {Race} race */
  part(race) {
    if (this.races.get(race.ch) !== race) return;
    this.races.delete(race.ch);
    if (!race.isTakenOver) this.connection.tell({ tag: "part", ch: race.ch });
  }
}
