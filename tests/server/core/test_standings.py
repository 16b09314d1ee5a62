"""Who came where: by time, by what is home, and inside the error bar together."""

import pytest

from cellrace_server.core.commands import GiveUp, Play
from cellrace_server.core.people import Player
from cellrace_server.core.standings import standings
from tests.server.core.playbook import ADA, ALAN, GRACE, Script, play, started
from tests.support.lines import winning_line

LINE = winning_line()
PLAYERS = [ADA, GRACE, ALAN, Player("mary", "Mary")]


def finished(*results: tuple[int, int, int]) -> Script:
    """A race in which each player wins at an instant (ms after the start), with compensation and error."""
    players = PLAYERS[: len(results)]
    script = started(*players)
    for player in players:
        play(script, player, LINE[:-1], every_ms=0)
    began = script.now
    for index in sorted(range(len(results)), key=lambda n: results[n][0]):
        at, compensation, error = results[index]
        script.now = began + at
        script.do(Play(players[index].id, len(LINE), LINE[-1], compensation, error))
        assert script.answer is None
    return script


@pytest.mark.parametrize(
    ("results", "places"),
    [
        ([(1_000, 0, 0), (1_001, 0, 0)], [1, 2]),
        ([(1_000, 0, 0), (1_000, 0, 0), (1_001, 0, 0)], [1, 1, 3]),
        ([(1_000, 0, 5), (1_010, 0, 5), (1_011, 0, 5)], [1, 1, 3]),
        ([(1_000, 0, 0), (1_050, 60, 0)], [2, 1]),
        ([(1_000, 100, 0), (1_100, 200, 0)], [1, 1]),
        # each within the bar of the next, but not of the first: the place is that of the first
        ([(1_000, 0, 5), (1_008, 0, 5), (1_016, 0, 5), (1_024, 0, 5)], [1, 1, 3, 3]),
        ([(5, 150, 0), (6, 150, 0)], [1, 1]),
    ],
)
def test_inside_the_error_bar_it_is_a_shared_place(
    results: list[tuple[int, int, int]], places: list[int]
) -> None:
    rows = standings(finished(*results).state)
    assert [row.place for row in sorted(rows, key=lambda row: row.seat)] == places
    times = [row.result.time for row in rows if row.result is not None]
    assert times == sorted(times)
    assert [row.place for row in rows] == sorted(row.place for row in rows)


def test_an_error_bar_never_reaches_into_the_unfinished() -> None:
    script = started(ADA, GRACE, ALAN)
    play(script, ADA, LINE[:-1])
    script.do(Play("ada", len(LINE), LINE[-1], 0, 1_000_000))
    play(script, GRACE, LINE[:-1])
    script.do(GiveUp("grace", len(LINE)))
    script.do(GiveUp("alan", 1))
    assert [(row.place, row.seat) for row in standings(script.state)] == [(1, 0), (2, 1), (3, 2)]
