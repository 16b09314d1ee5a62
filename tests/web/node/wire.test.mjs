// The codec, the messages, the session, the model and the prediction.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readBoard } from "../../../client_web/cellrace_web/game/board.js";
import { PRESETS } from "../../../client_web/cellrace_web/game/rules.js";
import { Model } from "../../../client_web/cellrace_web/wire/model.js";
import { decode, encode } from "../../../client_web/cellrace_web/wire/msgpack.js";
import { readMessage, writeMessage } from "../../../client_web/cellrace_web/wire/messages.js";
import { Prediction } from "../../../client_web/cellrace_web/wire/prediction.js";
import { Session } from "../../../client_web/cellrace_web/wire/session.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { readJson } from "./support.mjs";

for (const path of ["protocol/vectors", "tests/data/protocol-1"]) {
  test(`messages of ${path}`, () => {
    for (const row of readJson(`${path}/messages.json`)) {
      const bytes = Uint8Array.from(Buffer.from(row.msgpack, "hex"));
      const message = readMessage(decode(bytes), row.from);
      const { tag, ...fields } = message;
      assert.equal(tag, row.name);
      for (const [name, value] of Object.entries(row.fields)) assert.deepEqual(fields[name], value, `${tag}.${name}`);
      assert.deepEqual(readMessage(JSON.parse(row.json), row.from), message);
      assert.deepEqual(readMessage(decode(encode(writeMessage(message, row.from))), row.from), message);
    }
  });
}

test("the codec refuses what is no message, and reads every width", () => {
  for (const { subprotocol, hex, error } of readJson("protocol/vectors/invalid.json")) {
    if (subprotocol !== "cellrace.1.msgpack" || error !== "bad_frame") continue;
    assert.throws(() => decode(Uint8Array.from(Buffer.from(hex, "hex"))), undefined, hex);
  }
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`fact ${n}`, n]));
  for (const value of [0, 127, 128, 255, 256, 65535, 65536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -1, -32, -33, -70000, "", "é".repeat(20), "x".repeat(300), [], Array(20).fill(true), "y".repeat(70000), {}, { reason: "length", most: 24 }, many]) {
    assert.deepEqual(decode(encode(value)), value);
  }
  for (const value of [1.5, null, undefined, { most: 1.5 }, { most: null }, new Map(), new Date()]) assert.throws(() => encode(value));
});

test("a map is read at every width, and nothing is made of one that cannot be there", () => {
  const read = (hex) => decode(Uint8Array.from(Buffer.from(hex, "hex")));
  for (const head of ["81", "de0001", "df00000001"]) assert.deepEqual(read(`${head}a46d6f737418`), { most: 24 });
  for (const broken of ["81", "81a46d6f7374", "de0002a46d6f737418", "dfffffffff", "df80000000a46d6f737418"]) assert.throws(() => read(broken), broken);
  assert.throws(() => read("81".repeat(1_000)));
  const odd = read("82a95f5f70726f746f5f5f81a165c3a16101");
  assert.deepEqual([odd.e, Object.getPrototypeOf(odd), odd.a], [undefined, Object.prototype, 1]);
});

test("what has no facts is read with none, and facts are read in both frames", () => {
  const facts = { reason: "sign", sign: "U+202E" };
  assert.deepEqual(readMessage(["error", "busy", "wait", 3, 250]).facts, {});
  assert.deepEqual(readMessage(["notice", "draining", "soon"]).facts, {});
  for (const message of [["error", "bad_name", "why", 0, 0, facts], ["notice", "of_tomorrow", "so", 0, facts]]) {
    assert.deepEqual(readMessage(decode(encode(message))).facts, facts);
    assert.deepEqual(readMessage(JSON.parse(JSON.stringify(message))).facts, facts);
  }
});

test("an unknown message is passed over, a broken one is not", () => {
  assert.equal(readMessage(["later", 1, 2]), null);
  assert.throws(() => readMessage(["p", 1, 2]));
  assert.throws(() => readMessage([]));
});

