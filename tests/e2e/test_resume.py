"""Coming back to a race, and taking a seat over."""

import asyncio

import pytest

from cellrace_client import Disconnected, Race, connect
from cellrace_protocol import events as e
from tests.support.cutting_proxy import cutting_proxy
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess
from tests.support.wire_client import MSGPACK, WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30


async def running(race: Race) -> Race:
    race.ready()
    await race.until(lambda model: model.phase == "running")
    return race


async def test_a_connection_cut_in_mid_race_comes_back_with_a_gap_not_a_snapshot(
    server: ServerProcess,
) -> None:
    """First frame is the answer, then the gap, then live: the player never sees a second snapshot."""
    moves = winning_line()
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        connect(proxy.url, name="Ada") as ada,
        connect(proxy.url, name="Alan") as alan,
    ):
        race = await running(await ada.create(str(DEAL), seats=1, countdown_ms=0))
        seen = await alan.watch(race.id)
        await seen.until(lambda model: model.phase == "running")
        for start in range(0, len(moves), 10):
            playing = asyncio.gather(*(race.move(move) for move in moves[start : start + 10]))
            await asyncio.sleep(0)  # let them be sent
            proxy.cut()
            await playing
        await race.until(lambda model: model.phase == "ended")
        await seen.until(lambda model: model.phase == "ended")
        for followed in (race, seen):
            events = [event async for event in followed]
            assert [type(event) for event in events].count(e.Snapshot) == 1
            numbers = [event.k for event in events]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def resumed(raw: WireClient, race: str, after: int) -> list[list[object]]:
    """Everything said to a resumption, its answer first."""
    answer = await raw.ask("resume", race, after)
    return [[answer[0], *answer[2:]], *await raw.silence()]


async def test_the_gap_is_what_was_missed_and_nothing_else(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as first:
        _, _, ch, race, *_ = await first.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await first.say(["ready", ch])
        await first.hear_until("go")
        live: list[list[object]] = []
        for n, move in enumerate(winning_line()[:40], 1):
            await first.say(["m", ch, n, move])
            live.append(await first.hear())
        last = live[-1][2]
        assert isinstance(last, int)
        for after in (last, last - 1, last - 30):
            answer, *missed = await resumed(first, race, after)
            assert answer == ["in", ch, race, 0, 41, "Raw"]
            assert missed == live[len(live) - (last - after) :]
        for after in (0, last + 1, last + 1_000):
            answer, snapshot = await resumed(first, race, after)
            assert (answer[0], snapshot[0], snapshot[2]) == ("in", "snap", last)


async def test_the_newest_connection_takes_the_seat_over(server: ServerProcess) -> None:
    """The older one is told so, hears nothing more of the race, and can do nothing in it."""
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url) as first,
        wire_client(server.url, name=None) as second,
    ):
        _, _, ch, race, *_ = await first.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await first.say(["ready", ch])
        go = await first.hear_until("go")
        await second.hello(token=first.token)
        assert second.player == first.player
        assert (await second.ask("resume", race, go[2]))[4:6] == [0, 1]
        assert [message[:2] for message in await first.silence()] == [["notice", "taken_over"]]
        assert (await second.hear_until("here"))[4] == 0
        await second.say(["m", ch, 1, "2a"])
        assert (await second.hear())[0] == "a"
        await first.say(["m", ch, 2, "2b"])
        assert (await first.hear())[3] == "no_channel"
        assert await first.silence() == []
        assert await second.silence() == []


@pytest.mark.spec("6.2")
async def test_who_comes_back_takes_no_seat_that_another_device_has_taken_meanwhile(
    server: ServerProcess,
) -> None:
    """A telephone whose network is back does not tear the race away from where it is played by now, whether anybody is
    there just then or not; whoever wants the seat asks for it."""
    async with asyncio.timeout(WITHIN), wire_client(server.url, name=None) as phone:
        await phone.hello("Ada", instance="phone")
        _, _, ch, race, *_ = await phone.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await phone.say(["ready", ch])
        go = await phone.hear_until("go")
        phone.socket.transport.abort()
        async with wire_client(server.url, name=None) as again:
            await again.hello(token=phone.token, instance="phone")
            assert (await again.ask("resume", race, go[2]))[:1] == ["in"]
        async with wire_client(server.url, name=None) as laptop:
            await laptop.hello(token=phone.token, instance="laptop")
            _, _, ch, _, seat, *_ = await laptop.ask("watch", race)
            assert seat == 0
            await laptop.say(["m", ch, 1, "2a"])
            await laptop.hear_until("a")
            await refused_as_taken_over(server, phone.token, race)
            assert await laptop.silence() == []
        await refused_as_taken_over(server, phone.token, race)
        async with wire_client(server.url, name=None) as wanted:
            await wanted.hello(token=phone.token, instance="phone")
            assert (await wanted.ask("watch", race))[4:6] == [0, 2]


