// The connection and the races on it, where the other end is the test: coming back, what is answered, what is refused.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { boardText } from "../../../client_web/cellrace_web/game/board.js";
import { deal } from "../../../client_web/cellrace_web/game/deals.js";
import { Line, perform } from "../../../client_web/cellrace_web/game/line.js";
import { readRules } from "../../../client_web/cellrace_web/game/rules.js";
import { Held } from "../../../client_web/cellrace_web/held.js";
import { Online } from "../../../client_web/cellrace_web/online.js";
import { ghostFrom, usualStandIn } from "../../../client_web/cellrace_web/stand-in.js";
import { loadSettings } from "../../../client_web/cellrace_web/settings.js";
import { Store } from "../../../client_web/cellrace_web/store.js";
import { isBotComing } from "../../../client_web/cellrace_web/views/lobby.js";
import { browser } from "./browser.mjs";

let world;
beforeEach(() => (world = browser()));
afterEach(() => world.restore());

const welcome = { tag: "welcome", version: 1, player: "p1", name: "Ada", kind: "human", token: "t1", server: "cellrace", frame_bytes: 65_536 };
const entered = (r, ch = 0, race = "kbjueza", seat = 0) => ({ tag: "in", r, ch, race, seat, n: 1 });

/** A page that has a connection. */
async function connected() {
  const online = await loaded();
  online.connection.open();
  await welcomed();
  return online;
}

/** A page, after what was in its window before. */
const loaded = async () => new Online(new Store({ name: "Ada", token: "" }), await Held.found("Ada", ""));

async function welcomed() {
  world.socket().open();
  await world.socket().hear(welcome);
}

/** The network is lost and comes back. */
async function again(code = 1006) {
  world.socket().end(code);
  world.passUntilConnecting();
  await welcomed();
}

/** A page that is in a race, with a watcher that writes down what it is told. */
async function racing(ch = 0, race = "kbjueza") {
  const online = await connected();
  const entering = online.enter({ tag: "join", what: race });
  await world.socket().hear(entered(world.socket().of("join")[0].r, ch, race));
  const told = [];
  const one = await entering;
  one.watcher = { changed: () => undefined, refused: () => undefined, takenOver: () => told.push("taken over"), lost: (error) => told.push(error.code) };
  return { online, race: one, told };
}

test("after a lost connection a race is taken up once, and by the same race", async () => {
  const { online, race } = await racing();
  const brought = [];
  online.brought = (other) => brought.push(other);
  await again();
  const { said } = world.socket();
  assert.deepEqual(said.map(({ tag }) => tag), ["hello", "resume"]);
  await world.socket().hear(entered(said[1].r, 4));
  assert.deepEqual(brought, []);
  assert.equal(online.races.on(4), race);
});

test("what was asked before the connection was lost is asked once more", async () => {
  const online = await connected();
  void online.ask({ tag: "daily" });
  await again();
  assert.deepEqual(world.socket().of("daily").length, 1);
});

test("what is not answered does not make a connection count as dead", async () => {
  const { online, race } = await racing();
  online.part(race);
  online.connection.tell({ tag: "unfollow" });
  assert.deepEqual(world.socket().said.slice(-2).map(({ tag }) => tag), ["part", "unfollow"]);
  world.pass(30_000);
  assert.equal(world.socket().closed, false);
});

test("a wish that has come true already is not waited for when it is said again", async () => {
  const { race } = await racing();
  race.wish("ready", { ready: true });
  await again();
  await world.socket().hear(entered(world.socket().of("resume")[0].r));
  assert.equal(world.socket().of("ready").length, 1);
  world.pass(9_000);
  assert.equal(world.socket().closed, false);
});

test("a connection that does not answer is given up", async () => {
  const online = await connected();
  void online.ask({ tag: "daily" });
  world.pass(7_500);
  assert.equal(world.sockets[0].closed, true);
});

test("a connection on which a race is received is asked whether it is there when it has been quiet", async () => {
  const { online } = await racing();
  const probes = () => world.sockets[0].of("races");
  world.pass(9_000);
  assert.equal(probes().length, 0);
  world.pass(2_000);
  assert.equal(probes().length, 1);
  await world.socket().hear({ tag: "races", r: probes()[0].r, rows: [] });
  world.pass(9_000);
  assert.equal(probes().length, 1, "it has spoken");
  world.pass(2_000);
  assert.equal(probes().length, 2);
  assert.equal(online.state.state.being, "on");
  world.pass(7_500);
  assert.equal(world.sockets[0].closed, true);
  assert.equal(online.state.state.being, "lost");
  world.passUntilConnecting();
  await welcomed();
  assert.deepEqual(world.socket().said.map(({ tag }) => tag), ["hello", "resume"], "a question of the old connection is not asked again");
});

test("a probe that is put off or refused is an answer, too", async () => {
  const { online } = await racing();
  for (const code of ["slow_down", "busy", "not_found"]) {
    world.pass(11_000);
    const [{ r }] = world.socket().of("races").slice(-1);
    await world.socket().hear({ tag: "error", code, text: "", r, retry_after: code === "not_found" ? 0 : 500 });
    world.pass(1_000);
  }
  assert.equal(world.socket().of("races").length, 3);
  assert.equal(online.state.state.being, "on");
});

test("nobody asks while the page is not seen, or where nothing is to be heard", async () => {
  const { online, race } = await racing();
  world.see(false);
  world.pass(60_000);
  assert.equal(world.socket().of("races").length, 0);
  online.part(race);
  world.see();
  assert.equal(world.socket().of("races").length, 1, "who comes back wants to know at once");
  await world.socket().hear({ tag: "races", r: world.socket().of("races")[0].r, rows: [] });
  world.pass(60_000);
  assert.equal(world.socket().of("races").length, 1);
  online.listed = () => undefined;
  world.pass(1_000);
  assert.equal(world.socket().of("races").length, 2, "a list that is followed is heard as a race is");
});

for (const [what, happens] of [["the page is seen again", () => world.see()], ["the network is said to be there", () => world.happen("online")]]) {
  test(`a connection that has died in sleep is given up soon when ${what}`, async () => {
    const { online } = await racing();
    world.see(false);
    world.pass(600_000);
    assert.equal(world.sockets.length, 1);
    happens();
    assert.equal(world.socket().of("races").length, 1);
    happens();
    assert.equal(world.socket().of("races").length, 1, "one answer is enough");
    world.pass(7_500);
    assert.equal(world.sockets[0].closed, true);
    assert.equal(online.state.state.being, "lost");
    assert.equal(world.sockets.length, 2);
  });
}

const refusal = (r, code) => ({ tag: "error", code, text: `refused: ${code}`, r, retry_after: 0 });

test("a race is taken up once though the connection is lost again before the answer", async () => {
  const { online, race } = await racing();
  await again();
  await again();
  assert.equal(world.socket().of("resume").length, 1);
  await world.socket().hear(entered(world.socket().of("resume")[0].r));
  assert.equal(online.races.on(0), race);
});

test("races keep apart where a new connection numbers them otherwise", async () => {
  const { online, race } = await racing(0, "kbjueza");
  const entering = online.enter({ tag: "watch", race: "abcdefg" });
  await world.socket().hear(entered(world.socket().of("watch")[0].r, 1, "abcdefg", -1));
  const other = await entering;
  await again();
  const [first, second] = world.socket().of("resume");
  await world.socket().hear(entered(second.r, 0, "abcdefg", -1), entered(first.r, 1));
  assert.deepEqual([online.races.on(0), online.races.on(1)], [other, race]);
});

test("a race that cannot be taken up again says so, and is forgotten", async () => {
  const { online, told } = await racing();
  await again();
  await world.socket().hear(refusal(world.socket().of("resume")[0].r, "no_race"));
  assert.deepEqual(told, ["no_race"]);
  assert.equal(online.races.all.length, 0);
});

