"""Boards by every measure, ratings, one's own profile, and a day that ends while one looks."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import pytest

from cellrace_client.tui import daily
from cellrace_client.tui.columns import fitting, listed
from cellrace_client.tui.daily import DailyScreen
from cellrace_client.tui.lobby import LobbyScreen
from cellrace_client.tui.records import BoardScreen, RatingsScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind, Measure, Sight
from tests.client.plain.test_all_there_is import BOARD_ROW, PROFILE, PROFILE_LINES, RUN_ROW
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import press, program, shown, until
from tests.client.tui.test_races import greeted

pytestmark = pytest.mark.asyncio

LARGE = (140, 40)


def answering(
    answers: dict[type[msgspec.Struct], Callable[[c.ClientMessage], msgspec.Struct]],
    heard: list[c.ClientMessage],
) -> Callable[[Said], Awaitable[None]]:
    """A server that answers each kind of request in its way, until the client goes."""

    async def server(said: Said) -> None:
        await greeted(said)
        while True:
            closing, hearing = (
                asyncio.create_task(said.socket.wait_closed()),
                asyncio.create_task(said.hear()),
            )
            await asyncio.wait([closing, hearing], return_when=asyncio.FIRST_COMPLETED)
            closing.cancel()
            try:
                request = await hearing
            except Exception:  # noqa: BLE001 - the client has gone
                return
            heard.append(request)
            answer = answers.get(type(request))
            if answer is not None:
                await said.say(answer(request))

    return server


def top(asked: c.ClientMessage) -> e.Top:
    assert isinstance(asked, c.GetTop | c.GetDailyTop)
    sight = asked.sight if isinstance(asked, c.GetTop) else Sight.ANY
    return e.Top(
        asked.r, "FC1-C4-AAAAATJ", "classic", Kind.HUMAN, [BOARD_ROW], asked.by, sight, asked.offset, 250,
        [BOARD_ROW], 2, 200,
    )  # fmt: skip


async def test_a_board_is_asked_for_by_measure_sight_page_and_around_oneself() -> None:
    heard: list[c.ClientMessage] = []
    server = answering({c.GetTop: top}, heard)
    async with scripted(server) as url, program("boards", "617", url=url, size=LARGE) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, BoardScreen))
        await until(pilot, lambda: "you: place 3 of 250, better than 80 % of the others" in shown(pilot))
        assert "Ada (you)" in shown(pilot)
        for part in ("12 ms back", "± 4 ms", "1970-01-01", "first sight", "Days are UTC"):
            assert part in shown(pilot)
        for key, said in (("b", "moves, all runs"), ("b", "score, all runs"), ("s", "score, at first sight")):
            press(pilot, key)
            await until(pilot, lambda said=said: said in shown(pilot))  # type: ignore[misc]
        press(pilot, "a")
        await until(pilot, lambda: len(heard) == 5)
        screen = pilot.app.screen
        assert isinstance(screen, BoardScreen)
        for keys, offset in (("n", 100), ("n", 200), ("p", 100), ("p", 0), ("nn", 200), ("npp", 0)):
            press(pilot, *keys)  # however fast
            await until(pilot, lambda offset=offset: screen.top.offset == offset)  # type: ignore[misc]
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
    tops = [asked for asked in heard if isinstance(asked, c.GetTop)]
    assert [asked.by for asked in tops[:3]] == [Measure.TIME, Measure.MOVES, Measure.SCORE]
    assert tops[3].sight is Sight.FIRST
    assert [asked.around for asked in tops] == [False] * 4 + [True] + [False] * 8


async def test_on_a_narrow_terminal_a_board_shows_what_says_most() -> None:
    server = answering({c.GetTop: top}, [])
    async with scripted(server) as url, program("boards", "617", url=url) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, BoardScreen) and "1970-01-01" in shown(pilot))
        for part in ("name", "time", "moves", "day", "sight", "first sight"):
            assert part in shown(pilot)
        assert "run-1" not in shown(pilot)
        await pilot.resize_terminal(*LARGE)
        await until(pilot, lambda: "run-1" in shown(pilot))


async def test_columns_that_say_least_give_way_first() -> None:
    columns, rows = ["a", "b", "c"], [("key", ["1234", "12", "一二"])]
    assert fitting(columns, rows, (1, 0), 16) == [0, 1, 2]
    assert fitting(columns, rows, (1, 0), 15) == [0, 2]
    assert fitting(columns, rows, (1, 0), 11) == [2]
    assert fitting(columns, rows, (), 1) == [0, 1, 2]


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (40, "Ada, Grace Hopper, Linus, 2 free"),
        (32, "Ada, Grace Hopper, Linus, 2 free"),
        (31, "Ada, Grace Hopper, +1, 2 free"),
        (28, "Ada, +2, 2 free"),
        (15, "Ada, +2, 2 free"),
        (14, "A…, +2, 2 free"),
        (2, "A…, +2, 2 free"),
    ],
)
async def test_names_that_find_no_room_are_counted(width: int, line: str) -> None:
    assert listed(["Ada", "Grace Hopper", "Linus"], ["2 free"], width) == line
    assert listed([], ["2 free"], width) == "2 free"
    assert listed(["一二三"], [], 5) == "一二…"


async def test_ratings_are_asked_for_by_rules_and_around_oneself() -> None:
    def ratings(asked: c.ClientMessage) -> e.Ratings:
        assert isinstance(asked, c.GetRatings)
        rank = e.RankRow(7, "p", "Ada", 1_612, 80, 12, 0)
        return e.Ratings(asked.r, asked.rules, Kind.HUMAN, [rank], asked.offset, 211, [rank], 6, 84)

    heard: list[c.ClientMessage] = []
    async with scripted(answering({c.GetRatings: ratings}, heard)) as url, program(url=url) as pilot:
        await until(pilot, lambda: "you are" in shown(pilot))
        press(pilot, "t")
        await until(pilot, lambda: isinstance(pilot.app.screen, RatingsScreen))
        await until(pilot, lambda: "1612 ± 80" in shown(pilot))
        assert "Ada (you)" in shown(pilot)
        assert "you: place 7 of 211, better than 40 % of the others" in shown(pilot)
        press(pilot, "r")
        await until(pilot, lambda: "Ratings, classic" not in shown(pilot))
        screen = pilot.app.screen
        assert isinstance(screen, RatingsScreen)
        press(pilot, "a")
        await until(pilot, lambda: len(heard) == 3)
        press(pilot, "n", "n", "n")
        await until(pilot, lambda: screen.ratings.offset == 200)
        press(pilot, "p", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
    asked = [request for request in heard if isinstance(request, c.GetRatings)]
    assert [request.around for request in asked][:5] == [False, False, True, False, False]


@pytest.mark.parametrize("is_known", [True, False])
async def test_ones_own_profile_is_over_ones_runs(is_known: bool) -> None:
    def profile(asked: c.ClientMessage) -> msgspec.Struct:
        assert isinstance(asked, c.GetProfile)
        assert asked.player == ""
        return PROFILE(asked.r) if is_known else e.Error("not_found", "nobody", asked.r)

    def runs(asked: c.ClientMessage) -> e.Runs:
        assert isinstance(asked, c.GetRuns)
        return e.Runs(asked.r, "p", 1, 0, [RUN_ROW] if is_known else [])

    server = answering({c.GetProfile: profile, c.GetRuns: runs}, [])
    async with scripted(server) as url, program(url=url, size=LARGE) as pilot:
        await until(pilot, lambda: "you are" in shown(pilot))
        press(pilot, "o")
        lines = PROFILE_LINES if is_known else ["nothing is known of you yet"]
        await until(pilot, lambda: all(line in shown(pilot) for line in lines))
        assert ("run-1" in shown(pilot)) == is_known
        assert ("617 (FC1-C4-AAAAATJ)" in shown(pilot)) == is_known


async def test_the_day_that_ends_while_one_looks_is_followed_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daily, "LIVE_S", 0.05)
    monkeypatch.setattr(daily, "ASK_AGAIN_S", 0.05)
    day, best_of_all = "2026-11-30", "Ada"

    def today(asked: c.ClientMessage) -> e.Dailies:
        assert isinstance(asked, c.GetDaily)
        attempt = "done" if day == "2026-11-30" else "open"
        return e.Dailies(asked.r, day, 100, [e.DailyRow("classic", "", 0, attempt, time=61_000)])

    def best(asked: c.ClientMessage) -> e.Top:
        assert isinstance(asked, c.GetDailyTop)
        return msgspec.structs.replace(
            top(asked), rows=[msgspec.structs.replace(BOARD_ROW, name=best_of_all)]
        )

    heard: list[c.ClientMessage] = []
    server = answering({c.GetDaily: today, c.GetDailyTop: best}, heard)
    async with scripted(server) as url, program("daily", url=url, size=LARGE) as pilot:
        await until(pilot, lambda: "2026-11-30 UTC" in shown(pilot) and "you have played it" in shown(pilot))
        await until(pilot, lambda: "play it again, for practice" in shown(pilot))
        await until(pilot, lambda: "classic, today: 3. Ada" in shown(pilot))
        best_of_all = "Grace"
        await until(pilot, lambda: "classic, today: 3. Grace" in shown(pilot))
        day = "2026-12-01"
        await until(pilot, lambda: "2026-12-01 UTC" in shown(pilot) and "yours to play" in shown(pilot))
        press(pilot, "t")
        await until(pilot, lambda: isinstance(pilot.app.screen, BoardScreen))
        press(pilot, "b", "s", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, DailyScreen))
        press(pilot, "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
    boards: Sequence[c.GetDailyTop] = [asked for asked in heard if isinstance(asked, c.GetDailyTop)]
    assert [asked.by for asked in boards if asked.day == "2026-12-01"][-1] is Measure.MOVES
