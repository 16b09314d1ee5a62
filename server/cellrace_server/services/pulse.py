"""Whether the store takes writes, asked before a player has to find out."""

import logging
from collections.abc import Awaitable, Callable

from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreUnavailable

EVERY_MS = 3_000

logger = logging.getLogger(__name__)


class Pulse:
    """`write` returns when something has been written as durably as a move is, or raises `StoreUnavailable`. `away`
    says that the last write was not answered: that nobody new should be sent here. Run `run` beside the rest."""

    def __init__(self, write: Callable[[], Awaitable[None]], clock: Clock) -> None:
        self._write = write
        self._clock = clock
        self.away = False

    async def run(self) -> None:
        """Ask again and again, until cancelled."""
        while True:
            await self.beat()
            await self._clock.wait_until(self._clock.now() + EVERY_MS)

    async def beat(self) -> None:
        """Ask once."""
        try:
            await self._write()
        except StoreUnavailable as error:
            if not self.away:
                logger.warning("the store takes no writes: %s", error)
            self.away = True
        else:
            if self.away:
                logger.warning("the store takes writes again")
            self.away = False