test("a race that is not asked for yet is not asked for when one has turned to something else", async () => {
  const online = new Online(new Store({ name: "Ada", token: "" }));
  const turning = new AbortController();
  const refused = assert.rejects(online.ranked("classic", turning.signal), { code: "withdrawn" });
  turning.abort();
  await welcomed();
  await refused;
  assert.deepEqual(world.socket().said.map(({ tag }) => tag), ["hello"]);
});

const LEFT = { tag: "left", k: 6, dt: 0, ch: 0, seat: 0, host: "" };

for (const phase of ["lobby", "countdown"]) {
  test(`a seat that comes when one has turned to something else is given back in the ${phase}`, async () => {
    const online = await connected();
    const turning = new AbortController();
    const entering = online.ranked("classic", turning.signal);
    const [{ r }] = world.socket().of("quick");
    turning.abort();
    await world.socket().hear(entered(r), snap(5, 0, { phase }));
    assert.equal((await entering).isUnderWay, false);
    assert.equal(world.socket().of("leave").length, 1);
    await again();
    await world.socket().hear(entered(world.socket().of("resume")[0].r), snap(5, 0, { phase: "lobby" }));
    assert.equal(world.socket().of("leave").length, 1, "said until it is so");
    await world.socket().hear({ tag: "countdown", k: 6, dt: 0, ch: 0, ms: 3_000 });
    await again();
    await world.socket().hear(entered(world.socket().of("resume")[0].r));
    assert.equal(world.socket().of("leave").length, 1, "during the countdown too");
    await world.socket().hear({ ...LEFT, k: 7 });
    assert.equal(world.socket().of("part").length, 1);
    assert.equal(online.races.all.length, 0);
  });
}

test("a race that has begun before one could leave it is said to go on", async () => {
  const online = await connected();
  let begun = 0;
  online.races.begun = () => (begun += 1);
  const turning = new AbortController();
  const entering = online.enter({ tag: "join", what: "kbjueza" }, turning.signal);
  turning.abort();
  const board = boardText(deal(617));
  const running = { ...snap(5), start: board };
  running.seats[0][10] = board;
  await world.socket().hear(entered(world.socket().of("join")[0].r), running, { tag: "no", ch: 0, n: 0, code: "started", text: "", expected: 0, retry_after: 0 });
  assert.equal((await entering).isUnderWay, true);
  assert.equal(begun, 1);
  assert.equal(world.socket().of("part").length, 0);
});

test("who asks for the same race again meanwhile keeps the seat", async () => {
  const online = await connected();
  const turning = new AbortController();
  const first = online.ranked("classic", turning.signal);
  turning.abort();
  const second = online.ranked("classic");
  const asked = world.socket().of("quick");
  await world.socket().hear(entered(asked[0].r), snap(5, 0, { phase: "lobby" }), entered(asked[1].r));
  assert.equal(await first, await second);
  assert.equal(world.socket().of("leave").length, 0);
  assert.equal(online.races.all.length, 1);
});

test("a race that was left while it is taken up again is parted from", async () => {
  const { online, race } = await racing();
  await again();
  online.part(race);
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 5));
  assert.deepEqual(world.socket().of("part").map(({ ch }) => ch), [5]);
  assert.equal(online.races.all.length, 0);
});

test("a notice stands until it is over", async () => {
  const online = await connected();
  const notice = (code) => ({ tag: "notice", code, text: `host: ${code}`, ch: 0 });
  await world.socket().hear(notice("announcement"));
  assert.equal(online.notice, "host: announcement");
  online.moved();
  assert.equal(online.notice, "");
  await world.socket().hear(notice("draining"));
  online.moved();
  assert.equal(online.notice, "The server goes down now and comes back in a moment.");
  await again();
  assert.equal(online.notice, "");
});

test("a race to which one is brought, or that one asks for, is a rematch", async () => {
  const { online, race } = await racing();
  const brought = [];
  online.brought = (other) => brought.push(other);
  await world.socket().hear(entered(0, 1, "abcdefg"));
  const asking = online.rematch(race);
  await world.socket().hear(entered(world.socket().of("rematch")[0].r, 2, "hjkmnpq"));
  assert.deepEqual([race, ...brought, await asking].map(({ isRematch }) => isRematch), [false, true, true]);
});

test("a rematch that is asked for without a connection is said on the channel of the new one", async () => {
  const { online, race } = await racing(3);
  const asking = online.rematch(race);
  assert.deepEqual(world.socket().of("rematch").map(({ ch }) => ch), [3]);
  await again();
  assert.equal(world.socket().of("rematch").length, 0);
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 8));
  const [said] = world.socket().of("rematch");
  assert.equal(said.ch, 8);
  await world.socket().hear(entered(said.r, 9, "abcdefg"));
  assert.equal((await asking).session.race, "abcdefg");
});

test("who asks for the rematch of a race that cannot be taken up is told so", async () => {
  const { online, race } = await racing();
  const asking = online.rematch(race);
  await again();
  const refused = assert.rejects(asking, { code: "not_found" });
  await world.socket().hear(refusal(world.socket().of("resume")[0].r, "not_found"));
  await refused;
  await assert.rejects(online.rematch(race), { code: "not_found" });
  assert.equal(world.socket().of("rematch").length, 0);
});

test("a race that is over is taken up again, and behind those that go on", async () => {
  const { online, race } = await racing(0, "kbjueza");
  await world.socket().hear({ ...snap(5), phase: "ended" });
  const entering = online.enter({ tag: "join", what: "abcdefg" });
  await world.socket().hear(entered(world.socket().of("join")[1].r, 1, "abcdefg"));
  await entering;
  await again();
  const asked = world.socket().of("resume");
  assert.deepEqual(asked.map((one) => one.race), ["abcdefg", "kbjueza"]);
  await world.socket().hear(entered(asked[1].r, 4));
  const brought = [];
  online.brought = (other) => brought.push(other.session.race);
  await world.socket().hear(entered(0, 7, "hjkmnpq"));
  assert.deepEqual(brought, ["hjkmnpq"]);
  assert.equal(online.races.on(4), race);
});

test("nothing is said on a channel before the race is entered on the new connection", async () => {
  const { race } = await racing(2);
  const board = boardText(deal(617));
  const running = { ...snap(5, 2), start: board };
  running.seats[0][10] = board;
  await world.socket().hear(running);
  race.act({ move: "2a" });
  await world.socket().hear({ ...no("unavailable", 500), ch: 2, n: 1 });
  await again();
  race.act({ move: "2b" });
  race.act({ tag: "giveup" });
  race.wish("ready", { ready: true });
  race.look();
  world.pass(1_000);
  assert.deepEqual(world.socket().said.map(({ tag }) => tag), ["hello", "resume"]);
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 7));
  const said = world.socket().said.slice(2);
  assert.deepEqual(said.map(({ tag, ch, n }) => [tag, ch, n]), [["m", 7, 1], ["m", 7, 2], ["giveup", 7, 3], ["ready", 7, undefined]]);
});

test("a race that was parted from does not come back, and its channel is not used any more", async () => {
  const { online, race } = await racing(2);
  online.part(race);
  race.act({ tag: "giveup" });
  assert.deepEqual(world.socket().said.map(({ tag }) => tag), ["hello", "join", "part"]);
  await again();
  assert.deepEqual(world.socket().said.map(({ tag }) => tag), ["hello"]);
});

