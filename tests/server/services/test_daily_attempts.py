"""One attempt an identity, whatever crashes and whoever asks at once; then practice. The start decides the day."""

import asyncio

import pytest

from cellrace_engine import Line, format_move, parse_rules
from cellrace_engine.solver import solve
from cellrace_server.core.commands import GiveUp, Leave, Play, Restart, Vanish
from cellrace_server.core.dailies import COUNTDOWN_MS, LIMIT_MS, attempt_name, may_see
from cellrace_server.core.days import begins, day_number
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Phase
from cellrace_server.core.secrecy import commitment
from cellrace_server.core.streaks import Streak
from cellrace_server.ports.results import Look
from cellrace_server.services.daily_attempts import Attempt, Stage, Today, until_next
from cellrace_server.services.lobby import Visitor
from cellrace_server.services.room import Room
from tests.server.services.node import ADA, GRACE, Node, running, value
from tests.server.services.test_daily_deals import first_ms, solves_all
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

CLASSIC = parse_rules("classic")
DAY = "2026-11-30"
MIDNIGHT = first_ms("2026-12-01")


@pytest.fixture
def clock() -> ManualClock:
    """Noon of the day."""
    return ManualClock(MIDNIGHT - 12 * 3_600_000)


@pytest.fixture
def node(memory: Memory, clock: ManualClock) -> Node:
    return quick_node(memory, clock)


def quick_node(memory: Memory, clock: ManualClock, name: str = "a") -> Node:
    """A node that loses no time on solving."""
    return Node(memory, clock, name, solves_all())


async def chosen(node: Node) -> Node:
    """The node, when its deals are chosen."""
    await node.daily_deals.choose(day_number(node.clock.now()))
    return node


async def play(node: Node, player: Player = ADA, session: str = "one") -> Room:
    answer = await node.clock.carry_out(node.daily.play(Visitor(player, session), CLASSIC))
    assert isinstance(answer, Room), answer
    return answer


async def begun(node: Node, player: Player = ADA) -> Room:
    room = await play(node, player)
    await node.clock.pass_time(COUNTDOWN_MS)
    assert value(room.race).phase is Phase.RUNNING
    return room


async def won(node: Node, room: Room) -> None:
    """Play the race to its end, as the solver would."""
    race = value(room.race)
    line = Line.begin(race.options.rules, race.code.deal())
    player = race.host
    for n, move in enumerate(solve(line.position, line.rules).line, 1):
        await node.hall.ask(room, Play(player, n, format_move(move, line.position, line.rules)))
        line = line.play(move)
        if value(room.race).phase is Phase.ENDED:
            break
    await booked(node)


async def booked(node: Node) -> None:
    """Returns when every result is; booking runs replays again in a thread, which the clock knows nothing of."""
    await eventually(lambda: node.bookkeeper.idle)


async def today(node: Node, player: Player = ADA) -> Today:
    rows = await node.daily.today(player.id, day_number(node.clock.now()))
    return next(row for row in rows if row.daily.rules == "classic")


async def test_an_attempt_is_a_race_of_one_on_the_promised_deal(node: Node) -> None:
    async with running(await chosen(node)):
        assert (await today(node)).attempt == Attempt(Stage.OPEN)
        room = await begun(node)
        race, row = value(room.race), await today(node)
        assert (race.options.daily, race.options.practice, race.options.public) == (DAY, False, False)
        assert commitment(race) == row.daily.commitment
        assert row.attempt == Attempt(Stage.UNDER_WAY, room.id)


async def test_what_is_not_chosen_yet_is_being_chosen_where_that_can_be_done(
    memory: Memory, clock: ManualClock, node: Node
) -> None:
    day = day_number(clock.now())
    assert await node.daily.today(ADA.id, day) == []
    assert node.daily.choosing(()) == ["classic", "pocket+cells=2"]
    assert node.daily.choosing({"classic"}) == ["pocket+cells=2"]
    assert Node(memory, clock, "b", solves_all(0)).daily.choosing(()) == ["classic"]
    rows = await (await chosen(node)).daily.today(ADA.id, day)
    assert node.daily.choosing([row.daily.rules for row in rows]) == []


async def test_asked_again_it_is_the_same_attempt_and_its_clock_goes_on(node: Node) -> None:
    async with running(await chosen(node)):
        room = await begun(node)
        await node.clock.pass_time(10_000)
        await node.hall.ask(room, Restart("ada", 1))
        assert await play(node, session="two") is room
        assert value(room.race).time(node.clock.now()) == 10_000


