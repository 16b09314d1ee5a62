"""`cellrace watch` on a terminal: the clock of somebody who comes late."""

import io
import sys

import pytest
from msgspec import structs
from rich.console import Console

from cellrace_client.cli.draw import FRAME, WIDTH, drawn, drawn_card
from cellrace_client.cli.watch import Screen, standings_lines
from cellrace_client.model import RaceModel
from cellrace_engine import Position, deal
from cellrace_protocol import events as e
from tests.client.test_client import snapshot


def rendered(event: e.Snapshot) -> str:
    screen = Screen()
    screen.hear(RaceModel(event), event)
    console = Console(width=120)
    with console.capture() as captured:
        console.print(screen.render())
    return captured.get()


def test_a_race_that_has_gone_on_since_its_last_fact_shows_the_time_it_has() -> None:
    assert "running  10:0" in rendered(structs.replace(snapshot(5), time=5_000, age=600_000))


def test_a_countdown_that_has_begun_shows_what_is_left_of_it() -> None:
    late = structs.replace(snapshot(5), phase="countdown", age=1_000, until=500_000)
    assert "the deal comes in 500 s" in rendered(late)


def test_a_day_that_is_over_is_a_reason() -> None:
    model = RaceModel(structs.replace(snapshot(5), phase="ended", end="day_over"))
    assert next(iter(standings_lines(model))).plain == "The race is over: its day is over"


def test_boards_are_drawn_as_in_the_terminal_game_with_the_names_of_their_piles() -> None:
    start = deal(617)
    text = drawn(start).plain
    assert text.splitlines()[0].split() == ["a··", "b··", "c··", "d··", "h-♣", "h-♦", "h-♥", "h-♠"]
    assert text.splitlines()[1].split() == [*"12345678"]
    assert len(text.splitlines()) == 2 + 7
    assert max(map(len, text.splitlines())) <= WIDTH - FRAME
    longest = Position((bytes(range(19)), *[b""] * 7), b"\x34" * 4, b"\x00" * 4)
    assert len(drawn(longest).plain.splitlines()) == 2 + 19
    assert "+" not in drawn(longest).plain, "no card is hidden"


def test_letters_stand_for_suits_where_the_terminal_has_no_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert drawn(deal(617)).plain.isascii()
    assert drawn_card(0).plain == "AC"


@pytest.mark.parametrize(
    ("language", "away", "lost"),
    [
        ("en", "the server goes down now and comes back in a moment", "connection lost: coming back"),
        ("nl", "de server stopt en is er zo weer", "verbinding weg: hij komt terug"),
    ],
)
def test_a_server_that_restarts_is_one_line_until_it_is_there(
    monkeypatch: pytest.MonkeyPatch, language: str, away: str, lost: str
) -> None:
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    screen = Screen()
    screen.hear(RaceModel(snapshot(5)), snapshot(5))

    def told() -> str:
        console = Console(width=120)
        with console.capture() as captured:
            console.print(screen.render())
        return captured.get()

    screen.noticed(e.Notice("draining", "the server is going down: reconnect and resume in a moment"))
    assert away in told()
    screen.connection(False)
    assert lost in told()
    assert away not in told()
    screen.connection(True)
    assert lost not in told()
