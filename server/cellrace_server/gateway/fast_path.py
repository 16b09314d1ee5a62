"""Whole short messages read straight from the socket; everything else by the library. The same messages, closings and
pongs come of it either way.

What nearly every client sends nearly always is a final, masked data frame of less than 126 bytes, complete in one read.
Those are taken here, without a queue and without waking a task, and so are pongs, which are all that most connections
send. From the first byte that is none of them the library reads on, and when it stands between two frames again, with
no message begun, the next read begins here again.
"""

import asyncio
from typing import Any

from websockets.asyncio.messages import MAX_FRAGMENTS
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Event, State

from cellrace_server.gateway.wire import ODD_FRAMES_MOST, OPEN, Doorkeeper, Received, Wire, between_frames

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without a compiler
    from websockets.utils import apply_mask

TEXT, BINARY, PONG = 0x81, 0x82, 0x8A
"""The first byte of a final frame without extensions."""

EMPTY, LONGEST = 0x80, 0x80 + 125
"""The second byte: masked, and the length of a short frame."""

HEADER = 6


class FastWire(Wire):
    """`taken` counts messages that were read here."""

    __slots__ = ("_clear", "_parts", "_received", "_short_is_allowed", "taken")

    def __init__(self, doorkeeper: Doorkeeper, *arguments: Any, **options: Any) -> None:
        super().__init__(doorkeeper, *arguments, **options)
        self.taken = 0
        self._received: Received | None = None
        self._clear = False
        self._parts: list[Frame] = []
        most = self.protocol.max_message_size
        self._short_is_allowed = most is None or most > LONGEST - EMPTY

    async def hear(self, received: Received) -> None:
        """What came while nobody heard is handed on first."""
        self._received = received
        waiting = self.recv_messages.frames.queue
        frames = list(waiting)
        waiting.clear()
        self.recv_messages.maybe_resume()
        for frame in frames:
            self._put_together(frame)
        self._look_again()
        await asyncio.shield(self.connection_lost_waiter)

    def _read(self, data: bytes) -> None:
        if self._clear and self.protocol.state is OPEN:
            end = self._take(data)
            if end == len(data):
                return
            data = data[end:]
        super()._read(data)
        self._look_again()

    def _take(self, data: bytes) -> int:
        """Read as many messages as there are from the start of `data`; how far that went."""
        received = self._received
        assert received is not None, "somebody listens"
        position, size = 0, len(data)
        while size - position >= HEADER:
            first, second = data[position], data[position + 1]
            start = position + HEADER
            end = start + second - EMPTY
            if end > size or not EMPTY <= second <= LONGEST:
                break
            unmasked = apply_mask(data[start:end], data[position + 2 : start])
            if first != BINARY and first != TEXT:
                if first != PONG or self._odd >= ODD_FRAMES_MOST:
                    break
                position = end
                self._odd += 1
                self._hear_pong(unmasked)
                continue
            try:
                payload = unmasked if first == BINARY else unmasked.decode()
            except UnicodeDecodeError:
                break  # how it ends depends on what follows, and the library looks at all of that first
            position = end
            self.messages += 1
            self.taken += 1
            received(payload)
        return position

    def process_event(self, event: Event) -> None:
        """Messages that the library has read go the same way, so that none overtakes another."""
        super().process_event(event)
        if self._received is not None and isinstance(event, Frame):
            queue = self.recv_messages.frames.queue
            if queue:
                queue.clear()
                self._put_together(event)

    def _look_again(self) -> None:
        """Whether the next read begins with a frame, and with a message."""
        self._clear = (
            self._received is not None
            and self._short_is_allowed
            and self.protocol.current_size is None
            and between_frames(self.protocol.parser)
        )

    def _put_together(self, frame: Frame) -> None:
        """One data frame after the other becomes a message. After a failure nothing is handed on."""
        if self._received is None:
            return
        parts = self._parts
        if len(parts) >= MAX_FRAGMENTS:
            self._stop(CloseCode.MESSAGE_TOO_BIG, "too many fragments")
            return
        parts.append(frame)
        if not frame.fin:
            return
        text = parts[0].opcode is Opcode.TEXT
        payload = b"".join([part.data for part in parts])
        parts.clear()
        if text:
            self._hand_on_text(payload)
        else:
            self._received(payload)

    def _hand_on_text(self, payload: bytes) -> None:
        """Or stop, where it is none."""
        assert self._received is not None, "somebody listens"
        try:
            text = payload.decode()
        except UnicodeDecodeError as error:
            self._stop(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")
        else:
            self._received(text)

    def _stop(self, code: int, reason: str) -> None:
        """The peer does not keep to the protocol: nothing is heard any more."""
        self._received = None
        self._clear = False
        self._parts.clear()
        if self.state is State.OPEN:
            self.fail(code, reason)
