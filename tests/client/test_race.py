"""What one hears of a race: snapshots, refusals, its end, and the reason why nothing more is heard."""

import asyncio
import threading

import pytest

from cellrace_client import Client, Disconnected, RaceModel, connect, sync
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import WITHIN, Said, scripted, snapshot
from tests.client.test_resuming import THE_END

pytestmark = pytest.mark.asyncio


async def test_a_snapshot_answers_what_was_applied_unseen() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        for n in (1, 2, 3):
            move = await said.hear()
            assert isinstance(move, c.Move)
            assert move.n == n
        await said.say(
            e.Applied(2, 9, 0, 3, []), e.Progress(2, 10, 0, 0, 1, 1), e.Progress(2, 11, 0, 0, 1, 1)
        )
        assert await said.hear() == c.Look(2)
        await said.say(snapshot(11, n=4), e.GaveUp(2, 12, 0, 0))
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces), "and no second look"
        await said.say(e.Races(asked.r, []))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        await asyncio.gather(*(race.move(text) for text in ("2a", "2b", "2c")))
        await race.until(lambda model: model.k == 12)
        await client.races()


async def test_whoever_waits_for_anything_of_a_race_is_told_when_it_is_closed() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert isinstance(await said.hear(), c.Part)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        await race.until(lambda _: True)
        waiting = [asyncio.create_task(race.refusal()) for _ in range(2)]
        await asyncio.sleep(0)
        race.part()
        for task in waiting:
            with pytest.raises(Disconnected, match="parted"):
                await task
        with pytest.raises(Disconnected):
            await race.refusal()
        assert [type(event) async for event in race] == [e.Snapshot]
        assert [event async for event in race] == []


async def test_a_race_that_is_over_ends_its_iteration_as_often_as_one_asks() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(THE_END)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        assert [type(event) async for event in race] == [e.Snapshot, e.End]
        assert [event async for event in race] == []


async def test_who_waited_in_vain_for_an_event_hears_the_next_one() -> None:
    """A generator would be at its end."""
    waited = asyncio.Event()

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await waited.wait()
        await said.say(THE_END)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        events = aiter(race)
        assert isinstance(await anext(events), e.Snapshot)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(events), 0.001)
        waited.set()
        assert isinstance(await anext(events), e.End)


async def test_the_refusal_of_a_move_that_nobody_waits_for_is_no_other_refusal() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(e.Refused(2, 1, "cell_occupied", "no", 1))
        assert await said.hear() == c.Start(2)
        await said.say(e.Refused(2, 0, "not_host", "no", 0))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        race.begin("2a").cancel()
        race.start()
        assert (await race.refusal()).code == "not_host"


async def test_a_snapshot_for_a_seat_that_is_none_closes_the_race() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        request = await said.hear()
        assert isinstance(request, c.Join)
        await said.say(e.Entered(request.r, 2, "race", 3, 1), snapshot(5, seat=3))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.join("617")
        with pytest.raises(Disconnected, match="no seat 3"):
            await race.until(lambda _: True)
        assert client.connected


async def test_a_fault_of_the_clients_own_is_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.say(e.Notice("announcement", "hello"))
        await said.socket.wait_closed()

    def fails(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(Client, "_noticed", fails)
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
    async with scripted(server) as url, connect(url) as client:
        with pytest.raises(Disconnected, match="a bug"):
            await client.gathered()
        assert isinstance(client.failure, ZeroDivisionError)


async def test_without_await_a_race_is_returned_as_it_was_when_it_was_as_wanted() -> None:
    waiting = threading.Event()

    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await asyncio.to_thread(waiting.wait, WITHIN)
        await said.say(*(e.Progress(2, k, 0, 0, 1, 1) for k in range(6, 40)))
        await said.socket.wait_closed()

    def as_wanted(model: RaceModel) -> bool:
        waiting.set()
        return model.k >= 6

    def script(url: str) -> int:
        with sync.connect(url) as client:
            return client.join("617").until(as_wanted).k

    async with scripted(server) as url:
        assert await asyncio.to_thread(script, url) == 6
