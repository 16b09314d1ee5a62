/** Playing alone: a dealt board at once, no server needed. */

import { Practice } from "../game/practice.js";
import { boardText } from "../game/board.js";
import { finishingMove } from "../game/referee.js";
import { steps } from "../game/way.js";
import { moveText, readMove } from "../game/notation.js";
import { keep, kept } from "../settings.js";
import { t } from "../i18n.js";
import { Later } from "../later.js";
import { moveWords } from "../words.js";
import { button, openDialog } from "./dialogs.js";
import { clock, h, hasPointer } from "./dom.js";
import { Pane, finishWords } from "./pane.js";
import { play } from "./sounds.js";
import { Status } from "./status.js";

/** @typedef {import("../app.js").App} App */

const KEY = "cellrace practice";
const FINISH_MS = 90;
const SAVE_MS = 100; // behind a move: the browser takes longer to keep it than to show it
const now = () => performance.now();

export class PracticeScreen {
  /** @param {App} app @param {string} [typed] a deal that is asked for: it goes on where it was, or begins */
  constructor(app, typed = "") {
    this.app = app;
    const before = Practice.restore(kept(KEY));
    const asked = Practice.typed(typed, this.rules);
    const goesOn = before && !before.line.won && (!asked || before.code === asked.code);
    this.game = goesOn ? before : asked ?? this.someGame();
    /** @type {Map<string, string>} what to do on the boards of a way home that was found */
    this.way = new Map();
    /** @type {Worker | null} */
    this.worker = null;
    this.sought = ""; // the board for which it looks for a way
    this.status = new Status("label", "deal", "time", "moves", "home", "points");
    /** @type {Pane} */
    this.pane = new Pane(app.settings, { line: () => this.game.line, act: (action) => this.act(action), extra: (name) => (name === "hint" ? this.hint() : this.redo()) }, [
      { key: "undo", sign: "↶", shortcut: "U", run: () => this.pane.act({ tag: "u" }), when: () => this.game.line.depth > 0 && !this.game.line.won },
      { key: "redo", sign: "↷", shortcut: "Y", run: () => this.redo(), when: () => this.game.undone.length > 0 },
      { key: "hint", sign: "?", shortcut: "?", run: () => this.hint(), when: () => !this.game.line.won },
      { key: "finish", sign: "⇈", shortcut: "F", run: () => this.pane.act({ tag: "finish" }), when: () => this.game.line.finishable && !this.game.line.won },
      { key: "restart", sign: "⟲", run: () => (this.game.line.won ? this.again() : this.pane.act({ tag: "restart" })), when: () => this.game.line.moves > 0 },
      { key: "newDeal", sign: "+", run: () => this.askDeal() },
    ]);
    this.element = h("div", { class: "screen practice" }, this.status.element, this.pane.element);
    this.finishing = 0;
    this.ticking = window.setInterval(() => this.tick(), 250);
    this.stop = () => this.stopFinish();
    this.saving = 0;
    this.telling = new Later(() => this.tell());
    this.saved = () => this.save();
    addEventListener("pointerdown", this.stop, true);
    addEventListener("keydown", this.stop, true);
    addEventListener("pagehide", this.saved);
    this.pane.show(false);
    this.tick();
    if (typed && !asked) this.pane.say(t("badDeal"), true);
  }

  get rules() {
    return this.app.settings.state.rules;
  }

  someGame() {
    return new Practice(1 + Math.floor(Math.random() * 32_000), this.rules);
  }

  close() {
    clearInterval(this.ticking);
    this.telling.drop();
    this.pane.close();
    this.stopFinish();
    removeEventListener("pointerdown", this.stop, true);
    removeEventListener("keydown", this.stop, true);
    removeEventListener("pagehide", this.saved);
    this.game.pause(now());
    this.save();
    this.stopSearch();
  }

  save() {
    clearTimeout(this.saving);
    this.saving = 0;
    keep(KEY, this.game.kept(now()));
  }

  tick() {
    const { line } = this.game;
    const points = line.rules.points_to_foundation ? t("points", { n: line.score }) : "";
    this.status.show(t("unranked"), `#${this.game.number}`, clock(this.game.time(now())), t("moves", { n: line.moves }), t("home", { n: line.home }), points);
  }

  /** @param {import("../wire/session.js").Action} action */
  act(action) {
    if ("tag" in action && action.tag === "finish") return this.finish();
    const refusal = this.game.act(action, now());
    if (!refusal) this.after();
    return refusal;
  }

