// Moves that are made again in a race.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardText } from "../../../client_web/cellrace_web/game/board.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { Line, perform } from "../../../client_web/cellrace_web/game/line.js";
import { readRules } from "../../../client_web/cellrace_web/game/rules.js";
import { Race } from "../../../client_web/cellrace_web/wire/race.js";

/** One's own race that runs, and what it says. */
function running() {
  const said = [];
  const race = new Race({ send: (messages) => said.push(...messages), tell: () => undefined }, { ch: 0, race: "kbjueza", seat: 0, n: 1 }, () => 0);
  const board = boardText(deal(617));
  /** A snapshot in which the server has applied all below `n`, which leads to where `moves` do from the deal. */
  const look = (n, ...moves) => {
    const line = moves.reduce((before, text) => perform(before, { move: text }), Line.begin(readRules("classic"), deal(617), deal(617)));
    const seat = ["p1", "Ada", "human", true, false, -1, 0, n - 1, 0, 0, boardText(line.board)];
    race.hear({ tag: "snap", ch: 0, k: 4 + n, race: "kbjueza", phase: "running", time: 0, age: 0, until: -1, host: "p1", rules: "classic", deal: "FC1-C4-AAAAATJ", start: board, you: 0, n, seats: [seat], end: "", standings: [], rematch: "", spectators: 0, game: 1 });
  };
  look(1);
  const shown = () => boardText(race.prediction.shown.board);
  const plays = (...texts) => texts.forEach((text) => assert.equal(race.act(text === "u" || text === "restart" ? { tag: text } : { move: text }), null, text));
  return { race, said, shown, plays, look };
}

test("what was undone is made again, and is a move for the server", () => {
  const { race, said, shown, plays } = running();
  assert.equal(race.redo().reason, "nothing_to_redo");
  plays("2a", "2b");
  const there = shown();
  plays("u", "u");
  assert.deepEqual([race.redo(), race.redo()], [null, null]);
  assert.equal(shown(), there);
  assert.deepEqual(said.map(({ tag, n, move = "" }) => [tag, n, move]), [["m", 1, "2a"], ["m", 2, "2b"], ["u", 3, ""], ["u", 4, ""], ["m", 5, "2a"], ["m", 6, "2b"]]);
  assert.equal(race.redo().reason, "nothing_to_redo");
});

test("a restart is gone back on move by move", () => {
  const { race, shown, plays } = running();
  plays("2a", "2b");
  const there = shown();
  plays("u", "restart");
  assert.deepEqual([race.redo(), race.redo()], [null, null]);
  assert.equal(shown(), there);
});

test("another move clears what was undone, the same one does not", () => {
  const { race, plays } = running();
  plays("2a", "2b", "u", "u", "2a");
  assert.equal(race.redo(), null);
  plays("u", "3b");
  assert.equal(race.redo().reason, "nothing_to_redo");
});

test("what cannot be made again is refused here", () => {
  const { race, said, plays } = running();
  plays("2a", "u");
  race.takenBack.moves = [{ source: 9, destination: 0, count: 1 }];
  assert.equal(race.redo().reason, "empty_source");
  assert.equal(said.length, 2);
});

test("nothing is made again where the board is not where it was", () => {
  const refused = running();
  refused.plays("2a", "u");
  refused.race.hear({ tag: "no", ch: 0, n: 2, code: "nothing_to_undo", text: "", expected: 2, retry_after: 0 });
  assert.equal(refused.race.redo().reason, "nothing_to_redo");

  const unforeseen = running();
  unforeseen.plays("2a", "u");
  unforeseen.look(3); // moves of before the snapshot
  assert.notEqual(unforeseen.race.takenBack.next, undefined);
  unforeseen.plays("u");
  assert.equal(unforeseen.race.redo().reason, "nothing_to_redo");

  const elsewhere = running();
  elsewhere.plays("2a", "2b", "u");
  elsewhere.look(4, "3c");
  assert.equal(elsewhere.race.redo().reason, "nothing_to_redo");
});
