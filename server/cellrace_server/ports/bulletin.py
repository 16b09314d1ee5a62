"""What nodes tell each other about the races they have: for lists and counts, which nothing depends on."""

from collections.abc import AsyncIterator, Mapping
from typing import NamedTuple, Protocol

import msgspec

from cellrace_server.core.listing import Entry


class Word(msgspec.Struct, frozen=True, array_like=True, tag="word"):
    """What has changed on a node since its last word; nothing at all is a sign of life.

    `entries`: `None` for a race that it does not list any more. `crowds`: spectators there by race, 0 for none.
    `whole`: all there is, whatever it said before. `house_bots`: how many it keeps.
    """

    entries: Mapping[str, Entry | None] = {}
    crowds: Mapping[str, int] = {}
    whole: bool = False
    house_bots: int = 0


class Ask(msgspec.Struct, frozen=True, array_like=True, tag="ask"):
    """A node has missed something: everybody is asked for a whole word."""


class Leave(msgspec.Struct, frozen=True, array_like=True, tag="leave"):
    """A node goes: nothing that it said holds any more."""


Said = Word | Ask | Leave


class Heard(NamedTuple):
    """`node` has said something. `Heard("", Ask())` comes first, and after whatever may have been missed: only what is
    heard from then on holds."""

    node: str
    said: Said


class Bulletin(Protocol):
    async def say(self, said: Said, /) -> None:
        """Tell every other node that listens now. Nothing is kept. Raises `StoreUnavailable`: perhaps nobody heard."""
        ...

    def hear(self) -> AsyncIterator[Heard]:
        """What *other* nodes say, for as long as it is iterated, each node's words in order. Never raises
        `StoreUnavailable`: it reconnects. With a single user of the store it yields `Heard("", Ask())` and waits."""
        ...
