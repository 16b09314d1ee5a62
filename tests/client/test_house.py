"""House bots without a server: who they are, how they play, and where they go."""

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cellrace_client.bots.house import House, HouseBot
from cellrace_client.bots.lookout import TRY_AGAIN_S, VISITS_MOST, Lookout
from cellrace_client.bots.play import FINISH, UNDO, Action, played
from cellrace_client.bots.racer import company, go_home, manner_of, race_against
from cellrace_client.bots.roster import NOBODY, Entry, Roster
from cellrace_client.bots.strength import STRENGTHS, Strength, character
from cellrace_client.model import RaceModel
from cellrace_client.race import Race
from cellrace_engine import Line, deal, parse_move, parse_rules
from cellrace_engine.solver import solve
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.events import RaceRow
from cellrace_server.core import names
from tests.client.test_client import WITHIN, Said, scripted, snapshot
from tests.support.waiting import eventually

ERRING = Strength("erring", 1.0, 1.0, 0.5, 0.5)


def test_bots_have_names_of_their_own_that_say_what_they_are() -> None:
    characters = [character(number) for number in range(64)]
    shown = [each.name for each in characters]
    assert len({names.fold(name) for name in shown}) == 64
    assert [names.fault(name) for name in shown] == [None] * 64
    assert shown[0] == "Robin - easy bot"
    for name, strength in characters:
        assert name.endswith(f" - {strength.name} bot")
    assert {strength for _, strength in characters[:3]} == set(STRENGTHS)


def through(start: Line, actions: list[Action]) -> Line:
    """Where the actions lead."""
    line = start
    for _, what in actions:
        after = line.undo() if what == UNDO else line
        assert isinstance(after, Line)
        if what == FINISH:
            for move in line.finish_moves():
                after = after.play(move)
        elif what != UNDO:
            after = line.play(parse_move(what, line))
        line = after
    return line


@given(
    st.sampled_from([*STRENGTHS, ERRING]),
    st.sampled_from(
        ["classic", "relaxed", "pocket", "linear", "classic+undo_depth=0", "linear+undo_depth=1"]
    ),
    st.integers(1, 40),
    st.integers(0, 2**32),
)
def test_whatever_is_played_on_the_way_it_leads_home(
    strength: Strength, rules: str, number: int, seed: int
) -> None:
    start = Line.begin(parse_rules(rules), deal(number))
    line = solve(start.position, start.rules).line
    if not line:
        return
    actions = list(played(start, line, strength, random.Random(seed)))
    assert through(start, actions).won
    assert all(0 <= action.pause_s < 120 for action in actions)


def games(strength: Strength) -> list[list[Action]]:
    start = Line.begin(parse_rules("linear"), deal(617))
    line = solve(start.position, start.rules).line
    return [list(played(start, line, strength, random.Random(seed))) for seed in range(20)]


def test_the_stronger_are_faster_and_err_less() -> None:
    times = [
        mean(sum(action.pause_s for action in game) for game in games(strength)) for strength in STRENGTHS
    ]
    errors = [
        mean(sum(action.what == UNDO for action in game) for game in games(strength))
        for strength in STRENGTHS
    ]
    assert times == sorted(times, reverse=True)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] > 0
    assert 60 < times[-1] < 240
    assert 200 < times[0] < 900


def test_no_two_games_are_the_same() -> None:
    first, second, *_ = games(STRENGTHS[1])
    assert first != second


def test_the_same_bots_come_back(tmp_path: Path) -> None:
    path = tmp_path / "data" / "house-bots.json"
    roster = Roster(path)
    assert roster.entry(0) == NOBODY
    roster.keep(0, "token a")
    roster.keep(1, "token b")
    roster.keep(0, "token a")
    roster.close()
    assert path.stat().st_mode & 0o777 == 0o600
    again = Roster(path)
    assert [again.entry(number).token for number in range(3)] == ["token a", "token b", ""]
    again.close()


def test_what_is_shorter_than_before_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "bots.json"
    roster = Roster(path)
    roster.keep(0, "token")
    roster.send(0, "a race with a long name")
    roster.send(0, "")
    roster.close()
    again = Roster(path)
    assert again.entry(0) == Entry("token", "")
    again.forget(0)
    assert again.entry(0) == NOBODY
    again.close()


def test_letters_of_several_bytes_are_counted_as_such(tmp_path: Path) -> None:
    path = tmp_path / "bots.json"
    path.write_text('{"0": ["' + "é" * 40 + '", ""]}', encoding="utf-8")
    roster = Roster(path)
    roster.forget(0)
    roster.close()
    assert json.loads(path.read_text()) == {"0": ["", ""]}


def test_two_processes_have_bots_of_their_own(tmp_path: Path) -> None:
    first, second = Roster(tmp_path / "bots.json"), Roster(tmp_path / "bots.json")
    first.keep(0, "one")
    second.keep(0, "two")
    assert json.loads((tmp_path / "bots.json").read_text()) == {"0": ["one", ""]}
    assert json.loads((tmp_path / "bots-2.json").read_text()) == {"0": ["two", ""]}
    for roster in (first, second):
        roster.close()


