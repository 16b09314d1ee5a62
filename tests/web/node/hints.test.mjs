// Hints: a way home from any board, and what the page hears of it. Counted in boards that are opened, never in time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardText } from "../../../client_web/cellrace_web/game/board.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { Line, perform } from "../../../client_web/cellrace_web/game/line.js";
import { Practice } from "../../../client_web/cellrace_web/game/practice.js";
import { legalMoves } from "../../../client_web/cellrace_web/game/referee.js";
import { readRules } from "../../../client_web/cellrace_web/game/rules.js";
import { steps } from "../../../client_web/cellrace_web/game/way.js";
import { wayHome } from "../../../client_web/cellrace_web/game/way-home.js";

const worker = { ask: null, answers: [] };
globalThis.addEventListener = (_, listener) => (worker.ask = listener);
globalThis.postMessage = (answer) => worker.answers.push(answer);
await import("../../../client_web/cellrace_web/hint-worker.js");

const EVERY_RULES = ["classic", "relaxed", "pocket", "linear", "classic+cells=2", "linear+cells=2", "pocket+cells=1", "relaxed+automatic_moves=yes"];

const begun = (number, text) => Line.begin(readRules(text), deal(number, readRules(text).cells));

/** A way home from where a line stands, and how many boards were opened; no more than `most`. */
function sought(line, most) {
  let opened = 0;
  const moves = wayHome(line.board, line.rules, () => (opened += 1) <= most);
  return { moves, opened };
}

/** The line after moves, each as the page makes it. */
function followed(line, moves) {
  return moves.reduce((now, move) => {
    assert.ok(!now.finishable, `${move} is not needed any more`);
    const next = perform(now, { move });
    assert.ok(next instanceof Line, `${move}: ${JSON.stringify(next)}`);
    return next;
  }, line);
}

/** The line after legal moves that nobody would make on purpose, always the same ones. */
function wandered(line, moves, seed) {
  let now = line;
  for (let at = 0; at < moves; at += 1) {
    const all = legalMoves(now.board, now.rules);
    if (all.length) now = now.play(all[(seed * 31 + at * 7) % all.length]);
  }
  return now;
}

test("a way home is found from the first board of the deals that people asked for", () => {
  for (const rules of ["classic", "relaxed"]) {
    for (const [number, most] of [[617, 1_000], [31465, 15_000], [24, 1_000], [114, 1_000], [178, 1_000]]) {
      const { moves } = sought(begun(number, rules), most);
      assert.ok(moves, `${number} under ${rules} within ${most} boards`);
      assert.ok(followed(begun(number, rules), moves).finishable);
    }
  }
});

test("nearly all deals take a few hundred boards", () => {
  const opened = Array.from({ length: 40 }, (_, at) => sought(begun(at + 1, "classic"), 3_000));
  assert.ok(opened.every((found) => found.moves));
  assert.ok(opened.filter((found) => found.opened <= 300).length >= 36);
});

test("under all rules each move of a way is one that the page makes", () => {
  for (const rules of EVERY_RULES) {
    let found = 0;
    for (let number = 1; number <= 8; number += 1) {
      for (const line of [begun(number, rules), wandered(begun(number, rules), 10 + number, number)]) {
        const { moves } = sought(line, 1_000);
        if (!moves) continue;
        found += 1;
        assert.ok(followed(line, moves).finishable, `${number} under ${rules}`);
      }
    }
    assert.ok(found > (rules.endsWith("1") ? 1 : 4), `${found} found under ${rules}`);
  }
});

test("a way home that was found leads on from each of its boards", () => {
  const game = new Practice(8, "classic");
  const { moves } = sought(game.line, 1_000);
  const way = steps(game.line, moves);
  for (const text of moves) {
    assert.equal(way.get(boardText(game.line.board)), text);
    assert.equal(game.act({ move: text }, 0), null);
  }
  assert.ok(game.line.finishable);
  assert.equal(way.size, moves.length);
});

test("a way home is looked for no longer than there is time", () => {
  const { moves, opened } = sought(begun(617, "classic"), 10);
  assert.equal(moves, undefined);
  assert.ok(opened < 30, `${opened} boards`);
});

test("where nothing leads home the search ends by itself, once", () => {
  for (const [rules, sure] of [["pocket+cells=1", undefined], ["classic+cells=1", null]]) { // cards may come back, or not
    const { moves, opened } = sought(begun(14, rules), Infinity);
    assert.deepEqual([moves, opened < 100], [sure, true]);
  }
});

test("no search keeps more boards than it may: each that is opened adds some", () => {
  const { board, rules } = begun(31465, "classic");
  let opened = 0;
  const looked = () => (opened += 1) <= 15_000;
  assert.equal(wayHome(board, rules, looked, 2_000), undefined);
  assert.ok(opened < 8_000, `${opened} boards`);
});

test("the page hears the way for the board that it asked for, or that there is none", () => {
  const [line, lost] = [begun(617, "relaxed"), begun(14, "pocket+cells=1")];
  const asked = { id: "one", board: boardText(line.board), rules: "relaxed" };
  worker.ask({ data: asked });
  worker.ask({ data: { id: "two", board: boardText(lost.board), rules: "pocket+cells=1" } });
  const [found, none] = worker.answers;
  assert.deepEqual([found.id, none], ["one", { id: "two", moves: [], isLost: false }]);
  assert.ok(followed(line, found.moves).finishable);
});
