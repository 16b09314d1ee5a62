"""Names as players see them: nobody has another's, and the host's wishes hold."""

import asyncio
from pathlib import Path

import pytest

from cellrace_client import connect
from tests.support.server_process import server_process
from tests.support.wire_client import wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 30


@pytest.mark.spec("2.4")
async def test_a_name_that_is_taken_gets_a_number_and_keeps_it(tmp_path: Path) -> None:
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--blocked-names", "admin") as server,
        wire_client(server.url, name=None) as first,
        wire_client(server.url, name=None) as second,
        wire_client(server.url, name=None) as again,
    ):
        await first.say(["hello", 1, "The A.d.m.i.n"])
        assert (await first.hear())[1] == "bad_name"
        await first.hello("Ada")
        await second.hello("A.D.A")
        race = (await first.ask("create"))[3]
        await first.hear()
        assert (await second.ask("join", race))[6] == "A.D.A 2"
        assert [seat[1] for seat in (await second.hear())[19]] == ["Ada", "A.D.A 2"]
        assert (await first.hear_until("joined"))[6] == "A.D.A 2"
        assert (await again.hello("Ada", second.token))[3] == "A.D.A 2"
        async with connect(server.url, name="ada") as third:
            assert third.name == "ada"
            await third.create()
            assert third.name == "ada 3"
