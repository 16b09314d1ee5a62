"""The terminal program against a server that says exactly what a test has written down."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec import structs
from textual.widgets import DataTable

from cellrace_client.advice import Advice
from cellrace_client.practice import Practice
from cellrace_client.tui import daily
from cellrace_client.tui.listings import RunsScreen
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.replay import ReplayScreen
from cellrace_client.tui.watch import WatchScreen
from cellrace_engine import CLASSIC, DealCode, Line, deal
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.board import pack
from cellrace_protocol.commands import Kind
from cellrace_protocol.transfers import pack_transfer
from tests.client.test_client import Said, scripted, snapshot
from tests.client.tui.pilots import WITHIN_S, Driver, press, program, said, screen_of, shown, until
from tests.support.lines import winning_line

pytestmark = pytest.mark.asyncio

Offer = Callable[[Said], Awaitable[None]]


async def greeted(said: Said, *rows: e.RaceRow) -> None:
    """Answer the hello and the wish to follow the list of races."""
    await said.greet()
    follow = await said.hear()
    assert isinstance(follow, c.Follow)
    await said.say(e.Races(follow.r, list(rows)))


def running(channel: int, seat: int = 0) -> e.Snapshot:
    return structs.replace(snapshot(5, seat), ch=channel, race=f"race{channel}")


async def a_race(said: Said, channel: int, seat: int = 0) -> None:
    """Answer the wish to watch by a race that runs."""
    asked = await said.hear()
    assert isinstance(asked, c.Watch)
    await said.say(e.Entered(asked.r, channel, f"race{channel}", seat, 1), running(channel, seat))


def showing(first: e.Snapshot, *then: e.ServerMessage, seat: int = 0) -> Callable[[Said], Awaitable[None]]:
    """A server that answers the wish to watch `race2` by these, and says nothing more."""

    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race2", seat, 1), first, *then)
        await said.socket.wait_closed()

    return server


def over(channel: int) -> e.End:
    return e.End(channel, 6, 0, "all_done", [], "deal", "")


def in_race(pilot: Driver, name: str) -> bool:
    race = getattr(pilot.app.screen, "race", None)
    return race is not None and race.id == name and race.model is not None


def is_over(pilot: Driver) -> bool:
    screen = pilot.app.screen
    return isinstance(screen, RaceScreen | WatchScreen) and screen.race.over


async def test_a_race_that_is_over_is_parted_from_so_that_no_rematch_of_others_leads_away() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2)
        await said.say(over(2))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.parametrize("seat", [0, -1])
async def test_a_rematch_takes_the_place_of_the_race_that_is_over(seat: int) -> None:
    seen = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        await a_race(said, 2, seat)
        await said.say(over(2))
        await seen.wait()
        await said.say(e.Entered(0, 3, "race3", seat, 1), running(3, seat))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        seen.set()
        await until(pilot, lambda: in_race(pilot, "race3"))
        assert sum(hasattr(screen, "race") for screen in pilot.app.screen_stack) == 1


async def test_a_deal_of_the_day_that_is_being_chosen_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daily, "ASK_AGAIN_S", 0)
    seen = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        for rules in (["classic"], []):
            asked = await said.hear()
            assert isinstance(asked, c.GetDaily)
            rows = [] if rules else [e.DailyRow("classic", "", 0, "open")]
            await said.say(e.Dailies(asked.r, "2026-11-30", 60_000, rows, rules))
            await seen.wait()
        board = await said.hear()
        assert isinstance(board, c.GetDailyTop)
        best = e.BoardRow(1, "p", "Bob", 61_000, 60, 0, "run-1")
        await said.say(e.Top(board.r, "", "classic", Kind.HUMAN, [best]))
        played = await said.hear()
        while isinstance(played, c.GetDaily | c.GetDailyTop):
            played = await said.hear()
        assert isinstance(played, c.PlayDaily)
        assert played.rules == "classic"
        await said.socket.wait_closed()

    async with scripted(server) as url, program("daily", url=url) as pilot:
        await until(pilot, lambda: "the deal is being chosen" in shown(pilot))
        await pilot.press("enter")  # there is nothing to play yet
        await pilot.pause()
        seen.set()
        await until(pilot, lambda: "yours to play" in shown(pilot))
        await until(pilot, lambda: "classic, today: 1. Bob 1:01.000" in shown(pilot))
        press(pilot, "enter")
        await until(pilot, lambda: "Press Enter again" in shown(pilot))
        press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


async def test_the_end_of_a_daily_offers_no_rematch() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        of_a_day = structs.replace(running(2), daily="2026-11-30")
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), of_a_day, over(2))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: is_over(pilot))
        await until(pilot, lambda: "play it again for practice" in shown(pilot))
        assert "rematch" not in shown(pilot).replace("It has no rematch", "")
        press(pilot, "m", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


async def test_what_the_server_refuses_is_told_in_the_players_language() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.Join)
        await said.say(e.Error("too_many_races", "you are in 20 races", asked.r))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("join", "race2", url=url, language="uk") as pilot:
        await until(pilot, lambda: "ви в забагатьох гонках одразу" in shown(pilot))


async def test_a_refused_move_and_a_refused_wish_are_told_in_the_players_language() -> None:
    moved = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said)
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(watch.r, 2, "race2", 0, 1), dealt(2))
        move = await said.hear()
        assert isinstance(move, c.Move)
        await said.say(e.Refused(2, move.n, "too_many_actions", "10,000 actions are the most", 1))
        await asyncio.wait_for(moved.wait(), WITHIN_S)
        await said.say(e.Refused(2, 0, "not_host", "only the host may start"))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("watch", "race2", url=url, language="it") as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        press(pilot, "2", "a")
        await until(pilot, lambda: said(pilot) == "troppe mosse in una sola gara")
        moved.set()
        await until(pilot, lambda: said(pilot) == "può farlo solo chi ospita")


def listed(race: str, phase: str = "lobby", players: tuple[str, ...] = ("Bob",)) -> e.RaceRow:
    return e.RaceRow(race, phase, "classic", 2, list(players))


def names(lobby: LobbyScreen) -> list[str]:
    return [str(row.key.value) for row in lobby.races.ordered_rows]


def under_cursor(lobby: LobbyScreen) -> str | None:
    return lobby.races.ordered_rows[lobby.races.cursor_row].key.value


async def test_the_list_of_races_changes_round_the_row_that_the_player_is_on() -> None:
    steps = [asyncio.Event() for _ in range(2)]

    async def server(said: Said) -> None:
        await greeted(said, *(listed(name) for name in ("a", "b", "c", "d")))
        await steps[0].wait()
        await said.say(e.Listing([listed("c", "running", ("Bob", "Eve")), listed("e")], ["a"]))
        await steps[1].wait()
        await said.say(e.Listing([], ["c"]))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await until(pilot, lambda: names(lobby) == ["a", "b", "c", "d"])
        lobby.races.move_cursor(row=2)
        steps[0].set()
        await until(pilot, lambda: names(lobby) == ["b", "c", "d", "e"])
        assert under_cursor(lobby) == "c"
        assert str(lobby.races.get_row("c")[3]) == "Bob, Eve"
        steps[1].set()
        await until(pilot, lambda: names(lobby) == ["b", "d", "e"])
        assert under_cursor(lobby) == "d"


async def test_a_new_connection_puts_the_list_of_races_in_the_order_of_the_server() -> None:
    async def first(said: Said) -> None:
        await greeted(said, listed("a"), listed("b"))
        await seen.wait()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await greeted(said, listed("c"), listed("b"), listed("a"))
        await said.socket.wait_closed()

    seen = asyncio.Event()
    async with scripted(first, second) as url, program(url=url) as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await until(pilot, lambda: names(lobby) == ["a", "b"])
        lobby.races.move_cursor(row=1)
        seen.set()
        await until(pilot, lambda: names(lobby) == ["c", "b", "a"])
        assert under_cursor(lobby) == "b"


async def test_a_race_that_is_gone_when_it_is_chosen_is_nothing_to_go_to() -> None:
    gone = asyncio.Event()

    async def server(said: Said) -> None:
        await greeted(said, listed("a"), listed("b", "somewhere"))
        await gone.wait()
        await said.say(e.Listing([], ["a"]))
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        assert asked.race == "b"
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, LobbyScreen)
        await until(pilot, lambda: names(lobby) == ["a", "b"])
        chosen = DataTable.RowSelected(lobby.races, 0, lobby.races.ordered_rows[0].key)
        gone.set()
        await until(pilot, lambda: names(lobby) == ["b"])
        lobby.on_data_table_row_selected(chosen)
        lobby.set_focus(lobby.races)
        press(pilot, "enter")


def dealt(channel: int) -> e.Snapshot:
    """A race that runs on deal 617."""
    empty, start = running(channel), Line.begin(CLASSIC, deal(617)).position
    board = pack(start.columns, start.cells, start.foundations)
    return structs.replace(empty, start=board, seats=[structs.replace(empty.seats[0], board=board)])


async def test_an_answer_that_is_what_was_shown_already_takes_back_no_hint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, answer = asyncio.Event(), asyncio.Event()
    advice: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()

    async def advise(_: Line) -> Advice:
        asked.set()
        return await advice

    async def server(said: Said) -> None:
        await greeted(said)
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(watch.r, 2, "race2", 0, 1), dealt(2))
        assert await said.hear() == c.Move(2, 1, "2a")
        await answer.wait()
        await said.say(e.Applied(2, 6, 0, 1, [pack_transfer(1, 8, 1)]))
        await said.socket.wait_closed()

    monkeypatch.setattr("cellrace_client.tui.play.advise", advise)
    async with scripted(server) as url, program("watch", "race2", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        screen = screen_of(pilot)
        assert isinstance(screen, RaceScreen)
        press(pilot, "2", "a", "?")
        await until(pilot, asked.is_set)
        answer.set()
        await until(pilot, lambda: screen.race.under_way == 0)
        screen.show()
        advice.set_result(Advice("26", piles=(1, 5)))
        await until(pilot, lambda: said(pilot) == "Hint: 26")
        assert screen.board.hinted == (1, 5)


STRANGE = "[b]Bob[/b] [/]"


async def test_what_others_write_is_shown_as_it_is() -> None:
    """Not read as markup, in which it could hide, colour, or be a mistake that ends the program."""

    async def server(said: Said) -> None:
        await greeted(said, listed("a", players=(STRANGE,)))
        await said.say(e.Notice("announcement", f"from {STRANGE}"))
        boards = await said.hear()
        assert isinstance(boards, c.GetTop)
        row = e.BoardRow(1, "p", STRANGE, 1_000, 60, 0, "run-0")
        await said.say(e.Top(boards.r, "", "classic", Kind.HUMAN, [row], day="2026-11-30"))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url, size=(120, 40), notices=True) as pilot:
        await until(pilot, lambda: f"{STRANGE}, 1 seat free" in shown(pilot))
        await until(pilot, lambda: f"from {STRANGE}" in shown(pilot))
        press(pilot, "b")
        await pilot.pause()
        press(pilot, "enter")
        await until(pilot, lambda: STRANGE in shown(pilot) and "run-0" in shown(pilot))


async def offer_a_board(said: Said) -> None:
    """Answer the wish to see a board with two runs."""
    asked = await said.hear()
    assert isinstance(asked, c.GetTop)
    rows = [
        e.BoardRow(place, "p", name, 1_000, 60, 0, f"run-{place}") for place, name in ((1, "Bob"), (2, "Eve"))
    ]
    await said.say(e.Top(asked.r, "", "classic", Kind.HUMAN, rows, day="2026-11-30"))


async def offer_own_runs(said: Said) -> None:
    """Answer the wish to see one's own runs with two."""
    asked = await said.hear()
    assert isinstance(asked, c.GetRuns)
    assert asked.player == ""
    rows = [
        e.RunRow(
            f"run-{number}", "race9", "FC1-C4-AAAAATJ", "relaxed", 61_000, 60, 0, 86_430_000, False, True
        )
        for number in (1, 2)
    ]
    await said.say(e.Runs(asked.r, "p", 7, 0, rows))


