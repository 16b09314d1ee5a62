/** Cards as numbers from 0 to 51: `(rank - 1) * 4 + suit`, suits clubs, diamonds, hearts, spades. */

export const NO_CARD = 52; // what an empty cell holds
export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";

/** Whether a card is a diamond or a heart. @param {number} card */
export const isRed = (card) => (card & 3) === 1 || (card & 3) === 2;

/** The two-letter name, such as `TH`. @param {number} card */
export const cardName = (card) => `${RANKS[card >> 2]}${SUITS[card & 3]}`;

/** Whether `card` may be laid on `onto` in a column. @param {number} card @param {number} onto */
export const fitsOn = (card, onto) => onto >> 2 === (card >> 2) + 1 && isRed(onto) !== isRed(card);

/** Whether cards descend by one in alternating colours. @param {number[]} cards */
export const isRun = (cards) => cards.every((card, at) => at === 0 || fitsOn(card, cards[at - 1]));

/** How many cards at the end of a column form a run. @param {number[]} column */
export function runLength(column) {
  if (column.length === 0) return 0;
  let length = 1;
  while (length < column.length && fitsOn(column[column.length - length], column[column.length - length - 1])) length += 1;
  return length;
}
