"""What cannot be connected to, and what cannot be said."""

import pytest
from websockets.asyncio.server import serve

from cellrace_client import CannotConnect, RequestFailed, connect
from tests.client.test_client import Said, scripted

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("url", ["ws://localhost:99999/ws", "ws://[x", "http://[x", "nowhere"])
async def test_what_is_no_address_cannot_be_connected_to(url: str) -> None:
    with pytest.raises(CannotConnect):
        async with connect(url):
            pass


async def test_numbers_and_texts_that_no_message_can_hold_are_refused() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.socket.wait_closed()

    async with scripted(server) as url:
        with pytest.raises(RequestFailed, match="bad_field"):
            async with connect(url, name="\udcff"):
                pass
        async with connect(url) as client:
            with pytest.raises(RequestFailed, match="bad_field"):
                await client.create(limit_ms=10**30)
            with pytest.raises(RequestFailed, match="bad_field"):
                await client.join("\udcff")


async def test_a_server_that_does_not_speak_the_protocol_is_none() -> None:
    async with serve(lambda socket: socket.wait_closed(), "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(CannotConnect, match="does not speak"):
            async with connect(f"ws://127.0.0.1:{port}/ws"):
                pass
