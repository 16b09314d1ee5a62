"""What the engine says of deals, positions and texts, and the server of names, for the page to be held to."""

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from cellrace_engine.cards import run_length
from cellrace_engine.deals import LAST_DEAL, DealCode, deal
from cellrace_engine.errors import DealError
from cellrace_engine.generate import any_legal_move, legal_moves
from cellrace_engine.line import Line
from cellrace_engine.moves import Move
from cellrace_engine.notation import format_move, read_move
from cellrace_engine.position import Position
from cellrace_engine.reasons import reason_against
from cellrace_engine.refusal import Refusal
from cellrace_engine.rules import Rules
from cellrace_engine.rules_text import parse_rules
from cellrace_engine.tap import tapped
from cellrace_protocol.board import checksum, pack
from cellrace_server.core import names
from cellrace_server.core.race_names import read_race_name

NUMBERS = (
    1,
    2,
    617,
    11982,
    32_000,
    1_000_000,
    2**31 - 1,
    2**31,
    2**31 + 617,
    2**32 - 1,
    2**32,
    2**32 + 9,
    LAST_DEAL,
)
TYPED = (
    *("617", "#617", " 1 ", "FC1-C4-AAAAATJ", "fc1 c4 aaaaatj", "fc1c2aaaaatj", "0", "-5", "8589934592"),
    *("FC1-C3-AAAAATJ", "FC1-C4-AAAAAAA", "FC1-C4-AAAAA1J", "hello", "", "6 1 7", "FC1-C4-7777777"),
    *(
        "0x10",
        "1e3",
        " 617.0",
        "617.0",
        "+617",
        "6,17",
        "617=5",
        "617a",
        "##617",
        "# 617",
        "#-617",
        "-0",
        "617-",
    ),
    *("\uff16\uff11\uff17", "\u0666\u0661\u0667", "6\u00b2", "\u2212617", "\u2010617", "\u2013617", "6_1_7"),
    *(
        "0" * 30 + "617",
        "9" * 30,
        "8589934591",
        "\u00a0617\u3000",
        "\ufeff617",
        "6\u200b17",
        "617\x85",
        "617\x1c",
    ),
    *(
        "FC2-C4-AAAAATJ",
        "FC1-C44-AAAAATJ",
        "FC1-C42-AAAAAA",
        "FC1C42AAAAAA",
        "FC1C4-2AAAAAA",
        "FC1-C-4-AAAAATJ",
    ),
    *(
        "FC-1-C4-AAAAATJ",
        "F C1 C4 AAAAATJ",
        "FC 1 C4 AAAAATJ",
        "fc1 c4 aaa aatj",
        "FC1-C4-AA-AA-ATJ",
        "FC1-C4",
    ),
    *(
        "FC1-C4-AAAAAT",
        "FC1-C4-AAAAATJA",
        "FC1-C4-AAAAA0J",
        "FC1-C4-H777777",
        "FC1-C4-HAAAAAA",
        "FC01-C4-AAAAATJ",
    ),
    *(
        "FC1-C4-AAAAA\u017fJ",
        "FC1-C4-AAAAA\u212a",
        "F\u00c71-C4-AAAAATJ",
        "-FC1-C4-AAAAATJ",
        "FC1_C4_AAAAATJ",
        "-",
    ),
)
WRITTEN = (
    *(
        "FC1",
        "fc1",
        "FC",
        "1",
        "C4",
        "c2",
        "C3",
        "C44",
        "AAAAATJ",
        "aaaaatj",
        "AAAAA",
        "TJ",
        "7777777",
        "HAAAAAA",
    ),
    *(
        "-",
        "-",
        " ",
        " ",
        "_",
        "\u2013",
        "\u2212",
        "#",
        "617",
        "0",
        "\t",
        "\u00a0",
        "\ufeff",
        "\u200b",
        "\x85",
        "\x1f",
    ),
    *("8589934591", "8589934592", "\u0666", "\uff16", "\u017f", "\u212a", ".", "x", "e3", "8", "\ufe63"),
)
RULES = (
    "classic",
    "relaxed",
    "pocket",
    "linear",
    "pocket+cells=2",
    "relaxed+cells=1",
    "classic+undo_depth=all",
)
FREELY = "linear+cells=2+take_back=column_or_cell+automatic_moves=yes+points_to_foundation=7"
NOT_NAMED = (
    "Konstantin Wladimir Ziolkowski",
    "Ada!",
    "...",
    "A\u0301\u0302\u0303da",
    "\u0410da",
    "The A.d.m.i.n",
    "Ada\u202e",
    "{most}",
)
RACES = (
    *("kbjueza", "KBJ-UEZA", "8B5 UE2A", "0B1UEZ6", "l.b_iueza", "nosuchrace", "a", "617", "#617", "2525252"),
    *(
        "FC1-C4-AAAAATJ",
        "fc1c4aaaaatj",
        "FC1",
        "",
        " ",
        "7a",
        "kbjuez\u00e4",
        "\u212abjueza",
        "k/juez",
        "kbjuez7",
    ),
    *("0x10", "1e3", "12345678", "kbjueza\n", "kbj\tueza", "\uff16\uff11\uff17", "kbjuez\U0001d41a"),
)
TEXTS = ("hh", "h", "zz", "26v3", "hc", "h5", "hd5", "hsa", "3hc", "ah", "16vd", "16v13", "2 6", "7A", "hhc")


