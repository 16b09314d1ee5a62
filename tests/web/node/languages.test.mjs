// Every catalogue has every text, with the same things to fill in, and every plural form of its language.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readBoard } from "../../../client_web/cellrace_web/game/board.js";
import { LANGUAGES, chosen, has, speak, t } from "../../../client_web/cellrace_web/i18n.js";
import { Refused } from "../../../client_web/cellrace_web/wire/requests.js";
import { cardWords, codeWords, errorWords, moveWords, noticeWords, refusalWords } from "../../../client_web/cellrace_web/words.js";
import en from "../../../client_web/cellrace_web/languages/en.js";
import { ROOT } from "./support.mjs";

const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort().join();

for (const tag of Object.keys(LANGUAGES)) {
  test(`the catalogue of ${tag}`, async () => {
    const { default: catalogue } = await import(`../../../client_web/cellrace_web/languages/${tag}.js`);
    assert.deepEqual(Object.keys(catalogue).sort(), Object.keys(en).sort());
    const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(catalogue)) {
      assert.equal(typeof text, typeof en[key], key);
      if (typeof text === "string") assert.equal(holes(text), holes(en[key]), key);
      else assert.deepEqual(Object.keys(text).sort(), [...forms].sort(), key);
    }
    // Written down: to ask the browser for it costs a first visit as much as a quarter of the way to a board.
    assert.equal(catalogue.decimal, new Intl.NumberFormat(tag).formatToParts(0.5).find(({ type }) => type === "decimal").value);
  });
}

// Where a number stands for itself, or before what is the same for one and for many.
const UNCOUNTED = ["column", "home", "moved", "otherHome", "redone", "undone"];

for (const tag of Object.keys(LANGUAGES)) {
  test(`what ${tag} counts, it counts rightly`, async () => {
    const { default: catalogue } = await import(`../../../client_web/cellrace_web/languages/${tag}.js`);
    const uncounted = Object.entries(catalogue).filter(([, text]) => typeof text === "string" && text.includes("{n}"));
    assert.deepEqual(uncounted.map(([key]) => key).sort(), UNCOUNTED);
  });
}

test("no text is asked for that is not there, and none is there that is not asked for", () => {
  const folder = join(ROOT, "client_web/cellrace_web");
  const sources = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("languages")).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  for (const [, key] of sources.matchAll(/\b(?:t|button)\("([\w]+)"/g)) assert.ok(key in en, key);
  const built = /^(standIn_|wait_|sight_|undo_|rank|suit|no_|about_|err_|notice_|set_|rules_|end_|phase_|scope_|board_)/;
  for (const key of Object.keys(en)) assert.ok(built.test(key) || sources.includes(`"${key}"`), `${key} is not used`);
});

test("words follow the language", async () => {
  assert.equal(chosen(["de-DE", "uk-UA", "en"]), "uk");
  assert.equal(chosen(["de"]), "en");
  await speak("uk");
  assert.deepEqual([1, 2, 5, 21].map((n) => t("moves", { n })), ["1 хід", "2 ходи", "5 ходів", "21 хід"]);
  await speak("nl");
  assert.equal(cardWords(46), "harten vrouw");
  await speak("en");
  assert.equal(refusalWords({ reason: "over_capacity", asked: 3, possible: 2, cells: 1, columns: 0 }), "3 cards asked, 2 can move: 1 empty cell, 0 empty columns");
  assert.equal(refusalWords({ reason: "something_new" }), "Not possible (something_new)");
});

const said = process.env.CELLRACE_ENGINE_VECTORS;

