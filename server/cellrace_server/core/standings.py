"""Who came where."""

from collections.abc import Sequence

import msgspec

from cellrace_server.core.race import Race, Result, Seat


class Standing(msgspec.Struct, frozen=True):
    """`place` is shared by equals: 1, 2, 2, 4. `result` is `None` for an unfinished run."""

    place: int
    seat: int
    home: int
    moves: int
    result: Result | None


def standings(race: Race) -> Sequence[Standing]:
    """All seats in order: finishers by time, then the unfinished by cards home, then by fewer moves.

    A seat shares its place with the first of that place if they are equal in that; two finishers are, if their times
    differ by no more than both errors together. Among equals the order is that of time, then of seats.
    """
    ranked = sorted(((_key(seat), index, seat) for index, seat in race.seated()), key=lambda row: row[:2])
    placed: list[Standing] = []
    place, first = 0, None
    for position, (_, index, seat) in enumerate(ranked, 1):
        if first is None or not _equal(first, seat):
            place, first = position, seat
        placed.append(Standing(place, index, home(seat), moves(seat), seat.result))
    return placed


def _equal(first: Seat, seat: Seat) -> bool:
    ours, theirs = first.result, seat.result
    if ours is None or theirs is None:
        return _key(first) == _key(seat)
    return theirs.time - ours.time <= ours.error + theirs.error


def home(seat: Seat) -> int:
    """Cards on the foundations, 0 before the start."""
    return seat.line.cards_home if seat.line is not None else 0


def moves(seat: Seat) -> int:
    """Moves in the line that stands, 0 before the start."""
    return seat.line.moves if seat.line is not None else 0


def _key(seat: Seat) -> tuple[int, int, int]:
    if seat.result is not None:
        return (0, seat.result.time, 0)
    return (1, -home(seat), moves(seat))
