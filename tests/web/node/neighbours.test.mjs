// Where arrow keys lead on tables of every layout.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readBoard } from "../../../client_web/cellrace_web/game/board.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { layout } from "../../../client_web/cellrace_web/views/layout.js";
import { neighbour } from "../../../client_web/cellrace_web/views/neighbours.js";

const [TALL, WIDE] = [[390, 700], [844, 300]];
const [A, B, C, D, CLUBS, DIAMONDS, SPADES] = [8, 9, 10, 11, 12, 13, 15];

/** Where keys lead from a pile's exposed card, each from where the last has led: piles, or depths where `deep`. */
function walk(keys, pile, { cells = 4, size = TALL, mirrored = false, held = false, deep = false, board = deal(617, cells) } = {}) {
  const { piles } = layout(...size, board, mirrored);
  let at = { pile, depth: 1 };
  return keys.split(" ").map((key) => {
    at = neighbour(["home", "end"].includes(key) ? key : `arrow${key}`, at, board, piles, held);
    return deep ? at.depth : at.pile;
  });
}

test("up and down go through the whole column, and beyond it to the cells", () => {
  assert.deepEqual(walk("up up up up up up up", 0, { deep: true }), [2, 3, 4, 5, 6, 7, 1]);
  assert.deepEqual(walk("up up up up up up up down", 0), [0, 0, 0, 0, 0, 0, A, 0]);
  assert.deepEqual(walk("home down end", 4, { deep: true }), [6, 5, 1]);
  assert.deepEqual(walk("home right", 0, { deep: true }), [7, 1]);
});

test("the tables of low windows have cards that can be hit, however long a column is", () => {
  const long = { ...deal(617), columns: [Array.from({ length: 19 }, (_, at) => at), ...deal(617).columns.slice(1)] };
  for (const size of [[312, 300], [412, 300], [421, 260], [560, 260]]) assert.ok(layout(...size, long).width >= 28, `${size}`);
});

test("what is held goes over piles, not through them", () => {
  assert.deepEqual(walk("up left down", 4, { held: true }), [CLUBS, D, 3]);
  assert.deepEqual(walk("home", 4, { held: true, deep: true }), [1]);
});

test("an empty column is one place", () => {
  const board = readBoard("/A|----|0000".replace("/A", "/A/////".padEnd(8, "/")));
  assert.deepEqual(walk("home up down left", 0, { board }), [0, A, 0, 7]);
});

test("cells that are not there are passed over", () => {
  assert.deepEqual(walk("right right right left left left", A, { cells: 2 }), [B, CLUBS, DIAMONDS, CLUBS, B, A]);
  assert.deepEqual(walk("left", A, { cells: 1 }), [SPADES]);
  assert.deepEqual([2, 3].map((column) => walk("up", column, { cells: 2, held: true })[0]), [B, CLUBS]);
  assert.deepEqual([2, 3, 7].map((column) => walk("up", column, { cells: 1, held: true })[0]), [A, CLUBS, SPADES]);
  assert.deepEqual(walk("down down", A, { cells: 2, size: WIDE }), [B, B]);
});

test("left and right are as they are seen, for the left hand too", () => {
  assert.deepEqual(walk("right right right right", A), [B, C, D, CLUBS]);
  assert.deepEqual(walk("left left left left", A, { mirrored: true }), [B, C, D, CLUBS]);
  assert.deepEqual(walk("up right", 7, { mirrored: true, held: true }), [A, SPADES]);
  assert.deepEqual(walk("up", 0, { mirrored: true, held: true }), [SPADES]);
});

test("where cells and foundations are at the sides, that is where arrows find them", () => {
  assert.deepEqual(walk("left down down up right", 0, { size: WIDE }), [A, B, C, B, 0]);
  assert.deepEqual(walk("right down left", 7, { size: WIDE }), [CLUBS, DIAMONDS, 7]);
  assert.deepEqual(walk("left down right right", 0, { size: WIDE, mirrored: true }), [CLUBS, DIAMONDS, 0, 1]);
  assert.deepEqual(walk("up up up up up up up", 0, { size: WIDE, deep: true }), [2, 3, 4, 5, 6, 7, 7]);
  assert.deepEqual(walk("left left", A, { size: WIDE }), [CLUBS, 7]);
});
