// What the views need of a browser beside elements.
import assert from "node:assert/strict";
import { test } from "node:test";
import { copied } from "../../../client_web/cellrace_web/views/dom.js";

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
