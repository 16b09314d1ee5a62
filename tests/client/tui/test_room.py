"""What there is room for: the columns of the lobby's list, and the keys over a whole screen."""

import pytest
from msgspec import structs

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.tui.keys import KeysScreen
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_protocol import events as e
from tests.client.plain.test_program import dealt
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import Driver, press, program, shown, until
from tests.client.tui.test_races import greeted, in_race, showing

pytestmark = pytest.mark.asyncio

LONG = e.RaceRow("abcdefg", "running", "pocket+cells=2", 2, ["Grace Brewster Murray 24", "Ada"])


def titles(pilot: Driver) -> list[str]:
    screen = pilot.app.screen
    assert isinstance(screen, LobbyScreen)
    return [str(column.label) for column in screen.races.ordered_columns]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_narrow_lobby_leaves_out_what_says_least_and_an_empty_one_says_so(language: str) -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        while True:
            await said.hear()

    words = Catalogue(language)
    columns = {name: words(f"column.{name}") for name in ("race", "state", "rules", "players")}
    async with scripted(server) as url, program(url=url, language=language) as pilot:
        await until(pilot, lambda: words("lobby.none") in shown(pilot))
        assert titles(pilot) == list(columns.values())
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        lobby.left(LONG, is_played=True)
        await until(pilot, lambda: "Grace Brewster Murray" in shown(pilot))
        assert words("lobby.none") not in shown(pilot)
        assert columns["rules"] not in titles(pilot)
        assert columns["state"] in titles(pilot)
        assert words("lobby.mine") in shown(pilot)
        assert "abcdefg" in shown(pilot)
        await pilot.resize_terminal(140, 30)
        await until(pilot, lambda: titles(pilot) == list(columns.values()))
        assert words("n.cells", 2) in shown(pilot)
        assert "Grace Brewster Murray 24, Ada" in shown(pilot)


NAMES = ["Nimble Heron 35", "Swift Otter 12", "Patient Marten 208"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_state_of_a_race_and_who_is_oneself_are_told_in_the_narrowest_lobby(language: str) -> None:
    words = Catalogue(language)
    rows = [
        e.RaceRow("abcdefg", "running", "pocket+cells=2", 3, [NAMES[0], "Me", NAMES[1]]),
        e.RaceRow("bcdefgh", "lobby", "classic", 4, NAMES),
    ]

    async def server(said: Said) -> None:
        await greeted(said, *rows)
        while True:
            await said.hear()

    async with scripted(server) as url, program(url=url, language=language) as pilot:
        await until(pilot, lambda: words("n.free", 1) in shown(pilot))
        first, second = (next(line for line in shown(pilot).splitlines() if row.race in line) for row in rows)
        assert words.named("phase", "running") in first
        assert f" {words('race.you')}, {NAMES[0]}, +1 " in first
        assert words.named("phase", "lobby") in second
        assert NAMES[0][:6] in second
        assert f", +2, {words('n.free', 1)}" in second
        await pilot.resize_terminal(120, 30)
        await until(pilot, lambda: words("n.cells", 2) in shown(pilot))
        assert ", +" in shown(pilot), "more names say less than the rules"
        await pilot.resize_terminal(200, 30)
        everybody = f" {words('race.you')}, {NAMES[0]}, {NAMES[1]}"
        await until(pilot, lambda: everybody in shown(pilot))
        assert f"{words.named('phase', 'running')}, {words('lobby.mine')}" in shown(pilot)


async def test_the_keys_cover_all_that_is_below_and_name_what_there_is_now() -> None:
    server = showing(dealt(2))
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2") and "7♦" in shown(pilot))
        press(pilot, "f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen) and "gives up" in shown(pilot))
        assert "cellrace race2" not in shown(pilot)
        assert "♦" not in shown(pilot)
        assert "ready" not in shown(pilot)


async def test_who_has_given_up_has_no_keys_to_play_with() -> None:
    race = dealt(2)
    gone = structs.replace(race, seats=[structs.replace(race.seats[0], gave_up=True)])

    server = showing(gone)
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        screen = pilot.app.screen
        assert isinstance(screen, RaceScreen)
        assert [act.name for act in screen.all_keys()] == ["away"]