test("the model follows who hosts, where that is of interest", () => {
  const seat = (player) => [player, player, "human", false, false, -1, 0, 0, 0, 0, ""];
  const race = (seats, more = {}) => new Model({ ...readMessage(["snap", 0, 5, "race", "lobby", 0, 0, -1, "ada", "classic", false, true, 0, 1, "", "", "", 0, 1, seats.map(seat)]), ...more }, 0);
  const model = race(["me", "grace", ""]);
  const hosting = () => [model.host, model.isHostAway, model.isHostNeeded];
  assert.deepEqual(hosting(), ["ada", false, true]);
  model.apply({ tag: "hosts", ch: 0, k: 6, dt: 0, host: "ada", away: true }, 0);
  assert.deepEqual(hosting(), ["ada", true, true]);
  model.apply({ tag: "joined", ch: 0, k: 7, dt: 0, seat: 2, player: "ada", name: "Ada", kind: "human", bots: true }, 0);
  assert.deepEqual(hosting(), ["ada", false, true]);
  model.apply({ tag: "left", ch: 0, k: 8, dt: 0, seat: 2, host: "me" }, 0);
  model.apply({ tag: "hosts", ch: 0, k: 9, dt: 0, host: "grace", away: false }, 0);
  assert.deepEqual(hosting(), ["grace", false, true]);
  assert.equal(race(["me", "grace", ""], { host_away: true }).isHostAway, true);
  assert.equal(race(["me", "grace"]).isHostNeeded, false);
  assert.equal(race(["me", "grace", ""], { phase: "running" }).isHostNeeded, false);
});

// Recorded conversations: the model follows each of them to the end without being off.
for (const file of readdirSync(new URL("../../../protocol/vectors/conversations/", import.meta.url))) {
  test(`the model follows ${file}`, () => {
    const { steps } = readJson(`protocol/vectors/conversations/${file}`);
    const models = new Map();
    for (const step of steps) {
      if (step.do !== "receive" || !Array.isArray(step.example)) continue;
      const message = readMessage(step.example);
      if (message?.tag === "snap") models.set(`${step.by} ${message.ch}`, new Model(message, 0));
      const model = message && "k" in message ? models.get(`${step.by} ${message.ch}`) : undefined;
      if (model && message.tag !== "snap" && message.k > model.k) model.apply(message, 0);
    }
  });
}

const entered = (n = 1, ch = 3) => ({ tag: "in", r: 1, ch, race: "kbjueza", seat: 0, n, name: "Ada" });
const moved = (move) => ({ move });
const no = (n, code, expected = 0, retry_after = 0) => ({ tag: "no", ch: 3, n, code, text: "", expected, retry_after });
const a = (k, n, transfers = [], what = 0) => ({ tag: "a", ch: 3, k, dt: 5, n, transfers, what, points: 0, sum: 0 });
const snap = (k, n = 1, you = 0) => ({ tag: "snap", ch: 3, k, phase: "running", you, n });

test("actions are numbered, sent at once and answered in order", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  assert.deepEqual(session.act(moved("2a")).send, [{ tag: "m", ch: 3, n: 1, move: "2a" }]);
  assert.deepEqual(session.act({ tag: "u" }).send, [{ tag: "u", ch: 3, n: 2 }]);
  assert.deepEqual(session.hear(a(6, 1)).applied, [1]);
  assert.deepEqual(session.hear(a(7, 2)).applied, [2]);
  assert.equal(session.waiting, 0);
  assert.equal(session.hear(a(7, 2)).seen, true);
  assert.equal(session.hear(a(9, 3)).lost, true);
});

test("a refused action takes those behind it along, and their numbers are free", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  for (const text of ["2a", "2b", "2c"]) session.act(moved(text));
  assert.deepEqual(session.hear(no(1, "cell_occupied", 1)).refused.map((one) => one.ticket), [1]);
  assert.deepEqual(session.act(moved("3h")).send, []);
  session.hear(no(2, "out_of_order", 1));
  assert.deepEqual(session.hear(no(3, "out_of_order", 1)).send, [{ tag: "m", ch: 3, n: 1, move: "3h" }]);
});

test("what is put off is sent again, in order", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  session.act(moved("2a"));
  session.act(moved("2b"));
  assert.equal(session.hear(no(1, "unavailable", 0, 500)).retryAfter, 500);
  assert.equal(session.hear(no(2, "out_of_order", 1)).retryAfter, 0);
  assert.deepEqual(session.again().map((one) => one.n), [1, 2]);
  assert.deepEqual(session.again(), []);
});

test("a new connection: what was applied is answered, the rest is sent again", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  for (const text of ["2a", "2b", "2c"]) session.act(moved(text));
  const heard = session.enteredAgain(entered(3, 9));
  assert.deepEqual(heard.applied, [1, 2]);
  assert.deepEqual(heard.send, [{ tag: "m", ch: 9, n: 3, move: "2c" }]);
  assert.deepEqual(session.resume(), { tag: "resume", race: "kbjueza", after: 5 });
  assert.deepEqual(new Session(entered()).enteredAgain({ ...entered(), seat: -1 }).refused, []);
});