@pytest.mark.spec("6.2")
async def test_who_slept_through_a_result_takes_no_seat_of_the_rematch_from_the_device_that_plays_it(
    server: ServerProcess,
) -> None:
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name=None) as laptop,
        wire_client(server.url, name=None) as phone,
        wire_client(server.url, name="Bo") as bo,
    ):
        await laptop.hello("Ada", instance="laptop")
        _, _, ch, race, *_ = await laptop.ask("create", str(DEAL), "classic", 2, False, True, 0)
        _, _, bo_ch, *_ = await bo.ask("join", race)
        await laptop.say(["ready", ch])
        await bo.say(["ready", bo_ch])
        for each, channel in ((laptop, ch), (bo, bo_ch)):
            await each.hear_until("go")
            await each.say(["giveup", channel, 1])
        end = await laptop.hear_until("end")
        laptop.socket.transport.abort()
        await phone.hello(token=laptop.token, instance="phone")
        await phone.ask("watch", race)
        await refused_as_taken_over(server, laptop.token, race, "laptop")
        await bo.ask("rematch", bo_ch)
        _, _, again_ch, again, seat, *_ = await phone.hear_until("in")
        assert seat >= 0
        await phone.say(["part", ch])
        async with wire_client(server.url, name=None) as back:
            await back.hello(token=laptop.token, instance="laptop")
            assert (await back.ask("resume", race, end[2]))[0] == "in"
            assert [message[0] for message in await back.silence()] == ["rematched"]
            assert (await back.ask("resume", again, 0))[:2] == ["error", "taken_over"]
        await phone.say(["ready", again_ch])
        assert "taken_over" not in [message[1] for message in await phone.silence()]
        async with wire_client(server.url, name=None) as second:
            await second.hello(token=laptop.token, instance="phone")
            assert (await second.ask("resume", race, end[2]))[0] == "in"
            assert (await second.hear_until("in"))[3:5] == [again, seat]


@pytest.mark.spec("6.2")
async def test_a_result_stays_where_it_is_seen_and_the_device_that_is_used_is_brought_to_the_rematch(
    server: ServerProcess,
) -> None:
    """One that has come back by itself is not while another is there."""
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name=None) as laptop,
        wire_client(server.url, name=None) as phone,
        wire_client(server.url, name=None) as tablet,
        wire_client(server.url, name="Bo") as bo,
    ):
        await laptop.hello("Ada", instance="laptop")
        _, _, ch, race, *_ = await laptop.ask("create", str(DEAL), "classic", 2, False, True, 0)
        _, _, bo_ch, *_ = await bo.ask("join", race)
        await laptop.say(["ready", ch])
        await bo.say(["ready", bo_ch])
        for each, channel in ((laptop, ch), (bo, bo_ch)):
            await each.hear_until("go")
            await each.say(["giveup", channel, 1])
        end = await laptop.hear_until("end")
        await phone.hello(token=laptop.token, instance="phone")
        await phone.ask("watch", race)
        await tablet.hello(token=laptop.token, instance="tablet")
        assert (await tablet.ask("resume", race, end[2]))[4] == 0
        again = (await bo.ask("rematch", bo_ch))[3]
        assert (await phone.hear_until("in"))[3] == again
        for each in (laptop, tablet):
            assert [message[0] for message in await each.silence()][-1:] == ["rematched"]
        assert (await laptop.ask("rematch", ch))[3] == again, "whoever wants the seat asks for it"
        assert (await phone.hear_until("notice"))[1] == "taken_over"


@pytest.mark.spec("6.2")
async def test_who_asks_for_a_result_alone_takes_no_seat_of_a_race_that_goes_on(
    server: ServerProcess,
) -> None:
    """Not even from another connection of the same instance: a window that was opened as a copy."""
    its_end = 2**31 - 1
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, name=None) as copy,
        wire_client(server.url, name=None) as plays,
        wire_client(server.url, name="Eve") as eve,
    ):
        await copy.hello("Ada", instance="laptop")
        _, _, ch, race, *_ = await copy.ask("create", str(DEAL), "classic", 1, False, True, 0)
        await plays.hello(token=copy.token, instance="laptop")
        assert (await plays.ask("watch", race))[4] == 0
        await plays.say(["ready", ch])
        await plays.hear_until("go")
        for each in (copy, eve, plays):
            assert (await each.ask("resume", race, its_end))[:2] == ["error", "taken_over"]
        await plays.say(["giveup", ch, 1])
        await plays.hear_until("end")
        for each, seat in ((copy, 0), (eve, -1)):
            assert (await each.ask("resume", race, its_end))[4] == seat


