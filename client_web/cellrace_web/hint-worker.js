/** Looks for hints beside the page, so that it never waits. */

import { readBoard } from "./game/board.js";
import { readRules } from "./game/rules.js";
import { wayHome } from "./game/way-home.js";

const PATIENCE_MS = 8_000; // nobody waits longer for a hint, on however slow a phone

addEventListener("message", (event) => {
  const { id, board, rules } = event.data;
  const end = performance.now() + PATIENCE_MS;
  const moves = wayHome(readBoard(board), readRules(rules), () => performance.now() < end);
  postMessage({ id, moves: moves ?? [], isLost: moves === null });
});
