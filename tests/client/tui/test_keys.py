"""The keys that are told: at the foot of every screen, and all of them by F1."""

import pytest
from rich.cells import cell_len
from textual.widgets import OptionList

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.tui.keys import PRACTICE_FOOT, RACE_FOOT, SCREENS, KeysScreen, acts, footer
from cellrace_client.tui.lobby import MENU, LobbyScreen
from cellrace_client.tui.practice import PracticeScreen
from cellrace_protocol import commands as c
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import practice, press, program, shown, until
from tests.client.tui.test_races import greeted, listed

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_foot_of_every_screen_names_what_one_needs_most(language: str) -> None:
    words = Catalogue(language)
    escape = words("named.escape")
    for screen, names in (("practice", PRACTICE_FOOT), ("race", RACE_FOOT)):
        foot = footer(words, *acts(screen, *names))
        assert cell_len(foot) <= 80, foot
        wanted = ("1-8", " u ", "? ", " f ", f" {escape} ", "F1")
        assert [key for key in wanted if key not in foot] == [], foot
        assert (" g " in foot) == (screen == "race"), foot
    over = footer(words, *acts("over", "turn", "film", "rematch", "boards")[1:])
    assert [key for key in ("v ", " m ", " b ", f" {escape} ", "F1") if key not in over] == []
    for key, text in words.texts.items():
        if key.startswith("help."):
            assert "F1" in text
            assert (escape in text) != (key == "help.lobby")
            assert cell_len(str(text)) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
async def test_f1_tells_all_keys_of_a_game_over_it(language: str) -> None:
    words = Catalogue(language)
    async with practice(language=language) as pilot:
        press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen))
        await until(pilot, lambda: words("short.back") in shown(pilot))
        for act in SCREENS["practice"]:
            assert words(f"key.{act.name}")[:30] in shown(pilot)
        press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_the_lobby_tells_its_letters(key: str) -> None:
    async with program() as pilot:
        await until(pilot, lambda: "Quick race" in shown(pilot))
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen))
        for what in MENU:
            assert Catalogue("en")(f"menu.{what}") in shown(pilot)
        assert "to the list of races" in shown(pilot)
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.parametrize("way", ["right", "tab"])
async def test_a_key_leads_to_the_list_of_races_and_enter_joins_there(way: str) -> None:
    async def server(said: Said) -> None:
        await greeted(said, listed("a"))
        asked = await said.hear()
        assert isinstance(asked, c.Join)
        assert asked.what == "a"
        joined.append(asked.what)
        await said.socket.wait_closed()

    joined: list[str] = []
    async with scripted(server) as url, program(url=url) as pilot:
        await until(pilot, lambda: "Bob" in shown(pilot))
        await pilot.press(way)
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        assert screen.races.has_focus
        await pilot.press("left")
        assert isinstance(pilot.app.focused, OptionList)
        await pilot.press(way, "enter")
        await until(pilot, lambda: bool(joined))


async def test_what_is_typed_is_not_taken_for_a_wish_to_see_the_keys() -> None:
    async with program() as pilot:
        await pilot.press("j", "question_mark", "left", "right", "a")
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        assert screen.asked.value == "?a"


async def test_what_was_typed_wrongly_stays_to_be_mended() -> None:
    """And no key of the menu is pressed by the Enter behind it."""
    async with program() as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await pilot.press("p", *"61x", "enter")
        await until(pilot, lambda: "deal" in str(lobby.said.render()))
        assert lobby.asked.has_focus
        assert lobby.asked.value == "61x"
        assert "Enter do it  Esc back" in shown(pilot)
        await pilot.press("backspace", "7", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))
        await pilot.press("escape")
        assert not lobby.asked.display
        await pilot.press("p", "escape")
        assert not lobby.asked.display
        assert "Enter do it" not in shown(pilot)
