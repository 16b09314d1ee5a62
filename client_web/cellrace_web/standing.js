/** Where one stands on a board, and which rows of it are shown. No document is needed. */

import { t } from "./i18n.js";

/** A page of a board: rows from `offset` on, or those around one's own. @typedef {{offset: number, around: boolean}} Page */
/** What boards have in common. @typedef {import("./wire/messages.js").Message} Answer */

/** Where one stands, in words; empty where one is not on the board. @param {Answer} answer with one's own place in `place` */
export function standingWords({ total, worse, place }) {
  if (!place) return "";
  if (total < 2) return t("standingAlone");
  if (!worse) return t("standingLast", { place, total });
  return t("standing", { place, total, percent: Math.floor((100 * worse) / (total - 1)) });
}

/** The rows shown; empty where that is all of them. @param {Answer} answer */
export function shownWords({ rows, offset, total }) {
  return rows.length && rows.length < total ? t("rowsShown", { from: offset + 1, to: offset + rows.length, total }) : "";
}

/** The pages before and behind the one shown, where there are any. @param {Answer} answer @param {number} count rows of a page
 * @returns {{before: Page | null, next: Page | null}} */
export function pagesAround({ rows, offset, total }, count) {
  const behind = offset + rows.length;
  return {
    before: offset > 0 ? { offset: Math.max(0, offset - count), around: false } : null,
    next: behind < total ? { offset: behind, around: false } : null,
  };
}

/** Whether the page shown has a row. @param {Answer} answer @param {number} ahead rows before it on the board */
export const isShown = ({ rows, offset }, ahead) => ahead >= offset && ahead < offset + rows.length;
