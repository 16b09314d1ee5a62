/** Moves that were taken back, to be made again. */

/** @typedef {import("./line.js").Line} Line */
/** @typedef {import("./line.js").Action} Action */
/** @typedef {import("./referee.js").Move} Move */

export class TakenBack {
  constructor() {
    /** @type {Move[]} the next one to make again last */
    this.moves = [];
  }

  /** Nothing is made again: the board is not where it was. */
  forget() {
    this.moves = [];
  }

  /** The next move to make again. */
  get next() {
    return this.moves.at(-1);
  }

  /** Something was done: moves that it takes back are kept; another move than the next one, and whatever else goes on from
   * here, clears them. @param {Action} action @param {Line} before @param {Line} after */
  done(action, before, after) {
    if (after === before) this.forget(); // what is taken back is not to be foreseen here
    else if ("move" in action) this.moves = isSame(after.move, this.next) ? this.moves.slice(0, -1) : [];
    else if (action.tag === "u") this.moves.push(...(before.move ? [before.move] : []));
    else if (action.tag === "restart") for (let line = /** @type {Line | null} */ (before); line?.move; line = line.previous) this.moves.push(line.move);
    else this.forget();
  }
}

/** @param {Move | null} one @param {Move | undefined} other */
const isSame = (one, other) => one?.source === other?.source && one?.destination === other?.destination && one?.count === other?.count;