test("a channel that the server gave to another race is the old one's no more", async () => {
  const { online, race, told } = await racing(0, "kbjueza");
  const entering = online.enter({ tag: "join", what: "abcdefg" });
  await world.socket().hear(entered(world.socket().of("join").at(-1).r, 0, "abcdefg"));
  const live = await entering;
  assert.deepEqual([online.races.on(0), race.ch, told], [live, null, ["not_found"]]);
  online.part(race);
  assert.equal(world.socket().of("part").length, 0);
});

test("a race that is parted from and entered again before it is back stays", async () => {
  const { online, race } = await racing();
  await again();
  online.part(race);
  const entering = online.enter({ tag: "join", what: "kbjueza" });
  const [resume, join] = ["resume", "join"].map((tag) => world.socket().of(tag)[0].r);
  await world.socket().hear(entered(resume, 5), entered(join, 5));
  assert.equal(online.races.on(5), await entering);
  assert.equal(world.socket().of("part").length, 0);
});

test("a race that is entered a second time loses nothing, and says nothing twice", async () => {
  const { online, race } = await racing();
  await world.socket().hear(snap(5));
  race.act({ tag: "giveup" });
  const entering = online.enter({ tag: "join", what: "kbjueza" });
  await world.socket().hear(entered(world.socket().of("join")[1].r));
  assert.equal(await entering, race);
  assert.equal(world.socket().of("giveup").length, 1);
});

test("a later race of a series is a rematch, also for who comes to it anew", async () => {
  const { race } = await racing();
  await world.socket().hear({ ...snap(5), best_of: 3, game: 1 });
  assert.equal(race.isRematch, false);
  await world.socket().hear({ ...snap(5), best_of: 3, game: 2 });
  assert.equal(race.isRematch, true);
});

const no = (code, retry_after = 0) => ({ tag: "no", ch: 0, n: 0, code, text: "", expected: 0, retry_after });
const fact = (k) => ({ tag: "p", ch: 0, k, dt: 5, seat: 1, home: 1, moves: 1 });
const ITS_END = 2 ** 31 - 1;
const snap = (k, ch = 0, more = {}) => {
  const seat = (player) => [player, player, "human", false, false, -1, 0, 0, 0, 0, ""];
  const times = { time: 0, age: 0, until: -1, countdown_ms: 3_000, limit_ms: 60_000 };
  return { tag: "snap", ch, k, race: "kbjueza", phase: "running", host: "p1", rules: "classic", open_boards: false, public: false, commitment: "", deal: "", start: "", you: 0, n: 1, seats: [seat("p1"), seat("p2")], ...times, ...more };
};

/** Deal 617 after these actions, the last of which was fact 5. */
function running(...done) {
  const start = boardText(deal(617));
  const begun = Line.begin(readRules("classic"), deal(617), deal(617));
  const line = done.reduce((before, action) => (action.tag === "giveup" ? before : perform(before, action)), begun);
  const dealt = { ...snap(5), start, n: done.length + 1 };
  dealt.seats[0][7] = line.moves;
  dealt.seats[0][10] = boardText(line.board);
  return dealt;
}

/** The answer to who comes back, and the board after these actions. */
const comingBack = (r, ch, ...done) => [{ ...entered(r, ch), n: done.length + 1 }, { ...running(...done), ch }];

/** A page that plays it. */
async function playing() {
  const found = await racing();
  await world.socket().hear(running());
  return found;
}

test("what was under way when another window took the seat is not sent any more", async () => {
  const { online, race, told } = await playing();
  race.act({ move: "2a" });
  race.act({ tag: "u" });
  await world.socket().hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  assert.deepEqual([told, race.stage, race.unmade, race.session.waiting], [["taken over"], "taken", 0, 0]);
  world.pass(1_100);
  assert.equal(race.unmade, 2, "no other window goes on with it");
  assert.equal(race.takenBack.next, undefined);
  await again();
  assert.deepEqual(world.socket().of("resume").map(({ after }) => after), [ITS_END]);
  await world.socket().hear(takenOver(world.socket().of("resume")[0]));
  const entering = online.enter({ tag: "watch", race: "kbjueza" });
  await world.socket().hear(entered(world.socket().of("watch")[0].r, 6));
  assert.equal(await entering, race);
  await world.socket().hear({ ...running(), ch: 6 });
  assert.deepEqual([world.socket().of("m"), world.socket().of("u"), race.stage], [[], [], "play"]);
});

test("who comes back to a race that another device has gone on with leaves it there", async () => {
  const { online, race, told } = await playing();
  world.socket().end();
  race.act({ move: "2a" });
  world.passUntilConnecting();
  await welcomed();
  const [hello, resume] = world.socket().said;
  assert.match(hello.instance, /^[a-z0-9]{1,16}$/);
  assert.equal(hello.instance, world.sockets[0].said[0].instance);
  await world.socket().hear({ tag: "error", code: "taken_over", text: "", r: resume.r });
  world.pass(1_100);
  assert.deepEqual([told, race.stage, race.unmade, online.races.named("kbjueza")], [["taken over"], "taken", 1, race]);
  await again();
  assert.deepEqual(world.socket().of("resume").map(({ after }) => after), [ITS_END]);
});

test("a race that is played elsewhere is asked for while one looks at the page, and its result is shown", async () => {
  const { online, race, told } = await playing();
  await world.socket().hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  world.see(false);
  world.pass(30_000);
  assert.deepEqual(world.socket().of("resume"), []);
  world.see();
  const [first] = world.socket().of("resume");
  assert.equal(first.after, ITS_END);
  world.see();
  assert.equal(world.socket().of("resume").length, 1, "one answer is enough");
  await world.socket().hear(takenOver(first));
  assert.deepEqual([told, race.stage], [["taken over"], "taken"]);
  world.pass(10_100);
  const [, second] = world.socket().of("resume");
  await world.socket().hear(entered(second.r, 5), { ...running(), ch: 5, phase: "ended" });
  assert.deepEqual([race.stage, online.races.on(5)], ["ended", race]);
  world.pass(10_100);
  assert.equal(world.socket().of("resume").length, 2);
});

test("who comes back to what was played elsewhere sees at once that it is over", async () => {
  const { race } = await playing();
  await again();
  await world.socket().hear(takenOver(world.socket().of("resume")[0]));
  const [, { r, after }] = world.socket().of("resume");
  assert.equal(after, ITS_END);
  await world.socket().hear(entered(r, 5), { ...running(), ch: 5, phase: "ended" });
  assert.equal(race.stage, "ended");
});

test("a race that is gone on with here is kept, though it was asked for as one that is played elsewhere", async () => {
  const { online, race, told } = await playing();
  await world.socket().hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  world.see();
  world.socket().end();
  void online.enter({ tag: "watch", race: "kbjueza" });
  world.passUntilConnecting();
  await welcomed();
  for (const { r } of world.socket().of("watch")) await world.socket().hear(entered(r, 5), { ...running(), ch: 5 });
  for (const { r } of world.socket().of("resume")) await world.socket().hear(takenOver({ r }));
  world.pass(100);
  assert.deepEqual([race.stage, told, online.races.on(5)], ["play", ["taken over"], race]);
});

test("a race that was played elsewhere and is there no more is asked for no more", async () => {
  const { online, told } = await playing();
  await world.socket().hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  world.see();
  await world.socket().hear(refusal(world.socket().of("resume")[0].r, "not_found"));
  assert.deepEqual([told, online.races.all], [["taken over", "not_found"], []]);
});

test("a race of which one wants nothing more while it is asked for is parted from", async () => {
  const { online, race } = await playing();
  await world.socket().hear({ tag: "notice", code: "taken_over", text: "", ch: 0 });
  world.see();
  online.part(race);
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 5));
  assert.deepEqual([world.socket().of("part").map(({ ch }) => ch), online.races.all], [[5], []]);
});

