"""What becomes of the races that one sits in when one quits."""

import asyncio

import pytest
from msgspec import structs

from cellrace_client.tui.app import CellraceApp
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import Driver, press, program, said, shown, until
from tests.client.tui.test_races import greeted, in_race, running, showing

pytestmark = pytest.mark.asyncio


def app_of(pilot: Driver) -> CellraceApp:
    assert isinstance(pilot.app, CellraceApp)
    return pilot.app


def has_quit(pilot: Driver) -> bool:
    return not pilot.app.is_running


async def test_out_of_a_race_that_goes_on_one_quits_when_it_is_asked_for_twice() -> None:
    async with scripted(showing(running(2))) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        await pilot.press("ctrl+q")
        assert said(pilot) == "Press Ctrl-Q once more to quit: the clock goes on"
        await pilot.press("left")
        assert "Ctrl-Q" not in said(pilot)
        await pilot.press("ctrl+q")
        assert pilot.app.is_running
        press(pilot, "ctrl+q")
    assert app_of(pilot).goes_on == "race2"


@pytest.mark.parametrize("language", ["en", "uk"])
async def test_ctrl_c_quits_as_ctrl_q_does(language: str) -> None:
    """And nothing else is said of it, in whatever language."""
    server = showing(running(2))
    async with (
        scripted(server) as url,
        program("watch", "race2", url=url, language=language, notices=True) as pilot,
    ):
        await until(pilot, lambda: in_race(pilot, "race2"))
        await pilot.press("ctrl+c")
        assert said(pilot) == app_of(pilot).words("game.quit_again")
        assert not list(pilot.app._notifications)  # pyright: ignore[reportPrivateUsage]
        press(pilot, "ctrl+c")
    assert app_of(pilot).goes_on == "race2"


async def test_what_pops_up_leaves_the_line_that_says_what_to_do() -> None:
    taken = e.Notice("taken_over", "another connection has taken this seat over", 2)
    server = showing(running(2), taken)
    async with scripted(server) as url, program("watch", "race2", url=url, notices=True) as pilot:
        await until(pilot, lambda: "Enter to play here" in shown(pilot).splitlines()[-2])
        await until(pilot, lambda: any(each.region.y > 0 for each in pilot.app.screen.query("Toast")))
        assert "Enter to play here" in shown(pilot).splitlines()[-2]


async def test_when_it_is_told_to_end_a_race_that_goes_on_is_known() -> None:
    async with scripted(showing(running(2))) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        pilot.app.exit(143)
    assert app_of(pilot).goes_on == "race2"


async def test_a_race_left_before_is_known_too() -> None:
    async with scripted(showing(running(2))) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        await pilot.press("escape", "escape")
        press(pilot, "ctrl+q")
    assert app_of(pilot).goes_on == "race2"


@pytest.mark.parametrize(
    "event", [e.GaveUp(2, 6, 0, 0), e.Done(2, 6, 0, 0, 9_000, 0, 0), e.End(2, 6, 0, "all_done", [], "d", "")]
)
async def test_where_nothing_is_left_to_do_nothing_is_asked(event: e.AnyRaceMessage) -> None:
    async with scripted(showing(running(2), event)) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2") and pilot.app.screen.race.model.k == 6)  # type: ignore[attr-defined]
        await pilot.press("ctrl+q")
    assert app_of(pilot).goes_on == ""


@pytest.mark.parametrize("answers", [True, False])
async def test_a_seat_in_a_race_that_has_not_begun_is_given_back(
    answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not answers:
        monkeypatch.setattr("cellrace_client.seats.ANSWER_MOST_S", 0.01)
    left = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        lobby = structs.replace(running(2), phase="lobby", start="", deal="")
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), lobby)
        assert await said.hear() == c.Leave(2)
        left.set()
        if answers:
            await said.say(e.Left(2, 6, 0, 0, ""))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        await pilot.press("ctrl+q")
    assert left.is_set()
    assert app_of(pilot).goes_on == ""
