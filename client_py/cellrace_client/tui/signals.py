"""What the operating system tells the terminal program: to end, to sleep, to wake."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from textual.app import App


class Signals:
    """Ends the program in good order at SIGTERM and SIGHUP, and wakes it at SIGCONT however it came to sleep.

    Textual's driver takes the terminal anew at every SIGCONT. Where no SIGTSTP had made it let go (after a SIGSTOP,
    or with the SIGHUP of a terminal that is closed), it would take its own modes for those to restore at the end, and
    leave a thread that reads a dead terminal for ever.
    """

    def __init__(self, app: App[int]) -> None:
        """Listen; to be called in the loop, once Textual has its own handlers."""
        self._app = app
        self._asleep = False
        self._sleep, self._wake = _handler(signal.SIGTSTP), _handler(signal.SIGCONT)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, app.exit, 128 + number)
        signal.signal(signal.SIGTSTP, self._sent_to_sleep)
        loop.add_signal_handler(signal.SIGCONT, self._woken)

    def _sent_to_sleep(self, number: int, frame: FrameType | None) -> None:
        self._asleep = True
        self._sleep(number, frame)

    def _woken(self) -> None:
        if not os.isatty(sys.__stdin__.fileno() if sys.__stdin__ is not None else -1):
            return
        if self._asleep:
            self._asleep = False
            self._wake(signal.SIGCONT, None)
        else:
            with self._app.suspend():  # what the shell made of the terminal meanwhile is undone
                pass


def _handler(number: int) -> Callable[[int, FrameType | None], object]:
    handler = signal.getsignal(number)
    return handler if callable(handler) else lambda _number, _frame: None
