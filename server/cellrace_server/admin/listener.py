"""The server's end of the admin socket."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec

from cellrace_server.admin.messages import LINE_MOST, AnyAnswer, AnyCommand, Failed, decode_command, encode
from cellrace_server.admin.place import Place

logger = logging.getLogger(__name__)


class Listener:
    """Reads commands from whoever may open the socket, and has them carried out one after the other."""

    def __init__(self, place: Place, carry_out: Callable[[AnyCommand], Awaitable[AnyAnswer]]) -> None:
        self._place = place
        self._carry_out = carry_out
        self._server: asyncio.Server | None = None
        self._talking: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._talk, sock=self._place.socket, limit=LINE_MOST)

    async def close(self) -> None:
        """Hang up on everybody, and take the socket away. What was being carried out then may be done or not."""
        if self._server is not None:
            self._server.close()
        for task in self._talking:
            task.cancel()
        if self._talking:
            await asyncio.wait(self._talking)
        self._place.leave()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "the server runs us in one"
        self._talking.add(task)
        try:
            while line := await reader.readline():
                writer.write(encode(await self._answer(line)) + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError) as error:  # it hung up, or its line is too long
            logger.debug("admin connection ended: %s", error)
        except asyncio.CancelledError:
            pass  # the server ends
        finally:
            self._talking.discard(task)
            writer.close()

    async def _answer(self, line: bytes) -> AnyAnswer:
        try:
            command = decode_command(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return Failed("bad_command", str(error))
        except RecursionError:
            return Failed("bad_command", "nested too deep")
        logger.info("admin: %s", encode(command).decode())
        return await self._carry_out(command)
