"""Ghosts are shown wherever opponents are: in the model, on the terminal, in lines, among the results."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from cellrace_client.cli.draw import race_view
from cellrace_client.cli.watch import ghost_lines, standings_lines
from cellrace_client.model import GhostRun, RaceModel
from cellrace_client.race import Race
from cellrace_client.session import RaceSession
from cellrace_engine import deal
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.rows import GhostStep
from tests.client.test_model import snapshot, text

START = text(deal(617))
STEPS = [e.GhostStep(1_000, 0, 1), e.GhostStep(2_000, 4, 2), e.GhostStep(60_000, 52, 80)]


def told(index: int = 0, name: str = "Anna", time: int = 60_000) -> e.Ghost:
    return e.Ghost(0, index, f"run-{index}", name, Kind.HUMAN, time, STEPS)


def model(*ghosts: e.Ghost, time: int = 0) -> RaceModel:
    found = RaceModel(snapshot(START), {ghost.index: GhostRun(ghost) for ghost in ghosts})
    found.time = time
    return found


def shown(model: RaceModel, since_ms: int = 0) -> str:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(race_view(model, model.time + (since_ms if model.phase == "running" else 0)))
    return captured.get()


@pytest.mark.parametrize(
    ("time", "at"),
    [
        (-1, (0, 0)),
        (0, (0, 0)),
        (999, (0, 0)),
        (1_000, (0, 1)),
        (1_999, (0, 1)),
        (2_000, (4, 2)),
        (10**9, (52, 80)),
    ],
)
def test_a_ghost_is_where_the_run_was(time: int, at: tuple[int, int]) -> None:
    assert GhostRun(told()).at(time) == at


def test_names_are_shown_as_they_are() -> None:
    race = model(told(name="[b]Anna[/b] [/]"))
    race.seats[0].name = "[b]Bob[/b] [/]"
    assert "[b]Bob[/b] [/]" in shown(race)
    assert "[b]Anna[/b] [/] (ghost)" in shown(race)


def test_a_ghost_is_home_with_its_result() -> None:
    ghost = GhostRun(told(time=59_950))
    assert (ghost.home_at(59_949), ghost.home_at(59_950)) == (False, True)


class Silence:
    """Implements `race.Sender`."""

    def send(self, messages: Any) -> None:
        assert list(messages) == []

    def later(self, seconds: float, call: Any) -> None:
        raise AssertionError("nothing is asked for")


async def races() -> Race:
    race = Race(Silence(), RaceSession(e.Entered(1, 0, "race", 0, 1, "P0")))  # type: ignore[arg-type]
    race.hear(snapshot(START))
    return race


@pytest.mark.asyncio
async def test_the_model_of_a_race_has_its_ghosts_and_keeps_them() -> None:
    race = await races()
    race.told(told())
    race.told(told(1, "Alan"))
    assert race.model is not None
    assert [ghost.name for ghost in race.model.ghosts.values()] == ["Anna", "Alan"]
    race.hear(replace(snapshot(START), k=9))
    assert race.model.k == 9
    assert [ghost.name for ghost in race.model.ghosts.values()] == ["Anna", "Alan"], (
        "a snapshot has their names alone"
    )
    race.told(told())
    assert len(race.model.ghosts) == 2, "told again, after a resume, it is the same ghost"


def test_on_the_terminal_a_ghost_stands_beside_the_players_and_goes_by_the_clock() -> None:
    race = model(told())
    assert "Anna (ghost)" in shown(race)
    assert "the run run-0: 1:00.000" in shown(race)
    assert "4/52" not in shown(race, 1_999)
    assert "4/52  2 moves   " in shown(race, 2_000)
    assert "52/52  80 moves" in shown(race, 60_000)
    race.phase = "lobby"
    assert "52/52" not in shown(race, 60_000), "nothing goes on before the start"
    assert "ghost" not in shown(model())


def test_lines_tell_of_each_ghost_once_and_when_it_was_home_once() -> None:
    tell = ghost_lines()

    def lines(race: RaceModel) -> Iterator[str]:
        return (line.plain for line in tell(race))

    ghosts = (told(), told(1, "Alan", time=2_000))
    assert list(lines(model())) == []
    assert list(lines(model(*ghosts))) == [
        "the ghost of Anna, home in 1:00.000, goes beside the race",
        "the ghost of Alan, home in 0:02.000, goes beside the race",
    ]
    assert list(lines(model(*ghosts, time=2_500))) == ["0:02.000  Alan (ghost) is home"]
    assert list(lines(model(*ghosts, time=90_000))) == ["1:00.000  Anna (ghost) is home"]
    assert list(lines(model(*ghosts, time=90_000))) == []


def test_ghosts_stand_among_the_results_where_they_would_and_have_no_place() -> None:
    race = model(told(0, "Late", 90_000), told(1, "Soon", 50_000), told(2, "Same", 70_000))
    race.phase, race.end = "ended", "all_done"
    race.standings = [e.Place(1, 0, 52, 80, 70_000, 0, 0), e.Place(2, 1, 12, 30, -1, 0, 0)]
    rows = [line.plain.split()[:2] for line in standings_lines(race)][1:]
    assert rows == [["Soon", "(ghost)"], ["1.", "P0"], ["Same", "(ghost)"], ["Late", "(ghost)"], ["2.", "P1"]]
    race.standings = []
    assert len(list(standings_lines(race))) == 1, "a race that never began has no results"


def test_the_last_step_of_a_run_counts_though_it_is_as_late_as_was_given_back() -> None:
    steps = [GhostStep(59_000, 40, 48), GhostStep(60_001, 52, 49)]
    ghost = GhostRun(e.Ghost(2, 0, "abc-0", "Anna", Kind.HUMAN, 60_000, steps))
    assert ghost.at(59_999) == (40, 48)
    assert ghost.at(60_000) == (52, 49)
