/** Looks for a way home, best first, as the engine's solver does it. Not for the page itself, which would wait. */

import { moved } from "./board.js";
import { fitsOn } from "./cards.js";
import { Line } from "./line.js";
import { moveText } from "./notation.js";
import { legalMoves } from "./referee.js";
import { capacity } from "./rules.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./referee.js").Move} Move */
/** @typedef {import("./rules.js").Rules} Rules */
/** A card and what it comes to lie on. @typedef {[card: number, place: number]} Turn */

const KEPT = 400_000; // layouts of one search: a worker takes 30 MB for them
const SLOTS = 2 ** 20;

// What a card lies on that lies on no other.
const COLUMN = 52;
const CELL = 53;
const HOME = 54;
const NONE = 55;

/** What counts how much, as in the engine's `Weights`. What is good counts down. */
const QUICK = {
  home: -1.69,
  spread: 0.2,
  step: 0.51,
  cells: [1.7, 2.31, 1.93, 3.27],
  columns: [-3.61, -1.94, -1.52],
  broken: 0.66,
  run: -0.63,
  blocking: 0.62,
  urgent: [0.54, 0.33, 0.14, -0.11],
  king: -0.39,
  base: 0.11,
};
const PLAIN = {
  home: -3,
  spread: 0,
  step: 1.2,
  cells: [1.5, 1.5, 1.5, 3],
  columns: [-3, -3, -3],
  broken: 1,
  run: -0.2,
  blocking: 0.6,
  urgent: [1, 0.5, 0.2],
  king: 0,
  base: 0.1,
};

/** Weights, and how many layouts are opened with them: what is lost with some is found at once with others.
 * @type {[typeof QUICK, number][]} */
const TRIES = [
  [QUICK, 300],
  [PLAIN, 1_000],
  [{ ...QUICK, step: 1.2 }, 2_000],
  [{ ...QUICK, step: 1.6 }, 3_000],
  [PLAIN, 8_000],
  [{ ...QUICK, step: 1.6 }, 13_000],
  [{ ...QUICK, step: 1.2 }, Infinity],
  [PLAIN, Infinity],
];

/** Where the cards lie, whichever column or cell it is: what is worth the same is the same. */
class Layout {
  below = new Uint8Array(52); // what each card lies on
  above = new Uint8Array(56); // the card that lies on each, or `NONE`
  count = new Uint8Array(56); // how many lie on each
  heights = [0, 0, 0, 0];

  /** @param {Uint8Array} below */
  read(below) {
    this.below.fill(NONE);
    this.above.fill(NONE);
    this.count.fill(0);
    this.heights.fill(0);
    for (let card = 0; card < 52; card += 1) this.put([card, below[card]]);
    return this;
  }

  /** Takes along what lies on the card. @param {Turn} turn */
  put([card, place]) {
    const { below, above, count } = this;
    above[below[card]] = NONE;
    count[below[card]] -= 1;
    below[card] = place;
    above[place] = card;
    count[place] += 1;
    if (place === HOME) this.heights[card & 3] += 1;
  }

  /** Send home what nothing has to be laid on any more: all that goes by itself under any rules, and what else is safe. */
  settle() {
    const { heights, above } = this;
    /** @type {Turn[]} */
    const sent = [];
    for (let suit = 0; suit < 4; suit += 1) {
      const card = heights[suit] * 4 + suit;
      const others = Math.min(heights[suit ^ 1], heights[suit ^ 2]);
      const safe = others >= heights[suit] - (heights[3 - suit] > heights[suit] - 3 ? 1 : 0);
      if (card > 51 || above[card] !== NONE || !safe) continue;
      this.put(sent[sent.push([card, HOME]) - 1]);
      suit = -1; // from the first again
    }
    return sent;
  }

  /** Whether nothing can block the foundations any more. */
  get finishable() {
    return this.below.every((place, card) => place >> 2 >= card >> 2);
  }

