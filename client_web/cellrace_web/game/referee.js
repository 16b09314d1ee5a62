/** What is legal, and why a move is not. */

import { FIRST_CELL, FIRST_FOUNDATION, isWon, moved, pileOf } from "./board.js";
import { NO_CARD, RANKS, SUITS, cardName, fitsOn, isRed, isRun, runLength } from "./cards.js";
import { capacity } from "./rules.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{source: number, destination: number, count: number}} Move */
/**
 * Why a move is refused: the protocol's code, and what a sentence about it needs.
 * @typedef {{reason: string, asked?: number, possible?: number, cells?: number, columns?: number, card?: string,
 *   onto?: string, colour?: "red" | "black", rank?: string}} Refusal
 */

/** @param {number} pile */
const kind = (pile) => (pile < FIRST_CELL ? "column" : pile < FIRST_FOUNDATION ? "cell" : "foundation");

/** Why the rules refuse a move, `null` when it is legal. @param {Board} board @param {Move} move @param {Rules} rules
 * @returns {Refusal | null} */
export function reasonAgainst(board, move, rules) {
  if (isWon(board)) return { reason: "game_over" };
  return againstPiles(board, move, rules) ?? againstSource(board, move) ?? againstDestination(board, move, rules);
}

/** @param {Board} board @param {Move} move @param {Rules} rules @returns {Refusal | null} */
function againstPiles(board, { source, destination }, rules) {
  for (const pile of [source, destination]) {
    const none = !(pile >= 0 && pile < 16) || (kind(pile) === "cell" && pile - FIRST_CELL >= board.cells.length);
    if (none) return { reason: "no_such_pile" };
  }
  if (source === destination) return { reason: "same_pile" };
  if (kind(source) !== "foundation") return null;
  if (kind(destination) === "foundation") return { reason: "between_foundations" };
  if (rules.take_back === "never") return { reason: "never_from_foundation" };
  const toCell = rules.take_back === "column" && kind(destination) === "cell";
  return toCell ? { reason: "foundation_to_column_only" } : null;
}

/** @param {Board} board @param {Move} move @returns {Refusal | null} */
function againstSource(board, { source, destination, count }) {
  if (count < 1) return { reason: "bad_count", asked: count };
  const betweenColumns = kind(source) === "column" && kind(destination) === "column";
  if (count > 1 && !betweenColumns) return { reason: "one_card_only", asked: count, possible: 1 };
  const there = pileOf(board, source).length;
  if (there === 0) return { reason: "empty_source" };
  return there < count ? { reason: "too_few_cards", asked: count, possible: there } : null;
}

/** @param {Board} board @param {Move} move @param {Rules} rules @returns {Refusal | null} */
function againstDestination(board, move, rules) {
  const cards = pileOf(board, move.source).slice(-move.count);
  const target = pileOf(board, move.destination);
  if (kind(move.destination) === "cell") {
    return target.length ? { reason: "cell_occupied", onto: cardName(target[0]) } : null;
  }
  if (kind(move.destination) === "foundation") return againstFoundation(cards[0], move.destination, target.length);
  return againstRun(cards) ?? againstBuilding(cards[0], target) ?? againstCapacity(board, move, rules);
}

/** @param {number} card @param {number} destination @param {number} height @returns {Refusal | null} */
function againstFoundation(card, destination, height) {
  const name = cardName(card);
  const suit = destination - FIRST_FOUNDATION;
  if ((card & 3) !== suit) return { reason: "wrong_foundation", card: name };
  if (card >> 2 === height) return null;
  return { reason: "not_next_on_foundation", card: name, onto: `${RANKS[height]}${SUITS[suit]}` };
}

/** @param {number[]} cards @returns {Refusal | null} */
function againstRun(cards) {
  if (isRun(cards)) return null;
  const at = cards.findIndex((card, index) => index > 0 && !fitsOn(card, cards[index - 1]));
  return { reason: "not_a_run", asked: cards.length, card: cardName(cards[at]), onto: cardName(cards[at - 1]) };
}

/** @param {number} card @param {number[]} target @returns {Refusal | null} */
function againstBuilding(card, target) {
  const onto = target.at(-1);
  if (onto === undefined || fitsOn(card, onto)) return null;
  const needed = card >> 2 < 12 ? RANKS[(card >> 2) + 1] : "";
  return { reason: "wrong_colour_or_rank", card: cardName(card), onto: cardName(onto), colour: isRed(card) ? "black" : "red", rank: needed };
}

/** @param {Board} board @param {Move} move @param {Rules} rules @returns {Refusal | null} */
function againstCapacity(board, move, rules) {
  if (move.count === 1) return null;
  const { cells, columns } = emptiesFor(board, move.destination);
  const possible = capacity(rules, cells, columns);
  return move.count > possible ? { reason: "over_capacity", asked: move.count, possible, cells, columns } : null;
}

