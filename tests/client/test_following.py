"""The library's list of races, its count of spectators, its links, and the end of them, against a scripted server."""

import asyncio

import pytest

from cellrace_client import Disconnected, RequestFailed, connect
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted

pytestmark = pytest.mark.asyncio


def listed(*races: str) -> list[e.RaceRow]:
    return [e.RaceRow(race, "lobby", "classic", 2, ["Ada"]) for race in races]


async def test_the_list_of_races_is_kept_current_also_over_connections() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, listed("a", "b")), e.Listing(listed("c"), ["a"]))
        await said.hear()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, listed("d")))
        assert await said.hear() == c.Unfollow()
        await said.say(e.Listing(listed("e"), []))
        await said.socket.wait_closed()

    async with scripted(first, second) as url, connect(url, name="Me") as client:
        races = await client.follow()
        news = aiter(races)
        seen = set(await anext(news))
        while seen != {"b", "c"}:
            seen = set(await anext(news))
        client.send([c.Look(0)])
        while set(await anext(news)) != {"d"}:
            pass
        client.unfollow()
        client.unfollow()
        assert [rows async for rows in news] == []
        assert set(races.rows) == {"d"}


async def test_who_waited_in_vain_for_a_change_hears_of_the_next_one() -> None:
    waited = asyncio.Event()

    async def server(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, listed("a")))
        await waited.wait()
        await said.say(e.Listing(listed("b"), []))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        news = aiter(await client.follow())
        assert set(await anext(news)) == {"a"}
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(news), 0.001)
        waited.set()
        assert set(await anext(news)) == {"a", "b"}


async def test_the_list_ends_with_the_client() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        follow = await said.hear()
        assert isinstance(follow, c.Follow)
        await said.say(e.Races(follow.r, []))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        async with connect(url) as client:
            races = await client.follow()
            gathered = asyncio.create_task(client.gathered())
            await asyncio.sleep(0)
        assert [dict(rows) async for rows in races] == [{}]
        with pytest.raises(Disconnected):
            await gathered
        with pytest.raises(Disconnected):
            await client.gathered()


async def test_how_many_watch_is_known_and_is_no_event() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        await said.say(e.Watching(2, 3), e.Watching(9, 7), e.GaveUp(2, 6, 1, 0))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.watch("race")
        assert (await race.until(lambda model: model.spectators == 3)).spectators == 3
        events = aiter(race)
        assert [type(await anext(events)) for _ in range(2)] == [e.Snapshot, e.GaveUp]


async def test_a_race_that_was_parted_from_is_heard_no_more() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.enter()
        assert await said.hear() == c.Part(2)
        await said.say(e.GaveUp(2, 6, 1, 0))
        await said.enter(k=8)
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.watch("race")
        await race.until(lambda _: True)
        race.part()
        assert [type(event) async for event in race] == [e.Snapshot]
        again = await client.watch("race")
        assert again is not race
        assert (await again.until(lambda _: True)).k == 8


async def test_links_lead_to_races() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        for kind in (c.Join, c.Watch):
            request = await said.enter()
            assert isinstance(request, kind)
            assert "race" in (getattr(request, "what", ""), getattr(request, "race", ""))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        place = url.removeprefix("ws://").removesuffix("/ws")
        race = await client.join(f"http://{place}/r/race")
        assert client.link(race) == f"http://{place}/r/race"
        await client.watch(client.link(race))


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
