// Names from right to left, in texts that go from left to right: they turn nothing round that is beside them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES, isolated, speak, t } from "../../../client_web/cellrace_web/i18n.js";
import { raceWords } from "../../../client_web/cellrace_web/views/own-races.js";
import { briefWords, nameWords } from "../../../client_web/cellrace_web/views/racers.js";
import { resultText, resultTitle } from "../../../client_web/cellrace_web/views/result.js";
import { listed, seriesLine, seriesWords } from "../../../client_web/cellrace_web/words.js";

const NAMES = ["\u05d0\u05d3\u05d4", "\u0622\u062f\u0627 3", "\ufb1d-2", "\u{1e900}\u{1e901}"];
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What of a text is not isolated. */
const bare = (text) => text.replace(/\u2068[^\u2068\u2069]*\u2069/g, "");

const assertIsolated = (text) => {
  assert.match(text, LEFTWARD);
  assert.doesNotMatch(bare(text), LEFTWARD, JSON.stringify(text));
  assert.doesNotMatch(bare(text), /[\u2068\u2069]/, "once is enough");
};

test("a name is isolated where it needs it, and as it is elsewhere", () => {
  for (const name of NAMES) assert.equal(isolated(name), `\u2068${name}\u2069`);
  for (const name of ["Ada", "Zo\u00eb 3", "\u041e\u043b\u0435\u043d\u0430", "\u82b1", ""]) assert.equal(isolated(name), name);
});

test("every text that has a name in it", async () => {
  for (const tag of Object.keys(LANGUAGES)) {
    await speak(tag);
    for (const name of NAMES) {
      for (const key of ["isHome", "otherHome", "wonBy", "ghostWon", "waitForName", "stillPlaying", "seriesWon", "wantsAgain", "broughtAgain", "raceAs", "tabJoined", "standIn_ghost", "ghostExplained"]) {
        assertIsolated(t(key, { name, time: "1:02", n: 5 }));
      }
      assertIsolated(t("nameTaken", { wanted: name, name: `${name} 2` }));
    }
  }
  await speak("en");
});

test("what is made of names without a text", () => {
  const [ada, other, third] = NAMES;
  assertIsolated(listed(NAMES));
  assertIsolated(t("wonBy", { name: listed(NAMES) }));
  assertIsolated(nameWords({ name: ada, kind: "bot" }, true));
  for (const words of briefWords([ada, other, third].map((name, at) => ({ name: nameWords({ name, kind: "" }, at === 2), home: at, state: "", kind: at === 2 ? "mine" : "", time: -1 }))).slice(0, 1)) assertIsolated(words);
  assertIsolated(raceWords("kbjueza", { others: [ada, other], phase: "running", daily: false, time: -1, gaveUp: false, way: {} }));
  const seats = [ada, other].map((name, at) => ({ player: `p${at}`, name, gave_up: false }));
  const series = { game: 2, most: 3, wins: [1, 0], winners: [0], isOver: true };
  for (const words of [seriesWords, seriesLine]) assertIsolated(words(series, seats));
  assertIsolated(seriesWords({ ...series, wins: [1, 0, 0] }, [...seats, { player: "p2", name: third }]));
  const standings = [0, 1].map((seat) => ({ seat, place: seat + 1, time: 62_000, home: 52, moves: 99 }));
  const model = { seats, standings, snap: { daily: "" }, deal: "FC1-C4-AAAAATJ", rules: "classic", you: -1, ghosts: new Map() };
  assertIsolated(resultTitle(model));
  assertIsolated(resultText({ model, session: { race: "kbjueza" }, placed: "" }, "https://races.example"));
});
