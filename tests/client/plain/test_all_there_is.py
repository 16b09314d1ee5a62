"""Lines do everything that the screen does: each of its keys has a command, and each command does it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
import pytest

from cellrace_client.practice import Practice
from cellrace_client.tui.daily import DailyScreen
from cellrace_client.tui.listings import RunsScreen
from cellrace_client.tui.lobby import MENU, LobbyScreen
from cellrace_client.tui.play import PlayScreen
from cellrace_client.tui.practice import PracticeScreen
from cellrace_client.tui.race import RaceScreen
from cellrace_client.tui.records import BoardScreen, RatingsScreen
from cellrace_engine import CLASSIC, DealCode
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind, Measure, Sight
from cellrace_protocol.rows import BestRow, RatingRow, RatingStep, StreakRow
from tests.client.plain.people import Person
from tests.client.plain.test_program import dealt
from tests.client.test_client import Said, scripted
from tests.support.lines import winning_line
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

OF_THE_MENU = {
    "quick": "quick", "ranked": "quick ranked", "friend": "race", "options": "create seats 4", "join": "join 617",
    "watch": "watch race", "daily": "daily", "practice": "practice 617", "boards": "boards", "runs": "runs",
    "profile": "profile", "ratings": "ratings", "replay": "replay run-1",
}  # fmt: skip
"""What each thing of the screen's menu is in lines."""

OF_A_GAME = {"type": "26", "another": "practice relaxed"}
"""What is called otherwise in lines."""

OF_LISTS = {
    LobbyScreen: {"choose": "quick", "go_back": "watch race", "forget": ""},
    RunsScreen: {"against": "against run-1", "back": ""},
    BoardScreen: {
        "measure": "boards moves", "sight": "boards first", "around": "boards around", "page": "boards page 2",
        "against": "against run-1", "back": "",
    },
    RatingsScreen: {"rules": "ratings relaxed", "around": "ratings around", "page": "ratings page 2", "back": ""},
    DailyScreen: {"board": "daily classic", "back": ""},
}  # fmt: skip
"""What each key of a list is in lines; some only close what lines never open."""


def actions(screen: type) -> set[str]:
    """What the keys of a screen do, those of its kind too."""
    bound: list[object] = [each for kind in screen.__mro__ for each in vars(kind).get("BINDINGS", [])]
    named = [str(cast("tuple[str, ...]", each)[1]) for each in bound if isinstance(each, tuple)]
    return {name.partition("(")[0] for name in named}


EXACT = "12 ms back for the network, exact to 4 ms"


async def test_everything_in_the_menu_has_a_command_and_help_says_it() -> None:
    assert OF_THE_MENU.keys() == MENU.keys()
    ada = Person()
    ada.type("help", *OF_THE_MENU.values(), "quit")
    await ada.ends()
    told = [line.partition(": ")[0] for line in ada.said[: 1 + ada.said.index("quit: ends the program")]]
    for line in OF_THE_MENU.values():
        assert any(re.search(rf"\b{line.split()[0]}\b", each) for each in [*told, "create"]), line
    assert "quick [ranked] [ghost RUN]" in told
    assert not any("is no command here" in line for line in ada.said)


async def test_everything_in_lists_has_a_command() -> None:
    for screen, lines in OF_LISTS.items():
        assert actions(screen) - {"page"} | ({"page"} & set(lines)) == set(lines), screen
    ada = Person()
    ada.type(*(line for lines in OF_LISTS.values() for line in lines.values() if line), "quit")
    await ada.ends()
    assert not any("is no command here" in line for line in ada.said)


@pytest.mark.parametrize("screen", [PlayScreen, PracticeScreen, RaceScreen])
async def test_every_key_of_a_game_has_a_command(screen: type[PlayScreen]) -> None:
    lines = {act: OF_A_GAME.get(act, act) for act in screen.ACTS.values()}
    ada = Person()
    ada.type("practice 617", *lines.values(), "quit")
    await ada.ends()
    assert not any("is no command here" in line for line in ada.said), ada.said


