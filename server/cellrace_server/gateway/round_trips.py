"""What the network is known to cost a connection: round trips of pings over the last minute."""

from typing import NamedTuple

WINDOW_MS = 60_000


class FairTime(NamedTuple):
    """What a winning move is given back, and how exactly that is known, in milliseconds."""

    compensation: int = 0
    error: int = 0


NOT_KNOWN = FairTime()


class RoundTrips:
    """The shortest round trip is what the network costs at least: a player hears of the deal, and the server of the
    winning move, no sooner. `most` is a limit to what delayed answers can gain, compensation and error together."""

    __slots__ = ("_most", "_samples", "fair")

    def __init__(self, most: int) -> None:
        self.fair = NOT_KNOWN
        self._most = most
        self._samples: list[tuple[int, int]] = []

    def add(self, now: int, round_trip_ms: int) -> None:
        """One more round trip, measured at the instant `now` (any clock in ms that does not go back)."""
        samples = self._samples
        samples.append((now, round_trip_ms))
        while samples[0][0] <= now - WINDOW_MS:
            del samples[0]  # of a dozen: a deque would take ten times the memory
        trips = [trip for _, trip in samples]
        shortest = min(trips)
        compensation = min(shortest, self._most)
        spread = (max(trips) - shortest + 1) // 2
        self.fair = FairTime(compensation, min(spread, self._most - compensation))
