/** What is kept of oneself: had as a file, or erased. */

import { t } from "../i18n.js";
import { wholeExport } from "../profile.js";
import { Refused } from "../wire/requests.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";
import { disclosure } from "./fields.js";
import { Twice } from "./twice.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app @param {() => void} erased it is done */
export const ownData = (app, erased) => disclosure("ownData", () => [h("p", {}, t("ownDataIs")), exporting(app), erasing(app, erased)]);

/** @param {App} app */
function exporting(app) {
  const said = h("span", { class: "note", role: "status" });
  const run = async () => {
    said.textContent = t("entering");
    try {
      save(JSON.stringify(await exported(app), null, 2), "cellrace-export.json");
      said.textContent = t("saved");
    } catch (error) {
      const isNothing = error instanceof Refused && error.code === "not_found";
      said.textContent = isNothing ? t("nothingKept") : errorWords(error);
    }
  };
  return h("p", { class: "row wrap" }, button("export_", () => void run()), said);
}

/** All that is kept, page by page. @param {App} app */
async function exported(app) {
  /** @type {string[]} */
  const documents = [];
  for (let pages = 1; documents.length < pages; ) {
    const page = await app.online.ask({ tag: "export", page: documents.length });
    documents.push(page.document);
    pages = page.pages;
  }
  return wholeExport(documents);
}

/** Give the reader a file. @param {string} text @param {string} name */
function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // when it has been read
}

/** @param {App} app @param {() => void} erased */
function erasing(app, erased) {
  const twice = new Twice("eraseYes", async () => {
    await app.online.erase();
    erased();
    return t("erased");
  });
  const first = button("erase_", () => twice.ask(first, t("eraseSure")));
  return h("div", {}, first, twice.said, twice.buttons);
}
