"""Finding a race: by its name, by its deal, or a new one."""

from cellrace_engine import DealCode, rules_text
from cellrace_server.core.commands import Create, Join
from cellrace_server.core.fair_deals import KNOWN_LOST
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Player
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.directory import Directory
from cellrace_server.services.hall import Hall
from cellrace_server.services.room import Room

TRIES = 8
DEALS = (1, 1_000_000)
"""Random deals are drawn from the first million: of these it is known which cannot be won with four cells."""

CREATING_MS = 1_000
"""How long a race that holds a name may take to appear in the log before the name is taken from it."""

LOOK_AGAIN_MS = 25

_LATE = {Reason.FULL, Reason.STARTING, Reason.STARTED, Reason.RACE_OVER, Reason.NO_RACE}


class Lobby:
    """All methods raise `StoreUnavailable` when the store does not answer; what they were asked may have been done
    then, and can be asked again."""

    def __init__(self, hall: Hall, directory: Directory, clock: Clock, chance: Chance) -> None:
        self._hall = hall
        self._directory = directory
        self._clock = clock
        self._chance = chance

    async def create(
        self, host: Player, options: Options, deal: int | None, play: bool = True
    ) -> Room | Rejected:
        """A new race, on the deal numbered `deal` or on one that nobody has named."""
        if deal is None and options.rules.cells < 4:
            return Rejected(Reason.BAD_OPTIONS, "with fewer than four cells a deal must be named")
        number = self._draw() if deal is None else deal
        answer: Room | Rejected = Rejected(Reason.BUSY, "no free race name was found, try again", 0, 100)
        for _ in range(TRIES):
            answer = await self._create(self._chance.race_id(), host, options, number, play)
            if isinstance(answer, Room) or answer.reason != Reason.RACE_EXISTS:
                break
        return answer

    def _draw(self) -> int:
        while (number := self._chance.deal_number(*DEALS)) in KNOWN_LOST:
            pass
        return number

    async def _create(
        self, race: str, host: Player, options: Options, deal: int, play: bool
    ) -> Room | Rejected:
        if race in self._hall.rooms:
            return Rejected(Reason.RACE_EXISTS, "a race with this name exists")
        room = await self._hall.new(race)
        command = Create(race, host, options, deal, self._chance.salt(), play)
        answer = await self._hall.ask(room, command)
        if not isinstance(answer, Rejected):
            return room
        if room.race is None:
            self._hall.forget(room)
        return answer

    async def join(self, player: Player, race: str) -> Room | Rejected:
        """A seat in the race named."""
        room = await self._hall.open(race)
        if room is None:
            return Rejected(Reason.NO_RACE, f"there is no race {race}")
        answer = await self._hall.ask(room, Join(player))
        return answer if isinstance(answer, Rejected) else room

    async def join_deal(self, player: Player, code: DealCode, options: Options) -> Room | Rejected:
        """A seat in the open race on this deal and these rules, which is opened if there is none.

        Two players who ask at the same instant, on any nodes, get the same race.
        """
        name = f"{code}:{rules_text(options.rules)}"
        for _ in range(TRIES):
            fresh = self._chance.race_id()
            holder = await self._directory.claim(name, fresh)
            if holder == fresh:
                return await self._create(fresh, player, options, code.number, play=True)
            answer = await self._join_when_created(player, holder)
            if isinstance(answer, Room) or answer.reason not in _LATE:
                return answer
            await self._directory.release(name, holder)
        return Rejected(Reason.BUSY, "everybody wants this deal just now, try again", 0, 100)

    async def _join_when_created(self, player: Player, race: str) -> Room | Rejected:
        """Join a race whose name was claimed a moment ago and which may be on its way to the log still."""
        give_up = self._clock.now() + CREATING_MS
        while True:
            answer = await self.join(player, race)
            late = self._clock.now() >= give_up
            if isinstance(answer, Room) or answer.reason != Reason.NO_RACE or late:
                return answer
            await self._clock.wait_until(self._clock.now() + LOOK_AGAIN_MS)