  after() {
    this.telling.ask();
    if (this.game.line.won) this.won();
  }

  tell() {
    this.tick();
    this.saving ||= window.setTimeout(this.saved, SAVE_MS);
  }

  finish() {
    if (!this.game.line.finishable || this.game.line.won) return { reason: "not_finishable" };
    this.finishing ||= window.setInterval(() => {
      const { line } = this.game;
      const move = line.won ? null : finishingMove(line.board);
      if (!move) return this.stopFinish();
      this.game.act({ move: moveText(move, line.board, line.rules) }, now());
      this.pane.show();
      this.after();
    }, FINISH_MS);
    return null;
  }

  stopFinish() {
    if (!this.finishing) return; // asked at every key
    clearInterval(this.finishing);
    this.finishing = 0;
  }

  redo() {
    const move = this.game.undone.at(-1);
    const refusal = this.game.redo(now());
    this.pane.refuse(refusal);
    if (!refusal) {
      this.after();
      this.pane.redone(move ?? "");
    }
    this.pane.show();
  }

  /** @returns {void} */
  hint() {
    const { line } = this.game;
    const board = boardText(line.board);
    const known = this.way.get(board);
    if (line.won) return;
    if (line.finishable) return this.pane.say(finishWords());
    if (known) return this.showHint(known);
    this.pane.say(t("hintSearching"));
    if (this.sought === board) return; // it is being looked for
    if (this.sought) this.stopSearch(); // what is not asked for any more is not waited for
    this.sought = board;
    this.worker ??= new Worker(new URL("../hint-worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
      this.sought = "";
      if (data.id !== boardText(this.game.line.board)) return;
      this.way = steps(this.game.line, data.moves);
      const next = this.way.get(data.id);
      if (next) this.showHint(next);
      else this.pane.say([t(data.isLost ? "hintLost" : "hintNone"), this.game.line.moves ? t("hintUndo") : ""].join(" ").trim());
    };
    this.worker.onerror = () => {
      this.stopSearch(); // another begins anew
      this.pane.say(t("hintNone"));
    };
    this.worker.postMessage({ id: board, board, rules: this.game.rules });
  }

  stopSearch() {
    this.worker?.terminate();
    this.worker = null;
    this.sought = "";
  }

  /** @param {string} text */
  showHint(text) {
    const move = readMove(text, this.game.line.board, this.game.line.rules);
    if ("reason" in move) return;
    const { source, destination, count } = move;
    this.pane.table.hint({ pile: source, count }, destination);
    this.pane.say(t(hasPointer() ? "hintIs" : "hintShort", { move: text, way: moveWords(move, this.game.line.board) }));
  }

  won() {
    this.telling.now();
    play("won", this.app.settings.state.sounds);
    const dialog = openDialog(
      t("won"),
      h("p", { class: "big" }, clock(this.game.time(now()), true)),
      h("p", {}, t("moves", { n: this.game.line.moves })),
      h("p", { class: "buttons" }, button("newDeal", () => (dialog.close(), this.begin(this.someGame())), "main"), button("playAgain", () => (dialog.close(), this.again())), button("raceFriend", () => (dialog.close(), this.app.go("#friend")))),
    );
  }

  /** The same deal from its beginning, on a clock of its own. */
  again() {
    this.begin(new Practice(this.game.number, this.game.rules));
  }

  /** @param {Practice} game */
  begin(game) {
    this.stopFinish();
    this.game = game;
    this.save();
    this.pane.table.select(null);
    this.pane.say("");
    this.pane.show(false);
    this.tick();
  }

  askDeal() {
    const input = h("input", { id: "deal", inputmode: "text", autocomplete: "off", placeholder: "617", "aria-label": t("dealNumber") });
    const wrong = h("p", { class: "refused", role: "alert" });
    const take = () => {
      const game = Practice.typed(input.value, this.rules);
      if (!game) return void (wrong.textContent = t("badDeal"));
      dialog.close();
      this.begin(game);
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && take());
    const dialog = openDialog(
      t("newDeal"),
      button("randomDeal", () => (dialog.close(), this.begin(this.someGame())), "main wide"),
      h("label", { for: "deal" }, t("dealNumber")),
      h("p", { class: "row" }, input, button("play", take)),
      wrong,
    );
  }
}

