// Texts of the shared vectors: boards and piles as the engine writes them.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_CARD, RANKS, SUITS, cardName } from "../../../client_web/cellrace_web/game/cards.js";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");

export const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

export const readLines = (path) => readFileSync(join(ROOT, path), "utf8").trim().split("\n").map((line) => JSON.parse(line));

const card = (name) => RANKS.indexOf(name[0]) * 4 + SUITS.indexOf(name[1]);

/** The board of an engine's text: `columns/...|cells,...|C0D0H0S0`. */
export function readEngineBoard(text) {
  const [columns, cells, heights] = text.split("|");
  return {
    columns: columns.split("/").map((column) => (column.match(/../g) ?? []).map(card)),
    cells: cells.split(",").map((name) => (name ? card(name) : NO_CARD)),
    foundations: [...heights.matchAll(/[CDHS](\d+)/g)].map((found) => Number(found[1])),
  };
}

export function engineText({ columns, cells, foundations }) {
  const piles = columns.map((column) => column.map(cardName).join("")).join("/");
  const held = cells.map((at) => (at === NO_CARD ? "" : cardName(at))).join(",");
  return `${piles}|${held}|${foundations.map((height, suit) => SUITS[suit] + height).join("")}`;
}

export const pile = (name) => (name[0] === "h" ? 12 + SUITS.indexOf(name[1]) : "12345678abcd".indexOf(name));

export const move = ([source, destination, count]) => ({ source: pile(source), destination: pile(destination), count });