/** A page on which this was done without a network. */
async function doing(...actions) {
  const page = await playing();
  world.socket().end();
  for (const action of actions) assert.equal(page.race.act(action), null);
  return page;
}

const [here, there, back] = [{ move: "2a" }, { move: "2b" }, { tag: "u" }];
const said = (tag = "m") => world.socket().of(tag).map(({ n }) => n);
const takenOver = ({ r }) => ({ tag: "error", code: "taken_over", text: "", r });

test("what was not sent when the page is loaded anew is sent by the next, in its place", async () => {
  const { race } = await playing();
  race.act(here);
  await world.socket().hear({ tag: "a", ch: 0, k: 6, dt: 5, n: 1, transfers: [24], what: 0, points: 0, sum: 0 });
  world.socket().end();
  race.act(there);
  race.act(back);
  const { instance } = world.sockets[0].said[0];
  world.leave();
  const online = await connected();
  assert.equal(world.socket().said[0].instance, instance);
  const entering = online.enter({ tag: "join", what: "kbjueza" });
  assert.deepEqual(world.socket().of("join"), []);
  await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 3, here));
  const next = await entering;
  assert.deepEqual(world.socket().said.slice(-2).map(({ tag, ch, n }) => [tag, ch, n]), [["m", 3, 2], ["u", 3, 3]]);
  assert.deepEqual([next.session.waiting, next.unmade, next.prediction.shown.moves], [2, 0, 1]);
});

test("what was refused is not kept, from that moment on", async () => {
  const { race } = await doing(here, back);
  world.passUntilConnecting();
  await welcomed();
  await world.socket().hear(entered(world.socket().of("resume")[0].r));
  world.pass(1_100);
  await world.socket().hear({ ...no("wrong_colour_or_rank"), n: 1, expected: 1 }, { ...no("out_of_order"), n: 2, expected: 1 });
  assert.equal(race.session.waiting, 0);
  world.crash();
  assert.deepEqual(JSON.parse(sessionStorage.getItem("cellrace.held")).races.kbjueza.unsaid, []);
});

test("a page that died loses nothing that was done a second before", async () => {
  await doing(here);
  world.pass(1_100);
  world.crash();
  await connected();
  await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0));
  assert.deepEqual(said(), [1]);
});

test("a page that is loaded anew takes nothing from the device that has gone on, and says what may be missing", async () => {
  for (const [actions, unmade] of [[[], 0], [[here, back], 2]]) {
    await doing(...actions);
    for (let reload = 0; reload < 3; reload += 1) {
      world.leave();
      const online = await loaded();
      const entering = online.enter({ tag: "join", what: "KBJ-UEZA" });
      online.entering.begun();
      online.connection.open();
      await welcomed();
      assert.deepEqual(world.socket().of("join"), []);
      await world.socket().hear(takenOver(world.socket().of("resume")[0]));
      const race = await entering;
      world.pass(1_100);
      assert.deepEqual([race.stage, race.unmade, online.own.elsewhere], ["taken", unmade, []]);
      if (reload < 2) continue;
      const taking = online.enter({ tag: "watch", race: "kbjueza" });
      await world.socket().hear({ ...entered(world.socket().of("watch")[0].r, 4, "kbjueza", 1), n: 9 }, { ...running(), ch: 4, n: 9 });
      assert.equal(await taking, race);
      assert.deepEqual([race.stage, race.unmade, said(), world.socket().of("look")], ["play", unmade, [], []]);
    }
    world.restore();
    sessionStorage.removeItem("cellrace.held");
    world = browser();
  }
});

test("who goes on to a race from another screen takes it, after a reload too", async () => {
  await doing();
  world.leave();
  const online = await connected();
  online.entering.begun();
  void online.enter({ tag: "join", what: "kbjueza" });
  assert.deepEqual([world.socket().of("resume"), world.socket().of("join").length], [[], 1]);
});

test("what was left is made on the board on which it was done, and in its place; else one is told", async () => {
  const other = { move: "8a" };
  for (const [done, sent, unmade] of [
    [[], [1, 2, 3], 0],
    [[here], [2, 3], 0],
    [[here, back], [3], 0],
    [[here, back, there], [], 0],
    [[other], [], 3],
    [[other, back], [3], 0], // on the board that was seen, by whichever way
    [[here, back, other], [], 3],
    [[here, back, there, other], [], 3],
  ]) {
    await doing(here, back, there);
    world.leave();
    const online = await connected();
    await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0, ...done));
    const race = online.races.named("kbjueza");
    assert.deepEqual([world.socket().said.flatMap((one) => one.n ?? []), race.unmade], [sent, unmade], JSON.stringify(done));
    world.restore();
    world = browser();
  }
});

test("nothing is made behind a gap, and to give up is no exception", async () => {
  await doing(here, { tag: "giveup" });
  world.leave();
  const left = JSON.parse(sessionStorage.getItem("cellrace.held"));
  left.races.kbjueza.unsaid.shift();
  for (const done of [[], [there]]) {
    sessionStorage.setItem("cellrace.held", JSON.stringify(left));
    const online = await connected();
    await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0, ...done));
    assert.deepEqual([said("giveup"), online.races.named("kbjueza").unmade], [[], 1]);
    world.crash();
  }
});

test("what comes too late for a race is told with its result, also after a reload", async () => {
  const { race } = await doing(here);
  world.passUntilConnecting();
  await welcomed();
  await world.socket().hear(entered(world.socket().of("resume")[0].r), { tag: "end", ch: 0, k: 6, dt: 0, reason: "all_done", standings: [], deal: "", salt: "" });
  await world.socket().hear({ ...no("race_over"), n: 1 });
  assert.deepEqual([race.stage, race.unmade], ["ended", 1]);
  world.leave();
  const online = await connected();
  await world.socket().hear(entered(world.socket().of("resume")[0].r), { ...running(), k: 9, phase: "ended" });
  const next = online.races.named("kbjueza");
  assert.equal(next.unmade, 1);
  next.isUnmadeTold = true;
  world.pass(1_100);
  assert.deepEqual([sessionStorage.size, leftBy()], [0, {}], "that was told");
});

test("a copy of a window is another one, and goes on with nothing of it", async () => {
  await doing(here);
  world.happen("pagehide");
  const { instance } = world.sockets[0].said[0];
  mock.method(Math, "random", () => 0.25);
  const online = await connected();
  assert.notEqual(world.socket().said[0].instance, instance);
  void online.enter({ tag: "join", what: "kbjueza" });
  assert.deepEqual([world.socket().of("resume"), world.socket().of("join").length], [[], 1]);
});

/** What windows have left, by instance. */
const leftBy = () => Object.fromEntries(Object.keys(localStorage).filter((key) => key.startsWith("cellrace left ")).map((key) => [key.slice(14), JSON.parse(localStorage.getItem(key)).races]));

/** The window is closed; what is opened next is another one, called `name`. */
function closed(name = 0.25) {
  world.leave();
  another(name);
}

/** Another window is opened, while the first is there still. */
function another(name = 0.25) {
  sessionStorage.removeItem("cellrace.held");
  mock.method(Math, "random", () => name);
}

test("what was not sent when a window was closed is sent by the next window, once", async () => {
  await doing(here);
  const { instance } = world.sockets[0].said[0];
  world.happen("pagehide");
  another();
  await connected();
  assert.notEqual(world.socket().said[0].instance, instance, "the first is there still");
  world.crash();
  another();
  await connected();
  assert.equal(world.socket().said[0].instance, instance);
  await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0));
  assert.deepEqual(said(), [1]);
  await world.socket().hear({ ...running(here), k: 9, phase: "ended" });
  world.pass(1_100);
  assert.deepEqual(leftBy(), {});
});

