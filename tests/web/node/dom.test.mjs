// What the views need of a browser beside elements.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clock, copied, stopwatch } from "../../../client_web/cellrace_web/views/dom.js";
import { speak } from "../../../client_web/cellrace_web/i18n.js";
import { briefWords, nameWords } from "../../../client_web/cellrace_web/views/racers.js";
import { SecondTap } from "../../../client_web/cellrace_web/views/second-tap.js";
import { tabWords } from "../../../client_web/cellrace_web/views/tab.js";
import { dealWords } from "../../../client_web/cellrace_web/words.js";
import { resultText, resultTitle, standingWords } from "../../../client_web/cellrace_web/views/result.js";

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
  assert.deepEqual(shown.map((place) => [place.seat, ...standingWords(place, { gave_up: gave_up(place.seat) }, shown.length)]), [
    [3, "1.", "80 moves"],
    [0, "2.", "without a move"],
    [4, "2.", "without a move, gave up"],
    [1, "4.", "3 moves, gave up"],
    [2, "5.", "7 moves"],
  ]);
  assert.deepEqual(standingWords(shown[0], { gave_up: false }, 1), ["", "80 moves"], "who raced alone has no place");
});

test("one is told of a win over somebody only", () => {
  const first = { place: 1, seat: 0, home: 52, moves: 80, time: 61_000 };
  const says = (changes) => resultTitle({ you: 0, end: "all_done", standings: [first], seats: [{}, {}], ghosts: new Map(), ...changes });
  const ghosts = (time) => new Map([[0, { name: "Grace", time }]]);
  const second = { ...first, place: 2, seat: 1, time: -1 };
  assert.equal(says({ standings: [first, second] }), "You won!");
  assert.equal(says({ standings: [first, { ...first, seat: 1 }] }), "A shared win!");
  assert.equal(says({ standings: [{ ...first, time: -1 }, second] }), "The race is over");
  assert.equal(says({}), "You are home in 1:01.000");
  assert.equal(says({ ghosts: ghosts(70_000) }), "You won!");
  assert.equal(says({ ghosts: ghosts(60_000) }), "Grace was faster: home in 1:00.000");
  assert.equal(says({ standings: [], you: -1, end: "empty" }), "Everybody left");
  assert.equal(says({ standings: [], you: -1, end: "empty", seats: [{}] }), "The race is over");
});

test("results differ where their places do, and are written as in the reader's language", async () => {
  assert.deepEqual([clock(61_003, true), clock(61_009.9, true), clock(600_000, true), clock(61_999), stopwatch(61_960), clock(-5, true)],
    ["1:01.003", "1:01.009", "10:00.000", "1:01", "1:01.9", "0:00.000"]);
  for (const language of ["fr", "it", "nl", "uk"]) {
    await speak(language);
    assert.deepEqual([clock(61_003, true), stopwatch(61_003)], ["1:01,003", "1:01,0"], language);
  }
  await speak("en");
});

test("a result that is copied leads to the best finished run, and says nothing of the deal of the day", () => {
  const place = (number, seat, time) => ({ place: number, seat, home: time < 0 ? 4 : 52, moves: 80, time });
  const text = (standings, snap = { daily: "" }) => resultText({ session: { race: "kbjueza" }, model: { snap, standings, deal: "FC1-C4-AAAAATJ", rules: "pocket+cells=2", seats: [{ name: "Ada" }, { name: "Grace" }] } }, "https://races.example");
  assert.equal(text([place(1, 1, 61_003), place(2, 0, -1)]), "cellrace #617\n1. Grace 1:01.003\n2. Ada 4/52\nhttps://races.example/g/kbjueza-1");
  assert.equal(resultText({ session: { race: "kbjueza" }, placed: "place 2 of 5", model: { snap: { daily: "2026-11-30" }, standings: [place(1, 0, 61_003)], rules: "classic", seats: [{ name: "Ada" }] } }, "https://races.example"),
    "cellrace Daily deal 2026-11-30, Classic\nAda 1:01.003\nplace 2 of 5\nhttps://races.example/#daily");
  assert.equal(text([place(1, 1, -1), place(2, 0, -1)]), "cellrace #617\n1. Grace 4/52\n2. Ada 4/52");
  for (const time of [61_003, -1]) {
    const shared = text([place(1, 0, time)], { daily: "2026-11-30" });
    assert.match(shared, /^cellrace Daily deal 2026-11-30, Pocket, 2 cells\nAda .*\nhttps:\/\/races\.example\/#daily$/);
  }
});

test("the tab tells its host who comes and that it starts, while nobody looks", () => {
  const race = { seat: 0, stage: "play" };
  const says = (message, stage = "lobby", one = race) => tabWords(message, one, stage);
  assert.equal(says({ tag: "joined", seat: 1, name: "Grace" }), "Grace is here · cellrace");
  assert.equal(says({ tag: "joined", seat: 0, name: "Ada" }), null);
  assert.equal(says({ tag: "countdown" }), "It begins! · cellrace");
  assert.equal(says({ tag: "go" }), "The race runs! · cellrace");
  assert.equal(says({ tag: "snap" }), "The race runs! · cellrace");
  assert.equal(says({ tag: "snap" }, "play"), null);
  assert.equal(says({ tag: "halted" }), "cellrace: FreeCell races");
  assert.equal(says({ tag: "p", seat: 1 }), null);
  assert.equal(says({ tag: "go" }, "lobby", { seat: -1, stage: "watch" }), null);
});

test("many racers in one line: who leads, oneself, and how many more", () => {
  const one = (name, home, kind = "", time = -1) => ({ name, home, state: "", kind, time });
  assert.deepEqual(briefWords([one("Ada", 4, "mine "), one("Grace", 9), one("Joan", 9), one("Mary", 2)]), ["1. Grace 9/52", "3. Ada 4/52", "+2"]);
  assert.deepEqual(briefWords([one("Grace", 0), one("Joan", 0), one("Ada", 0, "mine "), one("Mary", 0), one("free", 0, "free")]), ["1. Ada 0/52", "", "+3"]);
  assert.deepEqual(briefWords([one("Grace", 52, "", 9_000), one("Joan", 52, " away", 8_000), one("Ada", 51, "mine "), one("Ghost", 52, "ghost", 7_000)]), ["1. Ghost 52/52", "4. Ada 51/52", "+2"]);
  assert.deepEqual(briefWords([one("Grace", 3), one("Joan", 5)]), ["1. Joan 5/52", "", "+1"]);
  assert.deepEqual(briefWords([]), ["", "", ""]);
});

test("the second of two taps means nothing where what it was meant for is gone", () => {
  const gone = { isConnected: false };
  const there = { isConnected: true };
  const tap = (timeStamp, target, { x = 50, detail = 1 } = {}) => ({ timeStamp, target, clientX: x, clientY: 10, detail });
  const isStray = (first, second) => {
    const taps = new SecondTap();
    assert.equal(taps.isStray(first), false);
    return taps.isStray(second);
  };
  assert.equal(isStray(tap(0, gone), tap(200, there)), true);
  assert.equal(isStray(tap(0, gone), tap(500, there)), false, "one has seen what came");
  assert.equal(isStray(tap(0, gone), tap(200, there, { x: 90 })), false, "it is elsewhere");
  assert.equal(isStray(tap(0, there), tap(200, there)), false, "it is still there, as a label and its box are");
  assert.equal(isStray(tap(0, gone), tap(200, there, { detail: 0 })), false, "by a key");
  const taps = new SecondTap();
  taps.isStray(tap(0, gone));
  taps.forget();
  assert.equal(taps.isStray(tap(200, there)), false, "something was typed since");
});
