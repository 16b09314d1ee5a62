"""`cellrace watch` on a terminal: the clock of somebody who comes late."""

from msgspec import structs
from rich.console import Console

from cellrace_client.cli.watch import Screen, standings_lines
from cellrace_client.model import RaceModel
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
    assert next(iter(standings_lines(model))).plain == "the race is over: its day is over"
