"""The end of a race on the screen, against a server that says exactly what a test has written down."""

import re

import pytest
from msgspec import structs

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.tui import play
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import Driver, press, program, shown, until
from tests.client.tui.test_races import dealt, greeted, is_over, showing

pytestmark = pytest.mark.asyncio

LONGEST = "M" * 24


def full(seat: int, players: int) -> e.Snapshot:
    """A race of so many that runs, all with long names."""
    start = dealt(2)
    board = start.start if seat < 0 else ""
    seats = [
        e.SeatView(f"p{n}", f"{n}{LONGEST}"[:24], Kind.BOT, True, False, -1, 0, 0, 0, 0, board)
        for n in range(players)
    ]
    if seat >= 0:
        seats[seat] = structs.replace(seats[seat], board=start.start, kind=Kind.HUMAN)
    return structs.replace(start, seats=seats, you=seat)


def end(players: int) -> e.End:
    places = [e.Place(n + 1, n, 52, 1_000 + n, 3_599_990 + n, 200, 100) for n in range(players - 1)]
    places.append(e.Place(players, players - 1, 7, 21, -1, 0, 0))
    return e.End(2, 6, 0, "all_done", places, "FC1-C4-AAAAATJ", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [0, -1])
async def test_the_result_fits_a_small_terminal_in_every_language(seat: int, language: str) -> None:
    server = showing(full(seat, 3), end(3), seat=seat)

    words = Catalogue(language)
    async with scripted(server) as url, program("watch", "race2", url=url, language=language) as pilot:
        await until(pilot, lambda: is_over(pilot) and "59:59.990" in shown(pilot))
        assert re.search(
            r" 1\. .* 59:59\.990 +1000 +52/52 +200 \S+ \w+ +± 100 \S+ *$", shown(pilot), re.MULTILINE
        )
        assert f"{words('column.network')} " in shown(pilot)
        assert "7/52" in shown(pilot)
        assert (words("race.won") in shown(pilot)) == (seat == 0)


async def test_enter_turns_to_the_board_and_back_and_arrows_scroll() -> None:
    server = showing(full(0, 16), end(16))
    async with scripted(server) as url, program("watch", "race2", url=url, size=(80, 18)) as pilot:
        await until(pilot, lambda: is_over(pilot) and "You won!" in shown(pilot))
        assert " 16. " not in shown(pilot)
        press(pilot, *["down"] * 20)
        await until(pilot, lambda: " 16. " in shown(pilot))
        press(pilot, "enter")
        await until(pilot, lambda: "7♦" in shown(pilot))
        assert "Enter result" in shown(pilot)
        press(pilot, "enter")
        await until(pilot, lambda: "7♦" not in shown(pilot))


@pytest.mark.parametrize(
    ("seat", "run", "foot"),
    [
        pytest.param(1, "race2-1", "v replay  m rematch  b boards  Esc back", id="raced"),
        pytest.param(-1, "race2-0", "v replay  b boards  Esc back", id="watched"),
    ],
)
async def test_from_the_result_keys_lead_to_the_replay_and_to_the_board_of_the_deal(
    seat: int, run: str, foot: str
) -> None:
    asked: list[c.ClientMessage] = []

    async def server(said: Said) -> None:
        await greeted(said)
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(watch.r, 2, "race2", seat, 1), full(seat, 3), end(3))
        asked.append(await said.hear())
        await said.say(e.Error("not_found", "it is gone", getattr(asked[0], "r", 0)))
        asked.append(await said.hear())
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot) and foot in shown(pilot))
        press(pilot, "f1")
        await until(pilot, lambda: "the boards of this deal" in shown(pilot))
        press(pilot, "f1", "v")
        await until(pilot, lambda: "it is gone" in shown(pilot))
        press(pilot, "b")
        await until(pilot, lambda: len(asked) == 2)
    replay, board = asked
    assert isinstance(replay, c.GetReplay)
    assert replay.run == run
    assert isinstance(board, c.GetTop)
    assert (board.deal, board.rules) == ("FC1-C4-AAAAATJ", "classic")


async def looking_at(pilot: Driver, *parts: str) -> None:
    await until(pilot, lambda: all(part in shown(pilot) for part in parts))


async def test_whoever_has_given_up_is_told_for_whom_one_waits_and_leaves_unasked() -> None:
    server = showing(full(0, 3), e.GaveUp(2, 6, 0, 0))
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await looking_at(pilot, "You gave up: waiting for 2 others", "Esc back  F1 keys")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.parametrize(
    ("others", "told"), [(2, "The result comes when 2 others are done"), (1, "when 1 other is done"), (0, "")]
)
async def test_whoever_is_home_is_told_when_the_result_comes(others: int, told: str) -> None:
    server = showing(full(0, 1 + others), e.Done(2, 6, 0, 0, 61_000, 0, 0))
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await looking_at(pilot, "All cards are home", told)
        assert ("The result comes" in shown(pilot)) == bool(others)


async def test_a_key_that_does_nothing_does_not_hide_for_long_what_one_waits_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = showing(full(0, 3), e.GaveUp(2, 6, 0, 0))
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await looking_at(pilot, "waiting for 2 others")
        await pilot.press("x")
        await looking_at(pilot, "x is no key here")
        monkeypatch.setattr(play, "PASSING_S", 0.0)
        await pilot.press("x")
        await looking_at(pilot, "waiting for 2 others")
        assert "no key here" not in shown(pilot)


@pytest.mark.parametrize("is_daily", [True, False])
async def test_a_ranked_race_says_so_when_it_begins_and_offers_no_hint(is_daily: bool) -> None:
    ranked = structs.replace(full(0, 2), ranked=not is_daily, daily="2026-11-30" if is_daily else "")

    server = showing(ranked)
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await looking_at(pilot, "This race is ranked", "u undo")
        assert "? hint" not in shown(pilot)


@pytest.mark.parametrize("players", [1, 2])
async def test_friends_are_invited_while_there_is_room_for_them(players: int) -> None:
    waiting = structs.replace(full(0, players), phase="lobby", start="", deal="")
    free = e.SeatView("", "", Kind.HUMAN, False, False, -1, 0, 0, 0, 0, "")
    waiting = structs.replace(waiting, seats=[*waiting.seats, free][:2])

    server = showing(waiting)
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await looking_at(pilot, "Esc leave")
        assert ("cellrace join race2" in shown(pilot)) == (players == 1)
        assert ("Friends join with:" in shown(pilot)) == (players == 1)
