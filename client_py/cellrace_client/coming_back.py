"""When to come back after a connection has ended: what the table of close codes (protocol, 1) asks of a client. Pure
but for chance, which is passed in."""

import random
from collections.abc import Callable

FINAL = frozenset({1007, 1009, 4400})
"""Closes that nothing but another client would help against."""

AWAY_S = {1001: 1.0, 4410: 30.0, 4429: 5.0}
"""How long a server wants nothing of a client that it has closed with these."""

FIRST_S = 0.1
MOST_S = 5.0
LIVED_S = 3.0
"""A connection that has lasted so long was one; a shorter one counts as another try."""


class ComingBack:
    """Pauses before the next try, jittered: they grow from try to try, until a connection has lived for a while."""

    def __init__(self, chance: Callable[[float, float], float] = random.uniform) -> None:
        self._chance = chance
        self._next_s = FIRST_S

    def closed(self, code: int, lived_s: float) -> float | None:
        """A connection was closed with this code after so many seconds: how long to stay away. `None`: for good."""
        if code in FINAL:
            return None
        away = AWAY_S.get(code, 0.0)
        if lived_s >= LIVED_S:
            self._next_s = FIRST_S
            return away
        return away + self.failed()

    def failed(self) -> float:
        """There was no connection, or a very short one: how long to wait before the next try."""
        pause = self._next_s * self._chance(0.5, 1.0)
        self._next_s = min(2 * self._next_s, MOST_S)
        return pause
