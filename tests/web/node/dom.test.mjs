// What the views need of a browser beside elements.
import assert from "node:assert/strict";
import { test } from "node:test";
import { copied } from "../../../client_web/cellrace_web/views/dom.js";
import { nameWords } from "../../../client_web/cellrace_web/views/racers.js";
import { dealWords, resultTitle, standingWords } from "../../../client_web/cellrace_web/views/result.js";

test("a text counts as copied only where it was", async () => {
  const held = [];
  const given = (clipboard) => Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  given({ writeText: async (text) => void held.push(text) });
  assert.equal(await copied("a link"), true);
  assert.deepEqual(held, ["a link"]);
  given({ writeText: () => Promise.reject(new Error("not allowed")) });
  assert.equal(await copied("a link"), false);
  given(undefined); // a page that did not come over HTTPS has none
  assert.equal(await copied("a link"), false);
});

test("a bot is called one once", () => {
  const called = (name, kind, mine = false) => nameWords({ name, kind }, mine);
  assert.equal(called("Heron - medium bot", "bot"), "Heron - medium bot");
  assert.equal(called("Heron", "bot"), "Heron (bot)");
  assert.equal(called("Abbot", "bot", true), "Abbot (you) (bot)");
  assert.equal(called("Ada", "human", true), "Ada (you)");
});

test("a deal is shown by the number that people type, else by its code", () => {
  assert.equal(dealWords("FC1-C4-AAAAATJ"), "#617");
  assert.equal(dealWords("FC1-C2-AAAAATJ"), "FC1-C2-AAAAATJ");
  assert.equal(dealWords("FC1-C4-H777777"), "FC1-C4-H777777");
  assert.equal(dealWords(""), "");
});

test("places are the server's, with what there is to say of each", () => {
  const row = (place, seat, changes = {}) => ({ place, seat, home: 0, moves: 0, time: -1, compensation: 4, error: 2, ...changes });
  const shown = [row(1, 3, { time: 61_000, home: 52, moves: 80 }), row(2, 0), row(2, 4), row(4, 1, { moves: 3 }), row(5, 2, { moves: 7 })];
  const gave_up = (seat) => seat % 2 === 1 || seat === 4;
  assert.deepEqual(shown.map((place) => [place.seat, ...standingWords(place, { gave_up: gave_up(place.seat) })]), [
    [3, "1.", "(4 ms back for the network, ± 2 ms)"],
    [0, "2.", "without a move"],
    [4, "2.", "without a move, gave up"],
    [1, "4.", "gave up"],
    [2, "5.", ""],
  ]);
});

test("one is told of a win over somebody only", () => {
  const first = { place: 1, seat: 0, home: 52, moves: 80, time: 61_000 };
  const says = (changes) => resultTitle({ you: 0, end: "all_done", standings: [first], ghosts: new Map(), ...changes });
  const ghosts = (time) => new Map([[0, { name: "Grace", time }]]);
  const second = { ...first, place: 2, seat: 1, time: -1 };
  assert.equal(says({ standings: [first, second] }), "You won!");
  assert.equal(says({ standings: [first, { ...first, seat: 1 }] }), "A shared win!");
  assert.equal(says({ standings: [{ ...first, time: -1 }, second] }), "The race is over");
  assert.equal(says({}), "You are home in 1:01.0");
  assert.equal(says({ ghosts: ghosts(70_000) }), "You won!");
  assert.equal(says({ ghosts: ghosts(60_000) }), "Grace was faster: home in 1:00.0");
  assert.equal(says({ standings: [], you: -1, end: "empty" }), "Everybody left");
});