async def test_two_connections_at_once_get_one_attempt(memory: Memory, clock: ManualClock) -> None:
    here, there = await chosen(quick_node(memory, clock, "a")), await chosen(quick_node(memory, clock, "b"))
    async with running(here), running(there):
        for turn in range(8):
            player = Player(f"player{turn}", f"Player {turn}")

            async def ask(node: Node, turns: int, player: Player = player) -> Room | Rejected:
                for _ in range(turns):
                    await asyncio.sleep(0)
                return await node.daily.play(Visitor(player, f"{turns}"), CLASSIC)

            asked = [
                asyncio.create_task(ask(node, turns))
                for node, turns in ((here, turn % 4), (there, turn // 2), (here, turn // 3))
            ]
            rooms = await clock.carry_out(all_of(asked))
            assert len({room.id for room in rooms if isinstance(room, Room)}) == 1
        attempts = [log[0] for log in memory.logs.values()]
        assert len(attempts) == 8


async def all_of(asked: list[asyncio.Task[Room | Rejected]]) -> list[Room | Rejected]:
    return await asyncio.gather(*asked)


@pytest.mark.parametrize("call", range(12))
@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_crash_at_any_call_neither_loses_the_attempt_nor_gives_two(
    memory: Memory, clock: ManualClock, call: int, carried_out: bool
) -> None:
    """The node dies at its `call`th call to the store; the player comes back on another."""
    doomed = await chosen(quick_node(memory, clock, "a"))
    async with running(doomed):
        asking = asyncio.create_task(doomed.daily.play(Visitor(ADA, "one"), CLASSIC))
        first = memory.calls
        while not asking.done() and memory.calls < first + call:  # noqa: ASYNC110 - nothing tells us
            await asyncio.sleep(0)
        memory.fail(1, carried_out=carried_out)
        await clock.settle()
        asking.cancel()
        await asyncio.wait([asking])
    memory.mend()
    node = await chosen(quick_node(memory, clock, "b"))
    async with running(node):
        room = await begun(node)
        await node.hall.ask(room, GiveUp("ada", 1))
        assert (await today(node)).attempt.stage is Stage.DONE
        assert value((await play(node)).race).options.practice
    ran = [log for log in memory.logs.values() if any(type(fact).__name__ == "Started" for fact in log)]
    assert len(ran) == 1


async def test_a_claim_whose_race_never_came_is_made_good(node: Node, memory: Memory) -> None:
    memory.names[attempt_name(DAY, "classic", "ada")] = "nevercame"
    async with running(await chosen(node)):
        assert (await today(node)).attempt == Attempt(Stage.OPEN)
        assert (await play(node)).id == "nevercame"


async def test_a_claim_on_a_name_that_another_race_has_is_made_anew(node: Node, memory: Memory) -> None:
    async with running(await chosen(node)):
        other = await node.race(GRACE, ADA)
        memory.names[attempt_name(DAY, "classic", "ada")] = other.id
        assert (await play(node)).id != other.id


async def test_an_attempt_that_never_started_is_not_spent(node: Node) -> None:
    async with running(await chosen(node)):
        room = await play(node)
        await node.hall.ask(room, Leave("ada"))
        assert value(room.race).phase is Phase.ENDED
        assert (await today(node)).attempt == Attempt(Stage.OPEN)
        again = await begun(node)
        assert again is not room
        assert not value(again.race).options.practice


async def test_who_vanishes_in_the_countdown_has_begun_all_the_same_and_may_come_back(node: Node) -> None:
    async with running(await chosen(node)):
        room = await play(node)
        await node.hall.ask(room, Vanish("ada", "one"))
        await node.clock.pass_time(20_000)
        assert value(room.race).phase is Phase.RUNNING
        assert await play(node, session="two") is room


def boards_of(scope: str, kind: str = "human") -> list[str]:
    """The boards of the day: classic gives no points, so there is none of scores."""
    return [f"{scope}:{DAY}:classic:{kind}:{by}:any" for by in ("time", "moves")]


async def test_after_the_attempt_there_is_practice_for_as_long_as_one_likes(
    node: Node, memory: Memory
) -> None:
    async with running(await chosen(node)):
        room = await begun(node)
        await won(node, room)
        first, second = await play(node), await play(node)
        assert first is not second
        for practice in (first, second):
            assert (value(practice.race).options.practice, value(practice.race).options.ranked) == (
                True,
                False,
            )
            assert commitment(value(practice.race)) == commitment(value(room.race))
        await node.clock.pass_time(COUNTDOWN_MS)
        await won(node, first)
    boards = {board: list(rows) for board, rows in memory.rows.items()}
    assert boards == {board: ["ada"] for board in (*boards_of("daily"), *boards_of("practice"))}


async def test_an_attempt_whose_log_is_gone_is_spent(node: Node, memory: Memory) -> None:
    """A host may keep logs for a minute only."""
    async with running(await chosen(node)):
        room = await begun(node)
        await won(node, room)
        del memory.logs[room.id]
        assert (await today(node)).attempt == Attempt(Stage.DONE, room.id)
        assert value((await play(node)).race).options.practice


async def test_the_result_stands_on_the_days_board_while_the_day_lasts(node: Node, memory: Memory) -> None:
    async with running(await chosen(node)):
        await won(node, await begun(node))
        ((place, run),) = (await node.results.page(f"daily:{DAY}:classic:human:time:any", Look())).rows
        assert (place, run.player) == (1, ADA)
        assert (await today(node)).attempt.time == run.time
        assert list(memory.rows) == boards_of("daily"), "no board names the deal while the day lasts"


async def test_bots_have_a_board_of_their_own(node: Node, memory: Memory) -> None:
    bot = Player("bot", "Bot", Kind.BOT)
    async with running(await chosen(node)):
        await won(node, await begun(node, bot))
    assert list(memory.rows) == boards_of("daily", "bot")


async def test_begun_before_midnight_and_finished_after_it_is_of_the_first_day(
    node: Node, memory: Memory
) -> None:
    clock = node.clock
    clock.move(MIDNIGHT - 120_000 - clock.now())
    async with running(await chosen(node)):
        room = await begun(node)
        await clock.pass_time(300_000)
        assert clock.now() > MIDNIGHT + 120_000
        await won(node, room)
        await chosen(node)
        assert list(memory.rows) == boards_of("daily")
        row = await today(node)
        assert (row.daily.day, row.attempt.stage, row.streak) == ("2026-12-01", Stage.OPEN, Streak(1, 1))
        await won(node, await begun(node))
        assert (await today(node)).streak == Streak(2, 2)


async def test_at_midnight_the_attempt_is_at_the_next_deal(node: Node) -> None:
    clock = node.clock
    clock.move(MIDNIGHT - 1 - clock.now())
    async with running(await chosen(node)):
        yesterdays = await today(node)
        room = await play(node)
        await clock.pass_time(COUNTDOWN_MS)
        assert value(room.race).end_reason == "day_over"
        await chosen(node)
        assert await play(node) is not room
        row = await today(node)
        assert row.last == yesterdays.daily
        assert row.daily == yesterdays.next


async def test_a_streak_ends_when_a_day_is_over_without_a_finish(node: Node) -> None:
    async with running(await chosen(node)):
        await won(node, await begun(node))
        streaks: list[Streak] = []
        for _ in range(3):
            streaks.append((await today(node)).streak)
            node.clock.move(86_400_000)
            await node.clock.settle()
            await chosen(node)
        assert streaks == [Streak(1, 1), Streak(1, 1), Streak(0, 1)]


async def test_an_attempt_given_up_or_practice_is_no_day(node: Node) -> None:
    async with running(await chosen(node)):
        await node.hall.ask(await begun(node), GiveUp("ada", 1))
        await won(node, await begun(node))
        assert (await today(node)).streak == Streak(0, 0)


async def test_a_day_counts_once_however_often_its_booking_fails(node: Node, memory: Memory) -> None:
    async with running(await chosen(node)):
        room = await begun(node)
        await won(node, room)
        for failed in (False, True):
            memory.days.clear()
            memory.fail(3, carried_out=failed)
            node.bookkeeper.review(room)
            await node.clock.pass_time(10_000)
            await booked(node)
            assert (await today(node)).streak == Streak(1, 1)


async def test_other_rules_have_no_daily(node: Node) -> None:
    async with running(await chosen(node)):
        refused = await node.daily.play(Visitor(ADA), parse_rules("relaxed"))
        assert isinstance(refused, Rejected)
        assert refused.reason == "bad_options"


async def test_before_the_deal_is_chosen_one_is_asked_to_wait(node: Node) -> None:
    async with running(node):
        refused = await node.clock.carry_out(node.daily.play(Visitor(ADA), CLASSIC))
        assert isinstance(refused, Rejected)
        assert (refused.reason, refused.retry_after) == ("busy", 3_000)
        assert await node.daily.today("ada", day_number(node.clock.now())) == []


async def test_others_see_runs_when_every_attempt_of_the_day_is_over(node: Node, memory: Memory) -> None:
    async with running(await chosen(node)):
        await won(node, await begun(node))
        await won(node, await begun(node))
    runs = list(memory.runs.values())
    assert [(run.daily, run.practice) for run in runs] == [(DAY, False), (DAY, True)]
    shown = MIDNIGHT + LIMIT_MS
    for run in runs:
        assert [
            may_see(*seen) for seen in (("ada", run, 0), ("grace", run, shown - 1), ("grace", run, shown))
        ] == [
            True,
            False,
            True,
        ]


async def test_the_attempt_is_at_a_deal_not_seen_before_and_practice_is_not(
    node: Node, memory: Memory
) -> None:
    async with running(await chosen(node)):
        await won(node, await begun(node))
        await won(node, await begun(node))
    assert [run.first for run in memory.runs.values()] == [True, False]


async def test_the_next_daily_comes_at_midnight() -> None:
    assert until_next(MIDNIGHT - 1) == 1
    assert until_next(MIDNIGHT) == 86_400_000
    assert begins(day_number(MIDNIGHT)) == MIDNIGHT
