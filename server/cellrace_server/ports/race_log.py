"""The durable log of every race: the only truth there is."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from cellrace_server.core.facts import AnyFact


class Append(NamedTuple):
    """Facts for one race, to be written if and only if the log holds exactly `expected` facts now."""

    race: str
    expected: int
    facts: Sequence[AnyFact]


class Grown(NamedTuple):
    """A race's log holds `length` facts."""

    race: str
    length: int


class RaceLog(Protocol):
    async def append(self, batch: Sequence[Append], /) -> Sequence[int | None]:
        """Compare-and-append for several races in one round trip; returns once everything accepted is durable.

        One answer an item, in order: `None` when its facts are in the log at `expected + 1 …` (just written, or by an
        earlier call whose answer was lost: repeating an append is harmless), else the length of the log, which
        has other facts there or is shorter than `expected`. Items are independent; each is written whole or not at all.
        An item has at least one fact; the same race twice in one batch is not checked for.

        Raises `StoreUnavailable`: unknown whether any of it was written; call again with the same batch.
        Cancelled: the same. `StoreCorrupt` where the log of some item is no log; it may be any one of the batch.
        """
        ...

    async def read(self, race: str, after: int = 0, /) -> Sequence[AnyFact]:
        """The facts numbered `after + 1 …` to the end, in order; empty when there are none.

        Raises `StoreUnavailable`; `StoreCorrupt` for an entry that no version of this program wrote.
        """
        ...

    async def open(self, race: str, /) -> None:
        """Note the race among the unsettled ones. To be called before its first append; harmless when repeated."""
        ...

    async def unsettled(self) -> Sequence[str]:
        """Races opened and not yet settled, in no order: what a node has to look after when it starts."""
        ...

    async def settle(self, race: str, /) -> None:
        """The race is over and its results are booked. Harmless when repeated. The log itself stays for as long as the
        host wants races that are over to be there (at least an hour), and may be gone then."""
        ...

    async def rewrite(self, race: str, facts: Mapping[int, AnyFact], /) -> None:
        """Put these facts in the place of those of the same numbers, in the log of a race that is over. For names that
        must not be there any more, and nothing else: whoever has read the log does not hear of it. Where there is no
        log, nothing happens. Harmless when repeated. Raises `StoreUnavailable`: done or not."""
        ...

    def growth(self) -> AsyncIterator[Grown]:
        """Wakes the caller when *another* node has appended, for as long as it is iterated.

        May miss some and may say the same twice (pub/sub loses messages silently across a reset): the log tells, this
        only wakes. Yields `Grown("", 0)` after every (re)connection: anything may have been missed before it.
        Never raises `StoreUnavailable`: it reconnects. A store with a single user yields that once and then waits.
        """
        ...