@pytest.mark.parametrize("key", ["g", "п"])
@pytest.mark.parametrize(("first", "offer"), [("boards", offer_a_board), ("runs", offer_own_runs)])
async def test_a_key_races_against_the_run_under_the_cursor(first: str, offer: Offer, key: str) -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await offer(said)
        asked = await said.hear()
        assert isinstance(asked, c.RaceGhosts)
        assert asked.runs == ["run-2"]
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), running(2))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(first, url=url) as pilot:
        await until(pilot, lambda: "Enter replay" in shown(pilot))
        press(pilot, "down", key)
        await until(pilot, lambda: in_race(pilot, "race2"))


async def test_ones_own_runs_are_chosen_by_a_letter_and_show_what_was_run() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        await offer_own_runs(said)
        asked = await said.hear()
        assert isinstance(asked, c.GetReplay)
        assert asked.run == "run-1"
        await said.say(e.Error("not_found", "it is gone", asked.r))
        await said.socket.wait_closed()

    async with scripted(server) as url, program(url=url) as pilot:
        await until(pilot, lambda: "you are" in shown(pilot))
        press(pilot, "m")
        await until(pilot, lambda: "My runs (7)" in shown(pilot))
        assert all(
            text in shown(pilot) for text in ("1970-01-01", "FC1-C4-AAAAATJ", "relaxed", "1:01.000", "run-2")
        )
        press(pilot, "enter")
        await until(pilot, lambda: "it is gone" in shown(pilot) and "My runs (7)" in shown(pilot))


