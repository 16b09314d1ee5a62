"""Those who follow the list of races: told what changes in it, encoded once for all of them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from cellrace_protocol import events as e
from cellrace_server.gateway.once import Once
from cellrace_server.gateway.receiver import Receiver
from cellrace_server.gateway.sheet import Sheet
from cellrace_server.services.listing import Listing, Row

AT_ONCE = 100
"""Followers that are written to in one go: about a millisecond. Moves come in between."""


class Followers:
    """Implements `services.listing.Reader`, for the list. Everybody who follows has been shown the same rows. `newest`
    and `watched` are for those who ask once."""

    def __init__(self, listing: Listing, now: Callable[[], int]) -> None:
        self._listing = listing
        self._now = now
        self._followers: dict[Receiver, None] = {}
        self._shown: dict[str, Row] = {}
        self._sheet = Sheet(self.wire, now)
        self.newest = Sheet(self.wire, now)
        self.watched = Sheet(self.wire, now)

    def __len__(self) -> int:
        return len(self._followers)

    def follow(self, receiver: Receiver) -> list[e.RaceRow]:
        """The rows that stand for everybody who follows, encoded for this receiver; changes from them are sent from now
        on."""
        if not self._followers:
            self._shown = _by_race(self._listing.newest())
        self._followers[receiver] = None
        return self._sheet.encoded(list(self._shown.values()), receiver.codec)

    def leave(self, receiver: Receiver) -> None:
        """Send nothing more. Harmless when repeated."""
        self._followers.pop(receiver, None)

    def wire(self, rows: Sequence[Row]) -> list[e.RaceRow]:
        """Rows in the protocol's terms, as of now."""
        now = self._now()
        return [_wire(row, now) for row in rows]

    async def listed(self, rows: Sequence[Row], /) -> None:
        if not self._followers:
            return
        before, self._shown = self._shown, _by_race(rows)
        once = self._changes(before)
        if once is None:
            return
        for number, follower in enumerate(list(self._followers), 1):
            follower.write(once.frame(follower.codec))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    async def counted(self, race: str, spectators: int, /) -> None:
        """Nothing: the rows say it."""

    def _changes(self, before: Mapping[str, Row]) -> Once | None:
        changed = [row for race, row in self._shown.items() if before.get(race) != row]
        gone = [race for race in before if race not in self._shown]
        if not changed and not gone:
            return None
        message = e.Listing(self.wire(changed), gone)
        return Once(lambda: message)


def _by_race(rows: Sequence[Row]) -> dict[str, Row]:
    """The rows as people see them. The number of facts is not shown, nor may news tell that it has grown: in a race
    that spectators see late something has happened then."""
    return {row.entry.race: row._replace(entry=replace(row.entry, number=0)) for row in rows}


def _wire(row: Row, now: int) -> e.RaceRow:
    entry, spectators = row
    return e.RaceRow(
        race=entry.race,
        phase=entry.phase,
        rules=entry.rules,
        seats=entry.seats,
        players=list(entry.players),
        ranked=entry.ranked,
        bots=entry.bots,
        waiting_ms=max(0, now - entry.since) if entry.since else 0,
        age_ms=max(0, now - entry.created),
        spectators=spectators,
        bot_players=entry.bot_players,
        bot_after_ms=max(0, entry.bot_from - now) if entry.bot_from else -1,
    )
