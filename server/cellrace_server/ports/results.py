"""Boards, the runs on them, and the replays that prove them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cellrace_server.core.boards import Entry
from cellrace_server.core.runs import Run as Run


class Row(NamedTuple):
    """`place` is shared by equals: 1, 2, 2, 4."""

    place: int
    run: Run


class Mine(NamedTuple):
    """Where a player stands: `ahead` rows stand before this one, `worse` count less."""

    row: Row
    ahead: int
    worse: int


class Look(NamedTuple):
    """What to see of a board: `most` rows from row `offset` on (0 is the first) or, `around`, with the row of `player`
    in their middle as far as there are rows on both sides; none where that player has none."""

    most: int = 10
    offset: int = 0
    player: str = ""
    around: bool = False


class Page(NamedTuple):
    """`rows` are those from row `offset` on of `total`; `mine` is the row of the player looked for, wherever it is."""

    total: int
    offset: int
    rows: Sequence[Row]
    mine: Mine | None = None


class Runs(NamedTuple):
    """Some of the `total` runs of a player."""

    total: int
    runs: Sequence[Run]


class Results(Protocol):
    async def book(self, run: Run, entries: Sequence[Entry], replay: bytes, /) -> bool:
        """Keep the run and its replay, and let it stand as its player's row on each board where it is the best of that
        player: by value, then by instant, then by run. So the order of bookings does not matter, and repeating one is
        harmless, on any node, at any time. Atomic. False, and nothing is kept, where the player was erased.

        Raises `StoreUnavailable`: unknown whether it was written; book it again. `ValueError` as `check_exact` does.
        """
        ...

    async def page(self, board: str, look: Look, /) -> Page:
        """Rows of a board, the least value first, equal ones in the order of finishing. Raises `StoreUnavailable`."""
        ...

    async def runs(self, player: str, count: int, offset: int = 0, /) -> Runs:
        """The runs of a player, the newest first. Raises `StoreUnavailable`."""
        ...

    async def run(self, run: str, /) -> Run | None:
        """What was booked under that name. Raises `StoreUnavailable`."""
        ...

    async def replay(self, run: str, /) -> bytes | None:
        """The replay of the run named, as it was first booked. Raises `StoreUnavailable`."""
        ...

    async def aging(self, until: int, count: int, after: Run | None = None, /) -> Sequence[Run]:
        """At most `count` (1 or more) runs that have a replay and were finished at the instant `until`, from 0 on, or
        before: the oldest first, and those alone that come behind `after`. Raises `StoreUnavailable`."""
        ...

    async def stands(self, run: Run, boards: Sequence[str], /) -> bool:
        """Whether this run is its player's row on one of these boards. One that was booked on all of them and stands on
        none never will. Raises `StoreUnavailable`."""
        ...

    async def drop_replay(self, run: Run, /) -> None:
        """Keep the replay of this run no longer; the run stays. Harmless when repeated. Booking the run again brings it
        back. Raises `StoreUnavailable`: unknown; ask again."""
        ...


EXACT = 2**53


def check_exact(run: Run, entries: Sequence[Entry]) -> None:
    """Raises `ValueError` for a value not between -2**53 and 2**53, or an instant not from 0 to 2**53 - 1: boards rank
    by such numbers exactly, and by no others."""
    values = [entry.value for entry in entries]
    if not (all(-EXACT < value < EXACT for value in values) and 0 <= run.at < EXACT):
        raise ValueError(f"run {run.id}: one of {values} or instant {run.at} is out of range")
