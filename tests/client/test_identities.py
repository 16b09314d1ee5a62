"""Tokens are kept a server each, for their owner's eyes only."""

import stat
from pathlib import Path

from cellrace_client.identities import Identities


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
