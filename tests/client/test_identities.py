"""Tokens are kept a server each, for their owner's eyes only."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from cellrace_client import connect
from cellrace_client.files import Unreadable
from cellrace_client.identities import HOME, Identities, TokenFile, keep_token, token_in
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted


def test_each_server_has_its_own_token_in_a_file_of_its_owner(tmp_path: Path) -> None:
    kept = Identities(tmp_path / "cellrace" / "identities")
    kept.keep("ws://a/ws", "one")
    kept.keep("ws://b/ws", "two")
    kept.keep("ws://a/ws", "three")
    assert [kept.token(f"ws://{name}/ws") for name in "abc"] == ["three", "two", ""]
    files = list((tmp_path / "cellrace" / "identities").iterdir())
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert len(files) == 2


def test_without_a_folder_nothing_is_kept() -> None:
    kept = Identities(None)
    kept.keep("ws://a/ws", "one")
    assert kept.token("ws://a/ws") == ""


def test_a_token_file_is_its_owners_also_where_others_could_read_it_before(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("old\n")
    path.chmod(0o644)
    keep_token(path, "new")
    assert token_in(path) == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_token_that_cannot_be_kept_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "token"
    keep_token(path, "old")

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "no space is left")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        keep_token(path, "new")
    assert token_in(path) == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_holds_no_token_is_an_error_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "token"
    with pytest.raises(Unreadable, match="No such file"):
        token_in(path)
    assert TokenFile(str(path)).token() == ""
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(OSError, match="no token") as caught:
        token_in(path)
    assert caught.value.filename == os.fspath(path)
    with pytest.raises(Unreadable):
        TokenFile(str(path)).token()


def test_a_program_keeps_who_it_is_where_it_was_told_to(tmp_path: Path) -> None:
    path = tmp_path / "token"
    TokenFile(str(path)).keep("secret")
    assert TokenFile(str(path)).token() == "secret"
    nowhere = TokenFile(None)
    nowhere.keep("secret")
    assert nowhere.token() == ""


def test_what_is_dead_is_forgotten(tmp_path: Path) -> None:
    kept = Identities(tmp_path)
    kept.keep("ws://a/ws", "one")
    kept.forget("ws://a/ws")
    kept.forget("ws://a/ws")
    assert list(tmp_path.iterdir()) == []


def test_each_program_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    Identities.of("my-bot").keep("ws://a/ws", "one")
    Identities.of().keep("ws://a/ws", "two")
    assert [Identities.of(name).token("ws://a/ws") for name in ("my-bot", "", "other")] == ["one", "two", ""]
    for name in ("..", "a/b", "/a", "."):
        with pytest.raises(ValueError, match="names no folder"):
            Identities.of(name)


@pytest.mark.asyncio
async def test_who_is_kept_comes_back_and_a_renewed_token_is_kept(tmp_path: Path) -> None:
    async def first(said: Said) -> None:
        assert (await said.greet("one")).token == ""
        renewing = await said.hear()
        assert isinstance(renewing, c.Renew)
        await said.say(e.Renewed(renewing.r, "two"))
        await said.socket.wait_closed()

    async def second(said: Said) -> None:
        assert (await said.greet("two")).token == "two"
        await said.socket.wait_closed()

    async def third(said: Said) -> None:
        hello = await said.hear()
        assert isinstance(hello, c.Hello)
        assert hello.token == "two"
        await said.say(e.Error("bad_token", "nobody knows it", 0))
        await said.socket.wait_closed()

    async def fourth(said: Said) -> None:
        assert (await said.greet("three")).token == ""
        await said.socket.wait_closed()

    kept = Identities(tmp_path / "mine")
    async with scripted(first, second, third, fourth) as url:
        async with connect(url, keep=kept) as client:
            assert kept.token(url) == "one"
            await client.renew_token()
        assert kept.token(url) == "two"
        async with connect(url, keep=kept):
            pass
        async with connect(url, keep=kept) as client:
            assert client.token == "three"
        assert kept.token(url) == "three"


@pytest.mark.asyncio
async def test_what_cannot_be_kept_is_told_and_leaves_no_connection(tmp_path: Path) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.socket.wait_closed()

    (tmp_path / "file").write_text("")
    async with scripted(server) as url:
        with pytest.raises(OSError, match="file"):
            async with connect(url, keep=Identities(tmp_path / "file")):
                pass


def test_one_token_kept_by_many_at_once_is_whole_and_its_owners(tmp_path: Path) -> None:
    kept = Identities(tmp_path)

    def keep(number: int) -> None:
        kept.keep("ws://one/ws", f"token {number}")
        for file in tmp_path.iterdir():
            with suppress(FileNotFoundError):
                assert not file.stat().st_mode & 0o077

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(200)))
    assert kept.token("ws://one/ws").startswith("token ")
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_kept_already_is_not_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be no room, and no need."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    kept = Identities(tmp_path)
    kept.keep("ws://one/ws", "mine")
    monkeypatch.setattr("tempfile.mkstemp", full)
    kept.keep("ws://one/ws", "mine")
    with pytest.raises(OSError, match=str(tmp_path)):
        kept.keep("ws://one/ws", "another")
