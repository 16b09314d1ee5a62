"""Before the start nothing that is sent depends on the deal (invariant 5), but for the commitment, which is salted.

Worlds that differ in deal and salt only, asked everything that can be asked, answer with the same bytes.
"""

import hashlib
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from cellrace_engine import DealCode
from cellrace_protocol.codecs import JSON, MSGPACK, SERVER_CODECS
from cellrace_server.core import commands as c
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact, Created
from cellrace_server.core.options import Options
from cellrace_server.core.race import Race
from cellrace_server.core.secrecy import commitment
from cellrace_server.gateway.channels import Channels
from cellrace_server.services.hall import Hall
from cellrace_server.services.room import Room
from tests.server.core.playbook import ADA, ALAN, GRACE, Script
from tests.server.gateway.audience import Listener, ManualOffice, shown
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory, MemoryRaceLog

pytestmark = pytest.mark.asyncio

WORLDS = [(617, b"a" * 16), (11_982, b"a" * 16), (617, b"b" * 16), (2**33 - 1, b"c" * 16)]
OPTIONS = [
    Options(seats=3),
    Options(seats=3, open_boards=True),
    Options(seats=3, ranked=True, delay_ms=30_000),
]


def before_the_start(options: Options) -> list[AnyFact]:
    """Everything that can happen until then, and races that never start."""
    script = Script(options)
    for command in (
        c.Join(GRACE, "g1"),
        c.Ready("grace"),
        c.Join(ALAN),
        c.Vanish("grace", "g1"),
        c.Appear("grace", "g2"),
        c.Leave("alan"),
        c.Start("ada"),
        c.Leave("grace"),
        c.Join(GRACE),
        c.Start("ada"),
        c.Close(),
    ):
        script.do(command, after_ms=100)
    return script.facts


def everything_asked(race: Race) -> Iterator[c.AnyCommand]:
    """Commands of players and of strangers; what starts a race is not among them."""
    for player in ("ada", "grace", "alan", "nobody"):
        for n in (0, 1, 2):
            yield from (c.Play(player, n, "2a"), c.Play(player, n, "zz"), c.Undo(player, n))
            yield from (c.Restart(player, n), c.Finish(player, n), c.GiveUp(player, n))
        yield from (c.Rematch(player, "x"), c.Leave(player), c.Ready(player, False), c.Start(player))
    yield from (c.Tick(), c.StoreReturned(race.at - 10), c.Close(), c.Create("race", ADA, Options(), 1, b""))


def world(facts: list[AnyFact], deal: int, salt: bytes) -> tuple[list[bytes], list[str]]:
    """All bytes to everybody, the commitment blotted out; and all answers."""
    created = facts[0]
    assert isinstance(created, Created)
    facts = [replace(created, deal=deal, salt=salt), *facts[1:]]
    now = facts[0].at
    channels = Channels(Hall(MemoryRaceLog(Memory()), ManualClock()), lambda: now)
    room = Room("race", ManualOffice())
    room.overtaken(facts[:1])
    channel = channels.open(room)
    room.listeners = [channels]
    listeners = [
        Listener(f"{name} {codec}", SERVER_CODECS[codec]) for name in "swap" for codec in (MSGPACK, JSON)
    ]
    for listener in listeners:
        channel.watch(listener)
    answers: list[str] = []
    for number, fact in enumerate(facts[1:], 2):
        now = fact.at
        shown(room, [fact])
        race = evolve(room.race, fact) if room.race is None else room.race
        for seat, taken in race.seated():
            if seat < 3:
                channel.sit(seat, listeners[seat], taken.player.id)
        for listener in listeners:
            for after in (None, 1, number - 1):
                channel.catch_up(listener, after)
        outcomes = [decide(race, command, now) for command in everything_asked(race)]
        answers += [repr((outcome.facts, outcome.answer)) for outcome in outcomes]
    channel.gallery.flush()
    assert room.race is not None
    promised = commitment(room.race).hex().encode()
    sent = [b"".join(listener.writes) for listener in listeners]
    assert all(promised in written for written in sent)
    return [written.replace(promised, b"*") for written in sent], answers


@pytest.mark.parametrize("options", OPTIONS)
async def test_what_is_sent_before_the_start_is_the_same_whatever_the_deal(options: Options) -> None:
    facts = before_the_start(options)
    first, *others = [world(facts, *secret) for secret in WORLDS]
    for other in others:
        assert other == first


async def test_the_commitment_is_no_hash_of_a_small_space() -> None:
    """All deals can be tried; all salts cannot."""
    race = Script(Options()).state
    code = str(DealCode(4, 617))
    promised = commitment(race)
    for known in (code, "617", code.lower(), "race", f"race{code}", f"{code}race"):
        for digest in (hashlib.sha256, hashlib.sha1, hashlib.md5):
            assert not digest(known.encode()).digest().startswith(promised[:8])
    assert len({commitment(replace(race, salt=bytes([n]) * 16)) for n in range(200)}) == 200
    assert len(race.salt) == 16