  /** All that a complete search needs: single cards anywhere, runs onto the card they fit, the longest into an empty column.
   * @param {Rules} rules */
  turns(rules) {
    const { below, above, heights } = this;
    const free = rules.cells - this.count[CELL];
    const empty = 8 - this.count[COLUMN];
    /** @type {Turn[]} */
    const found = [];
    for (let top = 0; top < 52; top += 1) {
      if (above[top] !== NONE || below[top] === HOME) continue;
      if (heights[top & 3] === top >> 2) found.push([top, HOME]);
      if (free && below[top] !== CELL) found.push([top, CELL]);
      const run = this.run(top, capacity(rules, free, empty));
      for (const card of run) found.push(...this.ontoCards(card));
      if (!empty) continue;
      const whole = run[Math.min(run.length, capacity(rules, free, empty - 1)) - 1];
      for (const card of new Set([top, whole])) if (below[card] !== COLUMN) found.push([card, COLUMN]);
    }
    return found;
  }

  /** The cards from `top` down that may move with all that lies on them. @param {number} top @param {number} most */
  run(top, most) {
    const cards = [top];
    for (let card = top, on = this.below[top]; cards.length < most && on < 52 && fitsOn(card, on); card = on, on = this.below[on]) {
      cards.push(on);
    }
    return cards;
  }

  /** @param {number} card @returns {Turn[]} */
  ontoCards(card) {
    const next = (card | 3) + 1;
    const open = [next, next + 1, next + 2, next + 3].filter((onto) => this.above[onto] === NONE && this.below[onto] < CELL);
    return open.filter((onto) => fitsOn(card, onto)).map((onto) => [card, onto]);
  }

  /** How far from home it seems. @param {typeof QUICK} weights @param {number} cells those of the rules */
  cost(weights, cells) {
    const { heights, count } = this;
    let sum = weights.home * count[HOME] + weights.spread * (Math.max(...heights) - Math.min(...heights));
    for (let used = 0; used < count[CELL]; used += 1) sum += weights.cells[4 - cells + used];
    for (let empty = 8 - count[COLUMN]; empty > 0; empty -= 1) sum += weights.columns[empty - 1] ?? 0;
    for (let card = 0; card < 52; card += 1) if (this.below[card] === COLUMN) sum += this.columnCost(weights, card);
    heights.forEach((height, suit) => {
      weights.urgent.forEach((urgent, ahead) => {
        if (height + ahead > 12) return;
        for (let on = this.above[(height + ahead) * 4 + suit]; on < 52; on = this.above[on]) sum += urgent;
      });
    });
    return sum;
  }

  /** @param {typeof QUICK} weights @param {number} base the card below all others */
  columnCost(weights, base) {
    let lowest = base >> 2;
    let sum = lowest === 12 ? weights.king : weights.base * (12 - lowest);
    for (let on = base, card = this.above[base]; card < 52; on = card, card = this.above[card]) {
      sum += fitsOn(card, on) ? weights.run : weights.broken;
      if (card >> 2 > lowest) sum += weights.blocking;
      else lowest = card >> 2;
    }
    return sum;
  }
}

/** Layouts that were come to, by number, found again by what they are. Room is taken once, for as many as there may be. */
class Layouts {
  /** @param {number} most */
  constructor(most) {
    this.most = most;
    this.places = new Uint8Array(most * 52);
    this.before = new Int32Array(most); // from which it was come to first
    this.slots = new Int32Array(SLOTS); // numbers and 1, each near where its hash says
    this.size = 0;
  }

  clear() {
    this.slots.fill(0);
    this.size = 0;
  }

  /** What each card lies on. @param {number} number */
  at(number) {
    return this.places.subarray(number * 52, number * 52 + 52);
  }

  /** Whether it is new, and there is room for it. @param {Uint8Array} below @param {number} before */
  add(below, before) {
    const { slots, size } = this;
    let slot = below.reduce((hash, place) => Math.imul(hash ^ place, 16777619), 0);
    slot = (slot ^ (slot >>> 12)) & (SLOTS - 1);
    for (; slots[slot]; slot = (slot + 1) & (SLOTS - 1)) if (this.is(slots[slot] - 1, below)) return false;
    if (size === this.most) return false;
    this.places.set(below, size * 52);
    this.before[size] = before;
    slots[slot] = this.size += 1;
    return true;
  }

