// What becomes of actions that windows have left without an answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { judged } from "../../../client_web/cellrace_web/wire/left.js";

const action = { move: "2a" };
/** Actions from `n` on, each from one of these boards to the next. */
const chain = (n, ...boards) => boards.slice(1).map((to, at) => ({ n: n + at, action, on: boards[at], to }));
const judge = (lists, next, board, isOpen = true) => {
  const { send, missing } = judged(lists, next, board, isOpen);
  return [send.map(({ n }) => n), missing];
};

test("what was left is sent in its place and on its board", () => {
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 5, 10), [[5, 6], 0]);
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 6, 11), [[6], 0]);
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 7, 12), [[], 0]);
});

test("what is on another board, in another place or behind a gap may be missing", () => {
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 5, 99), [[], 2]);
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 6, 99), [[], 2]);
  assert.deepEqual(judge([chain(5, 10, 11, 12)], 9, 99), [[], 2]);
  assert.deepEqual(judge([chain(6, 10, 11, 12)], 5, 10), [[], 2]);
  assert.deepEqual(judge([[...chain(5, 10, 11), ...chain(7, 11, 12)]], 5, 10), [[], 2]);
});

test("of two windows that go on from one board one is followed, and what is the same counts once", () => {
  assert.deepEqual(judge([chain(5, 10, 11), chain(5, 10, 11, 12)], 5, 10), [[5], 1]);
  assert.deepEqual(judge([chain(5, 10, 11, 12), chain(5, 10, 11)], 5, 10), [[5, 6], 0]);
  assert.deepEqual(judge([chain(5, 10, 21), chain(5, 10, 11, 12)], 5, 10), [[5], 2]);
  assert.deepEqual(judge([chain(5, 99, 11), chain(5, 10, 11, 12)], 5, 10), [[5, 6], 1]);
});

test("nothing is sent where nothing can be made, or where nobody knows on which board", () => {
  assert.deepEqual(judge([chain(5, 10, 11)], 5, 10, false), [[], 1]);
  assert.deepEqual(judge([chain(5, 10, 11)], 6, 11, false), [[], 0]);
  assert.deepEqual(judge([chain(5, -1, -1)], 5, -1), [[], 1]);
  assert.deepEqual(judge([chain(5, 10, -1)], 6, -1), [[], 1]);
  assert.deepEqual(judge([chain(5, 10, -1, -1)], 5, 10), [[5, 6], 0]);
  assert.deepEqual(judge([[], []], 5, 10), [[], 0]);
});
