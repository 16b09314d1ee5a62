"""Who waits alone: read from the list of races, without asking again and again."""

import asyncio
from collections.abc import Callable, Mapping
from typing import NamedTuple

from cellrace_protocol.events import RaceRow

VISITS_MOST = 2
"""How often bots go to one race in which nothing comes of it."""

TRY_AGAIN_S = 1.0
"""When no bot is free."""


class _Waiting(NamedTuple):
    """The race is due when the timer goes off, by what this row says."""

    row: RaceRow
    timer: asyncio.TimerHandle


class Lookout:
    """`send(race)` sends a bot to a race and returns whether one was free. Each lonely race is sent one once the list
    says that it may come, and no other while that one is on its way or there."""

    def __init__(self, send: Callable[[str], bool]) -> None:
        self._send = send
        self._rows: Mapping[str, RaceRow] = {}
        self._waiting: dict[str, _Waiting] = {}
        self._sent: set[str] = set()
        self._visits: dict[str, int] = {}

    def see(self, rows: Mapping[str, RaceRow]) -> None:
        """The list as it stands."""
        self._rows = rows
        lonely = {race: row for race, row in rows.items() if row.bot_after_ms >= 0}
        for race, waiting in list(self._waiting.items()):
            if lonely.get(race) is not waiting.row:
                del self._waiting[race]
                waiting.timer.cancel()
        self._visits = {race: visits for race, visits in self._visits.items() if race in rows}
        for race, row in lonely.items():
            if race not in self._waiting and race not in self._sent:
                self._wait(race, row, row.bot_after_ms / 1_000)

    def returned(self, race: str) -> None:
        """The bot that was sent there is not there any more."""
        self._sent.discard(race)
        self.see(self._rows)

    def _wait(self, race: str, row: RaceRow, seconds: float) -> None:
        if self._visits.get(race, 0) < VISITS_MOST:
            timer = asyncio.get_running_loop().call_later(seconds, self._go, race, row)
            self._waiting[race] = _Waiting(row, timer)

    def _go(self, race: str, row: RaceRow) -> None:
        del self._waiting[race]
        if self._send(race):
            self._sent.add(race)
            self._visits[race] = self._visits.get(race, 0) + 1
        else:
            self._wait(race, row, TRY_AGAIN_S)
