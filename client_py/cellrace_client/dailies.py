"""The deals of the day: how one stands with them, playing them, their boards."""

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from cellrace_client.race import Race
from cellrace_client.requests import Ask, Make
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind


class Enter(Protocol):
    """Numbers and sends a request that leads into a race."""

    def __call__(self, make: Make, /) -> Coroutine[Any, Any, Race]: ...


class Dailies:
    """What a client can ask for about the deals of the day; all of it raises what its other requests raise."""

    def __init__(self, ask: Ask, enter: Enter) -> None:
        self._ask = ask
        self._enter = enter

    async def today(self) -> e.Dailies:
        """Today's deals, a row for each rule set that has one: commitments, our attempt, our streak, and the reveal of
        yesterday's. `choosing` has the rule sets whose deal is being chosen, where a server has just started: ask again
        in a few seconds."""
        return await self._ask(c.GetDaily, e.Dailies)

    async def play(self, rules: str = "classic") -> Race:
        """Sit down, ready, in our one attempt at today's deal, or come back to it; when it has been made, in a new race
        for practice (`model.practice`). The clock goes on through restarts and lost connections."""
        return await self._enter(lambda r: c.PlayDaily(r, rules))

    async def top(
        self,
        day: str = "",
        *,
        rules: str = "classic",
        kind: Kind = Kind.HUMAN,
        count: int = 10,
        practice: bool = False,
    ) -> Sequence[e.BoardRow]:
        """The board of a day (`2026-11-30`, empty for today): the fastest attempts, or with `practice` the fastest of
        the runs after them."""
        return (await self.board(day, rules=rules, kind=kind, count=count, practice=practice)).rows

    async def board(
        self,
        day: str = "",
        *,
        rules: str = "classic",
        kind: Kind = Kind.HUMAN,
        count: int = 10,
        practice: bool = False,
        by: c.Measure = c.Measure.TIME,
        offset: int = 0,
        around: bool = False,
    ) -> e.Top:
        """Rows of a board of a day, `count` at most, from row `offset` on or `around` one's own, which comes in any
        case."""
        make = (day, rules, kind, count, practice, by, offset, around)
        return await self._ask(lambda r: c.GetDailyTop(r, *make), e.Top)
