"""The ports in memory, with the semantics of the real store, and faults on demand.

`Memory` is what the store holds. Ports made from one memory share it, as nodes share a store:

    memory = Memory()
    log = MemoryRaceLog(memory, node="a")

Faults, for all ports of a memory:

    memory.away = True                      every call raises `StoreUnavailable`; nothing is carried out
    memory.mute = True                      every call is carried out, and then raises `StoreUnavailable`
    memory.fail(2)                          the next two calls fail before anything is carried out
    memory.fail(2, carried_out=True)        … after it
    memory.hold() … memory.go_on()          calls made in between wait, and are carried out later, in order
    memory.hold_news() … memory.pass_news() nodes hear late what the others wrote, and in another order
"""

import asyncio
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cellrace_server.core.boards import Entry
from cellrace_server.core.dailies import Daily
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.people import Player
from cellrace_server.core.ratings import Pool, Rated, Step
from cellrace_server.core.streaks import bit_of
from cellrace_server.ports.bulletin import Ask, Heard, Said
from cellrace_server.ports.careers import Raced
from cellrace_server.ports.directory import Identity
from cellrace_server.ports.errors import StoreUnavailable
from cellrace_server.ports.race_log import Append, Grown
from cellrace_server.ports.results import Look, Mine, Page, Row, Run, Runs, check_exact
from cellrace_server.ports.sightings import Sight

T = TypeVar("T")


