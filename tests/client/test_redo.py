"""Moves of a race that are made again: only what was taken back last, and only where that leads on from the board."""

import asyncio
from typing import cast

import pytest

from cellrace_client import Race
from cellrace_client.session import Do
from cellrace_client.tables import NOTHING_TO_REDO, RaceTable, Trouble
from cellrace_engine import POCKET, Line, Refusal, deal, read_move

pytestmark = pytest.mark.asyncio


class Scripted:
    """A race that shows whatever line the test says, as if a server had; what is asked of it is written down."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.asked: list[str | Do] = []
        self.foresees = True

    def reason_against(self, text: str) -> Refusal | None:
        move = read_move(text, self.line.position, self.line.rules)
        return move if isinstance(move, Refusal) else self.line.reason_against(move)

    def begin(self, action: str | Do) -> "asyncio.Future[None]":
        self.asked.append(action)
        if self.foresees:
            self.line = after(self.line, action)
        return asyncio.get_running_loop().create_future()


def after(line: Line, action: str | Do) -> Line:
    if isinstance(action, Do):
        found = line.undo() if action is Do.UNDO else line.restart()
        assert isinstance(found, Line)
        return found
    move = read_move(action, line.position, line.rules)
    assert not isinstance(move, Refusal)
    return line.play(move)


def playing(*moves: str) -> tuple[Scripted, RaceTable, list[Trouble]]:
    line = Line.begin(POCKET, deal(617))
    for text in moves:
        line = after(line, text)
    race, told = Scripted(line), list[Trouble]()
    return race, RaceTable(cast("Race", race), told.append, lambda: None), told


async def test_what_was_taken_back_is_made_again() -> None:
    race, table, told = playing("2a", "2b")
    there = race.line.position
    table.undo()
    table.undo()
    table.redo()
    table.redo()
    assert race.line.position == there
    assert told == []
    table.restart()
    table.redo()
    table.redo()
    assert race.line.position == there
    table.redo()
    assert told == [NOTHING_TO_REDO]


async def test_nothing_is_made_again_on_another_board() -> None:
    """The server has refused something, or a snapshot came."""
    race, table, told = playing("2a", "2b")
    before = race.line
    table.undo()
    race.line = before
    table.redo()
    assert told == [NOTHING_TO_REDO]
    assert race.asked == [Do.UNDO]


async def test_an_undo_that_cannot_be_foreseen_leaves_nothing_to_make_again() -> None:
    """What it takes back was made before the snapshot."""
    race, table, told = playing("2a", "2b")
    table.undo()
    now = race.line
    race.line = Line.resumed(now.rules, now.start, now.position, now.score, now.moves, now.undos)
    race.foresees = False
    table.undo()
    table.redo()
    assert told == [NOTHING_TO_REDO]
    assert race.asked == [Do.UNDO, Do.UNDO]
