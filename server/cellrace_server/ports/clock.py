"""Time as the services see it."""

from typing import Protocol


class StoreTime(Protocol):
    async def store_time(self) -> int:
        """The store's own clock: microseconds since the Unix epoch. Raises `StoreUnavailable`."""
        ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds on the store's clock, by this node's monotonic clock and the measured offset between
        the two. May step a little when the offset is measured anew; races never run backwards all the same."""
        ...

    async def wait_until(self, instant: int, /) -> None:
        """Return when `now() >= instant`; at once when that is past. Cancelling leaves nothing behind."""
        ...
