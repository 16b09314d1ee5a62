/** A way home that was found, kept board by board. The search for one is `way-home.js`. */

import { boardText } from "./board.js";
import { Line, perform } from "./line.js";

/** What to do on each board of a way home, by the board's text. @param {Line} line where it begins @param {string[]} moves */
export function steps(line, moves) {
  /** @type {Map<string, string>} */
  const found = new Map();
  let now = line;
  for (const text of moves) {
    const next = perform(now, { move: text });
    if (!(next instanceof Line)) break; // it was no way from here
    found.set(boardText(now.board), text);
    now = next;
  }
  return found;
}
