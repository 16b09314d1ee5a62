// Stepping through a replay, where several moves may have one time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stepFrom } from "../../../client_web/cellrace_web/game/replay.js";

const all = [0, 100, 200, 200, 200, 300].map((time) => ({ time }));

test("a step goes to another time, whatever happened at one", () => {
  const on = [0];
  while (stepFrom(all, on.at(-1), 1) !== null) on.push(stepFrom(all, on.at(-1), 1));
  assert.deepEqual(on, [0, 100, 200, 300]);
  const back = [300];
  while (stepFrom(all, back.at(-1), -1) !== null) back.push(stepFrom(all, back.at(-1), -1));
  assert.deepEqual(back, [300, 200, 100, 0]);
});

test("a step from between two moments goes to the one before or behind", () => {
  assert.deepEqual([stepFrom(all, 250, -1), stepFrom(all, 250, 1)], [200, 300]);
});

test("there is no step where nothing was loaded", () => {
  assert.deepEqual([stepFrom([], 0, -1), stepFrom([], 0, 1)], [null, null]);
});
