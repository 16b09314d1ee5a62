// What the views need no elements for: drawings, and work that waits for a frame.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { moved, readBoard, samePile } from "../../../client_web/cellrace_web/game/board.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { face } from "../../../client_web/cellrace_web/views/drawings.js";

test("a card's drawings are the suit's beside the rank and something large", () => {
  const diamond = "M77 6.13l10.09 14.88L77 35.88 66.91 21z";
  assert.equal(face(1), `${diamond}M50 54.6l23.75 35L50 124.6 26.25 89.6z`);
  assert.ok(face(41).startsWith(diamond));
  assert.notEqual(face(41), face(45));
  for (let card = 0; card < 52; card += 1) assert.doesNotMatch(face(card), /NaN|undefined/);
});

test("an arc keeps its turn and its flags, and only what is absolute is put elsewhere", () => {
  assert.match(face(0), /^M77 7\.19a6\.59 6\.59 0 0 1 5\.31 10\.52 6\.69 6\.69 0 1 1 -3\.72 10\.2c/);
  assert.match(face(2), /^M77 34\.81C69\.56 27\.91 63\.19 22\.59 63\.19 16\.01A7\.22 7\.22 0 0 1 77 12\.71a/);
  assert.match(face(40), /M30 117\.1h40v-7\.5H30z/);
});

test("a move changes the piles that it is between", () => {
  const board = deal(617);
  const next = moved(board, 1, 8, 1);
  const changed = (before, after) => Array.from({ length: 16 }, (_, pile) => pile).filter((pile) => !samePile(before, after, pile));
  assert.deepEqual(changed(board, next), [1, 8]);
  assert.deepEqual(changed(board, deal(617)), []);
  const one = readBoard("/".repeat(7) + "|----|0000");
  assert.deepEqual(changed(one, { ...one, foundations: [0, 1, 0, 0] }), [13]);
});

test("what has time is done once, behind the frame, or without one where the page is not seen", async () => {
  const seen = { hidden: false, addEventListener: (_, run) => (seen.changed = run) };
  globalThis.document = seen;
  const { Later } = await import("../../../client_web/cellrace_web/later.js");
  mock.timers.enable({ apis: ["setTimeout"] });
  const frames = [];
  globalThis.window = globalThis;
  globalThis.requestAnimationFrame = (run) => frames.push(run);
  globalThis.cancelAnimationFrame = () => (frames.length = 0);
  const said = [];
  const [one, other] = ["one", "other"].map((name) => new Later(() => said.push(name)));
  for (const later of [one, other, one]) later.ask();
  mock.timers.tick(16);
  assert.deepEqual(said, []);
  frames.splice(0).forEach((run) => run());
  assert.deepEqual(said, [], "not within the frame");
  mock.timers.tick(1);
  assert.deepEqual(said, ["one", "other"]);
  one.ask();
  other.ask();
  other.drop();
  one.now();
  one.now();
  assert.deepEqual(said.splice(0), ["one", "other", "one"]);
  const busy = new Later(() => (said.push("busy"), one.ask()));
  for (const later of [busy, other]) later.ask();
  frames.splice(0).forEach((run) => run());
  mock.timers.tick(10);
  assert.deepEqual(said.splice(0), ["busy"], "what is left comes behind the frame that somebody waits for");
  frames.splice(0).forEach((run) => run());
  mock.timers.tick(10);
  assert.deepEqual(said.splice(0), ["other", "one"]);
  other.ask();
  seen.hidden = true; // and no frame comes
  seen.changed();
  assert.deepEqual(frames, []);
  one.ask();
  mock.timers.tick(10);
  assert.deepEqual(said.splice(0), ["other", "one"]);
  one.ask();
  mock.timers.tick(10);
  assert.deepEqual(said, ["one"]);
  mock.timers.reset();
});
