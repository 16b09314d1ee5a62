"""The form for a race of one's own: every option by keys and by the mouse, in every language."""

import asyncio

import pytest
from textual.geometry import Offset

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.race_options import RaceOptions
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.options import CHOICES, OptionsScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import Driver, press, program, shown, until
from tests.client.tui.test_races import greeted, running

pytestmark = pytest.mark.asyncio


class Opened:
    """A server that takes a race to be opened, and remembers how."""

    def __init__(self) -> None:
        self.asked: list[c.ClientMessage] = []

    async def __call__(self, said: Said) -> None:
        await greeted(said)
        request = await said.hear()
        self.asked.append(request)
        await said.say(e.Entered(getattr(request, "r", 0), 2, "race2", 0, 1), running(2))
        await said.socket.wait_closed()


async def form(pilot: Driver) -> OptionsScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen) and "you are" in shown(pilot))
    press(pilot, "n")
    await until(pilot, lambda: isinstance(pilot.app.screen, OptionsScreen))
    screen = pilot.app.screen
    assert isinstance(screen, OptionsScreen)
    await until(pilot, lambda: bool(screen.rows[-1].size.height))
    return screen


def created(**changed: object) -> c.Create:
    options = RaceOptions()._replace(**changed)  # type: ignore[arg-type]
    return c.Create(
        2,
        options.deal,
        options.rules,
        options.seats,
        options.open_boards,
        options.public,
        options.countdown_ms,
        options.limit_ms,
        True,
        options.ranked,
        options.bots,
        options.delay_ms,
        options.best_of,
    )


CHANGED = {
    "rules": "relaxed",
    "seats": 3,
    "best_of": 3,
    "limit_ms": 2_700_000,
    "public": True,
    "ranked": True,
    "open_boards": True,
    "bots": True,
    "countdown_ms": 5_000,
    "delay_ms": 0,
}
"""Every option, one step on."""


async def test_every_option_is_changed_by_keys() -> None:
    server = Opened()
    async with scripted(server) as url, program(url=url) as pilot:
        await form(pilot)
        for _ in CHOICES:
            press(pilot, "right", "down")
        press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen))
    assert server.asked == [created(**CHANGED)]


async def test_every_option_is_changed_by_the_mouse() -> None:
    server = Opened()
    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        for row in screen.rows:
            at = row.region.offset + Offset(3, 0)
            await pilot.click(offset=(at.x, at.y))
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen))
    assert server.asked == [created(**CHANGED)]


async def test_a_deal_is_typed_and_values_go_round_both_ways() -> None:
    server = Opened()
    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        press(pilot, "down", "left", "left", "right", "space", "left")  # seats: 16, 1 … and one back
        press(pilot, "up", "up")
        await until(pilot, lambda: pilot.app.focused is screen.typed)
        await pilot.press(*"617", "space", *"pocket")
        await until(pilot, lambda: screen.typed.value == "617 pocket")
        press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen))
    assert [getattr(asked, "rules", "") for asked in server.asked] == ["pocket"]
    assert [getattr(asked, "seats", 0) for asked in server.asked] == [1]


async def test_what_is_typed_before_the_deal_is_in_focus_is_not_lost() -> None:
    server = Opened()
    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        press(pilot, "up", "6", "1", "7", "space", *"pocket", "enter")
        await until(pilot, lambda: bool(server.asked))
        assert screen.typed.value == "617 pocket"
    assert server.asked == [created(deal="FC1-C4-AAAAATJ", rules="pocket")]


async def test_what_is_no_deal_is_said_on_the_form_and_escape_leaves_it() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        press(pilot, "up")
        await until(pilot, lambda: pilot.app.focused is screen.typed)
        press(pilot, *"x617", "enter")
        await until(pilot, lambda: bool(str(screen.said.render())))
        assert isinstance(pilot.app.screen, OptionsScreen)
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


async def test_what_the_server_refuses_is_said_on_the_form_which_keeps_everything() -> None:
    again = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Create)
        await said.say(e.Error("too_many_races", "you are in 20 races", asked.r))
        asked = await said.hear()
        await again.wait()
        assert isinstance(asked, c.Create)
        assert (asked.deal, asked.rules, asked.seats) == ("FC1-C4-AAAAATJ", "relaxed", 3)
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), running(2))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        press(pilot, "right", "down", "right", "up", "up", "6", "1", "7", "enter")
        await until(pilot, lambda: "you are in too many races at once" in shown(pilot))
        assert pilot.app.screen is screen
        assert screen.typed.value == "617"
        press(pilot, "enter", "enter")
        await until(pilot, lambda: "opening it" in shown(pilot))
        assert pilot.app.screen is screen
        again.set()
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen))


async def test_a_race_that_comes_after_the_form_was_left_is_left_too() -> None:
    gone, left = asyncio.Event(), asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Create)
        await gone.wait()
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), running(2))
        assert await said.hear() == c.Leave(2)
        left.set()
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        await form(pilot)
        press(pilot, "enter", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        gone.set()
        await until(pilot, left.is_set)


async def test_what_cannot_be_is_said_beforehand_until_it_is_corrected() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await said.socket.wait_closed()

    clash = Catalogue("en")("clash.ranked_deal")
    async with scripted(server) as url, program(url=url) as pilot:
        screen = await form(pilot)
        assert "safe cards go home by themselves" in shown(pilot)
        press(pilot, "down", "down", "down", "down", "down", "right", "home")
        press(pilot, *["up"] * 6)
        await until(pilot, lambda: pilot.app.focused is screen.typed)
        press(pilot, *"61", "enter")
        await until(pilot, lambda: clash in shown(pilot) and "deal (empty: drawn)" in shown(pilot))
        assert pilot.app.screen is screen
        press(pilot, "backspace", "backspace")
        await until(pilot, lambda: clash not in shown(pilot))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_form_fits_and_is_in_every_language(language: str) -> None:
    words = Catalogue(language)

    async def server(said: Said) -> None:
        await greeted(said)
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url, language=language) as pilot:
        await until(pilot, lambda: pilot.app.client is not None)  # type: ignore[attr-defined]
        press(pilot, "n")
        await until(pilot, lambda: words("options.create") in shown(pilot))
        for choice in CHOICES:
            assert words(f"options.{choice.name}") in shown(pilot)
        for key in ("title", "yes" if words("options.yes") in shown(pilot) else "no", "by_link", "usual"):
            assert words(f"options.{key}") in shown(pilot)
