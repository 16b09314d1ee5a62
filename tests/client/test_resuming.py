"""Races over connections that break: channels, what is over, what was parted from, what is asked in between."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from cellrace_client import ActionRefused, Client, Disconnected, Race, RaceModel, RequestFailed, connect, sync
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import WITHIN, Said, Script, scripted, snapshot

pytestmark = pytest.mark.asyncio

THE_END = e.End(2, 6, 0, "all_done", [], "deal", "")


async def racing(said: Said) -> None:
    """A race that runs, until the client says something more."""
    await said.greet()
    await said.enter()
    await said.hear()
    said.socket.transport.abort()


async def raced(said: Said) -> None:
    """A race that is over, until the client says something more."""
    await said.greet()
    await said.enter()
    await said.say(THE_END)
    await said.hear()
    said.socket.transport.abort()


async def resumed(said: Said, ch: int = 9, n: int = 1) -> None:
    """Greet and answer the request for the race, which missed nothing."""
    await said.greet()
    resume = await said.hear()
    assert isinstance(resume, c.Resume)
    await said.say(e.Entered(resume.r, ch, "race", 0, n))


@asynccontextmanager
async def broken(*scripts: Script) -> AsyncGenerator[tuple[Client, Race]]:
    """A client whose race has just lost its connection. The next script goes on."""
    async with scripted(*scripts) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        over = scripts[0] is raced
        await race.until(lambda model: model.phase == ("ended" if over else "running"))
        client.send([c.Look(0)])
        while client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        yield client, race


async def test_a_race_that_is_over_is_resumed_and_its_players_can_meet_again() -> None:
    async def second(said: Said) -> None:
        await resumed(said)
        rematch = await said.hear()
        assert isinstance(rematch, c.Rematch)
        assert rematch.ch == 9
        await said.say(e.Entered(rematch.r, 10, "again", 0, 1))
        await said.say(e.Rematched(9, 7, 0, "again"))
        await said.socket.wait_closed()

    async with broken(raced, second) as (client, race):
        assert (await client.rematch(race)).id == "again"
        assert (await race.until(lambda model: model.rematch == "again")).phase == "ended"


async def test_a_rematch_that_is_asked_again_names_the_new_channel() -> None:
    async def second(said: Said) -> None:
        await resumed(said)
        assert await said.hear() == c.Rematch(2, 9)
        said.socket.transport.abort()

    async def third(said: Said) -> None:
        await resumed(said, ch=11)
        assert await said.hear() == c.Rematch(2, 11)
        await said.say(e.Entered(2, 10, "again", 0, 1))
        await said.socket.wait_closed()

    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(THE_END)
        assert await said.hear() == c.Rematch(2, 2)
        said.socket.transport.abort()

    async with scripted(first, second, third) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        await race.until(lambda model: model.phase == "ended")
        assert (await client.rematch(race)).id == "again"


async def test_others_rematches_are_heard_of_after_a_race_was_resumed() -> None:
    async def second(said: Said) -> None:
        await resumed(said)
        await said.say(e.Entered(0, 10, "again", 0, 1))
        await said.socket.wait_closed()

    async with broken(raced, second) as (client, _):
        assert (await client.gathered()).id == "again"


async def test_a_rematch_after_a_race_that_is_not_there_any_more_fails() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        await said.say(e.Error("not_found", "no such race", resume.r))
        await said.socket.wait_closed()

    async with broken(raced, second) as (client, race):
        with pytest.raises(RequestFailed, match="no_channel"):
            await client.rematch(race)
        with pytest.raises(Disconnected, match="not_found"):
            await race.move("2a")
        with pytest.raises(RequestFailed, match="no_channel"):
            await client.rematch(race)


async def test_a_rematch_after_a_race_that_is_parted_from_meanwhile_fails() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        assert isinstance(await said.hear(), c.Resume)
        await said.socket.wait_closed()

    async with broken(raced, second) as (client, race):
        asking = asyncio.create_task(client.rematch(race))
        while not client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        race.part()
        with pytest.raises(RequestFailed, match="no_channel"):
            await asking


async def test_a_wish_that_a_snapshot_has_overtaken_is_not_said_again() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        await said.say(e.Entered(resume.r, 9, "race", 0, 1))
        assert await said.hear() == c.Ready(9)
        await said.say(structs.replace(snapshot(8), ch=9))
        said.socket.transport.abort()

    async def third(said: Said) -> None:
        await resumed(said, ch=11)
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces), "and no wish"
        await said.say(e.Races(asked.r, []))
        await said.socket.wait_closed()

    async with broken(racing, second, third) as (client, race):
        race.ready()
        await race.until(lambda model: model.k == 8)
        while client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        await client.races()
        assert race.channel == 11


async def test_a_move_under_way_when_a_race_ends_and_the_connection_breaks_is_answered() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Move(2, 1, "2a")
        await said.say(THE_END)
        await said.hear()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await resumed(said)
        for _ in range(2):
            assert await said.hear() == c.Move(9, 1, "2a")
            await said.say(e.Refused(9, 1, "race_over", "the race is over", 1))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        moving = race.begin("2a")
        await race.until(lambda model: model.phase == "ended")
        client.send([c.Look(0)])
        for answer in (moving, race.move("2a")):
            with pytest.raises(ActionRefused, match="race_over"):
                await answer


async def test_nothing_is_said_on_an_old_channel_before_a_race_is_entered_again() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces), "and neither the move nor the wish"
        await said.say(e.Races(asked.r, []))
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Races(asked.r, []), e.Entered(resume.r, 9, "race", 0, 1))
        assert {await said.hear() for _ in range(2)} == {c.Move(9, 1, "2a"), c.Ready(9)}
        await said.say(e.Applied(9, 6, 5, 1, []))
        await said.socket.wait_closed()

    async with broken(racing, second) as (client, race):
        await client.races()
        assert client.connected
        assert race.channel is None
        moving = race.begin("2a")
        race.ready()
        await client.races()
        await moving
        assert race.channel == 9


async def test_a_race_parted_from_on_its_way_back_stays_parted() -> None:
    """It has no channel that could be parted yet; that comes, and is."""

    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        for _ in range(2):
            asked = await said.hear()
            assert isinstance(asked, c.GetRaces)
            await said.say(e.Races(asked.r, []))
        await said.say(e.Entered(resume.r, 9, "race", 0, 1), e.GaveUp(9, 6, 0, 1))
        assert await said.hear() == c.Part(9)
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Races(asked.r, []))
        await said.hear()
        said.socket.transport.abort()

    async def third(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces), "and no resume"
        await said.say(e.Races(asked.r, []))
        await said.socket.wait_closed()

    async with broken(racing, second, third) as (client, race):
        await client.races()
        race.part()
        await client.races()
        await client.races()
        assert race.model is not None
        assert race.model.k == 5
        await client.races()


async def test_a_race_parted_from_and_watched_anew_on_its_way_back_is_received() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Races(asked.r, []))
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(resume.r, 9, "race", 0, 1), e.Entered(watch.r, 9, "race", 0, 1))
        await said.say(e.Watching(9, 4))
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces), "and no part"
        await said.say(e.Races(asked.r, []))
        await said.socket.wait_closed()

    async with broken(racing, second) as (client, race):
        await client.races()
        race.part()
        again = await client.watch("race")
        assert again is not race
        assert again.channel == 9
        await client.races()


async def test_a_race_that_cannot_be_had_yet_is_asked_for_again_when_it_is_time() -> None:
    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        await said.say(e.Error("unavailable", "later", resume.r, 1))
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        await said.say(e.Error("unavailable", "later", resume.r, 1))
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        await said.say(e.Entered(resume.r, 9, "race", 0, 1), e.Progress(9, 6, 0, 0, 1, 1))
        await said.socket.wait_closed()

    async with broken(racing, second) as (_, race):
        await race.until(lambda model: model.k == 6)


async def test_a_list_that_is_refused_on_a_new_connection_is_asked_for_again_or_ends() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, []))
        await said.hear()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        for error in (e.Error("slow_down", "later", 0, 1), e.Error("no_lists", "not here")):
            follow = await said.hear()
            assert isinstance(follow, c.Follow)
            await said.say(e.Error(error.code, error.text, follow.r, error.retry_after))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        races = await client.follow()
        client.send([c.Look(0)])
        assert [dict(rows) async for rows in races] == [{}]
        assert client.connected


async def test_a_list_that_was_refused_at_once_is_none() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Error("slow_down", "later", follow.r, 1_000))
        await said.hear()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Races(asked.r, []))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        with pytest.raises(RequestFailed):
            await client.follow()
        await client.races()


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


async def test_a_snapshot_that_was_looked_for_comes_on_the_next_connection() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(e.Progress(2, 9, 0, 0, 1, 1))
        assert await said.hear() == c.Look(2)
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        resume = await said.hear()
        assert isinstance(resume, c.Resume)
        assert resume.after == 0
        await said.say(e.Entered(resume.r, 2, "race", 0, 1), snapshot(9), e.Progress(2, 12, 0, 0, 1, 1))
        assert await said.hear() == c.Look(2)
        await said.say(snapshot(12))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url) as client:
        race = await client.join("617")
        await race.until(lambda model: model.k == 12)


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
