"""How a race has ended: places, names, times, moves, cards home, what was given back, and how exact it is."""

import io

import pytest
from msgspec import structs
from rich.console import Console

from cellrace_client.cli.watch import standings_lines
from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.model import GhostRun, RaceModel
from cellrace_client.plain.words import standings_lines as plain_lines
from cellrace_client.standings import again, headline, results, series_line
from cellrace_client.timing import Timing
from cellrace_client.tui.result import picture
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.rows import GhostStep
from tests.client.test_client import BOARD, snapshot

ENGLISH = Catalogue("en")


def ended(*places: e.Place, you: int = 0, end: str = "all_done") -> RaceModel:
    """A race of Ada, Grace, who is a bot, and Alan, who has given up, and of the ghost of Eve."""
    seats = [
        e.SeatView("a", "Ada", Kind.HUMAN, True, False, 67_312, 52, 94, 0, 0, BOARD),
        e.SeatView("g", "Grace", Kind.BOT, True, False, 67_320, 52, 80, 0, 0, BOARD),
        e.SeatView("t", "Alan", Kind.HUMAN, True, True, -1, 7, 21, 0, 0, BOARD),
    ]
    shown = structs.replace(
        snapshot(5, you), phase="ended", end=end, seats=seats, standings=list(places), you=you
    )
    ghost = e.Ghost(2, 0, "run-0", "Eve", Kind.HUMAN, 90_000, [GhostStep(80_000, 52, 70)])
    return RaceModel(shown, {0: GhostRun(ghost)})


FIRST = e.Place(1, 0, 52, 94, 67_312, 12, 3)
SECOND = e.Place(2, 1, 52, 80, 67_320, 0, 4)
THIRD = e.Place(3, 2, 7, 21, -1, 0, 0)


def test_ghosts_stand_where_they_would() -> None:
    rows = results(ended(FIRST, SECOND, THIRD))
    assert [(row.place, row.name) for row in rows] == [(1, "Ada"), (2, "Grace"), (0, "Eve"), (3, "Alan")]
    assert [row.own for row in rows] == [True, False, False, False]
    assert (rows[0].back_ms, rows[0].error_ms) == (12, 3)


@pytest.mark.parametrize(
    ("you", "second", "end", "said"),
    [
        (0, SECOND, "all_done", "You won!"),
        (1, structs.replace(SECOND, place=1), "all_done", "A shared win!"),
        (1, SECOND, "all_done", "Ada was first"),
        (-1, structs.replace(SECOND, place=1), "time_limit", "Ada, Grace were first"),
        (0, structs.replace(SECOND, place=1, time=-1), "odd", "You won!"),
        (2, SECOND, "odd", "Ada was first"),
    ],
)
def test_the_headline_is_for_who_reads_it(you: int, second: e.Place, end: str, said: str) -> None:
    assert headline(ENGLISH, ended(FIRST, second, THIRD, you=you, end=end)) == said


@pytest.mark.parametrize(
    ("you", "places", "time"),
    [
        (0, (FIRST, SECOND), 67_312),
        (1, (FIRST, SECOND), 67_320),
        (-1, (FIRST, SECOND), 67_320),
        (-1, (FIRST, THIRD), 99),
    ],
)
def test_the_title_has_a_time_of_the_table(you: int, places: tuple[e.Place, ...], time: int) -> None:
    model = ended(*places, you=you)
    model.time = 99  # when the race was over, with what was given back
    assert model.length_ms == time
    assert Timing(lambda: 0.0).race_ms(model) == time


def test_nobody_has_won_who_is_not_home() -> None:
    assert headline(ENGLISH, ended(structs.replace(THIRD, place=1), you=2, end="time_limit")) == "Time is up"


def test_in_lines_they_are_whole_sentences() -> None:
    assert [*plain_lines(ENGLISH, ended(FIRST, SECOND, THIRD))] == [
        "The race is over. You won!",
        "1. Ada (you): 1:07.312, 94 moves, 52 cards home, 12 ms back for the network, ± 3 ms",
        "2. Grace (bot): 1:07.320, 80 moves, 52 cards home, 0 ms back for the network, ± 4 ms",
        "- Eve (ghost): 1:30.000, 70 moves, 52 cards home",
        "3. Alan: 7 cards home, 21 moves, gave up",
    ]


def test_who_watches_is_told_as_much() -> None:
    lines = [line.plain for line in standings_lines(ended(FIRST, SECOND, THIRD, you=-1))]
    assert lines == [
        "The race is over: everybody is done",
        "  1. Ada                        1:07.312    94 moves  12 ms back for the network, ± 3 ms",
        "  2. Grace (bot)                1:07.320    80 moves  0 ms back for the network, ± 4 ms",
        "     Eve (ghost)                1:30.000    70 moves",
        "  3. Alan                   7 cards home    21 moves  gave up",
    ]


def test_rows_of_long_names_are_in_line() -> None:
    model = ended(FIRST, SECOND, THIRD)
    model.seats[1].name = "Grace Brewster Murray 24"
    lines = [line.plain for line in standings_lines(model)][1:4]
    assert len({line.index(" moves") for line in lines}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_to_end_is_told_in_every_language(language: str) -> None:
    words = Catalogue(language)
    codes = ("all_done", "time_limit", "lobby_idle", "empty", "day_over", "closed", "ghost")
    assert [code for code in codes if words.named("end", code) == code] == []


def a_series(game: int, *wins: int, most: int = 3) -> RaceModel:
    model = ended(FIRST, SECOND, THIRD)
    model.best_of, model.game, model.wins = most, game, list(wins)
    return model


def test_a_series_is_told_with_the_race_that_is_over() -> None:
    """To players and to who looks on, in a line and on the screen; before the start as it stood."""
    assert series_line(ENGLISH, ended(FIRST, SECOND, THIRD)) == ""
    model = a_series(2, 0, 1, 0)
    said = "Best of 3, game 2. Ada: 1, Alan: 0, Grace: 1"
    assert series_line(ENGLISH, model) == said
    assert said in list(plain_lines(ENGLISH, model))
    assert said in [line.plain for line in standings_lines(model)]
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(picture(ENGLISH, model))
    assert said in console.export_text()
    model.phase, model.standings, model.wins = "running", [], []
    assert series_line(ENGLISH, model) == "Best of 3, game 2. Ada: 0, Alan: 0, Grace: 0"


def test_names_of_a_series_keep_their_order_wherever_they_sit() -> None:
    model = a_series(2, 1, 0, 0)
    line = series_line(ENGLISH, model)
    model.seats.reverse()
    model.wins = [0, 0, 1]
    model.standings = [structs.replace(place, seat=2 - place.seat) for place in model.standings]
    assert series_line(ENGLISH, model) == line


@pytest.mark.parametrize(
    ("model", "told", "next_race"),
    [
        (a_series(2, 1, 0, 0), "Ada: 2, Alan: 0, Grace: 0. Ada has won the series", "new_series"),
        (a_series(2, 0, 1, 0), "Ada: 1, Alan: 0, Grace: 1", "next_game"),
        (
            a_series(3, 0, 1, 1),
            "Ada: 1, Alan: 1, Grace: 1. The series is over, and nobody has won it",
            "new_series",
        ),
        (a_series(1, most=1), "", "rematch"),
    ],
)
def test_who_has_won_a_series_is_told_and_what_comes_next(
    model: RaceModel, told: str, next_race: str
) -> None:
    assert series_line(ENGLISH, model).partition(". ")[2] == told
    assert again(model) == next_race
