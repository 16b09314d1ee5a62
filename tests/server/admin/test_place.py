"""Where the admin socket is, and who may be there."""

import os
import socket
import stat
from pathlib import Path

import pytest

from cellrace_server.admin import place as places
from cellrace_server.admin.place import (
    NobodyThere,
    Place,
    SocketTaken,
    SocketUnusable,
    alive,
    dial,
    own,
    siblings,
)


def test_only_the_owner_may_use_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        place = Place(tmp_path / "new" / "folder" / "admin.sock")
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.path.parent.stat().st_mode) == 0o700
    assert alive(place.path)
    place.leave()
    assert not place.path.exists()
    assert not alive(place.path)


def test_what_a_dead_server_left_is_replaced_and_a_live_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "admin.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(os.fspath(path))
    dead.close()
    with pytest.raises(NobodyThere, match="no server listens"):
        dial(path)
    place = Place(path)
    with pytest.raises(SocketTaken, match="another server"):
        Place(path)
    dial(path).close()
    place.leave()


def test_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "admin.sock"
    path.write_text("precious")
    with pytest.raises(SocketUnusable, match="no socket"):
        Place(path)
    assert path.read_text() == "precious"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SocketUnusable, match="File exists"):
        Place(tmp_path / "file" / "admin.sock")
    with pytest.raises(NobodyThere):
        dial(tmp_path / "file" / "admin.sock")


def test_who_left_takes_no_other_away(tmp_path: Path) -> None:
    first = Place(tmp_path / "admin.sock")
    first.path.unlink()
    second = Place(tmp_path / "admin.sock")
    first.leave()
    assert alive(second.path)
    second.leave()


@pytest.mark.skipif(not places.OPEN_FOLDERS.is_dir(), reason="needs /proc/self/fd")
def test_a_long_path_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 120) / "admin.sock"
    with pytest.raises(NobodyThere):
        dial(path)
    place = Place(path)
    assert path.exists()
    assert alive(path)
    with pytest.raises(SocketTaken):
        Place(path)
    place.leave()
    assert not path.exists()


def test_a_path_that_is_too_long_is_told_with_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "OPEN_FOLDERS", tmp_path / "nothing")
    with pytest.raises(SocketUnusable, match=r"103 are the most.*--admin-socket"):
        Place(tmp_path / ("x" * 120) / "admin.sock")


def test_servers_that_share_a_folder_have_sockets_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "admin.sock"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(os.fspath(tmp_path / "admin-1.sock"))
    dead.close()
    mine = Place(own(path))
    assert mine.path.name == f"admin-{os.getpid()}.sock"
    assert siblings(path) == [mine.path]
    mine.leave()
