"""A network between clients and a server, which can go away: with a bang, or in silence."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from tests.support.server_process import ServerProcess


class _Way:
    """One connection through the proxy. Where bytes of it were lost it is dead: nothing of it passes any more."""

    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self.writers = writers
        self.dead = False


class CuttingProxy:
    """Passes bytes on between clients and the server until `cut`: then every connection through it is reset."""

    def __init__(self) -> None:
        self.url = ""
        self.away = False
        """Whether new connections are reset at once."""
        self.silent = False
        """Whether bytes vanish, both ways, and nothing is closed: a connection that has lost some stays dead, as behind
        a router that has forgotten it."""
        self._ways: set[_Way] = set()
        self._serving: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Reset all connections, as if the network had gone; new ones are served."""
        for way in self._ways:
            for writer in way.writers:
                writer.transport.abort()

    async def end(self) -> None:
        """Reset all connections for good."""
        self.cut()
        if self._serving:
            await asyncio.wait(self._serving)

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        """Pass on what is said on a connection."""
        serving = asyncio.create_task(self._serve(reader, writer, port))
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        if self.away:
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        way = _Way(writer, there_writer)
        self._ways.add(way)
        await asyncio.gather(
            self._pass_on(way, reader, there_writer), self._pass_on(way, there_reader, writer)
        )
        self._ways.discard(way)
        for each in way.writers:
            each.close()

    async def _pass_on(self, way: _Way, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(4_096):
                way.dead = way.dead or self.silent
                if not way.dead:
                    writer.write(data)
        if not way.dead and not self.silent:
            writer.close()


@asynccontextmanager
async def cutting_proxy(server: ServerProcess) -> AsyncGenerator[CuttingProxy]:
    """A proxy in front of a server; at the end all its connections are reset."""
    proxy = CuttingProxy()
    listening = await asyncio.start_server(
        lambda reader, writer: proxy.serve(reader, writer, server.port), "127.0.0.1", 0, family=socket.AF_INET
    )
    proxy.url = f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}/ws"
    try:
        yield proxy
    finally:
        listening.close()
        await proxy.end()