/** Another window, with nothing of its own. */
async function second() {
  sessionStorage.setItem("cellrace.held", '{"instance":"second","races":{}}');
  return connected();
}

for (const isThere of [true, false]) {
  test(`what a window that is ${isThere ? "there" : "gone"} has not sent goes along with the race that another one enters`, async () => {
    const { race } = await doing(here, there);
    world.happen("pagehide");
    if (!isThere) world.crash();
    const online = await second();
    assert.deepEqual([world.socket().said[0].instance, world.socket().of("resume")], ["second", []]);
    const entering = online.enter({ tag: "join", what: "kbjueza" });
    assert.equal(Object.values(leftBy())[0].kbjueza.unsaid.length, 2, "nothing goes along before it can");
    await world.socket().hear(...comingBack(world.socket().of("join")[0].r, 0));
    assert.deepEqual([said(), (await entering).unmade], [[1, 2], 0]);
    if (!isThere) return;
    assert.equal(race.act({ move: "2c" }), null);
    world.pass(1_100);
    race.takenOver();
    world.pass(1_100);
    assert.equal(race.unmade, 1, "that one was not there");
  });
}

test("what is done where one plays on again is kept, though what had its number before went along", async () => {
  const { online } = await doing(here, there);
  world.happen("pagehide");
  void (await second()).enter({ tag: "join", what: "kbjueza" });
  await world.socket().hear(...comingBack(world.socket().of("join")[0].r, 0, { move: "8a" }));
  online.connection.open();
  await welcomed();
  await world.socket().hear(takenOver(world.socket().of("resume")[0]));
  world.pass(1_100);
  void online.enter({ tag: "watch", race: "kbjueza" });
  await world.socket().hear(...comingBack(world.socket().of("watch")[0].r, 6, { move: "8a" }));
  const race = online.races.named("kbjueza");
  assert.equal(race.unmade, 2, "which the other window has told nobody");
  assert.equal(race.act({ move: "2b" }), null);
  world.pass(1_100);
  const kept = Object.values(leftBy()).flatMap(({ kbjueza }) => kbjueza?.unsaid ?? []);
  assert.deepEqual(kept.map(({ n }) => n), [2]);
});

for (const own of [true, false]) {
  test(`what went along is not told as missing by a page that goes on as ${own ? "the window" : "one that is gone"} from which it went`, async () => {
    await doing(here, there);
    world.leave();
    const first = sessionStorage.getItem("cellrace.held");
    if (!own) sessionStorage.removeItem("cellrace.held");
    const online = await loaded();
    void (await second()).enter({ tag: "join", what: "kbjueza" });
    await world.socket().hear(...comingBack(world.socket().of("join")[0].r, 0));
    sessionStorage.setItem("cellrace.held", first);
    world.pass(1_100);
    online.connection.open();
    await welcomed();
    await world.socket().hear(takenOver(world.socket().of("resume")[0]));
    world.pass(1_100);
    const race = online.races.named("kbjueza");
    assert.deepEqual([race.stage, race.unmade], ["taken", 0]);
  });
}

test("what a window has not sent goes along with none that is refused", async () => {
  await doing(here);
  closed();
  const online = await second();
  const entering = assert.rejects(online.enter({ tag: "join", what: "kbjueza" }), { code: "busy" });
  await world.socket().hear({ tag: "error", code: "busy", text: "", r: world.socket().of("join")[0].r, retry_after: 0 });
  await entering;
  closed(0.75);
  await connected();
  await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0));
  assert.deepEqual(said(), [1]);
});

test("what went along outlives the window that has taken it just now", async () => {
  await doing(here);
  closed();
  void (await second()).enter({ tag: "join", what: "kbjueza" });
  const [joined] = comingBack(world.socket().of("join")[0].r, 0);
  await world.socket().hear(joined);
  world.crash();
  await connected();
  assert.equal(world.socket().said[0].instance, "second");
  await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0));
  assert.deepEqual(said(), [1]);
});

test("of what several windows have left of one race what fits is sent, and the rest is told", async () => {
  await doing(here, back, there);
  world.leave();
  const [{ kbjueza }] = Object.values(leftBy());
  const [two, one] = [kbjueza.unsaid.slice(0, 2), kbjueza.unsaid.slice(0, 1)];
  const others = [{ ...one[0], on: 5, to: 6 }];
  for (const [newer, older, sent, unmade] of [[two, one, [1, 2], 0], [one, two, [1], 1], [two, others, [1, 2], 1], [others, one, [1], 1], [others, others, [], 2]]) {
    world.restore();
    world = browser();
    const put = (instance, at, unsaid, more = {}) => localStorage.setItem(`cellrace left ${instance}`, JSON.stringify({ who: "Ada", at: Date.now() - at, races: { kbjueza: { unsaid, unmade: 0 } }, ...more }));
    put("newer", 1_000, newer);
    put("older", 2_000, older);
    put("stranger", 0, one, { who: "Eve" });
    put("old", 90_000_000, one);
    localStorage.setItem("cellrace left odd", "7");
    const online = await loaded();
    const entering = online.enter({ tag: "join", what: "kbjueza" });
    await welcomed();
    assert.equal(world.socket().said[0].instance, "newer");
    await world.socket().hear(...comingBack(world.socket().of("resume")[0].r, 0));
    assert.deepEqual([said().length + said("u").length, (await entering).unmade], [sent.length, unmade]);
    assert.deepEqual(Object.keys(leftBy()).sort(), ["newer", "older", "stranger"]);
  }
});

test("a window goes on as one that is gone: of the race that is asked for, else where something was left to do", async () => {
  const put = (instance, name, unmade) => localStorage.setItem(`cellrace left ${instance}`, JSON.stringify({ who: "Ada", at: Date.now(), races: { [name]: { unsaid: [], unmade } } }));
  put("a", "kbjueza", 0);
  put("b", "mnpqrst", 2);
  put("c", "abcdefg", 0);
  const instances = [];
  for (const race of ["kbjueza", "", ""]) instances.push((await Held.found("Ada", race)).instance);
  assert.deepEqual(instances.slice(0, 2), ["a", "b"]);
  assert.ok(!["a", "b", "c"].includes(instances[2]));
});

test("without locks nobody goes on as another window, and what it has not sent goes along all the same", async () => {
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  await doing(here);
  const { instance } = world.sockets[0].said[0];
  world.leave();
  await connected();
  assert.equal(world.socket().said[0].instance, instance, "after a reload it is the same");
  closed();
  const online = await connected();
  assert.notEqual(world.socket().said[0].instance, instance);
  void online.enter({ tag: "join", what: "kbjueza" });
  await world.socket().hear(...comingBack(world.socket().of("join")[0].r, 0));
  assert.deepEqual(said(), [1]);
});

test("what was not sent is told as missing where one has no seat any more", async () => {
  const { race } = await doing(here, back);
  world.passUntilConnecting();
  await welcomed();
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 4, "kbjueza", -1), { ...running(), ch: 4, you: -1 });
  assert.deepEqual([race.stage, race.unmade], ["watch", 2]);
});

test("what is refused where nobody sees it is told as missing", async () => {
  const { race } = await playing();
  race.watcher = { ...race.watcher, refused: undefined };
  race.act(here);
  race.act(back);
  await world.socket().hear({ ...no("wrong_colour_or_rank"), n: 1, expected: 1 }, { ...no("out_of_order"), n: 2, expected: 1 });
  assert.equal(race.unmade, 2);
});

test("what was not sent outlives any number of reloads, and is sent once however often the race is entered", async () => {
  await doing(here);
  world.leave();
  void (await loaded()).enter({ tag: "join", what: "kbjueza" });
  world.leave();
  const online = await connected();
  const entering = [1, 2].map(() => online.enter({ tag: "join", what: "kbjueza" }));
  for (const { r } of world.socket().of("resume")) await world.socket().hear(...comingBack(r, 3));
  const [one, other] = await Promise.all(entering);
  assert.equal(one, other);
  assert.deepEqual(said(), [1]);
});

