"""Finding a race: by its name, by its deal, the next one to come, or a new one."""

from typing import NamedTuple

from msgspec.structs import replace

from cellrace_engine import DealCode, rules_text
from cellrace_server.core.commands import Create, Join, Ready, Rematch, WelcomeBots
from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.facts import Series
from cellrace_server.core.options import STRANGERS_AWAY_MS, Options
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Player
from cellrace_server.core.race import Phase
from cellrace_server.core.rematch import against_rematch, next_series
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.directory import Directory
from cellrace_server.ports.errors import StoreCorrupt
from cellrace_server.services.caps import ANY_NUMBER, Caps, Most
from cellrace_server.services.dealer import Dealer
from cellrace_server.services.hall import Hall
from cellrace_server.services.room import Room

TRIES = 8
CREATING_MS = 1_000
"""How long a race that holds a name may take to appear in the log before the name is taken from it."""

LOOK_AGAIN_MS = 25

NAME_KEPT_MS = 7 * 86_400_000
"""The names under which people meet are free again after a week at the latest: nobody looks for that race any more."""

_LATE = {Reason.FULL, Reason.STARTING, Reason.STARTED, Reason.RACE_OVER, Reason.NO_RACE}


class Visitor(NamedTuple):
    """A player on a connection, which is called `session` in races, and whether a house bot may come for them."""

    player: Player
    session: str = ""
    bots_welcome: bool = True


class Terms(NamedTuple):
    """What a new race is to be: `deal` is its number, `None` for one that nobody has named. Without `play` the host
    only hosts. `salt` is that of a commitment made before, empty for one of the race's own."""

    options: Options
    deal: int | None = None
    play: bool = True
    series: Series = Series()
    salt: bytes = b""


