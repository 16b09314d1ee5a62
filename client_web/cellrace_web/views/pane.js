/** What is played on: a table, its tools, and one line for what there is to say. */

import { t } from "../i18n.js";
import { Later } from "../later.js";
import { refusalWords } from "../words.js";
import { announce, h, hasPointer, setText } from "./dom.js";
import { play } from "./sounds.js";
import { CardTable } from "./table.js";

/** @typedef {import("../game/line.js").Line} Line */
/** @typedef {import("../game/referee.js").Refusal} Refusal */
/** @typedef {import("../wire/session.js").Action} Action */
/** @typedef {import("../store.js").Store<import("../settings.js").Settings>} SettingsStore */
/** @typedef {{key: string, sign: string, run: () => void, when?: () => boolean, shortcut?: string}} Tool */

const SAID_MS = 5_000;

/** That all cards can go home, with the key for it where there may be keys. */
export const finishWords = () => t("canFinish", { key: hasPointer() ? " (F)" : "" });

export class Pane {
  /** @param {SettingsStore} settings @param {{line: () => Line, act: (action: Action) => Refusal | null,
   *   extra?: (name: "redo" | "hint") => void}} played @param {Tool[]} tools */
  constructor(settings, played, tools) {
    this.settings = settings;
    this.played = played;
    this.timer = 0;
    this.asked = new AbortController(); // ends what is asked
    /** @type {HTMLElement | null} what had the focus when it was asked */
    this.asker = null;
    this.standing = ""; // what is said where nothing else is
    /** @type {Action | null} what was done last and is still to be told of */
    this.done = null;
    this.telling = new Later(() => this.tell());
    this.table = /** @type {CardTable} */ (document.createElement("card-table"));
    this.table.game = {
      line: played.line,
      act: (action) => this.act(action),
      say: (refusal) => this.refuse(refusal),
      extra: played.extra,
    };
    this.table.tapSends = (touch) => {
      const { tap } = settings.state;
      return tap === "send" || (tap === "auto" && touch);
    };
    this.table.mirrored = settings.state.leftHanded;
    this.said = h("p", { class: "said" });
    this.tools = tools.map((tool) => ({ tool, button: toolButton(tool, () => this.table.letGo()) }));
    this.bar = h("div", { class: "tools", role: "toolbar", "aria-label": t("tools") }, ...this.tools.map(({ button }) => button));
    this.answers = h("div", { class: "tools answers", hidden: true });
    this.element = h("section", { class: "pane" }, this.table, this.said, this.bar, this.answers);
  }

  /** Show something else beside the table, or below it where there is more room. @param {HTMLElement} other */
  seat(other) {
    const tables = h("div", { class: "tables" });
    this.table.replaceWith(tables);
    tables.append(this.table, other);
  }

  /** Do something: the board shows it with the next frame, all else has time until then. @param {Action} action */
  act(action) {
    const refusal = this.played.act(action);
    this.showBoard();
    if (refusal) {
      this.answered();
      this.refuse(refusal);
      return;
    }
    this.done = action;
    this.telling.ask();
  }

  /** Say nothing more: it is shown no longer. */
  close() {
    clearTimeout(this.timer);
    this.asked.abort();
    this.telling.drop();
  }

  /** Tell of what was done last. */
  tell() {
    const { done } = this;
    this.done = null;
    this.showTools();
    if (!done) return;
    this.answered();
    play("move", this.settings.state.sounds);
    const words = this.doneWords(done);
    if (words) announce(words);
    if (!("tag" in done && done.tag === "finish")) this.judge();
  }

  /** @param {Action} done */
  doneWords(done) {
    const n = this.played.line().home;
    if ("move" in done) return t("moved", { move: done.move, n });
    return done.tag === "u" ? t("undone", { n }) : done.tag === "restart" ? t("begunAgain") : "";
  }

  /** A move that was taken back was made again. @param {string} move */
  redone(move) {
    announce(t("redone", { move, n: this.played.line().home }));
    this.judge();
  }

  /** Say so where the board leads nowhere, or home by itself. */
  judge() {
    const line = this.played.line();
    if (line.stuck) this.say(t("stuck"), true);
    else if (line.finishable && !line.won) this.say(finishWords());
  }

  /** @param {Refusal & {text?: string} | null} refusal */
  refuse(refusal) {
    if (!refusal) return this.say("");
    this.telling.now(); // what is refused comes behind what was done
    play("refused", this.settings.state.sounds);
    this.say(refusal.text || refusalWords(refusal), true);
  }

  /** Say something in the one line there is. @param {string} text @param {boolean} [refused] */
  say(text, refused = false) {
    clearTimeout(this.timer);
    setText(this.said, text || this.standing);
    this.said.classList.toggle("refused", refused);
    if (!text) return;
    announce(text);
    this.timer = window.setTimeout(() => this.say(""), SAID_MS);
  }

  /** Ask something; the answers take the place of the tools until one is given. @param {string} question
   * @param {...HTMLElement} answers */
  ask(question, ...answers) {
    this.say(question);
    clearTimeout(this.timer);
    this.asker = /** @type {HTMLElement | null} */ (document.activeElement);
    this.asked.abort();
    this.asked = new AbortController();
    addEventListener("keydown", (event) => event.key === "Escape" && this.answered(), { signal: this.asked.signal });
    this.answers.replaceChildren(...answers);
    this.bar.hidden = true;
    this.answers.hidden = false;
    answers.at(-1)?.focus();
  }

  /** What was asked is asked no more. */
  answered() {
    const isOn = this.answers.contains(document.activeElement);
    this.asked.abort();
    if (this.bar.hidden) [this.bar.hidden, this.answers.hidden] = [false, true];
    if (isOn) this.asker?.focus(); // what was pressed is there no more
    this.say("");
  }

  /** Say something whenever there is nothing else to say. @param {string} text */
  stand(text) {
    if (text === this.standing) return;
    this.standing = text;
    if (this.answers.hidden) this.say("");
    announce(text);
  }

  /** Show the board as it is now. @param {boolean} [moving] */
  show(moving = true) {
    this.showBoard(moving);
    this.showTools();
  }

  /** @param {boolean} [moving] */
  showBoard(moving = true) {
    const { board } = this.played.line();
    if (this.table.board !== board) this.table.show(board, moving);
  }

  showTools() {
    for (const { tool, button } of this.tools) {
      const open = tool.when?.() ?? true;
      if (button.disabled === open) button.disabled = !open;
    }
  }
}

/** @param {Tool} tool @param {() => void} letGo of what is held: whoever turns to a tool does something else
 * @returns {HTMLButtonElement} */
function toolButton({ key, sign, run, shortcut }, letGo) {
  const name = t(key);
  return h(
    "button",
    { type: "button", class: `tool tool-${key}`, title: shortcut ? `${name} (${shortcut})` : name, "aria-keyshortcuts": shortcut, onclick: () => (letGo(), run()) },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("span", { class: "word" }, name),
  );
}