test("a snapshot answers every action below its number, also those of which nothing was heard", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  for (const text of ["2a", "2b", "2c"]) session.act(moved(text));
  assert.equal(session.hear(a(7, 2)).lost, true);
  assert.deepEqual(session.hear(snap(9, 3)).applied, [1, 2]);
  assert.equal(session.waiting, 1);
  assert.deepEqual(session.hear(a(10, 3)).applied, [3]);
});

test("what was kept behind a finish is sent when a snapshot says that it is done", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  session.act({ tag: "finish" });
  assert.deepEqual(session.act(moved("2a")).send, []);
  const heard = session.hear(snap(9, 4));
  assert.deepEqual(heard.applied, [1]);
  assert.deepEqual(heard.send, [{ tag: "m", ch: 3, n: 4, move: "2a" }]);
});

test("who has no seat any more by a snapshot waits for no answer", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  session.act(moved("2a"));
  assert.deepEqual(session.hear(snap(9, 0, -1)).refused.map(({ ticket, code }) => [ticket, code]), [[1, "not_seated"]]);
  assert.equal(session.seat, -1);
  assert.equal(session.waiting, 0);
});

test("without a channel everything is kept, and sent where the race is entered again", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  session.act(moved("2a"));
  session.hear(no(1, "unavailable", 0, 500));
  session.channelLost();
  assert.deepEqual([...session.act(moved("2b")).send, ...session.again()], []);
  assert.equal(session.waiting, 2);
  assert.deepEqual(session.enteredAgain(entered(1, 9)).send.map(({ ch, n }) => [ch, n]), [[9, 1], [9, 2]]);
  assert.deepEqual(session.enteredAgain(entered(1, 9)).send, []);
});

test("nothing is sent behind finish until it is done", () => {
  const session = new Session(entered());
  session.hear(snap(5));
  session.act({ tag: "finish" });
  assert.deepEqual(session.act(moved("2a")).send, []);
  session.hear(a(6, 1));
  assert.deepEqual(session.hear({ tag: "done", ch: 3, k: 7, dt: 1, seat: 0, time: 1, compensation: 0, error: 0 }).send.length, 1);
});

test("a move shows at once, and goes back when it is refused", () => {
  const start = deal(617);
  const prediction = new Prediction(PRESETS.classic, start, start);
  assert.equal(prediction.reasonAgainst(moved("18")).reason, "wrong_colour_or_rank");
  prediction.act(1, moved("2a"));
  prediction.act(2, moved("2b"));
  assert.deepEqual(prediction.shown.board.columns[1].length, 5);
  prediction.answered([1, 2]);
  assert.deepEqual(prediction.shown.board, start);
  prediction.act(3, moved("2a"));
  prediction.answered([3]);
  const after = readBoard("ZlmxMPQ/pOtugc/BLFVEWj/RaKwqIb/nySJfY/DUTCvi/XzGrkA/HdshNo|e---|0000");
  prediction.applied({ what: 0, transfers: [24] }, after, 1, 0);
  assert.equal(prediction.shown.board, prediction.confirmed.board);
});

test("an undo of what came before the snapshot waits for the server", () => {
  const start = deal(617);
  const later = new Prediction(PRESETS.classic, start, start, 7);
  assert.equal(later.reasonAgainst({ tag: "u" }), null);
  later.act(1, { tag: "u" });
  assert.equal(later.shown, later.confirmed);
  assert.equal(new Prediction(PRESETS.classic, start, start).reasonAgainst({ tag: "u" }).reason, "nothing_to_undo");
});

test("behind an undo that nobody can foresee no move is made before it is answered, and the rest is shown then", () => {
  const start = deal(617);
  const prediction = new Prediction(PRESETS.classic, start, start, 7);
  prediction.act(1, { tag: "u" });
  for (const action of [moved("2a"), { tag: "finish" }]) assert.equal(prediction.reasonAgainst(action).reason, "unseen");
  for (const tag of ["u", "giveup", "restart"]) assert.equal(prediction.reasonAgainst({ tag }), null);
  prediction.act(2, moved("2a")); // of an earlier page, which knew the board
  prediction.act(3, moved("2b"));
  assert.equal(prediction.shown, prediction.confirmed);
  prediction.applied({ what: 1, transfers: [] }, start, 6, 0);
  prediction.answered([1]);
  assert.equal(prediction.shown.moves, 8);
  assert.equal(prediction.reasonAgainst(moved("2c")), null);
  const restarted = new Prediction(PRESETS.classic, start, start, 7);
  for (const [ticket, tag] of ["u", "restart"].entries()) restarted.act(ticket, { tag });
  assert.deepEqual([restarted.shown.moves, restarted.reasonAgainst(moved("2a"))], [0, null]);
  restarted.answered([0, 1]);
  assert.equal(restarted.isBlind, false);
});