async def test_a_pile_named_twice_is_a_tap() -> None:
    ada = Person()
    practice = Practice(CLASSIC, DealCode.parse("617", 4))
    move = practice.line.tap(1)
    assert move is not None
    ada.type("practice 617", "22", "aa", "bb", "board", "quit")
    await ada.ends()
    assert not any("itself" in line for line in ada.said)
    practice.move("2a" if move.destination >= 8 else f"2{move.destination + 1}", 0)
    assert any(line.startswith("2") and "cards home" in line for line in ada.said)


class Asked:
    """A server that answers what it is asked, and remembers it."""

    def __init__(self, *answers: Callable[[int], msgspec.Struct]) -> None:
        self.heard: list[c.ClientMessage] = []
        self._answers = answers

    async def __call__(self, said: Said) -> None:
        await said.greet()
        for answer in self._answers:
            request = await said.hear()
            self.heard.append(request)
            await said.say(answer(getattr(request, "r", 0)))
        await said.socket.wait_closed()


BOARD_ROW = e.BoardRow(
    3, "p", "Ada", 61_000, 60, 86_430_000, "run-1", 120, first=True, error=4, compensation=12
)
RUN_ROW = e.RunRow(
    "run-1", "race9", "FC1-C4-AAAAATJ", "relaxed", 61_000, 60, 120, 86_430_000, True, True, 4, 12
)


async def test_boards_say_where_one_stands_and_what_was_given_back() -> None:
    def top(r: int) -> e.Top:
        return e.Top(
            r,
            "",
            "classic",
            Kind.HUMAN,
            [BOARD_ROW],
            total=5,
            mine=[BOARD_ROW],
            ahead=2,
            worse=2,
            by=Measure.SCORE,
        )

    server = Asked(top, top, top)
    async with scripted(server) as url:
        ada = Person(url)
        ada.type(
            "boards 617 score practised around", "daily classic moves around", "boards week page 3", "quit"
        )
        await ada.ends()
    board, daily, paged = server.heard
    assert isinstance(board, c.GetTop)
    assert (board.by, board.sight, board.around) == (Measure.SCORE, Sight.PRACTISED, True)
    assert isinstance(daily, c.GetDailyTop)
    assert (daily.by, daily.around) == (Measure.MOVES, True)
    assert isinstance(paged, c.GetTop)
    assert (paged.scope, paged.offset) == (c.Scope.WEEK, 40)
    line = f"3. Ada: 1:01.000, 60 moves, score 120, {EXACT}, 1970-01-01, first sight, run run-1"
    assert ada.said.count(line) == 3, "the day on which it began, by UTC"
    assert "you: place 3 of 5, better than 50 % of the others" in ada.said


async def test_own_runs_profiles_and_ratings_are_lines() -> None:
    def profile(r: int) -> e.Profile:
        return PROFILE(r)

    def ratings(r: int) -> e.Ratings:
        rank = e.RankRow(1, "p", "Ada", 1_612, 80, 12, 0)
        return e.Ratings(r, "relaxed", Kind.HUMAN, [rank], 0, 1, [rank], 0, 0)

    server = Asked(lambda r: e.Runs(r, "p", 1, 0, [RUN_ROW]), profile, ratings)
    async with scripted(server) as url:
        ada = Person(url)
        ada.type("runs", "profile Ada", "ratings relaxed", "quit")
        await ada.ends()
    assert f"1970-01-01, 617 (FC1-C4-AAAAATJ), relaxed, 1:01.000, 60 moves, {EXACT}, run run-1" in ada.said
    assert [line for line in ada.said if line in PROFILE_LINES] == PROFILE_LINES
    assert "1. Ada: 1612 ± 80, 12 races" in ada.said


