"""All races on this node: opened from the log, kept while somebody needs them, woken at their deadlines."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

from cellrace_server.core.commands import AnyCommand, StoreReturned, Tick, Vanish
from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.presence import attending
from cellrace_server.core.race import Phase, Race
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.services.committer import Committer
from cellrace_server.services.deadlines import Deadlines
from cellrace_server.services.holdings import Holdings
from cellrace_server.services.room import RETRY_AFTER_MS, Answer, Listener, Room

logger = logging.getLogger(__name__)


class Asking:
    """An asker to await: `await asking.answer` after `room.submit(command, asking)`."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def answered(self, _room: Room, _command: AnyCommand, answer: Answer, /) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)


class Nobody:
    """An asker that does not care."""

    def answered(self, _room: Room, _command: AnyCommand, _answer: Answer, /) -> None:
        pass


NOBODY = Nobody()


class Resident(Protocol):
    """Who wants to know which rooms there are. Called from the event loop; must not raise and must not block."""

    def admitted(self, room: Room, /) -> None:
        """A room was opened here, perhaps in the middle of its race."""
        ...

    def gone(self, room: Room, /) -> None:
        """The room is not this node's any more."""
        ...


class Hall:
    """Rooms by race. `listeners` hear of every room. Run `run` beside the rest."""

    def __init__(self, log: RaceLog, clock: Clock, listeners: Sequence[Listener] = ()) -> None:
        self.rooms: dict[str, Room] = {}
        self.holdings = Holdings()
        self.committer = Committer(log, clock, self._store_returned)
        self._log = log
        self._clock = clock
        self._listeners = list(listeners)
        self._bystanders: list[Listener] = [self.holdings]
        self._residents: list[Resident] = [self.holdings]
        self._deadlines = Deadlines(clock, self._due)
        self._watch = _DeadlineWatch(self._deadlines)
        self._opening: dict[str, asyncio.Task[Room | None]] = {}
        self._grown: set[str] = set()
        self._doubtful: asyncio.Queue[Room] = asyncio.Queue()

    @property
    def deadlines(self) -> int:
        """How many rooms wait for an instant."""
        return len(self._deadlines)

    def listen(self, listener: Listener, boards: bool = True) -> None:
        """Hear of every room opened from now on; without `boards` not of moves, undos and restarts."""
        (self._listeners if boards else self._bystanders).append(listener)

    def attend(self, resident: Resident) -> None:
        """Tell `resident` of rooms that come and go from now on."""
        self._residents.append(resident)

    async def run(self) -> None:
        """Commit, keep deadlines and follow other nodes until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.committer.run(), name="committer")
            tasks.create_task(self._deadlines.run(), name="deadlines")
            tasks.create_task(self._follow(), name="growth")
            tasks.create_task(self._make_sure(), name="rooms that were away")

    def nobody_is_here(self) -> None:
        """All connections that the races here know of are gone: those of this node's life before a restart, where no
        other node uses the store."""
        for room in self.rooms.values():
            for player, session in attending(room.race) if room.race is not None else ():
                room.submit(Vanish(player, session), NOBODY)

    async def open(self, race: str) -> Room | None:
        """The room of a race, read from the log if need be; `None` if there is no such race. That of a race that is
        over is the caller's own until somebody keeps it.

        Raises `StoreUnavailable`, `StoreCorrupt`, `BrokenLog`. Cancelling leaves the reading to others who wait for it.
        """
        room = self.rooms.get(race)
        if room is not None:
            return room if room.race is not None or not room.idle else None
        task = self._opening.get(race)
        if task is None:
            task = asyncio.create_task(self._read(race), name=f"open {race}")
            self._opening[race] = task
            task.add_done_callback(lambda done: self._opened(race, done))
        return await asyncio.shield(task)

    def _opened(self, race: str, task: "asyncio.Task[Room | None]") -> None:
        del self._opening[race]
        self._grown.discard(race)
        if not task.cancelled():
            task.exception()  # it was raised where somebody waited; if nobody did, nobody minds

    async def _read(self, race: str) -> Room | None:
        facts = await self._log.read(race)
        known = self.rooms.get(race)
        if known is not None:  # created here while the log was read: a race has one room
            return known
        if not facts:
            return None
        room = Room(race, self.committer)
        room.restore(facts)
        if room.race is not None and room.race.phase is not Phase.ENDED:
            self._admit(room)
        if race in self._grown:
            await self._follow_room(room)
        return room

    async def goes_on(self, race: str) -> bool:
        """Whether a race has started and is not over as far as spectators know, on whichever node. Raises as `open`
        does."""
        known = race in self.rooms
        room = await self.open(race)
        if room is not None and not known:
            self.drop(room)
        found = room.race if room is not None else None
        if found is None or not found.start or found.phase in (Phase.LOBBY, Phase.COUNTDOWN):
            return False
        return found.phase is Phase.RUNNING or self._clock.now() < found.shown_at

    async def new(self, race: str) -> Room:
        """A room for a race that does not exist yet: the first command must create it. Raises `StoreUnavailable`."""
        await self._log.open(race)
        known = self.rooms.get(race)
        if known is not None:  # opened meanwhile: it will refuse to be created
            return known
        room = Room(race, self.committer)
        self._admit(room)
        return room

    def _admit(self, room: Room) -> None:
        room.listeners = list(self._listeners)
        room.bystanders = [*self._bystanders, self._watch]
        self.rooms[room.id] = room
        self._deadlines.watch(room)
        for resident in self._residents:
            resident.admitted(room)

    def keep(self, room: Room) -> None:
        """Somebody needs this race: keep its room and hear of it, also when it is over. Each keeper releases it."""
        room.keepers += 1
        if room.id not in self.rooms:
            self._admit(room)
            self._doubtful.put_nowait(room)  # what others wrote since it was read was told to nobody

    def release(self, room: Room) -> None:
        """One who kept the room needs it no more."""
        room.keepers -= 1
        self.forget(room)

    def forget(self, room: Room) -> None:
        """Let go of the room of a race that is over or was never created, unless somebody keeps it. It is read again
        when somebody asks for it."""
        if not room.keepers and (room.race is None or room.race.phase is Phase.ENDED):
            self._let_go(room)

    def drop(self, room: Room) -> None:
        """Let go of a room that nobody keeps and nothing is under way in, deadline and all: it is another node's."""
        if room.idle and not room.keepers:
            self._let_go(room)
            self._deadlines.forget(room)

    def _let_go(self, room: Room) -> None:
        if self.rooms.get(room.id) is room:
            del self.rooms[room.id]
        for resident in self._residents:
            resident.gone(room)

    async def ask(self, room: Room, command: AnyCommand) -> Answer:
        """Submit a command and wait for what comes of it. Cancelled, it may have been carried out or not."""
        asking = Asking()
        room.submit(command, asking)
        return await asking.answer

    def _due(self, room: Room) -> None:
        room.submit(Tick(), NOBODY)

    def _store_returned(self, since: int) -> None:
        for room in list(self.rooms.values()):
            if room.head is not None and room.head.phase is Phase.RUNNING:
                room.submit(StoreReturned(since), NOBODY)

    async def _follow(self) -> None:
        """Other nodes append too: what they have written is folded here when they say so."""
        async for race, length in self._log.growth():
            known = self.rooms.get(race)
            if not race:
                for room in list(self.rooms.values()):
                    await self._follow_room(room)
            elif known is not None:
                if len(known.facts) < length:
                    await self._follow_room(known)
            elif race in self._opening:
                self._grown.add(race)

    async def _make_sure(self) -> None:
        while True:
            await self._follow_room(await self._doubtful.get())

    async def _follow_room(self, room: Room) -> None:
        while True:
            try:
                await self.committer.catch_up(room)
            except StoreUnavailable:
                await self._clock.wait_until(self._clock.now() + RETRY_AFTER_MS)
                continue
            except (StoreCorrupt, BrokenLog):
                logger.exception("race %s cannot be read", room.id)
            return


class _DeadlineWatch:
    """Keeps the deadline of a room current."""

    __slots__ = ("_deadlines",)

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    def happened(self, room: Room, before: Race | None, fact: AnyFact, after: Race, /) -> None:
        pass

    def settled(self, room: Room, /) -> None:
        self._deadlines.watch(room)

    def restored(self, room: Room, /) -> None:
        self._deadlines.watch(room)
