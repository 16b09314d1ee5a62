"""Requests with a body, and what is no request: the library reads neither, and both get an answer."""

import asyncio

import pytest

from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import house

pytestmark = pytest.mark.asyncio

WITHIN = 30
LARGE = 1_000_000


async def answered(port: int, *parts: bytes) -> tuple[str, str]:
    """The head and the body of the answer to a request in parts, once the server has ended what it says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await writer.drain()
    raw = await reader.read()
    writer.close()
    head, _, body = raw.decode().partition("\r\n\r\n")
    return head, body


@pytest.fixture(params=["fast", "library"])
def listening(request: pytest.FixtureRequest) -> Listening:
    return Listening(receive=request.param)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "BREW"])
@pytest.mark.parametrize(
    "framing", ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
)
async def test_a_method_that_is_not_spoken_is_told_so_with_a_body_too(
    method: str, framing: str, listening: Listening
) -> None:
    async with asyncio.timeout(WITHIN), house(listening) as server:
        head, body = await answered(server.port, f"{method} / HTTP/1.1\r\nHost: x\r\n{framing}".encode())
        assert head.startswith("HTTP/1.1 405 ")
        assert "Allow: GET, HEAD" in head.splitlines()
        assert "Connection: close" in head.splitlines()
        assert f"Content-Length: {len(body)}" in head.splitlines()


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"hello\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
async def test_a_body_where_none_can_be_is_refused(request_: bytes, listening: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(listening) as server:
        head, body = await answered(server.port, request_)
        assert head.startswith("HTTP/1.1 400 ")
        assert body == "this is no request that is read here: GET and HEAD are, without a body\n"


async def test_to_a_head_nothing_is_said_but_a_head(listening: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(listening) as server:
        head, body = await answered(server.port, b"HEAD / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello")
        assert (head.split()[1], body) == ("400", "")


async def test_a_large_body_does_not_lose_the_answer(listening: Listening) -> None:
    """What comes behind it is read and forgotten: a cut with bytes unread would take the answer with it."""
    async with asyncio.timeout(WITHIN), house(listening) as server:
        head = f"POST / HTTP/1.1\r\nHost: x\r\nX: {'x' * 600}\r\nContent-Length: {LARGE}\r\n\r\n".encode()
        said, _ = await answered(server.port, head, *[bytes(LARGE // 10)] * 10)
        assert said.startswith("HTTP/1.1 405 ")


async def test_to_half_a_request_nothing_is_said(listening: Listening) -> None:
    async with asyncio.timeout(WITHIN), house(listening) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\n")
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()
