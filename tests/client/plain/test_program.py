"""The line mode without a server, and with one that says exactly what a test has written down."""

import asyncio

import pytest

from cellrace_client.advice import Advice
from cellrace_engine import Line
from tests.client.plain.people import Person
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


async def test_commands_are_no_moves_while_one_plays() -> None:
    ada = Person()
    ada.type("practice 617", "help", "quick", "races", "2a", "?", "leave", "board", "quit")
    await ada.ends()
    assert [line for line in ada.said if "no move" in line or "square" in line] == []
    assert sum(line.startswith("Commands: ") for line in ada.said) == 1
    assert sum(line.startswith("no server at ") for line in ada.said) == 2
    assert "2a. 0 cards home" in ada.said
    assert "back in the lobby" in ada.said
    assert ada.said[-1] == "board is no command here; help lists them"


async def test_a_hint_does_not_stop_the_game_and_is_for_the_board_that_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Line] = []
    answers: list[asyncio.Future[Advice]] = []

    async def advise(line: Line) -> Advice:
        asked.append(line)
        answers.append(asyncio.get_running_loop().create_future())
        return await answers[-1]

    monkeypatch.setattr("cellrace_client.plain.seat.advise", advise)
    ada = Person()
    ada.type("practice 617", "hint")
    await eventually(lambda: len(asked) == 1)
    ada.type("2a")
    await ada.hears("2a. 0 cards home")
    ada.type("hint")
    await eventually(lambda: len(asked) == 2)
    assert answers[0].cancelled()
    answers[1].set_result(Advice("26"))
    await ada.hears("Hint: 26")
    ada.type("hint", "end")
    await eventually(lambda: len(asked) == 3)
    answers[2].set_result(Advice("", lost=True))
    await ada.ends()
    assert ada.said[-1] == "from here the game is lost: take back"
