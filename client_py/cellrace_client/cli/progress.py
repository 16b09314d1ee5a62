"""How far something is that takes a while, in one line that is gone when it is done; on a terminal only."""

import sys
import time
from typing import Self, TextIO

EVERY_S = 0.2
CLEAR = "\r\x1b[K"


class Progress:
    """`with Progress() as progress`. Nothing is written where nobody looks, and nothing that is over at once."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._began = self._last = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._stream.write(CLEAR)
            self._stream.flush()

    def tell(self, text: str) -> None:
        """How far it is; cheap where it was told a moment ago."""
        now = time.monotonic()
        if now - self._last >= EVERY_S and self._stream.isatty():
            self._last = now
            self._shown = True
            self._stream.write(f"{CLEAR}{text} ({now - self._began:.0f} s)")
            self._stream.flush()

    def goes_on(self, text: str) -> bool:
        """Tell, as what asks whether to stop: never."""
        self.tell(text)
        return False
