"""A proxy in front of a store, which loses what it is told to lose."""

import asyncio
import contextlib
from pathlib import Path
from types import TracebackType
from typing import Self


class FaultyProxy:
    """Passes bytes between clients, on a unix socket of its own, and the store at `target`.

    `lose_requests`: so many requests are dropped, and the connection with them, before the store sees them.
    `lose_answers`: so many answers are dropped, and the connection with them, after the store has done its work.
    `delay_s`: seconds by which each answer is late.
    `requests`: how many have been passed on.
    A request or an answer is what arrives at once.
    """

    def __init__(self, target: str, socket: Path) -> None:
        self._target = target
        self._socket = socket
        self._server: asyncio.Server | None = None
        self._sessions: set[asyncio.Task[None]] = set()
        self._open = asyncio.Event()
        self._open.set()
        self.lose_requests = 0
        self.lose_answers = 0
        self.delay_s = 0.0
        self.requests = 0

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def stall(self) -> None:
        """Keep answers back from now on."""
        self._open.clear()

    def go_on(self) -> None:
        self._open.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, self._socket)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for session in self._sessions:
            session.cancel()
        if self._sessions:
            await asyncio.wait(self._sessions)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = asyncio.create_task(self._serve(reader, writer))
        self._sessions.add(session)
        session.add_done_callback(self._sessions.discard)
        session.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            their_reader, their_writer = await asyncio.open_unix_connection(self._target)
        except OSError:
            return
        ways = [
            asyncio.create_task(self._pass_requests(reader, their_writer)),
            asyncio.create_task(self._pass_answers(their_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            their_writer.close()

    async def _pass_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 20):
                if self.lose_requests:
                    self.lose_requests -= 1
                    return
                self.requests += 1
                writer.write(data)
                await writer.drain()

    async def _pass_answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 20):
                await self._open.wait()
                if self.delay_s:
                    await asyncio.sleep(self.delay_s)
                if self.lose_answers:
                    self.lose_answers -= 1
                    return
                writer.write(data)
                await writer.drain()