@pytest.mark.parametrize(
    "damaged",
    [
        *(b"{ no JSON", b"[]", b"3", b"null", b'{"3": 7}', b"[" * 100_000),
        *(b'{"3": ["\xff\xfe", ""]}', "{é".encode(), b"\xff", b"\0" * 9, b'{"3": ["a", "b", "c"]}'),
    ],
)
def test_a_file_that_was_damaged_is_begun_anew(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "bots.json"
    path.write_bytes(damaged)
    roster = Roster(path)
    roster.keep(3, "three")
    roster.close()
    assert json.loads(path.read_text()) == {"3": ["three", ""]}


class Sending:
    """A lookout whose timers go off when a test says so."""

    def __init__(self) -> None:
        self.free = True
        self.sent: list[str] = []
        self.lookout = Lookout(self.send)

    def send(self, race: str) -> bool:
        if self.free:
            self.sent.append(race)
        return self.free


def row(race: str, bot_after_ms: int = 0) -> Mapping[str, RaceRow]:
    return {race: RaceRow(race, "lobby", "classic", 2, ["Ada"], bot_after_ms=bot_after_ms)}


async def turns() -> None:
    """Let timers that are due go off."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_lonely_race_is_sent_one_bot() -> None:
    sending = Sending()
    rows = row("a")
    sending.lookout.see(rows)
    sending.lookout.see(rows)
    await turns()
    sending.lookout.see({**rows, **row("b", -1)})
    sending.lookout.see(row("a"))
    await turns()
    assert sending.sent == ["a"]


@pytest.mark.asyncio
async def test_a_race_that_is_not_lonely_any_more_is_sent_none() -> None:
    sending = Sending()
    gone: Mapping[str, RaceRow] = {}
    for after in (gone, row("a", -1), row("a", 60_000)):
        sending.lookout.see(row("a"))
        sending.lookout.see(after)
        await turns()
    assert sending.sent == []
    sending.lookout.see(row("a"))
    sending.lookout.see({})
    await turns()
    assert sending.sent == []


@pytest.mark.asyncio
async def test_a_race_in_which_nothing_comes_of_it_is_left_alone_in_the_end() -> None:
    sending = Sending()
    sending.lookout.see(row("a"))
    for _ in range(VISITS_MOST + 2):
        await turns()
        sending.lookout.returned("a")
    assert sending.sent == ["a"] * VISITS_MOST
    sending.lookout.see({})
    sending.lookout.see(row("a"))
    await turns()
    assert len(sending.sent) == VISITS_MOST + 1


@pytest.mark.asyncio
async def test_when_no_bot_is_free_the_race_waits_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert TRY_AGAIN_S > 0
    monkeypatch.setattr("cellrace_client.bots.lookout.TRY_AGAIN_S", 0)
    sending = Sending()
    sending.free = False
    sending.lookout.see(row("a"))
    await turns()
    assert sending.sent == []
    sending.free = True
    await turns()
    assert sending.sent == ["a"]


def company_of(*players: str, you: int) -> bool:
    """Whether a bot on seat `you` stays; players are `h` (a person), `b` (a bot), or nobody."""
    kinds = {"h": Kind.HUMAN, "b": Kind.BOT}
    seats = [
        e.SeatView(
            f"p{n}" if player else "", player, kinds.get(player, Kind.HUMAN), False, False, -1, 0, 0, 0, 0, ""
        )
        for n, player in enumerate(players)
    ]
    return company(
        RaceModel(
            e.Snapshot(
                *(0, 3, "race", "lobby", 0, 0, -1, "p0", "classic", False, True, 0, 1, "", "", ""),
                you,
                1,
                seats,
            )
        )
    )


def test_a_bot_stays_with_a_person_unless_another_bot_was_there_before() -> None:
    assert company_of("h", "b", you=1)
    assert company_of("b", "h", you=0)
    assert company_of("h", "h", "b", you=2)
    assert company_of("h", "b", "b", you=1)
    assert not company_of("h", "b", "b", you=2)
    assert not company_of("", "b", you=1)
    assert not company_of("b", "b", you=1)
    assert not company_of("b", "b", you=0)


class Full(Roster):
    """A file on a disk that is full."""

    def keep(self, number: int, token: str) -> None:
        raise OSError(28, "No space left on device", f"bot {number} {token}")


@pytest.mark.asyncio
async def test_what_one_bot_cannot_keep_is_told_once(tmp_path: Path) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.socket.wait_closed()

    roster = Full(tmp_path / "bots.json")
    async with scripted(server, server) as url:
        with pytest.raises(OSError, match="No space left"):
            await House(url, [HouseBot(0, roster, 1.0)]).run()
    roster.close()


class Lasting:
    """A race that goes on, in which no answer ever comes."""

    seat = 0
    over = False

    def __init__(self, model: RaceModel) -> None:
        self.model = model
        self.waiting = 0

    def ready(self) -> None: ...

    async def until(self, condition: Callable[[RaceModel], bool]) -> RaceModel:
        if not condition(self.model):
            self.waiting += 1
            await asyncio.Event().wait()
        return self.model


@pytest.mark.asyncio
async def test_a_bot_that_is_cancelled_while_it_ends_what_it_began_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its own cancellation is not that of the tasks that it ends."""
    ending = asyncio.Event()

    async def slow_to_end(*_: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await asyncio.sleep(0)

    monkeypatch.setattr("cellrace_client.bots.racer.go_home", slow_to_end)
    race = Lasting(RaceModel(snapshot(5)))
    bot = asyncio.create_task(race_against(cast("Race", race), manner_of("medium", 1_000_000)))
    before = asyncio.all_tasks() - {bot}
    await eventually(lambda: bool(race.waiting))
    bot.cancel()
    await ending.wait()
    bot.cancel()
    async with asyncio.timeout(WITHIN):
        with pytest.raises(asyncio.CancelledError):
            await bot
        await eventually(lambda: not asyncio.all_tasks() - before)


@pytest.mark.asyncio
async def test_a_game_that_a_bot_does_not_know_is_one_it_sees_no_way_in() -> None:
    model = RaceModel(structs.replace(snapshot(5), rules="baroque"))
    await go_home(cast("Race", Lasting(model)), model, manner_of("medium", 1))
