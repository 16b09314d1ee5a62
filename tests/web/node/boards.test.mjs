// Boards without their elements: where one stands, which pages there are, and when the next day is due.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deadline } from "../../../client_web/cellrace_web/deadline.js";
import { isShown, pagesAround, shownWords, standingWords } from "../../../client_web/cellrace_web/standing.js";

test("where one stands, in words", () => {
  assert.equal(standingWords({ total: 240, worse: 235, place: 5 }), "Your place is 5 of 240: ahead of 98 % of the others.");
  assert.equal(standingWords({ total: 1, worse: 0, place: 1 }), "You are the only one here so far.");
  assert.equal(standingWords({ total: 2, worse: 0, place: 1 }), "Your place is 1 of 2.");
  assert.equal(standingWords({ total: 7, worse: 0, place: undefined }), "");
});

test("pages lead from the top to the last row and back", () => {
  const rows = (n) => Array(n).fill([]);
  assert.deepEqual(pagesAround({ rows: rows(10), offset: 0, total: 24 }, 10), { before: null, next: { offset: 10, around: false } });
  assert.deepEqual(pagesAround({ rows: rows(4), offset: 20, total: 24 }, 10), { before: { offset: 10, around: false }, next: null });
  assert.deepEqual(pagesAround({ rows: rows(10), offset: 7, total: 24 }, 10).before, { offset: 0, around: false }, "behind the page around oneself");
  assert.deepEqual(pagesAround({ rows: [], offset: 0, total: 0 }, 10), { before: null, next: null });
  assert.equal(shownWords({ rows: rows(4), offset: 20, total: 24 }), "21 to 24 of 24");
  assert.equal(shownWords({ rows: rows(4), offset: 0, total: 4 }), "");
  assert.deepEqual([6, 7, 16, 17].map((ahead) => isShown({ rows: rows(10), offset: 7 }, ahead)), [false, true, true, false]);
});

test("the next day is due by the steady clock, and asked for anew where a clock stood still or was set", () => {
  const due = new Deadline(60_000, 1_000, 5_000_000);
  assert.equal(due.left(31_000), 30_000);
  assert.equal(due.isPast(31_000, 5_030_000), false);
  assert.equal(due.isPast(31_000, 5_031_500), false, "clocks do not go alike to the second");
  assert.equal(due.isPast(31_000, 5_630_000), true, "a machine that slept for ten minutes");
  assert.equal(due.isPast(31_000, 4_030_000), true);
  assert.equal(due.isPast(61_000, 5_060_000), true);
  assert.equal(due.left(70_000), 0);
});