def PROFILE(r: int) -> e.Profile:  # noqa: N802 - a value but for its number
    return e.Profile(
        r, "p", "Ada", Kind.HUMAN, 0, 20, 7, 15,
        [RatingRow("classic", 1_612, 80, 12, False, 1, 9), RatingRow("relaxed", 1_500, 300, 2, True)],
        [BestRow("time", 2, 9, RUN_ROW)],
        [StreakRow("classic", 3, 5)],
        [RatingStep("classic", 0, 1, 2, 1_550, 90), RatingStep("classic", 1, 1, 2, 1_612, 80)],
    )  # fmt: skip


PROFILE_LINES = [
    "Ada, here since 1970-01-01",
    "20 races, 7 won, 15 finished",
    "rating, classic: 1612 ± 80, place 1 of 9, 12 races",
    "last ratings, classic: 1550 1612",
    "rating, relaxed: 1500 ± 300, provisional, 2 races",
    "best time, relaxed: 1:01.000, place 2 of 9",
    "deal of the day, classic: 3 days in a row, 5 at most",
]


async def test_one_board_of_a_race_is_watched() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race2", -1, 1), dealt_to_two())
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2")
        await ada.hears("Grace, 0 cards home")
        ada.type("board gra", "board Nobody", "players", "quit")
        await ada.ends()
    assert sum(line.startswith("column 8") for line in ada.said) == 3, "both at first, and the one asked for"
    assert "no board of Nobody is shown here" in ada.said


def dealt_to_two() -> e.Snapshot:
    start = dealt(2)
    seat = start.seats[0]
    both = [msgspec.structs.replace(seat, player=name, name=name) for name in ("Ada", "Grace")]
    return msgspec.structs.replace(start, seats=both, you=-1)


async def test_the_delay_of_the_connection_is_among_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cellrace_client.client.Client.delay_ms", 42)

    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), dealt(2))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2")
        await ada.hears("column 8")
        ada.type("players", "quit")
        await ada.ends()
    assert "the connection’s delay: 42 ms" in ada.said


async def test_a_quick_race_and_a_challenge_name_runs() -> None:
    server = Asked(
        lambda r: e.Error("not_found", "no such run", r), lambda r: e.Error("not_found", "no such run", r)
    )
    async with scripted(server) as url:
        ada = Person(url)
        ada.type("quick ghost run-1", "against abcdefg-1; abcdefg-2", "quit")
        await ada.ends()
    quick, ghosts = server.heard
    assert quick == c.Quick(1, "classic", False, True, False, "run-1")
    assert isinstance(ghosts, c.RaceGhosts)
    assert ghosts.runs == ["abcdefg-1", "abcdefg-2"]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A replay of a move each second."""
    practice = Practice(CLASSIC, DealCode.parse("617", 4))
    for second, move in enumerate(winning_line()[:20], 1):
        assert practice.move(move, 1_000 * second) is None
    path = tmp_path / "run.json"
    path.write_text(practice.document("Ada"))
    return path


async def test_a_replay_begins_where_one_wants_and_goes_by_steps(recorded: Path) -> None:
    ada = Person()
    ada.type(f"replay {recorded} from 0:15", "quit")
    await ada.ends()
    assert [line.partition(",")[0] for line in ada.said[1:]] == [
        f"0:{second}.000" for second in range(15, 21)
    ]
    grace = Person()
    grace.type(f"replay {recorded} step 5 from 10", f"replay {recorded} speed fast", "quit")
    await grace.ends()
    assert [line.partition(",")[0] for line in grace.said[1:4]] == ["0:14.000", "0:19.000", "0:20.000"]
    assert grace.said[-1] == "speed fast"


async def test_a_replay_with_a_speed_takes_its_time_and_anything_stops_it(recorded: Path) -> None:
    ada = Person()
    ada.type(f"replay {recorded} speed 2000")
    await ada.hears("0:20.000")
    ada.type(f"replay {recorded} speed 0.001")
    await eventually(lambda: sum(line.startswith("0:01.000") for line in ada.said) == 2)
    before = len(ada.said)
    ada.type("help", "quit")
    await ada.ends()
    assert ada.said[before] == "Races:"