async def test_on_an_empty_list_there_is_nothing_to_race_against() -> None:
    async def server(said: Said) -> None:
        await greeted(said)
        asked = await said.hear()
        assert isinstance(asked, c.GetRuns)
        await said.say(e.Runs(asked.r, "p", 0, 0, []))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("runs", url=url) as pilot:
        await until(pilot, lambda: "you have finished no race yet" in shown(pilot))
        assert "Enter replay" not in shown(pilot)
        await pilot.press("g")
        assert "you have finished no race yet" in shown(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


async def test_from_a_replay_one_comes_back_to_the_list_that_led_there() -> None:
    practice = Practice(CLASSIC, DealCode.of(617))
    for n, text in enumerate(winning_line()):
        practice.move(text, 1_000 * n)

    async def server(said: Said) -> None:
        await greeted(said)
        await offer_own_runs(said)
        asked = await said.hear()
        assert isinstance(asked, c.GetReplay)
        await said.say(e.Replay(asked.r, asked.run, practice.document("")))
        await said.socket.wait_closed()

    async with scripted(server) as url, program("runs", url=url) as pilot:
        await until(pilot, lambda: "My runs (7)" in shown(pilot))
        press(pilot, "down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen))
        press(pilot, "escape")
        await until(pilot, lambda: "My runs (7)" in shown(pilot))
        screen = pilot.app.screen
        assert isinstance(screen, RunsScreen)
        assert screen.under_cursor == "run-2"