test("who comes back to a race that could not be left meanwhile stays", async () => {
  const { online, race } = await racing();
  await world.socket().hear({ ...snap(5), phase: "lobby" });
  world.socket().end();
  race.wish("leave");
  const entering = online.enter({ tag: "join", what: "kbjueza" });
  world.passUntilConnecting();
  await welcomed();
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 4));
  await world.socket().hear(entered(world.socket().of("join")[0].r, 4));
  assert.equal(await entering, race);
  assert.deepEqual(world.socket().of("leave"), []);
});

test("what was not sent is sent by the next page whatever it shows", async () => {
  await doing(here);
  world.leave();
  const online = await connected();
  let greeted = 0;
  online.greeted = () => (greeted += 1);
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 3), { ...running(), ch: 3 });
  assert.deepEqual(said(), [1]);
  assert.notEqual(greeted, 0); // and so one is shown the way back
  assert.equal(online.underWay?.session.race, "kbjueza");
});

test("what was sent after all, behind the back of who does not look, is not sent twice", async () => {
  await doing(here, back);
  world.see(false);
  world.passUntilConnecting();
  await welcomed();
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 4));
  assert.deepEqual(world.socket().said.slice(-2).map(({ tag, n }) => [tag, n]), [["m", 1], ["u", 2]]);
  world.crash(); // the page was thrown away without a word
  const online = await connected();
  await world.socket().hear({ ...entered(world.socket().of("resume")[0].r), n: 3 });
  assert.equal(online.races.named("kbjueza").session.waiting, 0);
  assert.deepEqual([said(), said("u")], [[], []]);
});

test("what was done in a race that is gone, or in which one has no seat any more, is not kept", async () => {
  for (const gone of [(r) => ({ tag: "error", code: "not_found", text: "", r }), (r) => entered(r, 0, "kbjueza", -1)]) {
    await doing(here);
    world.leave();
    const online = await connected();
    await world.socket().hear(gone(world.socket().of("resume")[0].r));
    world.pass(1_100);
    assert.deepEqual([online.races.all, sessionStorage.size], [[], 0]);
    world.restore();
    world = browser();
  }
});

test("a window without a race leaves nothing, and what is no list of actions is passed over", async () => {
  await connected();
  world.leave();
  assert.equal(sessionStorage.size, 0);
  for (const wrong of ["{", "7", "null", '{"instance":5,"races":7}', '{"instance":5,"races":{"kbjueza":{"unsaid":7}}}', '{"instance":"a","races":null}']) {
    sessionStorage.setItem("cellrace.held", wrong);
    const online = await connected();
    void online.enter({ tag: "join", what: "kbjueza" });
    assert.equal(world.socket().of("join").length, 1, wrong);
    world.crash();
  }
  sessionStorage.setItem("cellrace.held", '{"instance":"a","races":{"kbjueza":{"unsaid":[null,{"n":"x"},{"n":1}],"unmade":"x"}}}');
  const online = await connected();
  void online.enter({ tag: "join", what: "kbjueza" });
  await world.socket().hear(entered(world.socket().of("resume")[0].r));
  assert.equal(online.races.named("kbjueza").unmade, 0);
});

test("a word that could not be said for long takes no seat from who plays by now", async () => {
  let now = Date.now();
  mock.method(Date, "now", () => now);
  const late = async (online, ...ways) => {
    const entering = online.enter(...ways);
    now += 60_000;
    await welcomed();
    return { entering, resume: world.socket().of("resume")[0] };
  };
  let online = await loaded();
  const { entering, resume } = await late(online, { tag: "watch", race: "kbjueza" });
  assert.deepEqual(world.socket().of("watch"), []);
  await world.socket().hear(takenOver(resume));
  assert.equal((await entering).stage, "taken");
  world.crash();
  online = await loaded();
  const second = await late(online, { tag: "join", what: "kbjueza" });
  await world.socket().hear(entered(second.resume.r, 0, "kbjueza", -1));
  await world.socket().hear(entered(world.socket().of("join")[0].r));
  assert.equal((await second.entering).seat, 0);
  world.crash();
  online = await loaded();
  for (const code of ["full", "not_found"]) {
    const third = await late(online, { tag: "join", what: "mnpqrst" });
    await world.socket().hear({ tag: "error", code, text: "", r: third.resume.r });
    assert.equal(world.socket().of("join").length, 1, "one may not look on, but sit down");
    world.crash();
    online = await loaded();
  }
});

for (const [what, ask] of [["a race of strangers", (online) => online.quick(usualStandIn("classic"))], ["the daily", (online) => online.enter({ tag: "play_daily", rules: "classic" })], ["a rematch", (online, race) => online.rematch(race)]]) {
  test(`${what} that was asked for long ago is not entered any more where one has gone on elsewhere`, async () => {
    let now = Date.now();
    mock.method(Date, "now", () => now);
    const { online, race } = await racing();
    await world.socket().hear({ ...snap(5), phase: "ended" });
    for (const [races, wait, isAsked] of [[["mnpqrst"], 60_000, false], [["mnpqrst"], 60_000, true], [[], 60_000, true], [["mnpqrst"], 1_000, true]]) {
      world.socket().end();
      let code = "";
      const asking = ask(online, race).catch((error) => (code = error.code));
      now += wait;
      world.passUntilConnecting();
      world.socket().open();
      await world.socket().hear({ ...welcome, races });
      await world.socket().hear(entered(world.socket().of("resume")[0].r, 4));
      const asked = world.socket().said.filter(({ tag }) => ["quick", "play_daily", "rematch"].includes(tag));
      assert.equal(asked.length, Number(isAsked));
      if (isAsked) await world.socket().hear({ tag: "error", code: "draining", text: "", r: asked[0].r });
      await asking;
      assert.equal(code, isAsked ? "draining" : "late");
    }
  });
}

test("a wish that came too fast is said again when it is time", async () => {
  const { race } = await racing();
  race.wish("ready", { ready: true });
  await world.socket().hear(no("slow_down", 2_000), no("slow_down", 2_000));
  world.pass(1_900);
  assert.equal(world.socket().of("ready").length, 1);
  world.pass(200);
  assert.equal(world.socket().of("ready").length, 2);
  await world.socket().hear(no("full"));
  await again();
  await world.socket().hear(entered(world.socket().of("resume")[0].r));
  assert.equal(world.socket().of("ready").length, 0);
});

test("a snapshot is asked for once, and again where that came too fast", async () => {
  await racing();
  await world.socket().hear(snap(5), fact(7), fact(8), fact(9));
  assert.equal(world.socket().of("look").length, 1);
  await world.socket().hear(no("slow_down", 1_000));
  world.pass(1_100);
  assert.equal(world.socket().of("look").length, 2);
  await world.socket().hear(snap(9), fact(11));
  assert.equal(world.socket().of("look").length, 3);
});

test("facts are passed over until the snapshot that puts a board right is there, and answers are not", async () => {
  const { race } = await playing();
  race.act({ move: "2a" });
  race.act({ move: "2b" });
  const applied = (k, n, sum = 0) => ({ tag: "a", ch: 0, k, dt: 5, n, transfers: [24], what: 0, points: 0, sum });
  await world.socket().hear(applied(6, 1, 1), fact(7), applied(8, 2));
  assert.equal(world.socket().of("look").length, 1);
  assert.deepEqual([race.model.k, race.model.seats[1].home, race.session.waiting], [6, 0, 0]);
  await world.socket().hear(snap(8), fact(9));
  assert.deepEqual([race.model.k, race.model.seats[1].home], [9, 1]);
  assert.equal(world.socket().of("look").length, 1);
});

