// What the views need of a browser beside elements.
import assert from "node:assert/strict";
import { test } from "node:test";
import { copied } from "../../../client_web/cellrace_web/views/dom.js";
import { nameWords } from "../../../client_web/cellrace_web/views/racers.js";

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
