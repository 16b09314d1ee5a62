"""The solver's verdicts against those of Debian's freecell-solver, an implementation that knows nothing of ours."""

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import pytest

from cellrace_engine import CLASSIC, Position, card_name, deal
from cellrace_engine.solver import Limits, Verdict, solve

DEALS = 500
THEIR_STATES = 200_000
ANSWER_S = 300


class Compared(NamedTuple):
    """What the two say of one deal."""

    number: int
    cells: int
    ours: Verdict
    theirs: Verdict


def asked_of_fc_solve(position: Position) -> Verdict:
    """What freecell-solver says of a position: a quick try, then a complete search."""
    layout = "".join(" ".join(card_name(card) for card in column) + "\n" for column in position.columns)
    for guidance in (["-l", "lg"], ["--method", "dfs", "-to", "01ABCDE"]):
        limits = ["--freecells-num", str(len(position.cells)), "-mi", str(THEIR_STATES)]
        command = ["fc-solve", *limits, *guidance, "-"]
        ran = subprocess.run(
            command, input=layout, capture_output=True, text=True, check=False, timeout=ANSWER_S
        )
        if "This game is solveable" in ran.stdout:
            return Verdict.SOLVED
    checked = re.search(r"states checked is (\d+)", ran.stdout)
    # It says that it could not solve a game, too, when it has come to its limit.
    ended = checked is not None and int(checked[1]) < THEIR_STATES and "could not solve" in ran.stdout
    return Verdict.LOST if ended else Verdict.UNKNOWN


def compared(nodes: int, number: int) -> list[Compared]:
    """Both verdicts on the deal with 4, 2 and 1 cells; theirs is asked for only where ours could contradict it."""
    found: list[Compared] = []
    for cells in (4, 2, 1):
        position = deal(number, cells)
        limits = Limits() if cells == 4 else Limits(nodes=nodes)
        ours = solve(position, replace(CLASSIC, cells=cells), limits).verdict
        theirs = Verdict.UNKNOWN if ours is Verdict.UNKNOWN else asked_of_fc_solve(position)
        found.append(Compared(number, cells, ours, theirs))
    return found


def all_compared(nodes: int) -> Iterator[Compared]:
    chance = Random(2026)
    numbers = [chance.randint(1, 10**9) for _ in range(DEALS)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for found in pool.map(partial(compared, nodes), numbers, chunksize=5):
            yield from found


@pytest.mark.tool("fc-solve", package="freecell-solver-bin")
@pytest.mark.parametrize("nodes", [1_000, pytest.param(25_000, marks=pytest.mark.slow)])
def test_no_verdict_on_five_hundred_deals_contradicts_fc_solve(nodes: int) -> None:
    found = list(all_compared(nodes))

    assert [each for each in found if {each.ours, each.theirs} == {Verdict.SOLVED, Verdict.LOST}] == []
    assert [each for each in found if each.cells == 4 and each.ours is Verdict.UNKNOWN] == []
    assert sum(each.theirs is not Verdict.UNKNOWN for each in found) > DEALS * 3 // 2