async def test_who_has_looked_at_a_result_elsewhere_is_brought_to_the_rematch_and_can_ask_for_it(
    server: ServerProcess,
) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, token=ada.token) as second,
        connect(server.url, name="Grace") as grace,
    ):
        race = await ada.create(str(DEAL), seats=2, countdown_ms=0)
        hers = await grace.join(race.id)
        for each in (race, hers):
            each.ready()
        for each in (race, hers):
            await each.until(lambda model: model.phase == "running")
            await each.give_up()
        await race.until(lambda model: model.phase == "ended")
        seen = await second.watch(race.id)
        assert seen.seat == race.seat
        await second.close()
        again = await grace.rematch(hers)
        next_one = await ada.gathered()
        assert (next_one.id, next_one.seat) == (again.id, 1 - again.seat)
        assert (await ada.rematch(race)) is next_one
        assert race.failure is None


async def refused_as_taken_over(
    server: ServerProcess, token: str, race: str, instance: str = "phone"
) -> None:
    async with wire_client(server.url, name=None) as back:
        await back.hello(token=token, instance=instance)
        assert (await back.ask("resume", race, 1))[:2] == ["error", "taken_over"]


async def test_what_was_under_way_is_not_told_as_applied_where_another_device_has_ended_the_race(
    server: ServerProcess,
) -> None:
    """Its actions have the numbers of those that were."""
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        connect(proxy.url, name="Ada") as older,
        connect(server.url, token=older.token) as newer,
    ):
        race = await running(await older.create(str(DEAL), seats=1, countdown_ms=0))
        proxy.away = True
        proxy.cut()
        again = await newer.watch(race.id)
        await again.move("8a")
        await again.give_up()
        await again.until(lambda model: model.phase == "ended")
        moving = asyncio.gather(race.move("2a"), race.move("2b"), return_exceptions=True)
        await asyncio.sleep(0)  # let them be kept
        proxy.away = False
        codes = [error.code for error in await moving if isinstance(error, Disconnected)]
        assert codes == ["taken_over", "taken_over"]
        assert (await older.watch(race.id)).seat == 0


async def test_a_library_client_whose_race_is_played_elsewhere_by_now_is_told(
    server: ServerProcess,
) -> None:
    """As one that was there to hear of it."""
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        connect(proxy.url, name="Ada") as older,
        connect(server.url, token=older.token) as newer,
    ):
        race = await running(await older.create(str(DEAL), seats=1, countdown_ms=0))
        proxy.away = True
        proxy.cut()
        again = await newer.watch(race.id)
        await again.move("2a")
        proxy.away = False
        with pytest.raises(Disconnected) as told:
            await race.move("2b")
        assert told.value.code == "taken_over"
        assert race.failure is not None
        await again.move("2b")


async def test_a_library_client_that_is_taken_over_is_told(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as older:
        race = await running(await older.create(str(DEAL), seats=1, countdown_ms=0))
        async with connect(server.url, token=older.token) as newer:
            again = await newer.watch(race.id)
            assert again.seat == 0
            await again.move("2a")
            events = [event async for event in race]
            assert not any(isinstance(event, e.Applied) for event in events)
            assert [notice.code for notice in older.notices] == ["taken_over"]


async def test_who_leaves_a_seat_sees_what_a_spectator_sees(server: ServerProcess) -> None:
    """Whoever sits there next: the seat's number says nothing any more."""
    async with (
        asyncio.timeout(WITHIN),
        wire_client(server.url, MSGPACK, "Ada") as ada,
        wire_client(server.url, MSGPACK, "Grace") as grace,
        wire_client(server.url, MSGPACK, "Eve") as eve,
    ):
        _, _, ch, race, *_ = await ada.ask("create", str(DEAL), "classic", 2, False, True, 0)
        await grace.ask("join", race)
        await ada.say(["leave", ch])
        await ada.hear_until("left")
        assert (await eve.ask("join", race))[4] == 0
        for player in (grace, eve):
            await player.say(["ready", ch])
        await ada.hear_until("go")
        await ada.say(["look", ch])
        snapshot = await ada.hear_until("snap")
        assert snapshot[17:19] == [-1, 0]
        await eve.say(["m", ch, 1, "2a"])
        assert (await ada.hear())[:1] == ["d"]
        await ada.say(["m", ch, 1, "2a"])
        assert (await ada.hear())[3] == "not_seated"
