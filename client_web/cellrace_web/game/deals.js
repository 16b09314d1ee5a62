/** Microsoft deal numbers, their extension to 33 bits, and deal codes such as `FC1-C4-AAAAAKH`. */

import { NO_CARD } from "./cards.js";

const LAST_DEAL = 2 ** 33 - 1;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The deal with that number, from 1 to `LAST_DEAL`; not checked.
 * @param {number} number @param {number} [cells] @returns {import("./board.js").Board} */
export function deal(number, cells = 4) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  /** @type {number[][]} */
  const columns = Array.from({ length: 8 }, () => []);
  let state = number >>> 0;
  for (let dealt = 0; dealt < 52; dealt += 1) {
    state = (Math.imul(state, 214013) + 2531011) >>> 0;
    const place = drawn(number, state) % deck.length;
    const last = /** @type {number} */ (deck.pop());
    columns[dealt % 8].push(place < deck.length ? deck[place] : last);
    if (place < deck.length) deck[place] = last;
  }
  return { columns, cells: Array(cells).fill(NO_CARD), foundations: [0, 0, 0, 0] };
}

/** @param {number} number @param {number} state */
function drawn(number, state) {
  if (number < 2 ** 31) return (state >>> 16) & 0x7fff;
  return number < 2 ** 32 ? (state >>> 16) | 0x8000 : (state >>> 16) + 1;
}

/** The canonical code. @param {number} number @param {number} [cells] */
export function dealCode(number, cells = 4) {
  let letters = "";
  let rest = number;
  for (let at = 0; at < 7; at += 1) {
    letters = LETTERS[rest % 32] + letters;
    rest = Math.floor(rest / 32);
  }
  return `FC1-C${cells}-${letters}`;
}

/** Python's, which the engine goes by. */
const SPACES = /(?!\ufeff)[\s\x1c-\x1f\x85]/g;

/** What a typed code or number means, as the engine reads it; `null` where it is none.
 * @param {string} text @param {number} [cells] @returns {{number: number, cells: number} | null} */
export function readDeal(text, cells = 4) {
  const typed = text.replace(/[_\u2010-\u2014\u2212]/g, "-");
  const parts = typed.replace(SPACES, typed.includes("-") ? "" : "-").split("-").filter(Boolean);
  const bare = /^#?(\d+)$/.exec(parts.join(""));
  const code = /^FC1-?C([421])(?=\D|[^-]*$)((?:-?[A-Z2-7]){7})$/i.exec(parts.join("-"));
  if (!code && (!bare || /^#?[-\u2212]/.test(text.replace(SPACES, "")))) return null;
  const letters = code?.[2].replaceAll("-", "").toUpperCase() ?? "";
  const number = bare ? Number(bare[1]) : [...letters].reduce((sum, letter) => sum * 32 + LETTERS.indexOf(letter), 0);
  if (number < 1 || number > LAST_DEAL) return null;
  return { number, cells: code ? Number(code[1]) : cells };
}
