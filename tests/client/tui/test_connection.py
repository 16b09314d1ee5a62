"""The terminal program and its connection: what is shown when it is gone, and what fails beside a screen."""

import asyncio
import re

import pytest
from msgspec import structs

from cellrace_client.identities import Identities
from cellrace_client.languages import Catalogue
from cellrace_client.race_list import RaceList
from cellrace_client.tui.app import CellraceApp, Settings
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.watch import WatchScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.rows import Place
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import NOWHERE, SMALL, press, program, shown, until
from tests.client.tui.test_races import a_race, greeted, in_race, listed, over, running

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("seat", [0, -1])
async def test_a_connection_that_is_gone_for_good_is_not_shown_as_coming_back(seat: int) -> None:
    async def first(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2, seat)
        await said.say(e.Notice("revoked", "another token is in force"))
        await said.socket.close(4403)

    async def second(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("revoked", "the token is dead"))
        await said.socket.wait_closed()

    size = (160, 40)
    async with scripted(first, second) as url, program("watch", "race2", url=url, size=size) as pilot:
        await until(pilot, lambda: "the connection is gone for good: " in shown(pilot))
        assert isinstance(pilot.app.screen, RaceScreen | WatchScreen)
        assert "coming back" not in shown(pilot)


async def test_boards_are_named_by_rules_alone_too() -> None:
    asked: list[c.GetTop] = []

    async def server(said: Said) -> None:
        await greeted(said)
        top = await said.hear()
        assert isinstance(top, c.GetTop)
        asked.append(top)
        await said.say(e.Top(top.r, "", "relaxed", Kind.HUMAN, [], day="2026-11-30"))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("boards", "relaxed", url=url) as pilot:
        await until(pilot, lambda: "nobody is on this board yet" in shown(pilot))
    assert [(top.deal, top.rules, top.scope) for top in asked] == [("", "relaxed", c.Scope.DAY)]


async def test_spectators_see_who_came_where_and_ghosts() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2, -1)
        steps = [e.GhostStep(0, 13, 20)]
        await said.say(e.Ghost(2, 0, "abc-0", "Anna", Kind.HUMAN, 60_000, steps))
        end = structs.replace(over(2), standings=[Place(1, 0, 52, 80, 12_345, 0, 0)])
        await said.say(end)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: re.search(r"1\. +Me +0:12\.345 +80 +52/52", shown(pilot)) is not None)
        assert re.search(r"Anna \(ghost\) +1:00\.000 +20 +13/52", shown(pilot))


async def test_a_list_of_races_that_comes_before_the_lobby_is_shown_in_it() -> None:
    races = RaceList()
    races.begin([listed("kbjueza")])
    app = CellraceApp(Settings(NOWHERE, Catalogue("en"), Looks(), Identities(None), local=True))
    app.lobby.follow(races, lambda: "Me")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "kbjueza" in shown(pilot))


async def test_what_fails_beside_a_screen_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(LobbyScreen, "_list", fails)

    async def server(said: Said) -> None:
        await greeted(said, listed("kbjueza"))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        with pytest.raises(ZeroDivisionError):
            async with program(url=url) as pilot:
                await until(pilot, lambda: not pilot.app.is_running)


async def test_why_a_name_is_refused_is_said_in_the_players_language() -> None:
    async def server(said: Said) -> None:
        await said.hear()
        facts: dict[str, int | str] = {"reason": "length", "most": 24, "length": 31}
        await said.say(e.Error("bad_name", "a name has 1 to 24 characters", facts=facts))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url, name="x" * 31, language="fr") as pilot:
        await until(pilot, lambda: "de 1 à 24 caractères, celui-ci en a 31" in shown(pilot))


@pytest.mark.parametrize("text", ["\udcff", "http://[x/r/\udcff"])
async def test_what_no_server_could_read_is_said(text: str) -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("join", text, url=url) as pilot:
        await until(pilot, lambda: "the server does not take this: a number or a text" in shown(pilot))
        press(pilot, "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_a_race_under_way_is_still_there_when_the_connection_is_back() -> None:
    async def first(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        for _ in range(2):
            asked = await said.hear()
            if isinstance(asked, c.Resume):
                await said.say(e.Entered(asked.r, 3, "race2", 0, 1), running(3))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        await until(pilot, lambda: pilot.app.screen.race.channel == 3)  # type: ignore[attr-defined]


async def test_a_seat_that_another_window_has_taken_can_be_taken_back() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2, 0)
        await said.say(e.Notice("taken_over", "another connection has taken this seat over", 2))
        await a_race(said, 3, 0)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url, size=(160, 40)) as pilot:
        await until(pilot, lambda: "you play this race in another window" in shown(pilot))
        first = pilot.app.screen
        press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen is not first and "another window" not in shown(pilot))
        assert isinstance(pilot.app.screen, RaceScreen)
        assert first not in pilot.app.screen_stack, "one goes back to the lobby, not to what was lost"


async def test_a_race_that_the_server_does_not_know_any_more_is_played_in_no_other_window() -> None:
    """As where it came back with another store."""

    async def first(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        for _ in range(2):
            asked = await said.hear()
            if isinstance(asked, c.Resume):
                await said.say(e.Error("not_found", "there is no race race2", asked.r))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, program("watch", "race2", url=url, size=(120, 40)) as pilot:
        await until(pilot, lambda: "this race is gone" in shown(pilot))
        assert "another window" not in shown(pilot)
        await pilot.press("escape", "escape")
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_the_lobby_knows_when_the_server_is_away_and_when_it_is_back() -> None:
    async def first(said: Said) -> None:
        await greeted(said)
        await may_go.wait()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await may_come.wait()
        await said.greet()
        await said.socket.wait_closed()

    may_go, may_come = asyncio.Event(), asyncio.Event()
    async with scripted(first, second) as url, program(url=url, size=(120, 40)) as pilot:
        await until(pilot, lambda: "you are Me" in shown(pilot))
        may_go.set()
        await until(pilot, lambda: "connection lost: coming back" in shown(pilot))
        may_come.set()
        await until(pilot, lambda: "coming back" not in shown(pilot) and "you are Me" in shown(pilot))


@pytest.mark.parametrize("what", ["quick", "daily", "profile"])
async def test_why_there_is_no_server_is_said_again_when_one_is_wanted(what: str) -> None:
    """A name that it does not take is no reason to say that it is not there."""

    async def server(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("not_wanted_here", "come another day"))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(what, url=url, size=(120, 40)) as pilot:
        await until(pilot, lambda: "come another day" in shown(pilot))
        assert "no server" not in shown(pilot)


async def test_who_wanted_no_server_is_reminded_of_it() -> None:
    async with program("quick") as pilot:
        await until(pilot, lambda: "without a server, as --local said" in shown(pilot))
