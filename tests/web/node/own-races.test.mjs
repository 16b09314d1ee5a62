// Races of one's own that go on elsewhere: which they are, what is known of them, and how they are told.
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { speak } from "../../../client_web/cellrace_web/i18n.js";
import { OwnRaces, goOn, wayTo } from "../../../client_web/cellrace_web/own-races.js";
import { raceWords } from "../../../client_web/cellrace_web/views/own-races.js";
import { Race } from "../../../client_web/cellrace_web/wire/race.js";
import { Reception } from "../../../client_web/cellrace_web/wire/reception.js";
import { readMessage } from "../../../client_web/cellrace_web/wire/messages.js";

beforeEach(() => {
  const texts = new Map();
  globalThis.localStorage = { getItem: (key) => texts.get(key) ?? null, setItem: (key, now) => void texts.set(key, now) };
});
afterEach(() => delete globalThis.localStorage);

const speaker = { send: () => undefined, tell: () => undefined, sendDue: () => undefined };
const row = (name, { time = -1, gaveUp = false } = {}) => [name && `id of ${name}`, name, "human", false, gaveUp, time, 0, 0, 0, 0, ""];

/** What a snapshot says of the second race of a series. */
function snap({ names = ["Ada", "Grace"], phase = "running", wins = [0, 1], game = 2, ...own } = {}) {
  const seats = [row(names[0], own), row(names[1])];
  const values = ["snap", 0, 5, "kbjueza", phase, 0, 0, -1, "id of Ada", "classic", false, false, 3_000, 1_800_000, "", "", "", 0, 1, seats];
  return { ...readMessage(values), best_of: 3, game, wins };
}

/** A page that receives a race. */
function receiving(said = snap()) {
  const received = new Reception(speaker, () => 0);
  const own = new OwnRaces(received);
  const race = received.entered({ tag: "in", ch: 0, race: "kbjueza", seat: 0, n: 1 });
  hear(own, race, said);
  return { received, own, race };
}

function hear(own, race, message) {
  race.hear(message);
  own.happened(race, message.tag);
}

test("what is received here is not elsewhere, but where another window has the seat", () => {
  const { received, own, race } = receiving();
  own.welcomed(["kbjueza", "other"]);
  assert.deepEqual(own.elsewhere, ["other"]);
  race.hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  assert.deepEqual(own.elsewhere, ["other", "kbjueza"]);
  received.entered({ tag: "in", ch: 1, race: "kbjueza", seat: 0, n: 1 });
  assert.deepEqual(own.elsewhere, ["other"]);
});

test("what one leaves before it is over can be come back to, and what is over cannot", () => {
  for (const [tag, left] of [["done", ["kbjueza"]], ["end", []]]) {
    const { received, own, race } = receiving();
    own.welcomed(["kbjueza"]);
    const done = { tag: "done", ch: 0, k: 6, dt: 0, seat: 0, time: 80_000, compensation: 0, error: 1 };
    const end = { tag: "end", ch: 0, k: 6, dt: 0, reason: "all_done", standings: [], deal: "", salt: "" };
    hear(own, race, tag === "done" ? done : end);
    own.parted(race);
    received.part(race);
    assert.deepEqual(own.elsewhere, left);
    assert.equal(own.known("kbjueza")?.time, tag === "done" ? 80_000 : undefined);
  }
});

test("what is known of a race outlives the page, and what the server tells no more is forgotten", () => {
  receiving();
  const later = new OwnRaces(new Reception(speaker, () => 0));
  later.welcomed(["kbjueza", "unseen"]);
  assert.deepEqual(later.elsewhere, ["kbjueza", "unseen"]);
  assert.deepEqual(later.known("kbjueza").others, ["Grace"]);
  assert.equal(later.known("unseen"), undefined);
  later.welcomed([]);
  assert.deepEqual([later.elsewhere, later.known("kbjueza")], [[], undefined]);
});

test("moves are not written down", () => {
  const { own, race } = receiving();
  localStorage.setItem = () => assert.fail("it takes longer than to show them");
  for (const tag of ["a", "d", "p"]) own.happened(race, tag);
});

test("a race is told by its code, with whom it is, and how it stood", async () => {
  const told = (said) => raceWords("kbjueza", receiving(snap(said)).own.known("kbjueza"));
  assert.equal(raceWords("kbjueza"), "KBJUEZA");
  assert.equal(told({ names: ["Ada", ""], phase: "lobby" }), "KBJUEZA · open");
  assert.equal(told({}), "KBJUEZA · Grace · running");
  assert.equal(told({ phase: "countdown" }), "KBJUEZA · Grace · running", "by the time that it is read");
  assert.equal(told({ time: 80_000 }), "KBJUEZA · Grace · You are home in 1:20.000");
  assert.equal(told({ gaveUp: true }), "KBJUEZA · Grace · You gave up");
  await speak("nl");
  assert.equal(told({}), "KBJUEZA · Grace · bezig");
  await speak("en");
});

const scores = (race) => race.before.map(({ name, wins }) => [name, wins]);

test("who has won of a series is known when they have left, after a reload too", () => {
  const { own, race } = receiving(snap({ phase: "lobby" }));
  hear(own, race, { tag: "left", ch: 0, k: 6, dt: 0, seat: 1, host: "id of Ada" });
  assert.deepEqual(scores(race), [["Ada", 0], ["Grace", 1]]);
  const again = new Race(speaker, { tag: "in", ch: 0, race: "kbjueza", seat: 0, n: 1 }, () => 0);
  for (const way of [null, own.known("kbjueza").way]) goOn(again, way);
  assert.deepEqual(scores(again), [["Ada", 0], ["Grace", 1]]);
  again.hear(snap({ phase: "lobby", names: ["Ada", ""], wins: [0, 0] }));
  assert.deepEqual(scores(again), [["Grace", 1], ["Ada", 0]]);
});

test("a race by itself, or the first of a series, remembers nobody who has left", () => {
  assert.deepEqual(receiving(snap({ game: 1, wins: [], phase: "lobby" })).race.before, []);
});

test("what was known of a race before the page was loaded is taken up, once", () => {
  const { race } = receiving();
  const standIn = { rules: "classic", choice: "nobody", ghost: null };
  goOn(race, { isRematch: true, isShared: true, standIn });
  goOn(race, { standIn: { ...standIn, choice: "bot" } });
  assert.deepEqual({ ...wayTo(race), before: [] }, { isRematch: true, isShared: true, standIn, before: [] });
});
