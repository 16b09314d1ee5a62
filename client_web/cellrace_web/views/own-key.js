/** The key that proves who one is: taken to another device, had from there, or made anew. */

import { t } from "../i18n.js";
import { errorWords } from "../words.js";
import { button } from "./dialogs.js";
import { copyTo, h } from "./dom.js";
import { field } from "./fields.js";
import { Twice } from "./twice.js";

/** @typedef {import("../online.js").Online} Online */

/** @param {Online} online */
export function ownKey(online) {
  const said = h("p", { role: "status" });
  const buttons = h("p", { class: "row wrap" }, button("keyCopy", () => void copy(online, said)), button("keyNew", () => void renew(online, said)));
  return [h("p", { class: "note" }, t("keyExplained")), buttons, said, ...taking(online)];
}

/** The server gives a key to who has none. @param {Online} online @param {HTMLElement} said */
async function copy(online, said) {
  try {
    if (!online.settings.state.token) await online.ask({ tag: "races" });
    await copyTo(online.settings.state.token, t("keyCopy"), said);
  } catch (error) {
    said.textContent = errorWords(error);
  }
}

/** Have another key, for when somebody may have seen it. @param {Online} online @param {HTMLElement} said */
async function renew(online, said) {
  said.textContent = t("entering");
  try {
    await online.renew();
    said.textContent = t("keyRenewed");
  } catch (error) {
    said.textContent = errorWords(error);
  }
}

/** Be who one is on another device. What is one's own here is told to stay behind. @param {Online} online */
function taking(online) {
  const key = h("input", { id: "key", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const twice = new Twice("keyTake", async () => t("keyTaken", { name: await online.becomeBy(key.value.trim()) }));
  const asks = async () => {
    const { name } = online.state.state;
    if (!key.value.trim()) key.focus();
    else if (!online.underWay && !online.own.elsewhere.length && (await online.isNobodyYet())) await twice.done();
    else twice.ask(take, t("nameSure", { name }));
  };
  const take = button("enter", () => void asks().catch((error) => (twice.said.textContent = errorWords(error))));
  return [field("keyHere", h("span", { class: "row" }, key, take)), twice.said, twice.buttons];
}
