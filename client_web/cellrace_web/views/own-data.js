/** What is kept of oneself: had as a file, or erased. */

import { t } from "../i18n.js";
import { wholeExport } from "../profile.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { h } from "./dom.js";
import { disclosure } from "./fields.js";

/** @typedef {import("../app.js").App} App */

/** @param {App} app */
export const ownData = (app) => disclosure("ownData", () => [exporting(app), erasing(app)]);

/** @param {App} app */
function exporting(app) {
  const said = h("span", { class: "note", role: "status" });
  const run = async () => {
    said.textContent = t("entering");
    try {
      save(JSON.stringify(await exported(app), null, 2), "cellrace-export.json");
      said.textContent = t("saved");
    } catch (error) {
      said.textContent = errorWords(error);
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

/** Asked twice: there is no way back. @param {App} app */
function erasing(app) {
  const said = h("p", { role: "status" });
  const asked = h("p", { class: "buttons", hidden: true });
  const first = button("erase_", () => {
    asked.hidden = false;
    first.hidden = true;
    said.textContent = t("eraseSure");
    sure.focus();
  });
  const back = () => {
    asked.hidden = true;
    first.hidden = false;
    said.textContent = "";
    first.focus();
  };
  const sure = button("eraseYes", () => void erase(app, said, asked), "danger");
  asked.append(sure, button("giveUpNot", back));
  return h("div", {}, first, said, asked);
}

/** @param {App} app @param {HTMLElement} said @param {HTMLElement} asked */
async function erase(app, said, asked) {
  try {
    await app.online.erase();
    asked.hidden = true;
    said.textContent = t("erased");
  } catch (error) {
    said.textContent = errorWords(error);
  }
}
