"""Requests under way: numbered, answered or failed, and repeated on a new connection where that does no harm."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

import msgspec

from cellrace_client.errors import CellraceError
from cellrace_protocol import events as e

AnswerType = TypeVar("AnswerType", bound=e.ServerMessage)


Make = Callable[[int], msgspec.Struct]
"""Makes a request of its number."""


class Ask(Protocol):
    """Numbers a request, sends it and waits for its answer."""

    def __call__(self, make: Make, kind: type[AnswerType], /) -> Coroutine[Any, Any, AnswerType]: ...


class _Asked:
    """A request without an answer yet; one that is not repeatable fails with its connection."""

    def __init__(self, message: msgspec.Struct, repeatable: bool, sent: bool) -> None:
        self.message = message
        self.repeatable = repeatable
        self.sent = sent
        self.answer: asyncio.Future[e.ServerMessage] = asyncio.get_running_loop().create_future()


class Requests:
    """`r in requests`: the request of this number waits for its answer."""

    def __init__(self) -> None:
        self._asked: dict[int, _Asked] = {}
        self._last_r = 0

    def __contains__(self, r: int) -> bool:
        return r in self._asked

    def number(self) -> int:
        """The number of the next request."""
        self._last_r += 1
        return self._last_r

    def begin(
        self, r: int, message: msgspec.Struct, repeatable: bool, sent: bool
    ) -> "asyncio.Future[e.ServerMessage]":
        """The answer to come. `sent`: there is a connection on which it goes out now."""
        asked = self._asked[r] = _Asked(message, repeatable, sent)
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

    def fail_all(self, error: CellraceError) -> None:
        """No answer will come any more."""
        for r in self._asked:
            self.failed(r, error)

    def fail_unrepeatable(self, error: CellraceError) -> None:
        """The connection is lost: what was sent and must not be sent twice has failed, carried out or not."""
        for r, asked in self._asked.items():
            if asked.sent and not asked.repeatable:
                self.failed(r, error)

    def again(self) -> Iterator[msgspec.Struct]:
        """What is to be sent on a new connection: all that may be repeated, and all that was never sent."""
        for asked in self._asked.values():
            if asked.repeatable or not asked.sent:
                asked.sent = True
                yield asked.message
