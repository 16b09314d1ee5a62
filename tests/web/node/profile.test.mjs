// A player's career without its elements: the drawn line, and an export that comes in pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linePath, wholeExport } from "../../../client_web/cellrace_web/profile.js";

test("ratings are a line from the first to the last, the highest at the top", () => {
  assert.equal(linePath([1500, 1600, 1550], 100, 30), "M0 30L50 0L100 15");
  assert.equal(linePath([1500, 1500], 100, 30), "M0 15L100 15");
  assert.equal(linePath([1500], 100, 30), "M0 15H100");
});

test("an export is its first page with the lists of all others behind its own", () => {
  const pages = [{ format: "cellrace-export", name: "Ada", runs: [1, 2], races: [] }, { format: "cellrace-export", name: "Ada", runs: [3], deals_seen: [[617, "x"]] }];
  assert.deepEqual(wholeExport(pages.map((page) => JSON.stringify(page))), { format: "cellrace-export", name: "Ada", runs: [1, 2, 3], races: [], rating_steps: [], deals_seen: [[617, "x"]] });
  assert.deepEqual(wholeExport(['{"runs":[1]}']), { runs: [1] });
});