  /** @param {number} number @param {Uint8Array} below */
  is(number, below) {
    return below.every((place, card) => place === this.places[number * 52 + card]);
  }

  /** The numbers on the way to one, the start not among them. @param {number} number */
  wayTo(number) {
    const way = [];
    for (let at = number; at; at = this.before[at]) way.push(at);
    return way.reverse();
  }
}

/** What each card of a board lies on. @param {Board} board */
function belowOf({ columns, cells }) {
  const below = new Uint8Array(52).fill(HOME);
  for (const column of columns) column.forEach((card, at) => (below[card] = at ? column[at - 1] : COLUMN));
  for (const card of cells) below[card] = CELL; // none is an empty cell's
  return below;
}

/** The moves that lead to where the game can be finished, as texts; `null` where there are none, which is sure only by rules that
 * take no card back from the foundations; `undefined` where none were found. @param {Board} board @param {Rules} rules
 * @param {() => boolean} [inTime] asked at each layout that is opened @param {number} [kept] how many are kept at once, at most
 * @returns {string[] | null | undefined} */
export function wayHome(board, rules, inTime = () => true, kept = KEPT) {
  const layout = new Layout().read(belowOf(board));
  const sent = layout.settle();
  const layouts = new Layouts(kept);
  for (const [weights, most] of TRIES) {
    layouts.clear();
    layouts.add(layout.below, 0);
    const way = looked(layouts, rules, weights, most, inTime);
    if (way) return movesOf(Line.begin(rules, board), [...sent, ...turnsOf(layouts, way, rules)]);
    if (way === null) return rules.take_back === "never" ? null : undefined;
  }
  return undefined;
}

/** The way to a layout that can be finished, `null` where none can be come to, `undefined` where too much was looked at.
 * @param {Layouts} layouts with the start alone @param {Rules} rules @param {typeof QUICK} weights @param {number} most
 * @param {() => boolean} inTime */
function looked(layouts, rules, weights, most, inTime) {
  const layout = new Layout();
  /** @type {number[][]} by cost: the last one that costs least is the next */
  const open = [[0]];
  let least = 0;
  for (let opened = 0; opened < most && layouts.size < layouts.most && inTime(); opened += 1) {
    while (least < open.length && !open[least]?.length) least += 1;
    const before = open[least]?.pop();
    if (before === undefined) return null;
    const way = layouts.wayTo(before);
    if (layout.read(layouts.at(before)).finishable) return way;
    for (const turn of layout.turns(rules)) {
      layout.read(layouts.at(before)).put(turn);
      layout.settle();
      if (!layouts.add(layout.below, before)) continue;
      const cost = layout.cost(weights, rules.cells) + weights.step * way.length;
      const list = Math.round((cost + 200) * 10); // which is above 0
      (open[list] ??= []).push(layouts.size - 1);
      least = Math.min(least, list);
    }
  }
  return undefined;
}

/** Each step of a way, what is sent home by itself too. @param {Layouts} layouts @param {number[]} way @param {Rules} rules */
function turnsOf(layouts, way, rules) {
  const layout = new Layout();
  return way.flatMap((number) => {
    const before = layouts.at(layouts.before[number]);
    for (const turn of layout.read(before).turns(rules)) {
      layout.read(before).put(turn);
      const sent = layout.settle();
      if (layouts.is(number, layout.below)) return [turn, ...sent];
    }
    return [];
  });
}

/** The moves, as texts, that make these turns until the game can be finished, without those that the rules make by themselves.
 * @param {Line} line @param {Turn[]} turns */
function movesOf(line, turns) {
  /** @type {string[]} */
  const moves = [];
  for (const [card, place] of turns) {
    if (line.finishable) break;
    /** @param {Board} board */
    const done = (board) => belowOf(board)[card] === place;
    if (done(line.board)) continue;
    const { board, rules } = line;
    const all = legalMoves(board, rules);
    const move = /** @type {Move} */ (all.find(({ source, destination, count }) => done(moved(board, source, destination, count))));
    moves.push(moveText(move, board, rules));
    line = /** @type {Line} */ (line.play(move));
  }
  return moves;
}
