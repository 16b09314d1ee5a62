"""The program says of itself what one would have to type."""

import argparse
import sys
from pathlib import Path

import pytest

from cellrace_client import itself
from cellrace_client.cli import play
from cellrace_client.languages import Catalogue


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A program in a folder."""
    program = tmp_path / "bin" / "cellrace"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def called(monkeypatch: pytest.MonkeyPatch, as_called: str, path: Path | str, python: str = "") -> str:
    monkeypatch.setattr(sys, "argv", [as_called])
    monkeypatch.setattr(sys, "executable", python or sys.executable)
    monkeypatch.setenv("PATH", str(path))
    itself.called_as.cache_clear()
    return itself.called()


def test_a_program_that_is_found_is_called_by_its_name(
    monkeypatch: pytest.MonkeyPatch, installed: Path
) -> None:
    assert called(monkeypatch, str(installed), installed.parent) == "cellrace"
    module = str(Path(itself.__file__).with_name("__main__.py"))
    assert called(monkeypatch, module, installed.parent, str(installed.parent / "python")) == "cellrace"


def test_a_program_that_is_not_found_or_is_another_is_called_as_it_was(
    monkeypatch: pytest.MonkeyPatch, installed: Path, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert called(monkeypatch, "bin/cellrace", "") == "bin/cellrace"
    other = tmp_path / "another one" / "cellrace"
    other.parent.mkdir()
    other.write_bytes(installed.read_bytes())
    other.chmod(0o755)
    assert called(monkeypatch, "bin/cellrace", other.parent) == "bin/cellrace"
    assert called(monkeypatch, str(other), installed.parent) == f"'{other}'"
    module = str(Path(itself.__file__).with_name("__main__.py"))
    assert called(monkeypatch, module, "", str(installed.parent / "python")) == str(installed)
    bare = str(Path("somewhere", "python"))
    assert called(monkeypatch, module, "", bare) == f"{bare} -m cellrace_client"


def test_as_a_library_it_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    assert called(monkeypatch, "/opt/pytest", "") == "cellrace"


def test_the_way_back_is_as_one_was_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called(monkeypatch, ".venv/bin/cellrace", "")
    arguments = argparse.Namespace(
        url="ws://127.0.0.1:9/ws", plain=True, ascii=False, four_colours=True, language="fr", anonymous=False
    )
    play.tell_what_goes_on(arguments, Catalogue("fr"), "abcdefg")
    said = capsys.readouterr().err
    assert said.strip().endswith(
        ".venv/bin/cellrace join abcdefg --url ws://127.0.0.1:9/ws --plain --four-colours --language fr"
    )