test("why a name is refused is told in the reader's language, whatever the reason", { skip: !said }, async () => {
  const { names, name_reasons: reasons } = JSON.parse(readFileSync(said, "utf8"));
  assert.deepEqual([...new Set(names.map(({ facts }) => facts.reason))].sort(), [...reasons].sort());
  for (const tag of Object.keys(LANGUAGES)) {
    await speak(tag);
    for (const reason of reasons) assert.ok(has(`err_bad_name_${reason}`), reason);
    for (const { name, text, facts } of names) {
      const { reason, ...values } = facts;
      const words = codeWords("bad_name", text, facts);
      assert.ok(words !== t("err_bad_name", { text }) && words !== text, `${tag}: ${name}: ${words}`);
      assert.ok(Object.values(values).every((value) => words.includes(value)), `${tag}: ${name}: ${words}`);
      assert.equal(noticeWords({ tag: "notice", code: "bad_name", text, ch: 0, facts }), words);
      assert.equal(errorWords(new Refused("bad_name", text, facts)), words);
    }
  }
  await speak("en");
  const told = names.map(({ text, facts }) => codeWords("bad_name", text, facts));
  assert.deepEqual(told.slice(0, 2), ["A name has 1 to 24 characters; this one has 30.", "A name has letters, digits, spaces and . _ - ' only, not '!'."]);
  assert.equal(told.at(-1), "A name has letters, digits, spaces and . _ - ' only, not '{'.");
});

test("what the server says to programs is told where there are words for it and all that they need", async () => {
  await speak("fr");
  for (const facts of [undefined, {}, { reason: "of_tomorrow" }, { reason: "length", most: 24 }, { reason: "constructor" }, { reason: 7 }, { length: 7 }]) {
    assert.equal(codeWords("bad_name", "of {tomorrow}", facts), "Le serveur n’accepte pas ce nom\u00a0: of {tomorrow}");
    assert.equal(noticeWords({ tag: "notice", code: "bad_name", text: "of tomorrow", ch: 0, facts }), "Le serveur n’accepte pas ce nom\u00a0: of tomorrow");
  }
  assert.equal(codeWords("of_tomorrow", "in English", { reason: "length" }), "in English");
  for (const reason of ["format", "cells", "number"]) assert.equal(codeWords("bad_deal", "in English", { reason }), t("badDeal"));
  assert.equal(codeWords("bad_deal", "in English", { reason: "other_cells", cells: 2, expected: 4 }), t("dealCells"));
  assert.equal(codeWords("bad_deal", "in English", { reason: "of_tomorrow" }), "On ne peut pas jouer cette donne\u00a0: in English");
  await speak("en");
});

test("a move is told by its cards", async () => {
  await speak("en");
  const board = readBoard("A/EC///////".split("/").slice(0, 8).join("/") + "|----|0000");
  const way = (source, destination, count) => moveWords({ source, destination, count }, board);
  assert.equal(way(0, 8, 1), "ace of clubs to a cell");
  assert.equal(way(0, 12, 1), "ace of clubs to the foundation");
  assert.equal(way(0, 1, 1), "ace of clubs onto the ace of hearts");
  assert.equal(way(1, 2, 2), "2 cards from the 2 of clubs on to an empty column");
});

test("what the server tells is told in the reader's language, and the host's own words stay as they are", async () => {
  const notice = (code, text) => noticeWords({ tag: "notice", code, text, ch: 0 });
  await speak("nl");
  assert.equal(notice("last_races", "the server goes down when the races that run are over"), "De server stopt als de lopende races voorbij zijn.");
  assert.equal(notice("announcement", "tea is ready"), "tea is ready");
  assert.equal(notice("closed", "the host of this server closes the race"), "De gastheer heeft de race gesloten");
  assert.equal(notice("sent_away", "too late"), "De gastheer heeft deze verbinding gesloten: too late");
  assert.equal(notice("of_tomorrow", "in English"), "in English");
  await speak("en");
});

test("what the server refuses is told in the reader's language", async () => {
  await speak("fr");
  assert.equal(errorWords(new Refused("full", "all 2 seats are taken")), "Toutes les places sont prises");
  assert.equal(errorWords(new Refused("bad_options", "two seats at least")), "Ce n’est pas possible\u00a0: two seats at least");
  assert.equal(codeWords("race_over", "the race is over"), "La course est finie");
  assert.equal(codeWords("over_capacity", "3 cards asked"), "3 cards asked", "what a refusal's numbers are, only its text says");
  assert.equal(codeWords("of_tomorrow", "in English"), "in English");
  await speak("en");
});
