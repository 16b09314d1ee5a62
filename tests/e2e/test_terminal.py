"""Terminal programs, driven by keys, against a real server."""

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from cellrace_client import connect
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.watch import WatchScreen
from tests.client.tui.pilots import press, program, shown, until
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio


def race_screen(pilot: Pilot[int]) -> RaceScreen:
    screen = pilot.app.screen
    assert isinstance(screen, RaceScreen)
    return screen


def in_race(pilot: Pilot[int]) -> bool:
    return isinstance(pilot.app.screen, RaceScreen) and pilot.app.screen.race.model is not None


def phase(pilot: Pilot[int]) -> str:
    model = race_screen(pilot).race.model
    return model.phase if model is not None else ""


async def ask(pilot: Pilot[int], key: str, text: str) -> None:
    """Choose in the lobby what asks for something, and type that."""
    press(pilot, key)
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    press(pilot, *text, "enter")


async def test_a_race_against_the_best_run_of_a_deal(server: ServerProcess) -> None:
    async with connect(server.url, name="Grace") as grace:
        race = await grace.create("617", seats=1, countdown_ms=0)
        race.ready()
        await race.until(lambda model: model.phase == "running")
        for text in winning_line():
            await race.move(text)
        await race.until(lambda model: model.phase == "ended")
        async with program("against", "best 618", url=server.url, name="Ada") as none:
            await until(none, lambda: "there is no such run" in shown(none))
        async with program("runs", url=server.url, name="Ada") as none:
            await until(none, lambda: "you have finished no race yet" in shown(none))
        async with program("boards", "617", url=server.url, name="Ada") as ada:
            await until(ada, lambda: "Grace" in shown(ada))
            press(ada, "g")
            await until(ada, lambda: in_race(ada) and "Grace (ghost)" in shown(ada))
        async with program("against", "Grace 617", url=server.url, name="Ada") as ada:
            await until(ada, lambda: in_race(ada) and bool(race_screen(ada).race.ghosts))
            await until(ada, lambda: "Grace (ghost)" in shown(ada))
            press(ada, "enter")
            await until(ada, lambda: phase(ada) == "running")


async def test_two_programs_race_to_the_end_while_a_third_looks_on(server: ServerProcess) -> None:
    async with (
        program("friend", "617", url=server.url, name="Ada") as ada,
        program(url=server.url, name="Grace") as grace,
        program(url=server.url, name="Spectator") as third,
    ):
        await until(ada, lambda: in_race(ada))
        name = race_screen(ada).race.id
        await ask(grace, "j", name)
        await until(grace, lambda: in_race(grace))
        await ask(third, "w", name)
        await until(third, lambda: isinstance(third.app.screen, WatchScreen))
        press(ada, "enter")
        press(grace, "enter")
        await until(ada, lambda: phase(ada) == "running")
        await until(grace, lambda: phase(grace) == "running")
        press(grace, "2", "a", "u", "2", "b")
        for text in winning_line():
            plain, _, count = text.partition("v")
            press(ada, *(f"{plain[0]}v{count}{plain[1]}" if count else plain))
        await until(grace, lambda: "home in" in shown(grace))
        await until(third, lambda: "home in" in shown(third))
        press(grace, "g", "g")
        for pilot in (ada, grace):
            await until(pilot, lambda pilot=pilot: phase(pilot) == "ended")  # type: ignore[misc]
        watched = third.app.screen
        assert isinstance(watched, WatchScreen)
        await until(third, lambda: watched.race.over)
        own, seen = race_screen(grace).race, watched.race.model
        assert seen is not None
        board = seen.seats[own.seat].board
        assert board is not None
        assert own.position is not None
        assert bytes(board.cells) == own.position.cells
        assert seen.seats[race_screen(ada).race.seat].home == 52


async def test_a_rematch_invites_the_others_along(server: ServerProcess) -> None:
    async with (
        program("friend", "617", url=server.url, name="Ada") as ada,
        program(url=server.url, name="Grace") as grace,
    ):
        await until(ada, lambda: in_race(ada))
        first = race_screen(ada).race
        await ask(grace, "j", first.id)
        await until(grace, lambda: in_race(grace))
        press(ada, "enter")
        press(grace, "enter")
        for pilot in (ada, grace):
            await until(pilot, lambda pilot=pilot: phase(pilot) == "running")  # type: ignore[misc]
            press(pilot, "g", "g")
        for pilot in (ada, grace):
            await until(pilot, lambda pilot=pilot: phase(pilot) == "ended")  # type: ignore[misc]
        press(ada, "m")
        await until(ada, lambda: race_screen(ada).race.id != first.id)
        await until(grace, lambda: "The others race again" in shown(grace))
        assert race_screen(grace).race.id == first.id
        press(grace, "m")
        await until(grace, lambda: race_screen(grace).race.id != first.id)
        assert race_screen(ada).race.id == race_screen(grace).race.id


async def test_the_daily_and_the_boards_are_chosen_from_tables(server: ServerProcess) -> None:
    async with program(url=server.url, name="Ada") as ada:
        await ask(ada, "b", "617")
        await until(ada, lambda: "nobody is on this board yet" in shown(ada))
        press(ada, "escape")
        await until(ada, lambda: isinstance(ada.app.screen, LobbyScreen))
        await until(ada, lambda: _daily_is_there(ada))
        press(ada, "enter")
        await until(ada, lambda: "one attempt a day" in shown(ada))
        press(ada, "enter")
        await until(ada, lambda: in_race(ada))
        await until(ada, lambda: race_screen(ada).race.line is not None)
        press(ada, "?")
        await until(ada, lambda: "no hints" in shown(ada))


def _daily_is_there(pilot: Pilot[int]) -> bool:
    """The day's deals are chosen some seconds after a server's first start: ask until they are."""
    if isinstance(pilot.app.screen, LobbyScreen):
        press(pilot, "d")
    elif "yours to play" not in shown(pilot):
        press(pilot, "escape")
    return "yours to play" in shown(pilot)
