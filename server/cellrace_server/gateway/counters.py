"""What has been counted since the start; read when somebody asks for metrics."""

from collections import Counter

from cellrace_protocol.catalog import CLIENT_MESSAGES


class Counters:
    """Plain integers: counting costs the move path next to nothing. `received` is by
    type of message, `turned_away` and `pages` by HTTP status."""

    def __init__(self) -> None:
        self.connections = 0
        self.accepted = 0
        self.turned_away: Counter[int] = Counter()
        self.pages: Counter[int] = Counter()
        self.received: dict[type, int] = dict.fromkeys(CLIENT_MESSAGES.values(), 0)
        self.unreadable = 0
        self.refusals: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()

    def refused(self, reason: str) -> None:
        self.refusals[reason] += 1
