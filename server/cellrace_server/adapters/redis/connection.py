"""One connection to the store, and a handful of them."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

from redis.exceptions import NoScriptError, RedisError, ResponseError

from cellrace_server.adapters.redis import keys
from cellrace_server.adapters.redis.address import Address, Answer, Command, Word, packed
from cellrace_server.adapters.redis.alarm import Alarm
from cellrace_server.adapters.redis.scripts import Script
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Terms(NamedTuple):
    """`timeout`: seconds until a call counts as unanswered, connecting included.
    `replicas`: how many must have a write before it counts as durable."""

    timeout: float = 1.0
    replicas: int = 0


class Link:
    """A connection that is made when it is needed, and again after whatever went wrong with it. One call at a
    time; others wait for their turn.

    Every call raises `StoreUnavailable` when there is no answer or one that says nothing about the data
    (time-out, connection, loading, out of memory, read-only…): unknown whether a write was carried out.
    `StoreCorrupt` when a key holds something of another type. Cancelled: unknown as well, and the next call
    starts on a new connection.
    """

    def __init__(self, address: Address, terms: Terms) -> None:
        self._terms = terms
        self._wire = address.wire(terms.timeout)
        self._alarm = Alarm(terms.timeout)
        self._turn = asyncio.Lock()
        self._short = False

    async def ask(self, *words: Word) -> Answer:
        """Send a command that changes nothing."""
        (answer,) = await self._exchange([words])
        return _checked(answer, words[1] if len(words) > 1 else "")

    async def write(self, *words: Word) -> Answer:
        """Send a command that changes something; answered once it is as durable as `replicas` says."""
        answer = self._durable(await self._exchange([words, *self._barrier()]))
        return _checked(answer, words[1])

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Answer:
        """Run a script, which is sent only if the store does not know it. If it writes, durable like `write`."""
        barrier = self._barrier() if script.writes else ()
        command: Command = (b"EVALSHA", script.digest, len(keys), *keys, *arguments)
        answers = await self._exchange([command, *barrier])
        if isinstance(answers[0], NoScriptError):
            answers = await self._exchange([(b"EVAL", script.text, *command[2:]), *barrier])
        return _checked(self._durable(answers), keys[0] if keys else script.name)

    async def aclose(self) -> None:
        """Hang up. Harmless when repeated."""
        self._alarm.disarm()
        await self._wire.disconnect()

    def _barrier(self) -> Sequence[Command]:
        """Wait for the replicas. A repeated write may change nothing, and then WAIT would wait for nothing:
        so something is written in any case."""
        if not self._terms.replicas:
            return ()
        # In milliseconds, and well before our own time-out: the store looks at its watch ten times a second.
        patience = int(self._terms.timeout * 600)
        return ((b"SET", keys.BARRIER, 1), (b"WAIT", self._terms.replicas, patience))

    def _durable(self, answers: Sequence[Answer | ResponseError]) -> Answer | ResponseError:
        answer, *barrier = answers
        if barrier and not (isinstance(have := barrier[1], int) and have >= self._terms.replicas):
            shortage = f"of {self._terms.replicas} replicas, this many have it: {have!r}"
            if not self._short:
                logger.warning("writes are refused: %s", shortage)
            self._short = True
            raise StoreUnavailable(shortage)
        if barrier:
            self._short = False
        return answer

    async def _exchange(self, commands: Sequence[Command]) -> Sequence[Answer | ResponseError]:
        async with self._turn:
            try:
                with self._alarm:
                    return await self._talk(commands)
            except (RedisError, OSError, TimeoutError) as error:
                await self._wire.disconnect(nowait=True)
                why = str(error) or type(error).__name__
                raise StoreUnavailable(f"the store cannot be used: {why}") from error
            except asyncio.CancelledError:
                await self._wire.disconnect(nowait=True)
                raise

    async def _talk(self, commands: Sequence[Command]) -> Sequence[Answer | ResponseError]:
        wire = self._wire
        if wire.is_connected and await wire.can_read():
            # Nothing was asked, so this is the connection's end, or an answer that would be taken for ours.
            await wire.disconnect(nowait=True)
        if not wire.is_connected:
            await wire.connect()
        await wire.send_packed_command(packed(commands), check_health=False)
        answers: list[Answer | ResponseError] = []
        for _ in commands:
            try:
                answers.append(await wire.read_response(timeout=math.inf))
            except ResponseError as error:
                if not (isinstance(error, NoScriptError) or str(error).startswith("WRONGTYPE")):
                    raise
                answers.append(error)
        return answers


class Links:
    """A few links, for calls that need not wait for each other."""

    def __init__(self, address: Address, terms: Terms, most: int) -> None:
        self._all = [Link(address, terms) for _ in range(most)]
        self._idle = list(self._all)
        self._free = asyncio.Semaphore(most)

    async def with_one(self, call: Callable[[Link], Awaitable[T]]) -> T:
        """What `call` returns, given a link that nobody else uses meanwhile; one used lately if there is."""
        async with self._free:
            link = self._idle.pop()
            try:
                return await call(link)
            finally:
                self._idle.append(link)

    async def ask(self, *words: Word) -> Answer:
        return await self.with_one(lambda link: link.ask(*words))

    async def write(self, *words: Word) -> Answer:
        return await self.with_one(lambda link: link.write(*words))

    async def run(self, script: Script, keys: Sequence[str], *arguments: Word) -> Answer:
        return await self.with_one(lambda link: link.run(script, keys, *arguments))

    async def aclose(self) -> None:
        for link in self._all:
            await link.aclose()


def _checked(answer: Answer | ResponseError, key: Word) -> Answer:
    if isinstance(answer, ResponseError):
        raise StoreCorrupt(key if isinstance(key, str) else str(key), str(answer))
    return answer
