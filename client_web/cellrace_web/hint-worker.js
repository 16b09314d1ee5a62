/** Searches for hints beside the page, so that it never waits. */

import { readBoard } from "./game/board.js";
import { readRules } from "./game/rules.js";
import { wayHome } from "./game/search.js";

addEventListener("message", (event) => {
  const { id, board, rules } = event.data;
  const moves = wayHome(readBoard(board), readRules(rules), 24_000);
  postMessage({ id, moves: moves ?? [] });
});
