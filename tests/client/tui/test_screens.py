"""The lobby, replays, and what is chosen by keys and by the mouse before one plays."""

import re
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from cellrace_client.practice import Practice
from cellrace_client.tui.hand import Hand, Intent, by_position, everywhere
from cellrace_client.tui.layout import Layout, Place
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.play import PlayScreen
from cellrace_client.tui.practice import PracticeScreen
from cellrace_client.tui.replay import ReplayScreen
from cellrace_engine import CLASSIC, DealCode, Position, deal
from tests.client.tui.pilots import Driver, practice, program, shown, until
from tests.support.lines import winning_line


def lobby(pilot: Driver) -> LobbyScreen:
    screen = pilot.app.screen
    assert isinstance(screen, LobbyScreen)
    return screen


@pytest.mark.asyncio
async def test_a_random_practice_is_chosen_by_a_letter_and_left_again() -> None:
    async with program() as pilot:
        await pilot.press("p", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.asyncio
async def test_the_menu_goes_by_the_place_of_a_letter() -> None:
    async with program() as pilot:
        await pilot.press("з")  # p on a Ukrainian keyboard
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))


@pytest.mark.asyncio
async def test_the_menu_goes_by_arrows_and_by_the_mouse() -> None:
    async with program() as pilot:
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.focused, OptionList))
        await pilot.click(OptionList, offset=(5, 8))
        await until(pilot, lambda: isinstance(pilot.app.focused, Input))


@pytest.mark.asyncio
@pytest.mark.parametrize("key", ["q", "d"])
async def test_without_a_server_what_needs_one_says_so(key: str) -> None:
    async with program() as pilot:
        await pilot.press(key)
        await until(pilot, lambda: "practice and replays only" in str(lobby(pilot).said.render()))


@pytest.mark.asyncio
async def test_a_deal_that_is_none_is_told_in_the_lobby() -> None:
    async with program("practice", "0") as pilot:
        await until(pilot, lambda: "there is no deal 0" in str(lobby(pilot).said.render()))


def a_replay(folder: Path) -> Path:
    game = Practice(CLASSIC, DealCode.of(617))
    for number, text in enumerate(winning_line()):
        game.move(text, 1_000 * number + 500)
    path = folder / "run.json"
    path.write_text(game.document("Ada"), encoding="utf-8")
    return path


@pytest.mark.asyncio
async def test_a_replay_stops_steps_jumps_and_changes_speed(tmp_path: Path) -> None:
    async with program("replay", str(a_replay(tmp_path))) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("space")
        assert not screen.projector.playing
        assert screen.boards[0].region.width == 58, "boards stand together on a wide screen"
        await pilot.press("home")
        assert len(str(screen.boards[0].render()).splitlines()) >= 9, "the whole board, not its last cards"
        await pilot.press("right", "right", "left")
        assert screen.projector.index == 1
        await pilot.press("down", "plus", "minus", "minus")
        assert screen.projector.speed == 0.5
        assert screen.projector.t_ms >= 10_000
        await pilot.press("end")
        assert "52/52" in shown(pilot)
        await pilot.press("home", "з")  # p on a Ukrainian keyboard
        assert screen.projector.playing
        await pilot.press("й")  # q
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.asyncio
async def test_a_replay_that_is_false_is_not_shown(tmp_path: Path) -> None:
    path = a_replay(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"cards_home":52', '"cards_home":51', text), encoding="utf-8")
    async with program("replay", str(path)) as pilot:
        await until(pilot, lambda: "no replay that holds" in str(lobby(pilot).said.render()))


@pytest.mark.asyncio
async def test_a_hint_is_taken_back_when_the_board_has_changed() -> None:
    async with practice() as pilot:
        await pilot.press("?", "2", "a")
        screen = pilot.app.screen
        assert isinstance(screen, PracticeScreen)
        await pilot.pause()
        assert screen.board.hinted == ()
        assert "Hint" not in str(screen.said.render())


POSITION = deal(617)
BEGUN = Position(POSITION.columns, POSITION.cells, bytes((1, 1, 1, 1)))


def test_places_and_cards_agree() -> None:
    layout = Layout(40, 21)
    assert layout.at(1, 0, POSITION) == Place(8, 0)
    assert layout.at(36, 0, POSITION) == Place(15, 0)
    assert layout.at(6, 8, POSITION) == Place(1, 1)
    assert layout.at(6, 2, POSITION) == Place(1, 7)
    assert layout.at(6, 20, POSITION) == Place(1, 1)
    assert layout.at(41, 3, POSITION) is None
    assert Layout(40, 6).at(6, 5, POSITION) == Place(1, 1)


def test_with_fewer_cells_there_are_no_others() -> None:
    assert Layout(40, 21).at(12, 0, deal(617, 2)) is None
    assert Layout(40, 21).at(6, 0, deal(617, 2)) == Place(9, 0)


def pressed(keys: str, position: Position = BEGUN) -> list[Intent]:
    hand = Hand(takes_back=True)
    return [intent for key in keys if (intent := hand.press(key, position)) is not None]


@pytest.mark.parametrize(
    ("keys", "moves"),
    [
        ("26", [Intent("26")]),
        ("2v36", [Intent("26v3")]),
        ("2vd6", [Intent("26vd")]),
        ("3h", [Intent("3h")]),
        ("h5", [Intent("h5")]),
        ("hd5", [Intent("hd5")]),
        ("hha", [Intent("hha")]),
        ("33", [Intent(tap=2)]),
        ("2a2b", [Intent("2a"), Intent("2b")]),
    ],
)
def test_keys_are_the_notation(keys: str, moves: list[Intent]) -> None:
    assert pressed(keys) == moves


@pytest.mark.parametrize(
    ("characters", "keys"),
    [
        ("&é\"'(-è_ç", "123456789"),
        ("&é\"'(§è!ç", "123456789"),
        ("фисвргкамйоьпзіщц", "abcdhurfvqjmgpsow"),
        ("ы", "s"),
        ("К", "R"),  # noqa: RUF001
    ],
    ids=["French", "Belgian", "Ukrainian", "Russian", "shifted"],
)
def test_keys_are_known_by_their_place(characters: str, keys: str) -> None:
    assert "".join(map(by_position, characters)) == keys
    assert all(set(characters) & set(everywhere(key).split(",")) for key in keys)


def test_no_key_of_the_notation_stands_for_another() -> None:
    assert [by_position(key) for key in "12345678abcdhcdshv9urf?:Rgmspq"] == [
        *"12345678abcdhcdshv9urf?:Rgmspq"
    ]


def test_enter_ends_what_could_go_on() -> None:
    hand = Hand(takes_back=True)
    assert [hand.press(key, BEGUN) for key in "hc"] == [None, None]
    assert hand.enter(BEGUN) == Intent("hc")


LONG = "Why this cannot be takes more than one line of eighty characters, and its end is what helps: name a deal."


@pytest.mark.asyncio
@pytest.mark.parametrize("first", ["", "practice"])
async def test_what_is_said_is_read_to_its_end(first: str) -> None:
    async with program(first, "617" if first else "") as pilot:
        kind = PracticeScreen if first else LobbyScreen
        await until(pilot, lambda: isinstance(pilot.app.screen, kind) and bool(shown(pilot).strip()))
        screen = pilot.app.screen
        assert isinstance(screen, LobbyScreen | PlayScreen)
        screen.say(LONG)
        await until(pilot, lambda: "name a deal." in shown(pilot))
        screen.say("")
        await until(pilot, lambda: "name a deal." not in shown(pilot))
