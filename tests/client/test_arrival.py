"""Players come back as whom they were, or where the server does not know them any more, as somebody new."""

from pathlib import Path

import pytest

from cellrace_client import RequestFailed
from cellrace_client.arrival import arrive
from cellrace_client.identities import Identities
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from cellrace_protocol.errors import ErrorCode
from tests.client.plain.people import Person
from tests.client.test_client import Said, scripted
from tests.client.tui.pilots import program, until

pytestmark = pytest.mark.asyncio


async def turned_away(said: Said, code: str) -> None:
    """Refuse a hello."""
    hello = await said.hear()
    assert isinstance(hello, c.Hello)
    assert hello.token == "old"
    await said.say(e.Error(code, "not with this"))


@pytest.mark.parametrize("code", [ErrorCode.BAD_TOKEN, ErrorCode.BAD_FIELD, ErrorCode.REVOKED])
async def test_whose_token_is_dead_is_somebody_new_in_lines(code: str, tmp_path: Path) -> None:
    async def new(said: Said) -> None:
        assert (await said.greet("new")).token == ""
        await said.socket.wait_closed()

    async with scripted(lambda said: turned_away(said, code), new) as url:
        kept = Identities(tmp_path)
        kept.keep(url, "old")
        ada = Person(url, "Ada", folder=tmp_path)
        await ada.hears("Ada")
        ada.type("end")
        await ada.ends()
        assert kept.token(url) == "new"


async def test_whose_token_is_dead_is_somebody_new_on_the_screen(tmp_path: Path) -> None:
    async def new(said: Said) -> None:
        assert (await said.greet("new")).token == ""
        assert isinstance(await said.hear(), c.Follow)
        await said.socket.wait_closed()

    async with scripted(lambda said: turned_away(said, ErrorCode.REVOKED), new) as url:
        kept = Identities(tmp_path)
        kept.keep(url, "old")
        async with program(url=url, folder=tmp_path) as pilot:
            await until(pilot, lambda: kept.token(url) == "new")


async def test_other_reasons_cost_nobody_their_identity(tmp_path: Path) -> None:
    async def still_not(said: Said) -> None:
        await said.hear()
        await said.say(e.Error(ErrorCode.BAD_FIELD, "no name"))

    busy = scripted(lambda said: turned_away(said, ErrorCode.DRAINING))
    unnamed = scripted(lambda said: turned_away(said, ErrorCode.BAD_FIELD), still_not)
    for server in (busy, unnamed):
        async with server as url:
            kept = Identities(tmp_path)
            kept.keep(url, "old")
            with pytest.raises(RequestFailed):
                async with arrive(url, kept, name="?", on_notice=print):
                    pass
            assert kept.token(url) == "old"


@pytest.mark.parametrize("name", ["Ada", "Me", ""])
async def test_who_is_somebody_already_is_told_that_another_name_is_not_taken(
    name: str, tmp_path: Path
) -> None:
    async def known(said: Said) -> None:
        await said.hear()
        await said.say(e.Welcome(1, "me", "Me", Kind.HUMAN, "old", "scripted", 2_048))
        await said.socket.wait_closed()

    async with scripted(known) as url:
        Identities(tmp_path).keep(url, "old")
        ada = Person(url, name, folder=tmp_path)
        await ada.hears("you are Me")
        ada.type("end")
        await ada.ends()
    told = "here you are Me already; --anonymous is for another name"
    assert (told in ada.said) == (name == "Ada")
