"""The way back to a race of one's own that goes on, from the lobby."""

import pytest
from msgspec import structs

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import Driver, press, program, shown, until
from tests.client.tui.test_races import a_race, greeted, in_race, is_over, over, running

pytestmark = pytest.mark.asyncio

OWN = e.RaceRow("race2", "running", "classic", 2, ["Me", "Grace"])
OPEN = e.RaceRow("race3", "lobby", "classic", 2, ["Me"])
OTHERS = e.RaceRow("race4", "running", "classic", 2, ["Ada", "Grace"])


def in_lobby(pilot: Driver) -> bool:
    return isinstance(pilot.app.screen, LobbyScreen)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_own_race_on_the_list_is_marked_and_a_key_leads_to_it(language: str) -> None:
    async def server(said: Said) -> None:
        await greeted(said, OTHERS, OWN)
        await a_race(said, 2)
        await said.socket.wait_closed()

    words = Catalogue(language)
    async with scripted(server) as url, program(url=url, language=language) as pilot:
        await until(pilot, lambda: words("lobby.back", race="race2") in shown(pilot))
        lines = shown(pilot).splitlines()
        assert next(words("lobby.mine") in line for line in lines if "race2" in line)
        assert not any(words("lobby.mine") in line for line in lines if "race4" in line)
        press(pilot, "g")
        await until(pilot, lambda: in_race(pilot, "race2"))


async def test_races_that_wait_or_are_others_need_no_way_back() -> None:
    async def server(said: Said) -> None:
        await greeted(said, OPEN, OTHERS)
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        await until(pilot, lambda: "race4" in shown(pilot))
        assert "goes on" not in shown(pilot)
        press(pilot, "g")
        await pilot.pause()
        assert in_lobby(pilot)


async def test_a_race_that_is_on_no_list_is_not_lost_when_it_is_left() -> None:
    async def server(said: Said) -> None:
        await greeted(said, OTHERS)
        await a_race(said, 2)
        assert await said.hear() == c.Part(2)
        await said.say(e.Listing([], ["race4"]))
        await a_race(said, 3)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        press(pilot, "escape", "escape")
        await until(pilot, lambda: in_lobby(pilot) and "Your race race2 goes on: g goes" in shown(pilot))
        await until(pilot, lambda: "race4" not in shown(pilot))
        assert "race2" in shown(pilot)
        press(pilot, "g")
        await until(pilot, lambda: in_race(pilot, "race3"))


async def left(pilot: Driver, race: str) -> None:
    await until(pilot, lambda: in_race(pilot, race))
    press(pilot, "escape", "escape")
    await until(pilot, lambda: in_lobby(pilot))


async def test_a_race_that_was_entered_by_another_way_and_ended_is_not_gone_back_to() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        assert await said.hear() == c.Part(2)
        await a_race(said, 3)
        assert await said.hear() == c.Part(3)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        again = structs.replace(running(2), ch=4)
        await said.say(e.Entered(asked.r, 4, "race2", 0, 1), again, over(4))
        assert await said.hear() == c.Part(4)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await left(pilot, "race2")
        press(pilot, "w", *"race3", "enter")
        await left(pilot, "race3")
        await until(pilot, lambda: "Your race race3 goes on" in shown(pilot))
        press(pilot, "w", *"race2", "enter")
        await until(pilot, lambda: is_over(pilot))
        press(pilot, "escape")
        await until(pilot, lambda: in_lobby(pilot) and "Your race race3 goes on" in shown(pilot))
        assert "race2" not in shown(pilot)


async def test_a_race_that_one_still_plays_comes_before_one_that_only_others_do() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        assert await said.hear() == c.Part(2)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 3, "race3", 0, 1), running(3), e.GaveUp(3, 6, 0, 0))
        assert await said.hear() == c.Part(3)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await left(pilot, "race2")
        press(pilot, "w", *"race3", "enter")
        await until(pilot, lambda: in_race(pilot, "race3") and "You gave up" in shown(pilot))
        press(pilot, "escape")
        await until(pilot, lambda: in_lobby(pilot) and "race3" in shown(pilot))
        assert "Your race race2 goes on" in shown(pilot)


async def test_a_race_that_another_program_was_in_is_known_by_the_greeting() -> None:
    async def server(said: Said) -> None:
        await said.greet(races=["race2"])
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, [OTHERS]))
        await a_race(said, 2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        await until(pilot, lambda: "Your race race2 goes on: g goes" in shown(pilot))
        await until(pilot, lambda: "race4" in shown(pilot))
        press(pilot, "g")
        await until(pilot, lambda: in_race(pilot, "race2"))
