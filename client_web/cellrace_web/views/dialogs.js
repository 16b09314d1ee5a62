/** Dialogs: the browser's own, with a title and a way out. */

import { t } from "../i18n.js";
import { h } from "./dom.js";

/** Open a dialog; returns it. @param {string} title @param {...import("./dom.js").Child} children */
export function openDialog(title, ...children) {
  const close = h("button", { type: "button", class: "close", "aria-label": t("close"), onclick: () => dialog.close() }, "×");
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() }, h("header", {}, h("h2", {}, title), close), ...children);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {string} key @param {() => void} run @param {string} [kind] */
export const button = (key, run, kind = "") => h("button", { type: "button", class: kind, onclick: run }, t(key));