def write(path: Path) -> None:
    """Write everything as JSON."""
    chance = random.Random(617)
    found = {
        "deals": [_deal(number, cells) for number in NUMBERS for cells in (4, 2, 1)],
        "typed": [
            {"text": text, "cells": cells, "code": _code(text, cells)}
            for text in (*TYPED, *_written(random.Random(1)))
            for cells in (4, 2)
        ],
        "rules": [{"text": text, "fields": _fields(parse_rules(text))} for text in (*RULES, FREELY)],
        "names": [_name_fault(name) for name in NOT_NAMED],
        "races": [{"text": text, "name": read_race_name(text) or ""} for text in RACES],
        "name_reasons": list(names.Reason),
        "positions": list(itertools.chain.from_iterable(_game(text, chance) for text in (*RULES, FREELY))),
    }
    path.write_text(json.dumps(found))


def _name_fault(name: str) -> dict[str, Any]:
    fault = names.fault(names.tidy(name), ("admin",))
    assert fault is not None, f"{name!r} is no name"
    return {"name": name, "text": fault.text, "facts": fault.facts}


def _deal(number: int, cells: int) -> dict[str, Any]:
    board = _board(deal(number, cells))
    return {
        "number": number,
        "cells": cells,
        "code": str(DealCode(cells, number)),
        "board": board,
        "crc": checksum(board),
    }


def _board(position: Position) -> str:
    return pack(position.columns, position.cells, position.foundations)


def _written(chance: random.Random) -> Iterator[str]:
    """Deals as nobody would write them, and codes with a mistake or two."""
    for start in ("", "", "617", "FC1-C4-AAAAATJ", "fc1 c2 aaaaatj", "fc1c1aaaaatj"):
        for _ in range(500):
            parts = list(start)
            for _ in range(chance.randint(1, 2 if start else 6)):
                at = chance.randint(0, len(parts))
                parts[at : at + chance.randint(0, 1)] = [chance.choice(WRITTEN)]
            yield "".join(parts)


def _code(text: str, cells: int) -> str | None:
    try:
        return str(DealCode.parse(text, cells))
    except DealError:
        return None


def _fields(rules: Rules) -> dict[str, Any]:
    return {field.name: getattr(rules, field.name) for field in fields(rules)}


def _game(text: str, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Positions of a random game that prefers to go home, every fifth of them."""
    rules = parse_rules(text)
    line = Line.begin(rules, deal(chance.randrange(1, 32_000), rules.cells))
    for number in range(120):
        moves = line.legal_moves()
        if number % 5 == 0:
            yield _position(line.position, rules, text, chance)
        if not moves or line.won:
            break
        home = [move for move in moves if move.destination >= 12 and move.source < 12]
        line = line.play(chance.choice(home or moves))
    yield _position(line.position, rules, text, chance)


def _position(position: Position, rules: Rules, text: str, chance: random.Random) -> dict[str, Any]:
    legal = legal_moves(position, rules)
    asked = [
        Move(chance.randrange(-1, 17), chance.randrange(-1, 17), chance.choice((0, 1, 1, 1, 2, 3)))
        for _ in range(150)
    ]
    line = Line.begin(rules, position)
    return {
        "rules": text,
        "board": _board(position),
        "legal": [list(move) for move in legal],
        "reasons": [[*move, _reason(position, move, rules)] for move in asked],
        "taps": [[pile, depth, _tap(position, pile, depth, rules)] for pile, depth in _tappable(position)],
        "texts": [
            *(
                [format_move(move, position, rules), *move, format_move(move, position, rules)]
                for move in legal
            ),
            *(_read(word, position, rules) for word in TEXTS),
        ],
        "stuck": not position.is_won and not any_legal_move(position, rules),
        "finish": [list(move) for move in line.finish_moves()],
    }


def _reason(position: Position, move: Move, rules: Rules) -> str | None:
    refusal = reason_against(position, move, rules)
    return refusal.reason.value if refusal is not None else None


def _tappable(position: Position) -> Iterator[tuple[int, int]]:
    for pile, column in enumerate(position.columns):
        yield from ((pile, depth) for depth in range(1, run_length(column) + 1))
    yield from ((8 + cell, 1) for cell in range(len(position.cells)))


def _tap(position: Position, pile: int, depth: int, rules: Rules) -> int | None:
    move = tapped(position, pile, depth, rules)
    return move.destination if move is not None else None


def _read(text: str, position: Position, rules: Rules) -> list[Any]:
    """The text and what it means; the reason where it means nothing."""
    move = read_move(text, position, rules)
    if isinstance(move, Refusal):
        return [text, -1, -1, 0, move.reason.value]
    return [text, *move, ""]