class Lobby:
    """All methods raise `StoreUnavailable` when the store does not answer; what they were asked may have been done
    then, and can be asked again."""

    def __init__(
        self,
        hall: Hall,
        directory: Directory,
        clock: Clock,
        chance: Chance,
        dealer: Dealer,
        most: Most = ANY_NUMBER,
    ) -> None:
        self._hall = hall
        self._dealer = dealer
        self._caps = Caps(hall.holdings, most)
        self._directory = directory
        self._clock = clock
        self._chance = chance

    async def create(self, host: Visitor, terms: Terms) -> Room | Rejected:
        """A new race. One without a deal of its own may have to wait some seconds for one that can be won. A public one
        on a named deal that anybody may join is what `join_deal` leads to, unless another such race is open."""
        refusal = self._against(host, terms)
        if refusal is not None:
            return refusal
        answer: Room | Rejected = Rejected(Reason.BUSY, "no free race name was found, try again", 0, 100)
        with self._dealer.keeping(terms.options.rules, host.player.id):
            for _ in range(TRIES):
                deal = self._deal(host, terms)
                if deal is None:
                    refusal = await self._dealer.restocked(terms.options.rules, host.player.id)
                    if refusal is not None:
                        return refusal
                    continue
                answer = await self._create_found(self._chance.race_id(), host, terms, deal)
                if isinstance(answer, Room) or answer.reason != Reason.RACE_EXISTS:
                    break
        return answer

    async def _create_found(self, race: str, host: Visitor, terms: Terms, deal: int) -> Room | Rejected:
        """Create a race, and let others find it by its deal where that was named."""
        if terms.deal is None or not (terms.options.public and terms.options.bots):
            return await self._create(race, host, terms, deal)
        name = _by_deal(DealCode.of(deal, terms.options.rules.cells), terms.options)
        held = await self._holds(name, race)
        answer = await self._create(race, host, terms, deal)
        if held and isinstance(answer, Rejected):
            await self._directory.release(name, race)
        return answer

    async def _holds(self, name: str, race: str) -> bool:
        """Whether this race has the name from now on: not where another has it that still takes players."""
        holder = await self._directory.claim(name, race, NAME_KEPT_MS)
        if holder != race and await self._takes_nobody(holder):
            await self._directory.release(name, holder)
            holder = await self._directory.claim(name, race, NAME_KEPT_MS)
        return holder == race

    async def _takes_nobody(self, race: str) -> bool:
        """Whether a race has no seat for anybody any more, or does not appear in the log."""
        give_up = self._clock.now() + CREATING_MS
        while True:
            try:
                room = await self._hall.open(race)
            except (StoreCorrupt, BrokenLog):
                return True
            found = room.race if room is not None else None
            if found is not None:
                return found.phase is not Phase.LOBBY or None not in found.seats
            if self._clock.now() >= give_up:
                return True
            await self._clock.wait_until(self._clock.now() + LOOK_AGAIN_MS)

    async def open(self, race: str, host: Visitor, terms: Terms) -> Room | Rejected:
        """The new race of this name, on a deal that is named."""
        assert terms.deal is not None, "nothing is drawn here"
        return self._against(host, terms) or await self._create(race, host, terms, terms.deal)

    async def join(self, visitor: Visitor, race: str) -> Room | Rejected:
        """A seat in the race named."""
        room = await self._hall.open(race)
        if room is None:
            return Rejected(Reason.NO_RACE, f"there is no race {race}")
        refusal = self._caps.against_sitting(visitor.player.id, room)
        if refusal is not None:
            return refusal
        with self._caps.sitting(visitor.player.id, room):
            answer = await self._hall.ask(room, Join(*visitor))
        return answer if isinstance(answer, Rejected) else room

    async def join_deal(self, visitor: Visitor, code: DealCode, options: Options) -> Room | Rejected:
        """A seat in the open race on this deal and these rules, which is opened if there is none.

        Two players who ask at the same instant, on any nodes, get the same race.
        """
        return await self._meet(visitor, _by_deal(code, options), Terms(options, code.number))

    async def quick(self, visitor: Visitor, options: Options, ghost: str = "") -> Room | Rejected:
        """A seat in the next race of strangers on these terms, ready to start. Who asks again while waiting keeps the
        seat, and may have changed their mind about who stands in if nobody comes (`bots_welcome`, and the run `ghost`):
        nobody races against themselves."""
        kind = "ranked" if options.ranked else "friendly"
        bots = "bots" if options.bots else "people"
        options = replace(options, away_ms=min(options.away_ms, STRANGERS_AWAY_MS))
        name = f"quick:{rules_text(options.rules)}:{kind}:{bots}"
        room = await self._meet(visitor, name, Terms(options))
        if isinstance(room, Room):
            # Where the store is just away the seat is there all the same, and its player can say both again.
            await self._hall.ask(room, WelcomeBots(visitor.player.id, visitor.bots_welcome, ghost))
            await self._hall.ask(room, Ready(visitor.player.id))
        return room

    async def rematch(self, visitor: Visitor, room: Room) -> str | Rejected:
        """The race in which everybody of `room`, which must be over, meets again; it is opened if there is none, on the
        same terms and a new deal, and everybody is told. Who asks has a seat in it."""
        race = room.race
        if race is None:
            return Rejected(Reason.NO_RACE, f"there is no race {room.id}")
        refusal = against_rematch(race, visitor.player.id)
        if refusal is not None:
            return refusal
        if race.rematch:
            return race.rematch
        terms = Terms(replace(race.options, ghosts=()), series=next_series(race))  # another deal
        found = await self._meet(visitor, f"rematch:{race.id}", terms)
        if isinstance(found, Rejected):
            return found
        answer = await self._hall.ask(room, Rematch(visitor.player.id, found.id))
        if isinstance(answer, Rejected):
            return answer
        assert room.race is not None, "it was asked"
        return room.race.rematch

    async def stand_in(self, visitor: Visitor, race: str, terms: Terms) -> Room | Rejected:
        """The race on these terms that stands in for `race`: the same, whichever node asks."""
        return await self._meet(visitor, f"ghost:{race}", terms)

    async def _meet(self, visitor: Visitor, name: str, terms: Terms) -> Room | Rejected:
        """A seat in the open race that holds `name`; a new race takes the name where none holds it, or where the one
        that does takes nobody any more."""
        with self._dealer.keeping(terms.options.rules, visitor.player.id):
            return await self._met(visitor, name, terms)

    async def _met(self, visitor: Visitor, name: str, terms: Terms) -> Room | Rejected:
        for _ in range(TRIES):
            fresh = self._chance.race_id()
            holder = await self._directory.claim(name, fresh, NAME_KEPT_MS)
            if holder == fresh:
                opened = await self._open(name, fresh, visitor, terms)
                if opened is not None:
                    return opened
                continue
            answer = await self._join_when_created(visitor, holder)
            late = (
                _over_for(visitor.player.id, answer) if isinstance(answer, Room) else answer.reason in _LATE
            )
            if not late:
                return answer
            await self._directory.release(name, holder)
        return Rejected(Reason.BUSY, "everybody wants this just now, try again", 0, 100)

    async def _open(self, name: str, race: str, host: Visitor, terms: Terms) -> Room | Rejected | None:
        """The race that has just got `name`. Where it does not come about the name is free again; `None` when another
        attempt is worth while."""
        refusal = self._against(host, terms)
        deal = self._deal(host, terms) if refusal is None else None
        if deal is not None:
            created = await self._create(race, host, terms, deal)
            if isinstance(created, Rejected):
                await self._directory.release(name, race)
            return created
        # Nobody is to wait for a race that may not come: the name is free while its deal is looked for.
        await self._directory.release(name, race)
        return refusal or await self._dealer.restocked(terms.options.rules, host.player.id)

    def _against(self, host: Visitor, terms: Terms) -> Rejected | None:
        """Why there will be no such race, whatever its deal: none is drawn in vain."""
        fault = terms.options.fault()
        if fault is not None:
            return Rejected(Reason.BAD_OPTIONS, fault)
        return self._caps.against_opening(host.player.id, terms.play)

    def _deal(self, host: Visitor, terms: Terms) -> int | None:
        """The deal named, or one drawn; `None` when none can be drawn just now."""
        return self._dealer.draw(terms.options.rules, host.player.id) if terms.deal is None else terms.deal

    async def _create(self, race: str, host: Visitor, terms: Terms, deal: int) -> Room | Rejected:
        if race in self._hall.rooms:
            return Rejected(Reason.RACE_EXISTS, "a race with this name exists")
        options, _, play, series, salt = terms
        refusal = self._caps.against_opening(host.player.id, play)
        if refusal is not None:
            return refusal
        with self._caps.opening(host.player.id, race):
            room = await self._hall.new(race)
            salt = salt or self._chance.salt()
            command = Create(
                race, host.player, options, deal, salt, play, host.session, series, host.bots_welcome
            )
            answer = await self._hall.ask(room, command)
        if not isinstance(answer, Rejected):
            return room
        self._hall.forget(room)
        return answer

    async def _join_when_created(self, visitor: Visitor, race: str) -> Room | Rejected:
        """Join a race whose name was claimed a moment ago and which may be on its way to the log still."""
        give_up = self._clock.now() + CREATING_MS
        while True:
            answer = await self.join(visitor, race)
            late = self._clock.now() >= give_up
            if isinstance(answer, Room) or answer.reason != Reason.NO_RACE or late:
                return answer
            await self._clock.wait_until(self._clock.now() + LOOK_AGAIN_MS)


def _by_deal(code: DealCode, options: Options) -> str:
    """The name that the open race on a deal under these rules holds."""
    return f"{code}:{rules_text(options.rules)}"


def _over_for(player: str, room: Room) -> bool:
    """A player who is done in a race, or who sees it over, looks for another."""
    race = room.race
    if race is None or race.phase is Phase.ENDED:
        return True
    index = race.seat_of(player)
    seat = race.seats[index] if index >= 0 else None
    return seat is None or seat.done
