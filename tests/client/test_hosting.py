"""Who hosts, as clients show it: in the library, in lines, on the screen; and the start that is theirs to make."""

import asyncio

import pytest
from msgspec import structs

from cellrace_client import connect
from cellrace_client.cli.watch import lines_of
from cellrace_client.model import RaceModel
from cellrace_client.tui.race import RaceScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from tests.client.plain.people import Person
from tests.client.test_client import Said, scripted, snapshot
from tests.client.tui.pilots import Driver, press, program, said, shown, until
from tests.client.tui.test_races import greeted

FREE = e.SeatView("", "", Kind.HUMAN, False, False, -1, 0, 0, 0, 0, "")
ME = e.SeatView("me", "Me", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, "")
GRACE = e.SeatView("grace", "Grace", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, "")
CH = 2


def lobby(
    *views: e.SeatView, you: int = 0, host: str = "ada", away: bool = False, seats: int = 3
) -> e.Snapshot:
    """A race that Ada has opened, who has no seat."""
    empty = structs.replace(snapshot(5, you), phase="lobby", deal="", start="", host=host, host_away=away)
    return structs.replace(empty, seats=[*views, *[FREE] * (seats - len(views))])


# The library


def test_the_model_follows_who_hosts() -> None:
    model = RaceModel(lobby(ME, GRACE))
    assert (model.host, model.host_away, model.hosting, model.can_start) == ("ada", False, False, True)
    model.apply(e.Hosts(CH, 6, 0, "ada", True))
    assert (model.host, model.host_away) == ("ada", True)
    model.apply(e.Hosts(CH, 7, 0, "me"))
    assert (model.host, model.host_away, model.hosting) == ("me", False, True)
    model.apply(e.Left(CH, 8, 0, 0, "grace"))
    assert (model.host, model.hosting, model.can_start) == ("grace", False, False)


def test_a_host_who_sits_down_is_there() -> None:
    model = RaceModel(lobby(ME, away=True))
    model.apply(e.Joined(CH, 6, 0, 1, "grace", "Grace", Kind.HUMAN))
    assert model.host_away
    model.apply(e.Joined(CH, 7, 0, 2, "ada", "Ada", Kind.HUMAN))
    assert not model.host_away


@pytest.mark.parametrize(
    ("race", "matters", "can"),
    [
        (lobby(ME, GRACE), True, True),
        (lobby(ME), True, False),
        (lobby(ME, GRACE, seats=2), False, False),
        (lobby(ME, GRACE, structs.replace(GRACE, player="alan")), True, False),
        (structs.replace(lobby(ME, GRACE), phase="countdown"), True, False),
    ],
)
def test_a_race_that_can_start_before_it_is_full_needs_a_host(
    race: e.Snapshot, matters: bool, can: bool
) -> None:
    model = RaceModel(race)
    assert (model.host_matters, model.can_start) == (matters, can)


@pytest.mark.asyncio
async def test_a_host_who_has_left_does_not_leave_again_on_the_next_connection() -> None:
    async def leaving(server: Said) -> None:
        await server.greet()
        await server.enter(seat=-1)
        await server.say(lobby(GRACE, you=-1, host="me"))
        assert await server.hear() == c.Leave(CH)
        await server.say(e.Hosts(CH, 6, 0, "grace"))
        await server.socket.close()

    async def back(server: Said) -> None:
        await server.greet()
        asked = await server.hear()
        assert isinstance(asked, c.Resume)
        await server.say(e.Entered(asked.r, CH, "race", -1, 0))
        asked = await server.hear()
        assert isinstance(asked, c.GetRaces), "nothing about the race"
        await server.say(e.Races(asked.r, []))
        await server.socket.wait_closed()

    async with scripted(leaving, back) as url, connect(url) as client:
        race = await client.watch("race")
        await race.until(lambda model: model.phase == "lobby")
        race.leave()
        await race.until(lambda model: model.host == "grace")
        assert await client.races() == []


# Lines


