"""Racing against stored runs. A race names its ghosts by their runs; what they do follows from the replays."""

import asyncio
import logging
from collections.abc import Sequence

from msgspec.structs import replace

from cellrace_engine import ReplayError, Rules, rules_text
from cellrace_engine.replay import Replay, from_json
from cellrace_server.core.ghosts import GHOSTS_MOST, Ghost, ghost_of
from cellrace_server.core.options import Options, waiting_as
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.race import Race
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.results import Results
from cellrace_server.services.lobby import Lobby, Terms, Visitor
from cellrace_server.services.room import Room
from cellrace_server.services.shown import Shown
from cellrace_server.services.sights import NAMED, Sights

logger = logging.getLogger(__name__)

NOBODY = ""
"""The id of no player: others may sit down beside a ghost."""

KNOWN_MOST = 256
"""Ghosts kept in memory: the ones asked for last."""


class GhostRaces:
    def __init__(self, results: Results, sights: Sights, lobby: Lobby, shown: Shown) -> None:
        self._results = results
        self._sights = sights
        self._lobby = lobby
        self._shown = shown
        self._known: dict[str, tuple[Replay, Ghost]] = {}

    async def create(self, host: Visitor, runs: Sequence[str], options: Options) -> Room | Rejected:
        """A friendly race on these terms and on the deal of these runs, which must all be of one deal under the same
        rules. Who names a run names its deal, and so has seen it. A run of the daily cannot be named before it is shown
        to all, by its own player neither: others may sit down beside a ghost. Raises `StoreUnavailable`."""
        terms = await self._terms(host, runs, options)
        return terms if isinstance(terms, Rejected) else await self._lobby.create(host, terms)

    async def stand_in(self, player: Visitor, run: str, race: Race) -> Room | Rejected:
        """The race against that run, for one alone, in which a player goes on to whom nobody came in `race`; the same
        for whoever asks. Raises `StoreUnavailable`."""
        options = waiting_as(race.options, Options(seats=1, public=False))
        terms = await self._terms(player, (run,), options)
        return terms if isinstance(terms, Rejected) else await self._lobby.stand_in(player, race.id, terms)

    async def against(self, run: str, rules: Rules) -> Rejected | None:
        """Why this run cannot stand in for who races under these rules; `None` when it can. Raises
        `StoreUnavailable`."""
        found = await self._allowed(run)
        if isinstance(found, Rejected):
            return found
        if found.rules != rules:
            return Rejected(Reason.BAD_OPTIONS, f"the run {run} is one under {rules_text(found.rules)}")
        return None

    async def _terms(self, host: Visitor, runs: Sequence[str], options: Options) -> Terms | Rejected:
        """The terms of a race against these runs; the host has seen its deal from now on."""
        names = tuple(dict.fromkeys(runs))
        if not 1 <= len(names) <= GHOSTS_MOST:
            return Rejected(Reason.BAD_OPTIONS, f"from 1 to {GHOSTS_MOST} ghosts can be raced against")
        replays: list[Replay] = []
        for run in names:
            found = await self._allowed(run)
            if isinstance(found, Rejected):
                return found
            replays.append(found)
        deal, rules = replays[0].deal, replays[0].rules
        if deal is None or any((replay.deal, replay.rules) != (deal, rules) for replay in replays):
            return Rejected(Reason.BAD_OPTIONS, "these runs are not of one deal under the same rules")
        await self._sights.see(host.player.id, deal.number, NAMED)
        return Terms(replace(options, rules=rules, ghosts=names), deal.number)

    async def _allowed(self, name: str) -> Replay | Rejected:
        """The replay of a run that may be raced against."""
        run = await self._results.run(name)
        early = await self._shown.against(run, NOBODY) if run is not None else None
        if early is not None:
            return early
        known = await self._find(name) if run is not None else None
        return known[0] if known is not None else Rejected(Reason.NO_RACE, f"there is no replay {name}")

    async def of(self, room: Room) -> Sequence[Ghost]:
        """The ghosts of a race, in the order in which it names them. Those whose replays are gone, or cannot be had
        just now, are left out: nobody is kept from a seat that has been taken."""
        names = room.race.options.ghosts if room.race is not None else ()
        try:
            found = [await self._still(run) for run in names]
        except StoreUnavailable:
            return ()
        except StoreCorrupt:
            logger.exception("race %s: its ghosts are left out", room.id)
            return ()
        return [known[1] for known in found if known is not None]

    async def _still(self, run: str) -> tuple[Replay, Ghost] | None:
        """What is known here of a run is as good as the store's word while the store is away, and no longer."""
        try:
            if await self._results.run(run) is None:
                self._known.pop(run, None)
                return None
        except StoreUnavailable:
            if run not in self._known:
                raise
        return await self._find(run)

    async def _find(self, run: str) -> tuple[Replay, Ghost] | None:
        known = self._known.pop(run, None)
        if known is None:
            document = await self._results.replay(run)
            if document is None:
                return None
            known = await asyncio.to_thread(_read, run, document)  # long runs take long to run again
        self._known[run] = known
        while len(self._known) > KNOWN_MOST:
            del self._known[next(iter(self._known))]
        return known


def _read(run: str, document: bytes) -> tuple[Replay, Ghost]:
    try:
        replay = from_json(document)
        return replay, ghost_of(run, replay)
    except ReplayError as error:
        raise StoreCorrupt(run, str(error)) from None
