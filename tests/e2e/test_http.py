"""What the port says to plain HTTP, and to browsers from elsewhere."""

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from cellrace_protocol.codecs import MSGPACK
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30
PAGES = ["/", "/healthz", "/readyz", "/metrics", "/version"]


async def test_pages(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN):
        for path in [*PAGES, "/healthz?probe=1"]:
            got = await server.get(path)
            assert got.status == 200, path
            assert f"Content-Length: {len(got.body.encode())}" in got.headers
            head = await server.get(path, "HEAD")
            assert (head.status, head.body) == (200, "")
        for path in ("/nothing", "/ws/", "/wsx", "/../etc/passwd", "//"):
            assert (await server.get(path)).status == 404, path
        assert (await server.get("/ws")).status == 426
        for method in ("POST", "PUT", "DELETE", "BREW"):
            refused = await server.get("/healthz", method)
            assert refused.status == 405, method
            assert "Allow: GET, HEAD" in refused.headers
        assert (await server.get("/healthz")).body == "ok\n"
        assert "Traceback" not in server.log


@pytest.mark.spec("3.9")
async def test_a_race_has_a_link_that_is_read_however_it_is_typed(server: ServerProcess) -> None:
    """And a page that does not say whether there is such a race."""
    async with asyncio.timeout(WITHIN), wire_client(server.url) as raw, wire_client(server.url) as guest:
        race = (await raw.ask("create", "617"))[3]
        page = await server.get(f"/r/{race}")
        assert (page.status, race.upper() in page.body) == (200, True)
        assert f"join {race}" in page.body
        assert "cellrace watch" in page.body
        for typed in (
            race.upper(),
            f"{race[:3]}-{race[3:]}",
            f"{race[:3]}%20{race[3:].upper()}",
            f"{race}?from=mail",
        ):
            assert (await server.get(f"/r/{typed}")).body == page.body
        assert (await server.get(f"/r/{race}", "HEAD")).status == 200
        other = "zzzzzzz" if race != "zzzzzzz" else "yyyyyyy"
        assert (await server.get(f"/r/{other}")).body == page.body.replace(race, other).replace(
            race.upper(), other.upper()
        )
        for typed in ("", "617", "FC1-C4-AAAAAKH", "a/b", "%00%00%00", f"{race}/x", "%3Cscript%3E"):
            assert (await server.get(f"/r/{typed}")).status == 404, typed
        assert (await guest.ask("watch", f" {race[:4].upper()} {race[4:]} "))[3] == race
        assert (await guest.ask("join", race.upper()))[3:5] == [race, 1]


async def test_metrics_count(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url) as raw:
        _, _, ch, *_ = await raw.ask("create", "617", "classic", 1, False, True, 0)
        await raw.say(["ready", ch])
        await raw.hear_until("go")
        await raw.say(["m", ch, 1, "2a"], ["m", ch, 2, "11"])
        await raw.hear_until("no")
        counted = {
            name: await server.gauge(f"cellrace_{name}")
            for name in (
                "connections",
                'races{phase="running"}',
                "channels",
                "store_away",
                'messages_total{message="m"}',
                "facts_total",
            )
        }
        assert counted == {
            "connections": 1,
            'races{phase="running"}': 1,
            "channels": 1,
            "store_away": 0,
            'messages_total{message="m"}': 2,
            "facts_total": 6,
        }
        assert 'cellrace_refusals_total{reason="same_pile"} 1.0' in (await server.get("/metrics")).body


async def status_for(server: ServerProcess, origin: str) -> int:
    """The status of a handshake from a web origin; 101 where it succeeds."""
    try:
        async with connect(server.url, subprotocols=[Subprotocol(MSGPACK)], origin=Origin(origin)):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.spec("1.3")
async def test_pages_of_others_may_not_connect_unless_allowed(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--origins", "https://club.example") as server,
    ):
        for origin, status in (
            (f"http://127.0.0.1:{server.port}", 101),
            ("https://club.example", 101),
            ("https://club.example.evil.example", 403),
            (f"http://127.0.0.1:{server.port}.evil.example", 403),
            ("http://127.0.0.1", 403),
            ("https://evil.example", 403),
            ("null", 403),
            ("", 403),
        ):
            assert await status_for(server, origin) == status, origin


@pytest.mark.spec("1.3")
async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--connections-most", "1") as server,
        wire_client(server.url),
    ):
        assert await status_for(server, f"http://127.0.0.1:{server.port}") == 503
        assert (await server.get("/healthz")).status == 200
