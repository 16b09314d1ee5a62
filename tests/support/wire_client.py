"""A client without our library: it says exactly what a test wants said, and hears everything."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from cellrace_protocol.codecs import JSON, MSGPACK
from tests.support import witness

WITHIN = 10

Message = list[Any]

_AHEAD = 32

_ANSWERS = ("in", "races", "top", "runs", "replay", "profile", "ratings", "exported", "erased")


class WireClient:
    """One connection, messages as plain lists."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.binary = socket.subprotocol == MSGPACK
        self.token = ""
        self.player = ""
        self._r = 100

    async def say(self, *messages: Message) -> None:
        for message in messages:
            await self.socket.send(witness.pack(message) if self.binary else json.dumps(message))

    async def hear(self) -> Message:
        """The next message. Raises `TimeoutError`, `ConnectionClosed`."""
        async with asyncio.timeout(WITHIN):
            payload = await self.socket.recv()
        message: Message = witness.unpack(payload) if isinstance(payload, bytes) else json.loads(payload)
        return message

    async def hear_until(self, name: str) -> Message:
        """The next message of a name; what comes before it is passed over."""
        while (message := await self.hear())[0] != name:
            pass
        return message

    async def hello(self, name: str = "", token: str = "", instance: str = "") -> Message:
        await self.say(["hello", 1, name, token, "human", "", instance])
        welcome = await self.hear()
        assert welcome[0] == "welcome", welcome
        self.player, self.token = welcome[2], welcome[5]
        return welcome

    async def ask(self, name: str, *fields: object) -> Message:
        """The answer to a request; what comes before it is passed over."""
        self._r += 1
        await self.say([name, self._r, *fields])
        while True:
            message = await self.hear()
            if message[0] in _ANSWERS and message[1] == self._r:
                return message
            if message[0] == "error" and message[3] == self._r:
                return message

    async def play(self, channel: int, moves: Iterable[str]) -> None:
        """Play moves from the first on, as many ahead of their answers as may always wait for them (SPEC 5.1); returns
        when all are acknowledged. Where others play on the channel too, theirs count as well."""
        numbered = list(enumerate(moves, 1))
        for first in range(0, len(numbered), _AHEAD):
            batch = numbered[first : first + _AHEAD]
            await self.say(*(["m", channel, n, move] for n, move in batch))
            for _ in batch:
                while (message := await self.hear())[0] != "a":
                    assert message[0] != "no", message

    async def silence(self) -> list[Message]:
        """All that has been said to this client so far: everything up to the answer to a question asked now."""
        self._r += 1
        await self.say(["races", self._r])
        heard: list[Message] = []
        while (message := await self.hear())[:2] != ["races", self._r]:
            heard.append(message)
        return heard

    async def closed(self) -> int:
        """The code with which the other side closes; 1006 where it just cuts."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006


@asynccontextmanager
async def wire_client(
    url: str, subprotocol: str = MSGPACK, name: str | None = "Raw"
) -> AsyncGenerator[WireClient]:
    """A connection that has said hello, unless `name` is `None`."""
    async with connect(
        url, subprotocols=[Subprotocol(subprotocol)], compression=None, ping_interval=None, max_size=None
    ) as socket:
        client = WireClient(socket)
        if name is not None:
            await client.hello(name)
        yield client


__all__ = ["JSON", "MSGPACK", "Message", "WireClient", "wire_client"]