/** Empty cells and columns, the destination not counted. @param {Board} board @param {number} destination */
function emptiesFor(board, destination) {
  const cells = board.cells.filter((card) => card === NO_CARD).length;
  const columns = board.columns.filter((column, pile) => column.length === 0 && pile !== destination).length;
  return { cells, columns };
}

/** Where cards go and how many: onto a card the run that fits, onto an empty column the longest that can move; else 1.
 * @param {Board} board @param {number} source @param {number} destination @param {Rules} rules */
export function usualCount(board, source, destination, rules) {
  if (kind(source) !== "column" || kind(destination) !== "column") return 1;
  const column = board.columns[source];
  const onto = board.columns[destination].at(-1);
  if (column.length === 0) return 1;
  if (onto === undefined) {
    const { cells, columns } = emptiesFor(board, destination);
    return Math.min(runLength(column), capacity(rules, cells, columns));
  }
  const count = (onto >> 2) - (column[column.length - 1] >> 2);
  if (count <= 1 || count > column.length) return 1;
  const run = column.slice(-count);
  return fitsOn(run[0], onto) && isRun(run) ? count : 1;
}

/** The piles to which cards may go. @param {Board} board @param {number} source @param {number} count @param {Rules} rules */
export function targetsOf(board, source, count, rules) {
  const piles = Array.from({ length: 16 }, (_, pile) => pile);
  return piles.filter((destination) => reasonAgainst(board, { source, destination, count }, rules) === null);
}

/** Every legal move once, found as it is asked for. @param {Board} board @param {Rules} rules @returns {Iterable<Move>} */
function* eachMove(board, rules) {
  for (let source = 0; source < 16; source += 1) {
    const most = kind(source) === "column" ? runLength(board.columns[source]) : 1;
    for (let count = 1; count <= most; count += 1) {
      for (const destination of targetsOf(board, source, count, rules)) yield { source, destination, count };
    }
  }
}

/** Every legal move once. @param {Board} board @param {Rules} rules @returns {Move[]} */
export const legalMoves = (board, rules) => [...eachMove(board, rules)];

/** Whether there is a legal move at all. @param {Board} board @param {Rules} rules */
export function hasMove(board, rules) {
  for (const _ of eachMove(board, rules)) return true;
  return false;
}

/** The move of one tap on the card at that depth of a pile (1: the exposed one): home first, then a card to build on,
 * an empty column, a cell. Cards with a pile to themselves are not sent to another empty one.
 * @param {Board} board @param {number} source @param {number} count @param {Rules} rules @returns {Move | null} */
export function tapped(board, source, count, rules) {
  const targets = targetsOf(board, source, count, rules);
  const alone = kind(source) === "column" && board.columns[source].length === count;
  const open = [
    targets.find((pile) => kind(pile) === "foundation"),
    targets.find((pile) => kind(pile) === "column" && board.columns[pile].length > 0),
    alone ? undefined : targets.find((pile) => kind(pile) === "column" && board.columns[pile].length === 0),
    kind(source) === "cell" ? undefined : targets.find((pile) => kind(pile) === "cell"),
  ];
  const destination = open.find((pile) => pile !== undefined);
  return destination === undefined ? null : { source, destination, count };
}

/** @param {Board} board @param {number} card @returns {Move | null} */
function homeMove(board, card) {
  const destination = FIRST_FOUNDATION + (card & 3);
  const column = board.columns.findIndex((cards) => cards.at(-1) === card);
  const cell = column < 0 ? board.cells.indexOf(card) : -1;
  if (column < 0 && cell < 0) return null;
  return { source: column < 0 ? FIRST_CELL + cell : column, destination, count: 1 };
}

/** @param {Board} board */
const nextHome = (board) => board.foundations.map((height, suit) => height * 4 + suit).filter((card) => card < 52).sort((a, b) => a - b);

/** The move of the lowest card that may go home and can. @param {Board} board @param {(card: number) => boolean} may
 * @returns {Move | null} */
function firstHome(board, may) {
  for (const card of nextHome(board)) {
    const move = may(card) ? homeMove(board, card) : null;
    if (move) return move;
  }
  return null;
}

/** @param {number[]} heights @param {number} card */
function isSafe(heights, card) {
  const [one, other] = isRed(card) ? [heights[0], heights[3]] : [heights[1], heights[2]];
  return card >> 2 < 2 || Math.min(one, other) >= card >> 2;
}

/** The board after all safe moves to the foundations, and the moves. @param {Board} board */
export function settled(board) {
  /** @type {Move[]} */
  const made = [];
  let now = board;
  for (;;) {
    const move = firstHome(now, (card) => isSafe(now.foundations, card));
    if (!move) return { board: now, made };
    now = moved(now, move.source, move.destination, 1);
    made.push(move);
  }
}

/** The move of the lowest card that fits its foundation now. @param {Board} board */
export const finishingMove = (board) => firstHome(board, () => true);

/** Whether in no column the ranks rise: nothing can block the foundations. @param {Board} board */
export const isFinishable = (board) =>
  board.columns.every((column) => column.every((card, at) => at === 0 || column[at - 1] >> 2 >= card >> 2));
