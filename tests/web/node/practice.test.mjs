// Playing alone: what a typed deal begins.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardText } from "../../../client_web/cellrace_web/game/board.js";
import { Practice } from "../../../client_web/cellrace_web/game/practice.js";
import { dealCode } from "../../../client_web/cellrace_web/game/deals.js";

test("a typed deal begins a game with its cells", () => {
  const begun = (text) => Practice.typed(text, "pocket");
  assert.deepEqual([begun("617").number, begun("617").rules], [617, "pocket"]);
  const two = begun(dealCode(617, 2));
  assert.deepEqual([two.number, two.rules, two.line.board.cells.length], [617, "pocket+cells=2", 2]);
  assert.equal(Practice.restore(two.kept(0)).line.board.cells.length, 2);
  for (const text of ["", "0", "1.5", "Infinity", "-3", "1e3", "hello", "99999999999"]) assert.equal(begun(text), null, text);
});

test("a game that was begun again by mistake is made again move by move", () => {
  const game = new Practice(617, "classic");
  for (const move of ["2a", "2b", "8c"]) assert.equal(game.act({ move }, 0), null);
  const there = boardText(game.line.board);
  game.act({ tag: "u" }, 0);
  assert.equal(game.act({ tag: "restart" }, 0), null);
  assert.deepEqual([game.line.moves, game.moves], [0, []]);
  for (const done of ["2a", "2b", "8c"]) {
    assert.equal(game.redo(0), null);
    assert.equal(game.moves.at(-1), done);
  }
  assert.deepEqual([boardText(game.line.board), game.undone], [there, []]);
});
