"""What `/metrics` says is so, and another program reads it."""

import asyncio

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from cellrace_protocol.catalog import CLIENT_MESSAGES
from cellrace_server.gateway.server import Listening
from tests.server.gateway.house import House, house
from tests.support.lines import DEAL
from tests.support.plain_http import fetch
from tests.support.waiting import eventually
from tests.support.wire_client import WireClient, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def page(server: House) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    assert head.startswith("HTTP/1.1 200"), head
    return body


async def families(server: House) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(await page(server))}


async def values(server: House) -> dict[tuple[str, str], float]:
    """Each sample by its name and the value of its label."""
    return {
        (sample.name.removeprefix("cellrace_"), next(iter(sample.labels.values()), "")): sample.value
        for family in (await families(server)).values()
        for sample in family.samples
    }


async def started(server: House, client: WireClient, seats: int) -> int:
    channel = int((await client.ask("create", str(DEAL), "classic", seats, False, True, 0))[2])
    await client.say(["ready", channel])
    await server.node.clock.settle()
    return channel


async def test_all_of_it_is_read_by_the_parser_of_prometheus() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server:
        found = await families(server)
        text = await page(server)
    names = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")]
    assert len(names) == len(set(names))
    ours = {name: family for name, family in found.items() if name.startswith("cellrace_")}
    assert all(family.documentation for family in ours.values())
    assert {family.type for family in ours.values()} == {"counter", "gauge", "histogram"}
    assert text.count("# TYPE cellrace_append_seconds histogram\n") == 1
    assert "process_resident_memory_bytes" in found
    messages = {sample.labels["message"] for sample in ours["cellrace_messages"].samples}
    assert messages == CLIENT_MESSAGES.keys()


async def test_numbers_follow_what_happens() -> None:
    async with (
        asyncio.timeout(WITHIN),
        house(Listening()) as server,
        wire_client(server.url, name="Ada") as ada,
        wire_client(server.url, name="Grace") as grace,
        wire_client(server.url, name=None),
    ):
        channel = await started(server, ada, 1)
        _, _, _, race, *_ = await grace.ask("create", str(DEAL))
        await ada.ask("watch", race)
        await ada.hear_until("snap")
        await ada.say(["m", channel, 1, "2a"], ["m", channel, 2, "zz"], ["u", channel, 2])
        await ada.hear_until("no")
        await ada.hear_until("a")
        seen = await values(server)
        assert seen["connections", ""] == 3
        assert seen["identities", ""] == 2
        assert seen["spectators", ""] == 1
        assert (seen["races", "running"], seen["races", "lobby"], seen["races", "ended"]) == (1, 1, 0)
        assert (seen["messages_total", "hello"], seen["messages_total", "m"]) == (2, 2)
        assert seen["messages_total", "restart"] == 0
        assert seen["moves_total", ""] == 1
        assert seen["refusals_total", "unreadable"] == 1
        assert seen["facts_total", ""] == len(server.node.memory.logs[race]) + 7
        batches = seen["append_seconds_bucket", "+Inf"]
        assert batches == seen["append_seconds_count", ""] == seen["fan_out_seconds_count", ""] > 0
        assert seen["batch_facts_sum", ""] == seen["facts_total", ""]
        assert seen["batch_facts_bucket", "1.0"] < batches


async def test_pages_are_counted_by_status() -> None:
    """Those made on the spot as those for which the store is asked, and those turned away."""
    async with asyncio.timeout(WITHIN), house(Listening()) as server:
        await fetch(server.port, "/version")
        await fetch(server.port, "/api/v1/races")
        await fetch(server.port, "/nothing")
        await fetch(server.port, "/api/v1/replays/kbjueza-0")
        await fetch(server.port, "/", "PUT")
        seen = await values(server)
        assert {status: seen["pages_total", status] for status in ("200", "404", "405")} == {
            "200": 2,
            "404": 2,
            "405": 1,
        }


async def test_what_waits_while_the_store_is_away() -> None:
    async with asyncio.timeout(WITHIN), house(Listening()) as server, wire_client(server.url) as ada:
        channel = await started(server, ada, 1)
        await ada.hear_until("go")
        server.node.memory.hold()
        calls = server.node.memory.calls
        await ada.say(["m", channel, 1, "2a"])
        await eventually(lambda: server.node.memory.calls > calls)
        await ada.say(["m", channel, 2, "2b"], ["m", channel, 3, "2c"])
        await eventually(lambda: server.node.hall.committer.waiting_rooms == 1)
        seen = await values(server)
        assert (seen["waiting_races", ""], seen["waiting_commands", ""], seen["store_away", ""]) == (1, 3, 0)
        server.node.memory.away = True
        server.node.memory.go_on()
        await eventually(lambda: server.node.hall.committer.away)
        server.node.clock.move(10)
        seen = await values(server)
        assert (seen["store_away", ""], seen["store_away_seconds_total", ""]) == (1, 0.01)
        server.node.memory.away = False
        server.node.clock.move(990)
        await ada.hear_until("outage")
        seen = await values(server)
        assert (seen["store_away", ""], seen["store_away_seconds_total", ""]) == (0, 1)
        assert seen["waiting_races", ""] == 0
