"""The table of keys in the tutorial is true: each row of it is pressed as it stands there."""

import re
from pathlib import Path

import pytest

from cellrace_client.tables import PracticeTable
from cellrace_client.tui.lobby import LobbyScreen
from tests.client.tui.pilots import Driver, line_of, practice, press, said, screen_of, shown, until

pytestmark = pytest.mark.asyncio

TUTORIAL = Path(__file__).parents[3] / "docs/tutorial/first-race.md"
ROWS = {
    row[0]: (row[1], row[2])
    for row in re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| ([^|]*?) ?\|$", TUTORIAL.read_text("utf-8"), re.MULTILINE)
    if "`" in row[1] or row[1] == "Esc"
}  # fmt: skip
NAMED = {"Esc": "escape", "Ctrl-Z": "ctrl+z", "Ctrl-Y": "ctrl+y", "Enter": "enter"}

MOVES = {
    "move from column 2 to cell a": "2a",
    "move from column 2 to column 6": "26",
    "move three cards only, to an empty column": "26v3",
    "send a card home": "3h",
}


def keys(cell: str) -> list[str]:
    """What is to be pressed one behind the other: what stands in backticks, letter by letter, and named keys."""
    found: list[str] = []
    for quoted, named in re.findall(r"`([^`]+)`|(Esc|Ctrl-[ZY])", cell):
        found += [NAMED[named]] if named else list(quoted)
    return found


async def test_the_table_has_every_key_of_a_game() -> None:
    assert MOVES.keys() < ROWS.keys()
    acts = {"take back, make again", "start the deal again", "have a hint", "finish", "leave"}
    acts |= {"keep the replay (alone)", "let go of a card"}
    assert ROWS.keys() == MOVES.keys() | acts


@pytest.mark.parametrize("row", MOVES)
async def test_moves_are_made_as_it_says(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def move(_: PracticeTable, text: str) -> None:
        asked.append(text)

    monkeypatch.setattr(PracticeTable, "move", move)
    async with practice("617") as pilot:
        press(pilot, *keys(ROWS[row][0]))
        await until(pilot, lambda: asked == [MOVES[row]] or asked == [MOVES[row].replace("v3", "") + "v3"])
        if (typed := re.search(r"or `:` and `(.+?)`|`:` and `(.+?)`", ROWS[row][1])) is not None:
            await pilot.press(":", *(typed.group(1) or typed.group(2)), "enter")
            await until(pilot, lambda: asked[1:] == [MOVES[row]])
        if "double click, or" in ROWS[row][1]:
            press(pilot, *keys(ROWS[row][1]))
            await until(pilot, lambda: len(asked) == 2 and asked[1].startswith("3"))


async def test_a_card_is_moved_by_arrows_and_by_clicks() -> None:
    assert "arrows and Enter at both ends" in ROWS["move from column 2 to column 6"][1]
    async with practice("617") as pilot:
        press(pilot, "right", "right", "enter", *["up"] * 7, "enter")
        await until(pilot, lambda: line_of(pilot).moves == 1)
        board = screen_of(pilot).board
        await pilot.click(board, offset=(1, 2 + 6))
        await until(pilot, lambda: board.hand.source is not None)
        await pilot.click(board, offset=(1, 0))
        await until(pilot, lambda: line_of(pilot).moves == 2)
        assert line_of(pilot).position.cells.count(52) == 2


async def test_everything_else_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with practice("617") as pilot:
        await done(pilot, ["2", "a"], 1)
        again = ROWS["take back, make again"]
        undo, redo = keys(again[0])
        await done(pilot, [undo], 0)
        await done(pilot, [redo], 1)
        undo, redo = keys(again[1])
        await done(pilot, [undo], 0)
        await done(pilot, [redo], 1)
        press(pilot, *keys(ROWS["have a hint"][0]))
        await until(pilot, lambda: "Hint" in said(pilot) or "looking" in said(pilot))
        press(pilot, *keys(ROWS["finish"][0])[:1])
        await until(pilot, lambda: "not yet" in said(pilot))
        press(pilot, *keys(ROWS["keep the replay (alone)"][0]))
        await until(pilot, lambda: len(list(tmp_path.iterdir())) == 1)
        assert "twice" in ROWS["start the deal again"][0]
        restart = keys(ROWS["start the deal again"][0])
        await done(pilot, restart * 2, 0)
        press(pilot, "2", *keys(ROWS["let go of a card"][0]))
        await until(pilot, lambda: screen_of(pilot).board.hand.source is None)
        press(pilot, *keys(ROWS["leave"][0]))
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen) and bool(shown(pilot)))


async def done(pilot: Driver, pressed: list[str], moves: int) -> None:
    press(pilot, *pressed)
    await until(pilot, lambda: line_of(pilot).moves == moves)
