"""One conversation with a server, over as many connections as it takes."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from cellrace_client.coming_back import ComingBack
from cellrace_client.connection import Connection, dial, dial_again
from cellrace_client.errors import CannotConnect, Disconnected, RequestFailed
from cellrace_protocol import commands as c
from cellrace_protocol import events as e

WELCOME_S = 10.0
AGAIN_S = 0.5
"""The shortest pause after a hello that led nowhere."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose conversation it is. What is called must not wait.

    `received` hears what the server says but for answers to hellos, `broken` that another connection is being made,
    `resumed` that there is one, on which nothing was said yet but hello, and `ended` that there will be none.
    `hello` is what to say first on the next one, and `other_hello` what to say instead of a hello that was refused;
    `None`: nothing will help.
    """

    received: Callable[[e.AnyServerMessage], None]
    broken: Callable[[], None]
    hello: Callable[[], c.Hello]
    other_hello: Callable[[c.Hello, RequestFailed], c.Hello | None]
    resumed: Callable[[e.Welcome], None]
    ended: Callable[[], None]


class Lifeline:
    """`open`, then `close`. A connection that breaks is made again for up to `reconnect_s` seconds."""

    def __init__(self, url: str, codec: str, reconnect_s: float, speaker: Speaker) -> None:
        self._url = url
        self.codec = codec
        self._reconnect_s = reconnect_s
        self._speaker = speaker
        self._outbox: asyncio.Queue[msgspec.Struct] = asyncio.Queue()
        self._connection: Connection | None = None
        self._pauses = ComingBack()
        self._runner: asyncio.Task[None] | None = None
        self.connected = False
        """There is a connection just now."""
        self.failure: BaseException | None = None
        """Why the connection is gone for good, once it is."""

    @property
    def delay_s(self) -> float:
        """The round trip of the last ping, in seconds; 0 before there was one, or without a connection."""
        return self._connection.delay_s if self.connected and self._connection is not None else 0.0

    async def open(self, hello: c.Hello) -> e.Welcome:
        """Connect and say hello. Raises `CannotConnect`, and `RequestFailed` when the hello is refused. Cancelled, it
        leaves no connection behind."""
        connection = await dial(self._url, self.codec)
        try:
            welcome = await _greet(self._url, connection, hello)
        except BaseException:
            await connection.close()
            raise
        self.connected = True
        self._runner = asyncio.create_task(self._run(connection), name="cellrace client")
        return welcome

    async def close(self) -> None:
        """Hang up for good. Harmless when repeated."""
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.cancel()
            await asyncio.wait([runner])  # which leaves a cancellation of our own to us

    def send(self, messages: Iterable[msgspec.Struct]) -> None:
        """Send messages soon, in order; without a connection they are lost."""
        if self.connected:
            for message in messages:
                self._outbox.put_nowait(message)

    async def _run(self, connection: Connection) -> None:
        try:
            while True:
                began = asyncio.get_running_loop().time()
                await self._converse(connection)
                connection = await self._reconnect(connection, asyncio.get_running_loop().time() - began)
        except (CannotConnect, Disconnected, RequestFailed) as error:
            self.failure = error
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.failure = error
            raise  # a fault of our own: the event loop tells of it
        finally:
            self.connected = False
            self.failure = self.failure or Disconnected("the client is closed")
            self._speaker.ended()

    async def _converse(self, connection: Connection) -> None:
        """Read and write until the connection ends."""
        self._connection = connection
        writer = asyncio.create_task(self._write(connection))
        try:
            async for message in connection.messages():
                self._speaker.received(message)
        finally:
            self.connected = False
            writer.cancel()
            await connection.close()

    async def _write(self, connection: Connection) -> None:
        while True:
            await connection.send([await self._outbox.get()])

    async def _reconnect(self, ended: Connection, lived_s: float) -> Connection:
        self._outbox = asyncio.Queue()
        self._speaker.broken()
        deadline = asyncio.get_running_loop().time() + self._reconnect_s
        pause = self._pauses.closed(ended.close_code, lived_s)
        if pause is None or pause > self._reconnect_s:
            why = " ".join(filter(None, [str(ended.close_code), ended.close_reason]))
            text = f"the server has closed the connection ({why})"
            raise Disconnected(text, close_code=ended.close_code)
        await asyncio.sleep(pause)
        connection, welcome = await self._greet_again(deadline)
        self.connected = True
        try:
            self._speaker.resumed(welcome)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _greet_again(self, deadline: float) -> tuple[Connection, e.Welcome]:
        loop = asyncio.get_running_loop()
        hello = self._speaker.hello()
        while True:
            connection = await dial_again(self._url, self.codec, deadline - loop.time(), self._pauses)
            try:
                return connection, await _greet(self._url, connection, hello)
            except asyncio.CancelledError:
                await connection.close()
                raise
            except CannotConnect:
                await connection.close()
                if loop.time() > deadline:
                    raise
                pause = 0.0
            except RequestFailed as refusal:
                await connection.close()
                other = self._speaker.other_hello(hello, refusal)
                if other is not None:
                    hello = other
                    continue
                if loop.time() > deadline or not refusal.retry_after:
                    raise
                pause = refusal.retry_after / 1_000
            await asyncio.sleep(max(AGAIN_S, pause))


async def _greet(url: str, connection: Connection, hello: c.Hello) -> e.Welcome:
    await connection.send([hello])
    try:
        async with asyncio.timeout(WELCOME_S):
            async for message in connection.messages():
                if isinstance(message, e.Welcome):
                    return message
                if isinstance(message, e.Error):
                    raise RequestFailed(message.code, message.text, message.retry_after, message.facts)
    except TimeoutError:
        pass
    raise CannotConnect(url, "the server does not say hello")
