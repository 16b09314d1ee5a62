"""What has been counted since the start; read when somebody asks for metrics."""

from collections import Counter


class Counters:
    """Plain integers: counting costs the move path next to nothing."""

    def __init__(self) -> None:
        self.connections = 0
        self.accepted = 0
        self.turned_away = 0
        self.received = 0
        self.unreadable = 0
        self.refusals: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()

    def refused(self, reason: str) -> None:
        self.refusals[reason] += 1