@dataclass
class Memory:
    """All that a store holds, and what is the matter with it. `now` is its clock in microseconds."""

    now: int = 1_700_000_000_000_000
    away: bool = False
    mute: bool = False
    calls: int = 0
    refused: int = 0
    """Appends that came too late."""
    logs: dict[str, list[AnyFact]] = field(default_factory=dict[str, list[AnyFact]])
    unsettled: set[str] = field(default_factory=set[str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    identities: dict[bytes, Identity] = field(default_factory=dict[bytes, Identity])
    tokens: dict[str, bytes] = field(default_factory=dict[str, bytes])
    revocations: list[tuple[str, "asyncio.Queue[str]"]] = field(
        default_factory=list[tuple[str, "asyncio.Queue[str]"]]
    )
    secret: bytes = b""
    dailies: dict[tuple[str, str], Daily] = field(default_factory=dict[tuple[str, str], Daily])
    days: dict[tuple[str, str], set[int]] = field(default_factory=dict[tuple[str, str], set[int]])
    replays: dict[str, bytes] = field(default_factory=dict[str, bytes])
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    rows: dict[str, dict[str, tuple[int, int, str]]] = field(
        default_factory=dict[str, dict[str, tuple[int, int, str]]]
    )
    """By board and player: value, instant of finishing, run."""
    sorted_rows: dict[str, list[tuple[int, int, str]]] = field(
        default_factory=dict[str, list[tuple[int, int, str]]]
    )
    """The rows of boards that nothing was booked on since they were last looked at."""
    ratings: dict[Pool, dict[str, Rated]] = field(default_factory=dict[Pool, dict[str, Rated]])
    rated_races: dict[Pool, list[str]] = field(default_factory=dict[Pool, list[str]])
    """In the order of their bookings."""
    steps: dict[tuple[Pool, str], list[Step]] = field(default_factory=dict[tuple[Pool, str], list[Step]])
    named: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    careers: dict[str, dict[str, tuple[int, Raced]]] = field(
        default_factory=dict[str, dict[str, tuple[int, Raced]]]
    )
    """By player and race: when it was over."""
    who: dict[str, Identity] = field(default_factory=dict[str, Identity])
    erased: set[str] = field(default_factory=set[str])
    erasing: dict[str, Player] = field(default_factory=dict[str, Player])
    seen: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    listeners: list[tuple[str, "asyncio.Queue[Grown]"]] = field(
        default_factory=list[tuple[str, "asyncio.Queue[Grown]"]]
    )
    nodes: list[tuple[str, "asyncio.Queue[Heard]"]] = field(
        default_factory=list[tuple[str, "asyncio.Queue[Heard]"]]
    )
    _failures: deque[bool] = field(default_factory=deque[bool])
    _held: asyncio.Event | None = None
    _late: asyncio.Event | None = None
    _news: "list[tuple[asyncio.Queue[Grown], Grown]] | None" = None

    def fail(self, calls: int = 1, *, carried_out: bool = False) -> None:
        """Let that many of the next calls fail, before or after they are carried out."""
        self._failures.extend([carried_out] * calls)

    def hold(self) -> None:
        """Let calls wait from now on."""
        self._held = self._held or asyncio.Event()

    def hold_answers(self) -> None:
        """Let calls be carried out and their answers wait from now on."""
        self._late = self._late or asyncio.Event()

    def go_on(self) -> None:
        """Let the calls that wait be carried out, and later ones at once; answers likewise."""
        for waiting in (self._held, self._late):
            if waiting is not None:
                waiting.set()
        self._held = self._late = None

    def hold_news(self) -> None:
        """Let word of what was written wait from now on."""
        if self._news is None:
            self._news = []

    def pass_news(self, words: int, newest_first: bool = False) -> None:
        """Let so many of the words that wait through. Others go on waiting, and so do new ones."""
        for _ in range(min(words, len(self._news or ()))):
            assert self._news is not None, "there is some"
            queue, grown = self._news.pop(-1 if newest_first else 0)
            queue.put_nowait(grown)

    @property
    def news_waits(self) -> bool:
        """Word of what is written waits."""
        return self._news is not None

    @property
    def well(self) -> bool:
        """Every call is carried out and answered at once."""
        return not (self.away or self.mute or self._failures or self._held or self._late)

    def mend(self) -> None:
        """Nothing is the matter any more."""
        self.away = self.mute = False
        self._failures.clear()
        self.go_on()
        self.pass_news(len(self._news or ()))
        self._news = None

    def reset_subscriptions(self) -> None:
        """As if every subscription had been lost and made again; what was on its way is gone."""
        for _, heard in self.nodes:
            while not heard.empty():
                heard.get_nowait()
            heard.put_nowait(Heard("", Ask()))
        for _, queue in self.listeners:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(Grown("", 0))

    async def confirm(self) -> None:
        """What a store does to show that it takes writes."""
        await self.call(lambda: None)

    async def call(self, action: Callable[[], T]) -> T:
        self.calls += 1
        if self._held is not None:
            await self._held.wait()
        lost = self._failures.popleft() if self._failures else None
        if self.away or lost is False:
            raise StoreUnavailable("the store is away")
        done = action()
        if self._late is not None:
            await self._late.wait()
        if self.mute or lost:
            raise StoreUnavailable("the answer was lost")
        return done

    def grew(self, node: str, grown: Grown) -> None:
        for other, queue in self.listeners:
            if other == node:
                continue
            if self._news is not None:
                self._news.append((queue, grown))
            else:
                queue.put_nowait(grown)


class MemoryStoreTime:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def store_time(self) -> int:
        return await self._memory.call(lambda: self._memory.now)


class MemoryRaceLog:
    """`node` tells apart those who share a memory: growth is what the others wrote."""

    def __init__(self, memory: Memory, node: str = "node") -> None:
        self._memory = memory
        self._node = node

    async def append(self, batch: Sequence[Append], /) -> Sequence[int | None]:
        return await self._memory.call(lambda: [self._append(item) for item in batch])

    def _append(self, item: Append) -> int | None:
        race, expected, facts = item.race, item.expected, list(item.facts)
        log = self._memory.logs.get(race, [])
        if len(log) != expected:
            repeated = expected < len(log) and log[expected : expected + len(facts)] == facts
            self._memory.refused += not repeated
            return None if repeated else len(log)
        self._memory.logs[race] = log + facts
        self._memory.grew(self._node, Grown(race, expected + len(facts)))
        return None

    async def read(self, race: str, after: int = 0, /) -> Sequence[AnyFact]:
        return await self._memory.call(lambda: self._memory.logs.get(race, [])[after:])

    async def open(self, race: str, /) -> None:
        await self._memory.call(lambda: self._memory.unsettled.add(race))

    async def unsettled(self) -> Sequence[str]:
        return await self._memory.call(lambda: sorted(self._memory.unsettled))

    async def settle(self, race: str, /) -> None:
        await self._memory.call(lambda: self._memory.unsettled.discard(race))

    async def rewrite(self, race: str, facts: Mapping[int, AnyFact], /) -> None:
        await self._memory.call(lambda: self._rewrite(race, facts))

    def _rewrite(self, race: str, facts: Mapping[int, AnyFact]) -> None:
        log = self._memory.logs.get(race, [])
        self._memory.logs[race] = [facts.get(number, fact) for number, fact in enumerate(log, 1)]

    async def growth(self) -> AsyncIterator[Grown]:
        queue: asyncio.Queue[Grown] = asyncio.Queue()
        listener = (self._node, queue)
        self._memory.listeners.append(listener)
        try:
            yield Grown("", 0)
            while True:
                yield await queue.get()
        finally:
            self._memory.listeners.remove(listener)


class MemoryBulletin:
    """`node` tells apart those who share a memory."""

    def __init__(self, memory: Memory, node: str = "node") -> None:
        self._memory = memory
        self._node = node

    async def say(self, said: Said, /) -> None:
        await self._memory.call(lambda: self._say(Heard(self._node, said)))

    def _say(self, heard: Heard) -> None:
        for other, queue in self._memory.nodes:
            if other != heard.node:
                queue.put_nowait(heard)

    async def hear(self) -> AsyncIterator[Heard]:
        queue: asyncio.Queue[Heard] = asyncio.Queue()
        listener = (self._node, queue)
        self._memory.nodes.append(listener)
        try:
            yield Heard("", Ask())
            while True:
                yield await queue.get()
        finally:
            self._memory.nodes.remove(listener)


class MemoryResults:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._sorted = memory.sorted_rows

    async def book(self, run: Run, entries: Sequence[Entry], replay: bytes, /) -> bool:
        check_exact(run, entries)
        return await self._memory.call(lambda: self._book(run, entries, replay))

    def _book(self, run: Run, entries: Sequence[Entry], replay: bytes) -> bool:
        if run.player.id in self._memory.erased:
            return False
        self._memory.replays.setdefault(run.id, replay)
        self._memory.runs.setdefault(run.id, run)
        for board, value in entries:
            rows = self._memory.rows.setdefault(board, {})
            row = (value, run.at, run.id)
            rows[run.player.id] = min(rows.get(run.player.id, row), row)
            self._sorted.pop(board, None)
        return True

    async def page(self, board: str, look: Look, /) -> Page:
        return await self._memory.call(lambda: self._page(board, look))

    def _page(self, board: str, look: Look) -> Page:
        rows = self._memory.rows.get(board, {})
        if board not in self._sorted:
            self._sorted[board] = sorted(rows.values())
        order = self._sorted[board]
        own = rows.get(look.player)

        def shown(row: tuple[int, int, str]) -> Row:
            return Row(bisect_left(order, row[0], key=_counted) + 1, self._memory.runs[row[2]])

        ahead = bisect_left(order, own) if own is not None else 0
        mine = None
        if own is not None:
            mine = Mine(shown(own), ahead, len(order) - bisect_right(order, own[0], key=_counted))
        count, offset = max(look.most, 0), max(look.offset, 0)
        if look.around:
            count = count if own is not None else 0
            offset = max(0, min(ahead - count // 2, len(order) - count)) if own is not None else 0
        return Page(len(order), offset, [shown(row) for row in order[offset : offset + count]], mine)

    async def runs(self, player: str, count: int, offset: int = 0, /) -> Runs:
        return await self._memory.call(lambda: self._runs(player, count, offset))

    def _runs(self, player: str, count: int, offset: int) -> Runs:
        theirs = [run for run in self._memory.runs.values() if run.player.id == player]
        theirs.sort(key=lambda run: (run.at, run.id), reverse=True)
        if count < 1 or offset < 0:
            return Runs(len(theirs), ())
        return Runs(len(theirs), theirs[offset : offset + count])

    async def run(self, run: str, /) -> Run | None:
        return await self._memory.call(lambda: self._memory.runs.get(run))

    async def replay(self, run: str, /) -> bytes | None:
        return await self._memory.call(lambda: self._memory.replays.get(run))

    async def aging(self, until: int, count: int, after: Run | None = None, /) -> Sequence[Run]:
        return await self._memory.call(lambda: self._aging(until, count, after))

    def _aging(self, until: int, count: int, after: Run | None) -> Sequence[Run]:
        old = [
            run for id_, run in self._memory.runs.items() if id_ in self._memory.replays and run.at <= until
        ]
        old.sort(key=_finished)
        return [run for run in old if after is None or _finished(run) > _finished(after)][:count]

    async def stands(self, run: Run, boards: Sequence[str], /) -> bool:
        return await self._memory.call(lambda: any(self._stands(run, board) for board in boards))

    def _stands(self, run: Run, board: str) -> bool:
        row = self._memory.rows.get(board, {}).get(run.player.id)
        return row is not None and row[2] == run.id

    async def drop_replay(self, run: Run, /) -> None:
        await self._memory.call(lambda: self._memory.replays.pop(run.id, None))


def _finished(run: Run) -> tuple[int, str]:
    return run.at, run.id


def _counted(row: tuple[int, int, str]) -> int:
    return row[0]


class MemorySightings:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def see(self, sights: Sequence[Sight], /) -> Sequence[bool]:
        return await self._memory.call(lambda: [self._see(*sight) for sight in sights])

    def _see(self, player: str, deal: int, by: str) -> bool:
        if player in self._memory.erased:
            return False
        return self._memory.seen.setdefault((player, deal), by) == by

    async def of(self, player: str, /) -> Mapping[int, str]:
        return await self._memory.call(
            lambda: {deal: by for (who, deal), by in self._memory.seen.items() if who == player}
        )


class MemoryDailies:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def secret(self, drawn: bytes, /) -> bytes:
        return await self._memory.call(lambda: self._secret(drawn))

    def _secret(self, drawn: bytes) -> bytes:
        self._memory.secret = self._memory.secret or drawn
        return self._memory.secret

    async def find(self, day: str, rules: str, /) -> Daily | None:
        return await self._memory.call(lambda: self._memory.dailies.get((day, rules)))

    async def keep(self, daily: Daily, /) -> Daily:
        return await self._memory.call(
            lambda: self._memory.dailies.setdefault((daily.day, daily.rules), daily)
        )

    async def finished(self, player: str, rules: str, day: int, /) -> None:
        await self._memory.call(lambda: self._memory.days.setdefault((player, rules), set()).add(day))

    async def days(self, player: str, rules: str, /) -> bytes:
        return await self._memory.call(lambda: _bitmap(self._memory.days.get((player, rules), set())))


def _bitmap(days: set[int]) -> bytes:
    bits = {bit for day in days if (bit := bit_of(day)) is not None}
    size = max(bits, default=-1) // 8 + 1
    return bytes(sum(128 >> bit for bit in range(8) if 8 * byte + bit in bits) for byte in range(size))


class MemoryDirectory:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def claim(self, name: str, race: str, /, kept_ms: int = 0) -> str:
        return await self._memory.call(lambda: self._memory.names.setdefault(name, race))

    async def holder(self, name: str, /) -> str | None:
        return await self._memory.call(lambda: self._memory.names.get(name))

    async def release(self, name: str, race: str, /) -> None:
        await self._memory.call(lambda: self._release(name, race))

    def _release(self, name: str, race: str) -> None:
        if self._memory.names.get(name) == race:
            del self._memory.names[name]


class MemoryIdentities:
    """`node` tells apart those who share a memory: revocations are what the others did."""

    def __init__(self, memory: Memory, node: str = "node") -> None:
        self._memory = memory
        self._node = node

    async def find(self, token_hash: bytes, /) -> Identity | None:
        return await self._memory.call(lambda: self._memory.identities.get(token_hash))

    async def keep(self, token_hash: bytes, identity: Identity, /) -> Identity:
        return await self._memory.call(lambda: self._keep(token_hash, identity))

    def _keep(self, token_hash: bytes, identity: Identity) -> Identity:
        if identity.player.id in self._memory.erased:
            return self._memory.identities.get(token_hash, identity)
        standing = self._memory.identities.setdefault(token_hash, identity)
        if standing == identity:
            self._memory.who.setdefault(identity.player.id, identity)
        return standing

    async def who(self, player: str, /) -> Identity | None:
        return await self._memory.call(lambda: self._memory.who.get(player))

    async def forget(self, player: Player, /) -> None:
        await self._memory.call(lambda: self._forget(player))

    def _forget(self, player: Player) -> None:
        for token_hash, identity in self._memory.identities.items():
            if identity.player.id == player.id:
                self._memory.identities[token_hash] = Identity(player, 0)
        self._memory.who.pop(player.id, None)
        self._set(player.id, b"")

    async def token_of(self, player: str, /) -> bytes | None:
        return await self._memory.call(lambda: self._memory.tokens.get(player))

    async def change_token(self, player: str, old: bytes, new: bytes, /) -> bool:
        return await self._memory.call(lambda: self._change(player, old, new))

    def _change(self, player: str, old: bytes, new: bytes) -> bool:
        if self._memory.tokens.get(player, old) not in (old, new):
            return False
        self._set(player, new)
        return True

    async def revoke(self, player: str, /) -> None:
        await self._memory.call(lambda: self._set(player, b""))

    def _set(self, player: str, token_hash: bytes) -> None:
        self._memory.tokens[player] = token_hash
        for node, queue in self._memory.revocations:
            if node != self._node:
                queue.put_nowait(player)

    async def revocations(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        listener = (self._node, queue)
        self._memory.revocations.append(listener)
        try:
            yield ""
            while True:
                yield await queue.get()
        finally:
            self._memory.revocations.remove(listener)
