// The terms of a race that one opens, what they are called, and how a series stands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CELLS, COUNTDOWNS, DELAYS, LIMITS, SEATS, SERIES, creation, dealFault, rulesText, usualTerms } from "../../../client_web/cellrace_web/race-options.js";
import { readRules } from "../../../client_web/cellrace_web/game/rules.js";
import { speak } from "../../../client_web/cellrace_web/i18n.js";
import { seriesOf } from "../../../client_web/cellrace_web/series.js";
import { writeMessage } from "../../../client_web/cellrace_web/wire/messages.js";
import { duration, rulesWords, seriesLine, seriesWords, termsWords } from "../../../client_web/cellrace_web/words.js";

test("who chooses nothing opens a race of two by a link", () => {
  assert.deepEqual(writeMessage({ ...creation(usualTerms("classic")), r: 1 }), ["create", 1, "", "classic", 2, false, false, 3_000, 1_800_000, true, false, false, -1, 1]);
});

test("what is chosen is asked for", () => {
  const terms = { ...usualTerms("pocket+cells=2"), seats: 16, deal: "617", limit: 5, countdown: 0, delay: 60, isPublic: true, bots: true, isOpen: true, bestOf: 3 };
  assert.deepEqual(writeMessage({ ...creation(terms), r: 1 }), ["create", 1, "FC1-C2-AAAAATJ", "pocket+cells=2", 16, true, true, 0, 300_000, true, false, true, 60_000, 3]);
  assert.equal(creation({ ...terms, isRanked: true }).deal, "", "a ranked race draws its deal");
  assert.equal(creation({ ...terms, deal: `${" 0".repeat(40)}617` }).deal, "FC1-C2-AAAAATJ", "however long it was written");
});

test("all that there is to choose from is within what the server takes", () => {
  const within = (values, low, high) => values.every((value) => low <= value && value <= high);
  assert.ok(within(SEATS, 1, 16) && within(LIMITS, 1 / 60, 24 * 60) && within(COUNTDOWNS, 0, 60) && within(DELAYS.slice(1), 0, 600) && within(SERIES, 1, 99));
  assert.ok(SERIES.every((most) => most % 2 === 1));
});

test("rule sets are written as they are read", () => {
  for (const preset of ["classic", "relaxed", "pocket", "linear"]) {
    for (const cells of CELLS) {
      assert.equal(readRules(rulesText({ preset, cells })).cells, cells);
      assert.equal(readRules(rulesText({ preset, cells, undo: "none" })).undo_depth, 0);
      assert.equal(readRules(rulesText({ preset, cells, undo: "all" })).undo_depth, null);
    }
    assert.equal(rulesText({ preset, cells: 4 }), preset);
  }
  assert.equal(rulesText({ preset: "linear", cells: 4, undo: "all" }), "linear", "which it has already");
});

test("a deal that cannot be is said so beside its field", () => {
  const usual = usualTerms("classic");
  for (const [deal, fault] of [["", ""], ["617", ""], ["FC1-C4-AAAAATJ", ""], ["FC1-C2-AAAAATJ", "dealCells"], ["no deal", "badDeal"], ["0", "badDeal"]]) {
    assert.equal(dealFault({ ...usual, deal }), fault, deal);
    assert.equal(dealFault({ ...usual, deal, isRanked: true }), "");
  }
});

test("terms in words", async () => {
  const snap = { ranked: false, best_of: 1, limit_ms: 1_800_000, open_boards: false };
  assert.equal(termsWords(snap), "");
  assert.equal(termsWords({ ...snap, ranked: true, best_of: 3, limit_ms: 300_000 }), "Ranked · Time limit: 5 minutes");
  assert.equal(rulesWords("classic+cells=2+undo_depth=0"), "Classic, 2 cells, no undo");
  assert.equal(rulesWords("classic+run_capacity=linear"), "Classic, run_capacity=linear");
  assert.deepEqual([0, 1, 90, 60, 600, 3_600, 86_400].map(duration), ["0 seconds", "1 second", "90 seconds", "1 minute", "10 minutes", "1 hour", "24 hours"]);
  await speak("uk");
  assert.equal(duration(120), "2 хвилини");
  await speak("en");
});

const seats = ["Ada", "Grace", ""].map((name) => ({ player: name, name }));
const model = (snap, standings = [], phase = "lobby") => ({ snap: { best_of: 3, game: 1, wins: [], ...snap }, seats, standings, phase });
const first = (...firsts) => firsts.map((seat) => ({ seat, place: 1, time: 80_000 }));

test("a series stands as its races say, with the one that is over", () => {
  assert.equal(seriesOf(model({ best_of: 1 })), null);
  const begun = seriesOf(model({}));
  assert.equal(seriesWords(begun, seats), "Race 1, best of 3 — Ada 0 : 0 Grace");
  const running = seriesOf(model({ game: 2, wins: [1, 0, 0] }, first(1), "running"));
  assert.deepEqual([running.wins, running.isOver], [[1, 0, 0], false]);
  const even = seriesOf(model({ game: 2, wins: [1, 0, 0] }, first(1), "ended"));
  assert.deepEqual([even.wins, even.winners, even.isOver], [[1, 1, 0], [], false]);
  const won = seriesOf(model({ game: 2, wins: [1, 0, 0] }, first(0), "ended"));
  assert.equal(won.isOver, true);
  assert.equal(seriesWords(won, seats), "Race 2, best of 3 — Ada 2 : 0 Grace — series won by Ada");
  const shared = seriesOf(model({ game: 3, wins: [1, 1, 0] }, first(0, 1), "ended"));
  assert.deepEqual([shared.winners, shared.isOver], [[0, 1], true]);
  const nobody = seriesOf(model({ game: 3, wins: [0, 1, 0] }, [{ seat: 0, place: 1, time: -1 }], "ended"));
  assert.deepEqual([nobody.wins, nobody.winners, nobody.isOver], [[0, 1, 0], [], true]);
});

test("who has not come to the next race of a series yet has still won", () => {
  const before = [{ player: "Ada", name: "Ada 39", wins: 1 }, { player: "Grace", name: "Grace 98", wins: 0 }];
  const series = { game: 2, most: 3, wins: [0, 0], winners: [] };
  const alone = [{ player: "Grace", name: "Grace 98" }, { player: "", name: "" }];
  assert.equal(seriesWords(series, alone, before), "Race 2, best of 3 — Grace 98 0 : 1 Ada 39");
  assert.equal(seriesLine(series, alone, before), "Race 2, best of 3 — Grace\u00a098 0 : 1 Ada\u00a039");
  assert.equal(seriesWords(series, alone), "Race 2, best of 3 — Grace 98: 0");
});
