"""Looking after connections: each in its turn, so that however many there are nobody waits for it."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator

from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.patience import Patience

AT_ONCE = 50
"""Connections that are looked after in one go: half a millisecond."""

PAUSE_S = 0.02
"""Between two looks at who is due, at least."""


class Rounds:
    """The open connections, and when each is looked after next: `ping_s` after it came, and after each look. One timer
    for all of them."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._due: OrderedDict[Connection, float] = OrderedDict()
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return len(self._due)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._due)

    def add(self, connection: Connection) -> None:
        """It is there from now on."""
        self._due[connection] = self._loop.time() + self._patience.ping_s

    def remove(self, connection: Connection) -> None:
        """It has ended. Harmless when repeated."""
        self._due.pop(connection, None)

    async def run(self) -> None:
        """Go round until cancelled."""
        while True:
            await asyncio.sleep(self._wait())
            for _ in range(AT_ONCE):
                if self._wait_for_first() > 0:
                    break
                self._look_after_first()

    def _wait(self) -> float:
        return max(min(PAUSE_S, self._patience.ping_s), self._wait_for_first())

    def _wait_for_first(self) -> float:
        """Seconds until somebody is due; those who come meanwhile are not due before."""
        first = next(iter(self._due.values()), None)
        return self._patience.ping_s if first is None else first - self._loop.time()

    def _look_after_first(self) -> None:
        connection, _ = self._due.popitem(last=False)
        now = self._loop.time()
        self._due[connection] = now + self._patience.ping_s
        connection.look_after(round(1_000 * now), self._patience.pong_s)
