// The page's rules agree with the engine's: every step of the shared vectors, and what the engine says of many positions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boardText, checksum, readBoard } from "../../../client_web/cellrace_web/game/board.js";
import { deal, dealCode, readDeal } from "../../../client_web/cellrace_web/game/deals.js";
import { Line } from "../../../client_web/cellrace_web/game/line.js";
import { moveText, readMove } from "../../../client_web/cellrace_web/game/notation.js";
import { hasMove, legalMoves, reasonAgainst, tapped } from "../../../client_web/cellrace_web/game/referee.js";
import { isRaceName, raceNamed } from "../../../client_web/cellrace_web/race-names.js";
import { PRESETS, readRules } from "../../../client_web/cellrace_web/game/rules.js";
import { engineText, move, readEngineBoard, readLines } from "./support.mjs";

const presetOf = (name) => (name.startsWith("pocket") && name !== "pocket" ? { ...PRESETS.pocket, cells: Number(name.at(-1)) } : PRESETS[name]);

test("every solution wins", () => {
  const games = readLines("tests/data/solutions.jsonl");
  assert.equal(games.length, 156);
  for (const game of games) {
    let line = Line.begin({ ...PRESETS.classic, cells: game.cells, automatic_moves: false }, deal(game.deal, game.cells));
    for (const step of game.moves) {
      const asked = move(step);
      const text = moveText(asked, line.board, line.rules);
      assert.deepEqual(readMove(text, line.board, line.rules), asked, text);
      line = line.play(asked);
      assert.ok(line instanceof Line, `deal ${game.deal}: ${step}`);
    }
    assert.ok(line.won);
  }
});

test("every step of the playouts", () => {
  let steps = 0;
  for (const game of readLines("tests/data/playouts.jsonl")) {
    const rules = { ...presetOf(game.preset), ...(game.autoplay === false ? { automatic_moves: false } : {}) };
    let line = Line.begin(rules, readEngineBoard(game.start));
    for (const step of game.steps) {
      steps += 1;
      line = checked(line, step, `${game.preset} ${game.deal} ${JSON.stringify(step.do)}`);
    }
  }
  assert.ok(steps > 5000, `${steps} steps`);
});

function checked(line, step, where) {
  if (step.do === "stuck") {
    assert.ok(line.stuck, where);
    return line;
  }
  const next = step.do === "undo" ? line.undo() : line.play(move(step.do));
  assert.equal(next instanceof Line, step.ok, where);
  const stands = next instanceof Line ? next : line;
  if (step.ok && step.auto) assert.deepEqual(next.automatic, step.auto.map(move), where);
  assert.equal(engineText(stands.board), step.board, where);
  assert.equal(stands.moves, step.moves, where);
  assert.equal(stands.score, step.score, where);
  if (step.finishable !== undefined) assert.equal(stands.finishable, step.finishable, where);
  return stands;
}

const engine = process.env.CELLRACE_ENGINE_VECTORS;
const vectors = engine ? JSON.parse(readFileSync(engine, "utf8")) : null;

test("what the engine says of deals", { skip: !vectors }, () => {
  for (const { number, cells, code, board, crc } of vectors.deals) {
    assert.equal(boardText(deal(number, cells)), board, code);
    assert.equal(dealCode(number, cells), code);
    assert.equal(boardText(readBoard(board)), board);
    assert.equal(checksum(board), crc);
  }
  assert.ok(vectors.typed.filter(({ code }) => code).length > 500);
  for (const { text, cells, code } of vectors.typed) {
    const read = readDeal(text, cells);
    assert.equal(read && dealCode(read.number, read.cells), code, JSON.stringify(text));
  }
});

test("what the engine says of positions", { skip: !vectors }, () => {
  const triple = ({ source, destination, count }) => [source, destination, count];
  for (const row of vectors.positions) {
    const rules = readRules(row.rules);
    const board = readBoard(row.board);
    assert.equal(hasMove(board, rules), row.legal.length > 0);
    assert.deepEqual(legalMoves(board, rules).map(triple).sort(), row.legal.sort(), row.board);
    for (const [source, destination, count, reason] of row.reasons) {
      assert.equal(reasonAgainst(board, { source, destination, count }, rules)?.reason ?? null, reason, `${row.board} ${source} ${destination} ${count}`);
    }
    for (const [pile, depth, to] of row.taps) {
      assert.equal(tapped(board, pile, depth, rules)?.destination ?? null, to, `${row.board} tap ${pile} ${depth}`);
    }
    for (const [text, source, destination, count, canonical] of row.texts) {
      const read = readMove(text, board, rules);
      assert.deepEqual("reason" in read ? read.reason : triple(read), source === -1 ? canonical : [source, destination, count], `${row.board} ${text}`);
      if (source !== -1 && canonical) assert.equal(moveText({ source, destination, count }, board, rules), canonical);
    }
    const line = Line.begin(rules, board);
    assert.equal(line.stuck, row.stuck);
    assert.deepEqual(line.finishMoves().map(triple), row.finish);
  }
});

test("the rules' texts", { skip: !vectors }, () => {
  for (const { text, fields } of vectors.rules) assert.deepEqual(readRules(text), fields);
});

test("what the server takes for a race's name", { skip: !vectors }, () => {
  for (const { text, name } of vectors.races) assert.deepEqual([isRaceName(text), raceNamed(text)], [name !== "", name], JSON.stringify(text));
});
