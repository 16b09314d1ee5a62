"""What is ranked: a sorted set of members by value, least first, and a hash from a player to the member that is theirs.

A member is the instant at which it came about, 14 hexadecimal digits, and what it is called: so equal values rank by
who was first.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.connection import Links
from cellrace_server.adapters.redis.scripts import PAGE
from cellrace_server.ports.results import Look

_DIGITS = 14


class Standing(NamedTuple):
    """`place` is shared by equal values: 1, 2, 2, 4."""

    place: int
    called: str


class Ordered(NamedTuple):
    """`standings` are those from row `offset` on of `total`. `mine` is that of the player looked for, with `ahead` rows
    before it and `worse` that count less."""

    total: int
    offset: int
    standings: Sequence[Standing]
    mine: Standing | None = None
    ahead: int = 0
    worse: int = 0


def instant(at: int) -> str:
    """An instant, such that texts are in the order of the instants."""
    return f"{at:0{_DIGITS}x}"


def member(at: int, called: str) -> str:
    """What stands in the order for what came about at the instant `at` and is called so."""
    return instant(at) + called


def called(found: bytes) -> str:
    """What a member is called."""
    return found[_DIGITS:].decode()


async def page(links: Links, name: str, look: Look) -> Ordered:
    """Some of an order, and where a player stands. Raises `StoreUnavailable`."""
    where = (keys.board_order(name), keys.board_members(name))
    span = (max(look.most, 0), max(look.offset, 0), look.player, int(look.around))
    answer = cast("list[int | list[bytes | int]]", await links.run(PAGE, where, *span))
    total, offset, better = cast("list[int]", answer[:3])
    rows, own = cast("list[list[bytes]]", answer[3:])
    standings = _standings(rows, offset, better)
    if not own:
        return Ordered(total, offset, standings)
    ahead, above, worse = cast("list[int]", own[2:])
    return Ordered(total, offset, standings, Standing(above + 1, called(own[0])), ahead, worse)


def _standings(flat: Sequence[bytes], offset: int, better: int) -> Sequence[Standing]:
    """`flat` is member, value, member, value …; `better` rows count more than the first of these."""
    standings: list[Standing] = []
    place, before = better + 1, b""
    for number, (found, value) in enumerate(zip(flat[::2], flat[1::2], strict=True), offset + 1):
        if before and value != before:
            place = number
        before = value
        standings.append(Standing(place, called(found)))
    return standings
