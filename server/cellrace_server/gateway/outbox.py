"""Writing once where several messages go to one receiver: a system call costs more than a message."""

from typing import Protocol


class Sender(Protocol):
    """One whose messages wait in the outbox."""

    def release(self) -> None:
        """Write what has waited."""
        ...


class Outbox:
    """While it is held, connections keep what they would write, and say so (`add`). The facts of a race that became
    durable together are shown in one go, so nothing waits for anything but the processor."""

    __slots__ = ("_senders", "held")

    def __init__(self) -> None:
        self.held = False
        self._senders: list[Sender] = []

    def add(self, sender: Sender) -> None:
        """It has something to write from now on."""
        self._senders.append(sender)

    def flush(self) -> None:
        """Let everybody write, and hold nothing back any more."""
        self.held = False
        senders, self._senders = self._senders, []
        for sender in senders:
            sender.release()