test("a snapshot that was looked for when the connection was lost comes with the race", async () => {
  await playing();
  await world.socket().hear(fact(7), fact(8));
  await again();
  const [{ r, after }] = world.socket().of("resume");
  assert.equal(after, 0);
  await world.socket().hear(entered(r, 2), snap(8, 2));
  assert.equal(world.socket().of("look").length, 0);
  await world.socket().hear({ ...fact(10), ch: 2 });
  assert.deepEqual(world.socket().of("look").map(({ ch }) => ch), [2]);
});

test("a move that was applied without a connection stays on the board until the fact of it is here", async () => {
  const { race } = await playing();
  const [move] = deal(617).columns[1].slice(-1);
  race.act({ move: "2a" });
  race.act({ move: "2b" });
  assert.equal(race.prediction.shown.board.cells[0], move);
  const { shown } = race.prediction;
  await again();
  await world.socket().hear({ ...entered(world.socket().of("resume")[0].r), n: 2 });
  assert.equal(race.session.waiting, 1);
  assert.equal(boardText(race.prediction.shown.board), boardText(shown.board));
  await world.socket().hear({ tag: "a", ch: 0, k: 6, dt: 5, n: 1, transfers: [24], what: 0, points: 0, sum: 0 });
  assert.equal(boardText(race.prediction.shown.board), boardText(shown.board));
  assert.deepEqual(race.prediction.waiting.map(({ ticket }) => ticket), [2]);
});

test("a list that is refused on a new connection for now is asked for again when it is time", async () => {
  const online = await connected();
  const rows = online.ask({ tag: "follow" });
  await again();
  await world.socket().hear({ ...refusal(world.socket().of("follow")[0].r, "busy"), retry_after: 500 });
  world.pass(400);
  assert.equal(world.socket().of("follow").length, 1);
  world.pass(200);
  assert.equal(world.socket().of("follow").length, 2);
  await world.socket().hear({ tag: "races", r: world.socket().of("follow")[1].r, rows: [] });
  assert.deepEqual((await rows).rows, []);
});

test("a rematch to which nobody brings us is gone to: it was opened while there was no connection", async () => {
  const { online, race } = await racing();
  await world.socket().hear({ ...snap(5), phase: "ended" });
  const brought = [];
  online.brought = (other) => brought.push([other.session.race, other.isRematch]);
  await again();
  await world.socket().hear(entered(world.socket().of("resume")[0].r, 4), { tag: "rematched", ch: 4, k: 6, dt: 5, race: "abcdefg" });
  assert.equal(race.model.rematch, "abcdefg");
  world.pass(1_900);
  assert.equal(world.socket().of("rematch").length, 0);
  world.pass(200);
  await world.socket().hear(entered(world.socket().of("resume")[1].r, 5, "abcdefg", -1));
  const [{ r, ch }] = world.socket().of("rematch");
  assert.equal(ch, 4);
  await world.socket().hear(entered(r, 5, "abcdefg"));
  assert.deepEqual([brought, online.races.named("abcdefg").seat], [[["abcdefg", true]], 0]);
});

test("who looks on goes along to look on, and who was brought, or has left, goes nowhere", async () => {
  const { online, race } = await racing();
  const rematched = { tag: "rematched", ch: 0, k: 6, dt: 5, race: "abcdefg" };
  await world.socket().hear({ ...snap(5), phase: "ended" }, rematched, entered(0, 1, "abcdefg"));
  online.part(race);
  const watching = online.enter({ tag: "watch", race: "mnpqrst" });
  await world.socket().hear(entered(world.socket().of("watch")[0].r, 2, "mnpqrst", -1));
  const watched = await watching;
  await world.socket().hear({ ...snap(5, 2), race: "mnpqrst", phase: "ended", you: -1, n: 0 }, { ...rematched, ch: 2, race: "stuvwxy" });
  world.pass(2_100);
  assert.equal(world.socket().of("rematch").length, 0);
  assert.deepEqual(world.socket().of("resume").map((one) => one.race), ["stuvwxy"]);
  await world.socket().hear(refusal(world.socket().of("resume")[0].r, "not_found"));
  assert.equal(watched.model.rematch, "stuvwxy");
});

test("a client that is sent away, or was too fast, stays away for a while", async () => {
  const online = await connected();
  for (const [code, least] of [[1006, 0], [1001, 1_000], [4429, 5_000], [4410, 30_000]]) {
    world.pass(5_000);
    world.socket().end(code);
    if (least) void online.ask({ tag: "daily" });
    const took = world.passUntilConnecting();
    assert.ok(took >= least && took <= least + 1_000, `${code}: ${took} ms`);
    await welcomed();
  }
});

test("pauses grow until a connection has lived for some seconds", async () => {
  await connected();
  const pauses = [];
  for (const lived of [5_000, 100, 100, 100, 5_000]) {
    world.pass(lived);
    world.socket().end(1011);
    pauses.push(world.passUntilConnecting());
    await welcomed();
  }
  assert.deepEqual(pauses, [200, 500, 1_000, 2_000, 200]);
});

test("a client that would have to be mended does not come back, and says so to who asks", async () => {
  for (const code of [4400, 1007, 1009]) {
    const online = await connected();
    const asked = online.ask({ tag: "daily" });
    const { length } = world.sockets;
    world.socket().end(code);
    await assert.rejects(asked, { code: "page_broken" });
    await assert.rejects(online.ask({ tag: "daily" }), { code: "page_broken" });
    world.pass(60_000);
    assert.equal(world.sockets.length, length);
    assert.equal(online.state.state.being, "ended");
  }
});

test("a race that runs is played when there is a board to play on", async () => {
  const { race } = await racing();
  const board = boardText(deal(617));
  const dealt = (k, shown) => {
    const message = { ...snap(k), start: board };
    message.seats[0][10] = shown;
    return message;
  };
  assert.equal(race.stage, "waiting");
  await world.socket().hear(dealt(5, ""));
  assert.equal(race.stage, "waiting");
  await world.socket().hear(dealt(6, board));
  assert.equal(race.stage, "play");
  await world.socket().hear({ ...dealt(7, board), you: -1 });
  assert.equal(race.stage, "watch");
});

test("who is home or has given up is done with the race while others play", async () => {
  const { race } = await racing();
  const board = boardText(deal(617));
  const running = { ...snap(5), start: board };
  running.seats[0][10] = board;
  await world.socket().hear(running);
  assert.equal(race.stage, "play");
  await world.socket().hear({ tag: "done", ch: 0, k: 6, dt: 5, seat: 1, time: 40_100, error: 0, compensation: 0 });
  assert.equal(race.stage, "play");
  await world.socket().hear({ tag: "gaveup", ch: 0, k: 7, dt: 5, seat: 0 });
  assert.equal(race.stage, "done");
  assert.deepEqual(race.others.map((seat) => seat.player), ["p2"]);
});

test("who plays on alone is told so where all others have given up", async () => {
  const { race } = await racing();
  const board = boardText(deal(617));
  const running = { ...snap(5), start: board };
  running.seats[0][10] = board;
  await world.socket().hear(running);
  assert.equal(race.isLastOne, false);
  await world.socket().hear({ tag: "gaveup", ch: 0, k: 6, dt: 5, seat: 1 });
  assert.equal(race.isLastOne, true);
});

