"""Races over connections that break: channels, what is over, what was parted from, what is asked in between."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from cellrace_client import ActionRefused, Client, Disconnected, Race, RequestFailed, connect
from cellrace_client.reception import AT_ONCE
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, Script, scripted, snapshot

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


async def test_a_channel_that_was_given_to_another_race_is_the_old_ones_no_more() -> None:
    """Beyond 64 races the server parts from those that are over, and gives their numbers away."""

    async def only(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(THE_END)
        join = await said.hear()
        assert isinstance(join, c.Join)
        await said.say(e.Entered(join.r, 2, "next", 0, 1))
        assert isinstance(await said.hear(), c.GetRaces), "nothing is said of the old race"
        await said.socket.wait_closed()

    async with scripted(only) as url, connect(url, name="Me") as client:
        old = await client.join("617")
        await old.until(lambda model: model.phase == "ended")
        live = await client.join("618")
        assert (old.closed, old.channel, live.closed, live.channel) == (True, None, False, 2)
        old.part()
        old.ready()
        with pytest.raises(Disconnected, match="made room"):
            await old.move("2a")
        asking = asyncio.create_task(client.races())
        await asyncio.sleep(0)
        assert not live.closed
        asking.cancel()


async def test_of_a_race_that_was_parted_from_nothing_is_said() -> None:
    async def only(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert isinstance(await said.hear(), c.Part)
        assert isinstance(await said.hear(), c.GetRaces)
        await said.socket.wait_closed()

    async with scripted(only) as url, connect(url, name="Me") as client:
        race = await client.join("617")
        race.part()
        for wish in (race.ready, race.start, race.leave):
            wish()
        assert race.channel is None
        asking = asyncio.create_task(client.races())
        await asyncio.sleep(0)
        asking.cancel()


async def test_a_request_that_is_too_long_is_refused_here() -> None:
    async def only(said: Said) -> None:
        await said.greet()
        await said.socket.wait_closed()

    async with scripted(only) as url, connect(url, name="Me") as client:
        with pytest.raises(RequestFailed, match="2048 are the most"):
            await client.ghosts.race(*[chr(0x1F600) * 64] * 8)
        assert client.connected


async def test_many_races_are_resumed_few_at_a_time_and_others_may_ask_in_between() -> None:
    names = [f"race{letter}" for letter in "bcdfghj"]

    async def first(said: Said) -> None:
        await said.greet()
        for ch, name in enumerate(names, 2):
            joined = await said.hear()
            assert isinstance(joined, c.Join)
            await said.say(
                e.Entered(joined.r, ch, name, 0, 1), structs.replace(snapshot(5), ch=ch, race=name)
            )
        await said.hear()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        asked = [await said.hear() for _ in range(AT_ONCE)]
        while len(asked) < len(names) + 1:
            resume = next(each for each in asked if isinstance(each, c.Resume) and each.race not in back)
            back.append(resume.race)
            await said.say(e.Entered(resume.r, 20 + len(back), resume.race, 0, 1))
            asked.append(await said.hear())
        assert [each.race for each in asked if isinstance(each, c.Resume)] == names
        (other,) = [each for each in asked if isinstance(each, c.GetRaces)]
        await said.say(e.Races(other.r, []))
        await said.socket.wait_closed()

    back: list[str] = []
    async with scripted(first, second) as url, connect(url, name="Me") as client:
        for _ in names:
            await client.join("617")
        client.send([c.Look(2)])
        while client.connected:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0)
        assert await client.races() == []
