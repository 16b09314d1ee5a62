/** A board: where all cards lie, and the one short text that the protocol has for it. */

import { NO_CARD } from "./cards.js";

/**
 * Columns with the exposed card last, cells (`NO_CARD` where empty), heights of the foundations (C D H S). Never changed
 * once made: a move makes another.
 * @typedef {{columns: number[][], cells: number[], foundations: number[]}} Board
 */

export const FIRST_CELL = 8;
export const FIRST_FOUNDATION = 12;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";

/** @param {string} text */
const cardsOf = (text) => [...text].map((letter) => LETTERS.indexOf(letter));

/** @param {number[]} cards */
const lettersOf = (cards) => cards.map((card) => LETTERS[card]).join("");

/** The board of a text (SPEC 4.4). Throws where it is none. @param {string} text @returns {Board} */
export function readBoard(text) {
  const [columns, cells, heights] = text.split("|");
  const board = {
    columns: (columns ?? "").split("/").map(cardsOf),
    cells: cardsOf(cells ?? ""),
    foundations: [...(heights ?? "")].map((digit) => parseInt(digit, 16)),
  };
  if (board.columns.length !== 8 || board.foundations.length !== 4 || board.columns.flat().some((card) => card < 0)) {
    throw new Error(`not a board: ${text.slice(0, 100)}`);
  }
  return board;
}

/** The text of a board. @param {Board} board */
export function boardText({ columns, cells, foundations }) {
  const heights = foundations.map((height) => height.toString(16)).join("");
  return `${columns.map(lettersOf).join("/")}|${lettersOf(cells)}|${heights}`;
}

/** How many cards are home. @param {Board} board */
export const cardsHome = (board) => board.foundations.reduce((sum, height) => sum + height, 0);

/** Whether all 52 cards are home. @param {Board} board */
export const isWon = (board) => cardsHome(board) === 52;

/** The cards of a pile (0-7 columns, 8-11 cells, 12-15 foundations), the exposed one last.
 * @param {Board} board @param {number} pile @returns {number[]} */
export function pileOf(board, pile) {
  if (pile < FIRST_CELL) return board.columns[pile];
  if (pile < FIRST_FOUNDATION) {
    const card = board.cells[pile - FIRST_CELL];
    return card === undefined || card === NO_CARD ? [] : [card];
  }
  const suit = pile - FIRST_FOUNDATION;
  return Array.from({ length: board.foundations[suit] }, (_, level) => level * 4 + suit);
}

/** Whether a pile is on both boards the same. @param {Board} before @param {Board} board @param {number} pile */
export function samePile(before, board, pile) {
  if (pile >= FIRST_FOUNDATION) return before.foundations[pile - FIRST_FOUNDATION] === board.foundations[pile - FIRST_FOUNDATION];
  if (pile >= FIRST_CELL) return before.cells[pile - FIRST_CELL] === board.cells[pile - FIRST_CELL];
  const [was, is] = [before.columns[pile], board.columns[pile]];
  return was === is || (was.length === is.length && was.every((card, at) => card === is[at]));
}

/** The board after cards went from pile to pile. Nothing is checked against the rules; throws where there are no such cards.
 * @param {Board} board @param {number} source @param {number} destination @param {number} count @returns {Board} */
export function moved(board, source, destination, count) {
  const pile = pileOf(board, source);
  if (pile.length < count) throw new Error(`pile ${source} has fewer than ${count} cards`);
  const cards = pile.slice(pile.length - count);
  const columns = [...board.columns];
  const cells = [...board.cells];
  const foundations = [...board.foundations];
  if (source < FIRST_CELL) columns[source] = pile.slice(0, pile.length - count);
  else if (source < FIRST_FOUNDATION) cells[source - FIRST_CELL] = NO_CARD;
  else foundations[source - FIRST_FOUNDATION] -= 1;
  if (destination < FIRST_CELL) columns[destination] = [...columns[destination], ...cards];
  else if (destination >= FIRST_FOUNDATION) foundations[destination - FIRST_FOUNDATION] += 1;
  else if (destination - FIRST_CELL < cells.length) cells[destination - FIRST_CELL] = cards[0];
  else throw new Error(`there is no cell ${destination}`);
  return { columns, cells, foundations };
}

/** A transfer as the wire has it (SPEC 4.3). @param {number} packed */
export const unpacked = (packed) => ({ source: (packed >> 4) & 15, destination: packed & 15, count: (packed >> 8) + 1 });

/** The board after a transfer as the wire has it. @param {Board} board @param {number} packed */
export function transferred(board, packed) {
  const { source, destination, count } = unpacked(packed);
  return moved(board, source, destination, count);
}

const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (as in zlib) of a board's text. @param {string} text */
export function checksum(text) {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) crc = CRC[(crc ^ text.charCodeAt(at)) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