test("a race of one's own is under way until one is done with it, also while it is taken up again", async () => {
  const { online, race } = await racing();
  const board = boardText(deal(617));
  const running = { ...snap(5), start: board };
  running.seats[0][10] = board;
  assert.equal(online.underWay, undefined);
  await world.socket().hear(running);
  assert.equal(online.underWay, race);
  await again();
  assert.equal(online.underWay, race);
  await world.socket().hear(entered(world.socket().of("resume")[0].r), { tag: "gaveup", ch: 0, k: 6, dt: 5, seat: 0 });
  assert.equal(online.underWay, undefined);
});

test("a bot may come to who waits for strangers alone, unless the server says that there is none", async () => {
  const { online, race } = await racing();
  const open = { ...snap(5), phase: "lobby", public: true, bots: true };
  open.seats[0].push(false, true); // not away, and a bot is welcome
  open.seats[1][0] = "";
  await world.socket().hear(open);
  assert.equal(race.mine.bots, true);
  assert.equal(isBotComing(online, race), true);
  await world.socket().hear({ tag: "notice", code: "no_house_bot", text: "none", ch: 0 });
  assert.equal(isBotComing(online, race), false);
});

const best = (player, run, time) => [1, player, player, time, 70, 0, run];
const top = (r, ...rows) => ({ tag: "top", r, deal: "", rules: "classic", kind: "human", rows, total: rows.length, scope: "ever" });

test("who waits for strangers is offered a run of somebody else's, and the last word counts", async () => {
  const online = await connected();
  const waiting = online.quick(usualStandIn("classic"));
  const [asked] = world.socket().of("quick");
  assert.deepEqual([asked.house_bot, asked.ghost], [true, ""]);
  await world.socket().hear(entered(asked.r));
  const race = await waiting;
  await world.socket().hear(top(world.socket().of("top")[0].r, best("p1", "mine-0", 90_000)));
  await world.socket().hear(top(world.socket().of("top")[1].r, best("p2", "fast-0", 60_000), best("p1", "mine-0", 90_000)));
  assert.deepEqual(race.standIn, { rules: "classic", choice: "bot", ghost: { run: "fast-0", name: "p2", time: 60_000 } });
  const again = online.quick({ ...race.standIn, choice: "ghost" });
  const last = world.socket().of("quick")[1];
  assert.deepEqual([last.house_bot, last.ghost], [false, "fast-0"]);
  await world.socket().hear(entered(last.r));
  assert.equal(await again, race);
  assert.equal(race.standIn.choice, "ghost");
  assert.equal(world.socket().of("top").length, 2, "which is not looked for again");
});

test("the run offered is just faster than one's own, else in the middle of those that there are", () => {
  const found = (...rows) => ghostFrom(top(1, ...rows), "p1")?.run;
  assert.equal(found(best("p2", "a", 1), best("p3", "b", 2), best("p1", "c", 3), best("p4", "d", 4)), "b");
  assert.equal(found(best("p1", "c", 3), best("p4", "d", 4)), "d");
  assert.equal(found(best("p2", "a", 1), best("p3", "b", 2), best("p4", "d", 4)), "b");
  assert.equal(found(best("p1", "c", 3)), undefined);
  assert.equal(found(), undefined);
});

/** What the browser keeps for all of its tabs. */
function keeping(state) {
  const texts = new Map([["cellrace", JSON.stringify(state)]]);
  globalThis.localStorage = { getItem: (key) => texts.get(key) ?? null, setItem: (key, now) => void texts.set(key, now) };
  return () => JSON.parse(texts.get("cellrace"));
}

test("a new key is kept before it is asked for, and is the one in force when it is answered", async () => {
  const kept = keeping({ token: "t1", theme: "dark" });
  const online = new Online(loadSettings());
  online.connection.open();
  await welcomed();
  const renewing = online.renew();
  const [{ r, token }] = world.socket().of("renew");
  assert.match(token, /^[0-9a-f]{48}$/);
  assert.deepEqual([kept().token, kept().nextToken], ["t1", token]);
  await world.socket().hear({ tag: "renewed", r, token });
  await renewing;
  assert.deepEqual([kept().token, kept().nextToken, kept().theme], [token, "", "dark"]);
});

test("where the answer is lost the new key is tried when the old one is dead", async () => {
  const kept = keeping({ token: "t1" });
  const online = new Online(loadSettings());
  online.connection.open();
  await welcomed();
  const renewing = online.renew();
  const [{ token }] = world.socket().of("renew");
  world.socket().end(1006);
  world.passUntilConnecting();
  world.socket().open();
  assert.equal(world.socket().of("hello")[0].token, "t1");
  await world.socket().hear({ tag: "error", code: "revoked", text: "dead" });
  assert.equal(world.socket().of("hello")[1].token, token);
  await world.socket().hear({ ...welcome, token });
  await world.socket().hear({ tag: "renewed", r: world.socket().of("renew")[0].r, token });
  await renewing;
  assert.equal(kept().token, token);
});

test("another tab goes on with the key that this one took, and writes no dead one over it", async () => {
  const kept = keeping({ token: "t1" });
  const settings = loadSettings();
  const online = new Online(settings);
  online.connection.open();
  await welcomed();
  localStorage.setItem("cellrace", JSON.stringify({ token: "t1", nextToken: "t2" })); // by the other, which has no answer yet
  settings.set({ theme: "light" });
  assert.deepEqual(kept(), { ...settings.state, nextToken: "t2" });
  await world.socket().hear({ tag: "notice", code: "revoked", text: "dead", ch: 0 });
  world.socket().end(4403);
  world.passUntilConnecting();
  world.socket().open();
  await world.socket().hear({ tag: "error", code: "revoked", text: "dead" });
  assert.equal(world.socket().of("hello")[1].token, "t2");
  await world.socket().hear({ ...welcome, token: "t2" });
  assert.equal(online.notice, "", "one is who one was");
  delete globalThis.localStorage;
});

test("a name is tried by somebody else, and one is called so when the server takes it", async () => {
  const online = await connected();
  const [first] = world.sockets;
  const trying = online.tokenFor("Grace");
  const trial = world.socket();
  assert.notEqual(trial, first);
  trial.open();
  assert.deepEqual([trial.said[0].name, trial.said[0].token], ["Grace", ""]);
  await trial.hear({ ...welcome, name: "Grace", token: "t9" });
  assert.equal(await trying, "t9");
  assert.deepEqual([trial.closed, first.closed, online.settings.state.token], [true, false, "t1"]);
  online.become("Grace", "t9");
  assert.equal(first.closed, true);
  world.socket().open();
  assert.deepEqual([world.socket().said[0].name, world.socket().said[0].token], ["Grace", "t9"]);
});

test("a name that is refused, or not answered, changes nothing", async () => {
  const online = await connected();
  const facts = { reason: "sign", sign: "!" };
  const refused = assert.rejects(online.tokenFor("Grace!"), { code: "bad_name", message: "why", facts });
  world.socket().open();
  await world.socket().hear({ tag: "error", code: "bad_name", text: "why", facts });
  await refused;
  const lost = assert.rejects(online.tokenFor("Grace"), { code: "unreachable" });
  world.socket().end();
  await lost;
  const silent = assert.rejects(online.tokenFor("Grace"), { code: "unreachable" });
  world.pass(11_000);
  await silent;
  assert.deepEqual([online.settings.state.name, online.settings.state.token, online.state.state.being], ["Ada", "t1", "on"]);
});

test("a name that was chosen before and is not taken any more is given up with a word", async () => {
  const online = new Online(new Store({ name: "Ada", token: "" }));
  online.connection.open();
  world.socket().open();
  await world.socket().hear({ tag: "error", code: "bad_name", text: "not wanted", facts: { reason: "unwanted" } });
  assert.equal(world.socket().of("hello")[1].name, "");
  await world.socket().hear({ ...welcome, name: "Guest" });
  assert.equal(online.notice, "This name is not wanted here: choose another.");
});
