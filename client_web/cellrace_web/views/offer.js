/** Somebody wants to race again, while one looks at something else: said wherever one is, with the ways to say yes or no. */

import { t } from "../i18n.js";
import { button } from "./dialogs.js";
import { announce, h } from "./dom.js";
import { askerOf } from "./lobby.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../wire/race.js").Race} Race */

export class Offer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Race | null} the next race, in which one has a seat already */
    this.race = null;
    this.element = h("div", { class: "offer", hidden: true });
  }

  /** Offer a race to which the server has brought us. @param {Race} race */
  make(race) {
    this.race = race;
    const tell = () => (this.tell(), this.app.tellBack());
    race.watcher = { changed: tell, takenOver: tell, lost: () => this.drop() };
    this.tell();
  }

  /** It stands while the race waits for us, and somebody is there. */
  tell() {
    const { race } = this;
    if (!race) return;
    const isOpen = ["waiting", "lobby"].includes(race.stage);
    const name = askerOf(race)?.name ?? "";
    if (!isOpen || (race.model && !name)) return this.drop();
    if (!race.model || !this.element.hidden) return;
    const words = t("wantsAgain", { name });
    this.element.hidden = false;
    this.element.replaceChildren(h("span", {}, words), button("raceAgain", () => this.take(race), "main"), button("notNow", () => this.refuse(race)));
    announce(words);
  }

  /** @param {Race} race */
  take(race) {
    this.drop();
    this.app.showRace(race);
  }

  /** Give the seat back, so that nobody waits. @param {Race} race */
  refuse(race) {
    this.drop();
    void race.left().then(() => this.app.online.part(race));
  }

  /** Offer nothing any more. */
  drop() {
    this.race = null;
    this.element.hidden = true;
  }
}