async def lobby_then(server: Said, first: e.Snapshot, *then: e.AnyRaceMessage) -> None:
    await server.greet()
    asked = await server.hear()
    await server.say(e.Entered(getattr(asked, "r", 0), CH, "race", first.you, 1), first)
    for message in then:
        await server.say(message)


@pytest.mark.asyncio
async def test_lines_say_who_hosts_and_start_for_a_host() -> None:
    async def server(server: Said) -> None:
        away, here = e.Hosts(CH, 6, 0, "ada", True), e.Hosts(CH, 7, 0, "ada")
        await lobby_then(
            server, lobby(ME, GRACE), away, here, e.Hosts(CH, 8, 0, "grace"), e.Hosts(CH, 9, 0, "me")
        )
        assert await server.hear() == c.Start(CH)
        await server.socket.wait_closed()

    async with scripted(server) as url:
        person = Person(url)
        person.type("watch race")
        await person.hears("you host the race now: start begins it with who is here")
        hosting = [line for line in person.said if "host" in line and not line.startswith("Me, ")]
        assert hosting == [
            "the host is away: before long one of you hosts",
            "the host is there again",
            "Grace hosts the race now",
            "you host the race now: start begins it with who is here",
        ]
        person.said.clear()
        person.type("players", "start")
        assert (await person.hears("Me")).startswith("Me, host, 0 cards home")
        assert (await person.hears("Grace")).startswith("Grace, 0 cards home")
        person.type("quit")
        await person.ends()


@pytest.mark.asyncio
async def test_a_host_without_a_seat_starts_by_a_line() -> None:
    async def server(server: Said) -> None:
        await lobby_then(server, lobby(GRACE, GRACE, you=-1, host="me"))
        assert await server.hear() == c.Start(CH)
        await server.socket.wait_closed()

    async with scripted(server) as url:
        person = Person(url)
        person.type("watch race")
        await person.hears("Grace")
        person.type("start", "quit")
        await person.ends()


# The screen


@pytest.mark.asyncio
async def test_the_screen_shows_who_hosts_and_offers_the_start_to_them() -> None:
    pressed = asyncio.Event()

    async def server(server: Said) -> None:
        await greeted(server)
        await lobby_then_watched(server)
        await pressed.wait()
        await server.say(e.Hosts(CH, 7, 0, "me"))
        assert await server.hear() == c.Start(CH)
        await server.say(e.Countdown(CH, 8, 0, 3_000))
        await server.socket.wait_closed()

    async def lobby_then_watched(server: Said) -> None:
        asked = await server.hear()
        assert isinstance(asked, c.Watch)
        await server.say(
            e.Entered(asked.r, CH, "race", 0, 1), lobby(ME, GRACE), e.Hosts(CH, 6, 0, "ada", True)
        )

    def screen(pilot: Driver) -> bool:
        return isinstance(pilot.app.screen, RaceScreen) and pilot.app.screen.race.model is not None

    async with scripted(server) as url, program("watch", "race", url=url) as pilot:
        await until(pilot, lambda: screen(pilot) and "the host is away" in shown(pilot))
        assert "(host)" not in shown(pilot)
        press(pilot, "s")
        assert said(pilot) == "waiting for one more player"
        pressed.set()
        await until(pilot, lambda: "Me (host)" in shown(pilot))
        await until(pilot, lambda: said(pilot) == "waiting for one more player  s: start with who is here")
        assert "the host is away" not in shown(pilot)
        press(pilot, "s")
        await until(pilot, lambda: "the deal comes in" in said(pilot))


# A look from outside


def test_who_watches_is_told_who_hosts() -> None:
    model = RaceModel(lobby(ME, GRACE, you=-1))
    told: list[str] = []
    for k, (host, away) in enumerate((("ada", True), ("ada", False), ("grace", False)), 6):
        event = e.Hosts(CH, k, 0, host, away)
        model.apply(event)
        told += [str(line) for line in lines_of(model, event)]
    assert told == ["the host is away", "the host is there again", "Grace hosts the race now"]
