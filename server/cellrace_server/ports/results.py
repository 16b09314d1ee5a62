"""Boards and the replays that prove them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from cellrace_server.core.people import Player


class Run(msgspec.Struct, frozen=True, array_like=True):
    """One finished run, as its row shows it.

    `id` names the run and its replay: the same for the same seat of the same race, however often it is booked.
    `time` is milliseconds after compensation; `error` the error bar; `at` the instant it finished (store clock, ms).
    `board` names what it is a run of: deal code and rule set. Rows of people and of bots never share a board.
    """

    id: str
    board: str
    player: Player
    time: int
    moves: int
    at: int
    race: str
    error: int = 0


class Row(NamedTuple):
    """`place` is shared by equal times: 1, 2, 2, 4."""

    place: int
    run: Run


class Results(Protocol):
    async def book(self, run: Run, replay: bytes, /) -> None:
        """Keep the replay, and let the run stand as its player's row if it is the fastest of that player on that board;
        of two equal ones the one booked first stays. Atomic, and harmless when repeated.

        Raises `StoreUnavailable`: unknown whether it was written; book it again. `ValueError` as `check_exact` does.
        """
        ...

    async def top(self, board: str, count: int, /) -> Sequence[Row]:
        """The best `count` rows by time; equal times in the order of finishing. Raises `StoreUnavailable`."""
        ...

    async def replay(self, run: str, /) -> bytes | None:
        """The replay of the run named, as it was booked. Raises `StoreUnavailable`."""
        ...


EXACT = 2**53


def check_exact(run: Run) -> None:
    """Raises `ValueError` for a run whose `time` or `at` is not from 0 to 2**53 - 1: boards rank by such numbers
    exactly, and by no others."""
    if not (0 <= run.time < EXACT and 0 <= run.at < EXACT):
        raise ValueError(f"run {run.id}: time {run.time} or instant {run.at} is out of range")
