"""`cellrace doctor`: what of this program works here, and what to do about the rest."""

import argparse
import asyncio
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sys
from typing import NamedTuple

from cellrace_client.cli import EXIT_UNAVAILABLE
from cellrace_client.cli.start import answers
from cellrace_client.identities import default_folder
from cellrace_client.languages import chosen

SMALLEST = (80, 24)


class Finding(NamedTuple):
    """`good` is `None` for what is neither good nor bad."""

    what: str
    found: str
    good: bool | None = None


def run(arguments: argparse.Namespace) -> int:
    """Print what was found; status 69 when something is amiss."""
    findings = [*_about_here(), *_about_terminal(), _about_server(arguments.url)]
    if arguments.json:
        print(
            json.dumps({finding.what: {"found": finding.found, "good": finding.good} for finding in findings})
        )
    else:
        marks = {True: "ok", False: "!!", None: "  "}
        for finding in findings:
            print(f"{marks[finding.good]}  {finding.what:<10} {finding.found}")
    return EXIT_UNAVAILABLE if any(finding.good is False for finding in findings) else 0


def _about_here() -> list[Finding]:
    folder = default_folder()
    near = next(path for path in (folder, *folder.parents) if path.exists())
    screen = importlib.util.find_spec("textual") is not None
    return [
        Finding("cellrace", importlib.metadata.version("cellrace")),
        Finding("python", platform.python_version(), sys.version_info >= (3, 11)),
        Finding(
            "screen", "textual is there" if screen else "pip install 'cellrace[tui]', or --plain", screen
        ),
        Finding("identities", str(folder), os.access(near, os.W_OK)),
    ]


def _about_terminal() -> list[Finding]:
    columns, lines = shutil.get_terminal_size()
    encoding = sys.stdout.encoding or "none"
    terminal = sys.stdout.isatty()
    return [
        Finding("terminal", os.environ.get("TERM", "none") if terminal else "none"),
        Finding(
            "size",
            f"{columns}x{lines}",
            (columns >= SMALLEST[0] and lines >= SMALLEST[1]) if terminal else None,
        ),
        Finding("encoding", encoding),
        Finding("language", chosen()),
    ]


def _about_server(url: str) -> Finding:
    there = asyncio.run(answers(url))
    return Finding("server", f"{url} {'answers' if there else 'does not answer: make run, or --url'}", there)
