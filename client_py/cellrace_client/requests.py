"""Requests under way: numbered, answered or failed, and repeated on a new connection where that does no harm."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

import msgspec

from cellrace_client.errors import CellraceError
from cellrace_protocol import events as e

AnswerType = TypeVar("AnswerType", bound=e.ServerMessage)


Make = Callable[[int], msgspec.Struct | None]
"""Makes a request of its number, each time it is sent. `None`: it cannot be said yet. Raises `CellraceError` where it
never can."""


class Ask(Protocol):
    """Numbers a request, sends it and waits for its answer."""

    def __call__(self, make: Make, kind: type[AnswerType], /) -> Coroutine[Any, Any, AnswerType]: ...


class _Asked:
    """A request without an answer yet; one that is not repeatable fails with its connection."""

    def __init__(self, make: Make, kind: type[e.ServerMessage], repeatable: bool) -> None:
        self.make = make
        self.kind = kind
        self.repeatable = repeatable
        self.sent = False
        self.answer: asyncio.Future[e.ServerMessage] = asyncio.get_running_loop().create_future()


class Requests:
    """`r in requests`: the request of this number waits for its answer."""

    def __init__(self) -> None:
        self._asked: dict[int, _Asked] = {}
        self._last_r = 0

    def __contains__(self, r: int) -> bool:
        return r in self._asked

    @property
    def entering(self) -> bool:
        """Whether something is under way that leads into a race."""
        return any(asked.sent and asked.kind is e.Entered for asked in self._asked.values())

    def number(self) -> int:
        """The number of the next request."""
        self._last_r += 1
        return self._last_r

    def begin(
        self, r: int, make: Make, kind: type[e.ServerMessage], repeatable: bool
    ) -> "asyncio.Future[e.ServerMessage]":
        """The answer to come. What there is to send for it is `due`."""
        asked = self._asked[r] = _Asked(make, kind, repeatable)
        return asked.answer

    def end(self, r: int) -> None:
        """Nobody waits for this answer any more. Harmless when repeated."""
        self._asked.pop(r, None)

    def answered(self, r: int, message: e.ServerMessage) -> None:
        asked = self._asked.get(r)
        if asked is not None and not asked.answer.done():
            asked.answer.set_result(message)

    def failed(self, r: int, error: CellraceError) -> None:
        asked = self._asked.get(r)
        if asked is not None and not asked.answer.done():
            asked.answer.set_exception(error)

    def fail_all(self, error: Callable[[], CellraceError]) -> None:
        """No answer will come any more."""
        for r in self._asked:
            self.failed(r, error())

    def lost(self, error: Callable[[], CellraceError]) -> None:
        """The connection is lost: what was sent and must not be sent twice has failed, carried out or not; the rest is
        due again."""
        for r, asked in self._asked.items():
            if asked.sent and not asked.repeatable:
                self.failed(r, error())
            else:
                asked.sent = False

    def due(self) -> Iterator[msgspec.Struct]:
        """What is to be sent now: all that was not sent on this connection and can be said."""
        for r, asked in self._asked.items():
            if asked.sent or asked.answer.done():
                continue
            try:
                message = asked.make(r)
            except CellraceError as error:
                self.failed(r, error)
                continue
            if message is not None:
                asked.sent = True
                yield message
