"""`cellrace play`, `race`, `join`, `quick`: the terminal program, or the line mode, with something to begin with."""

import argparse
import asyncio
import io
import json
import os
import shlex
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from cellrace_client.cli import DEFAULT_URL, EXIT_NO_INPUT, EXIT_UNAVAILABLE, EXIT_USAGE
from cellrace_client.cli.online import failed, run_online, status_of
from cellrace_client.cli.start import Started, answers, can_start_server, start_server, stop
from cellrace_client.client import connect
from cellrace_client.errors import NotUnderstood, OptionOutOfRange, ServerNotStarted
from cellrace_client.faults import told
from cellrace_client.identities import Identities, default_folder
from cellrace_client.itself import called
from cellrace_client.languages import Catalogue, chosen
from cellrace_client.links import CHALLENGE, place_of
from cellrace_client.openings import challenges, joining, opening
from cellrace_client.race_options import race_options
from cellrace_engine import EngineError

if TYPE_CHECKING:
    from cellrace_client.plain.program import Ending

FIRST = {"race": "friend", "join": "join", "quick": "quick"}
PLAIN = {"friend": "race", "ranked": "quick ranked"}
"""What begins a thing in the line mode where it is called otherwise."""


MEANT: Mapping[str, Callable[[str], object]] = {
    "friend": race_options,
    "practice": opening,
    "join": joining,
    "against": challenges,
}
"""How what is begun with is read: what is no deal or no rule set is told before anything is begun."""


OPTION_FLAGS = {"best": "best-of"}
"""The flags of options that are typed by another word."""


def run(arguments: argparse.Namespace) -> int:
    """Play until one quits; returns the exit status."""
    what = " ".join(getattr(arguments, "what", []) or [])
    whose: Sequence[str] = getattr(arguments, "against", None) or ()
    url, what = place_of(what, arguments.url, DEFAULT_URL)
    for run_named in (*whose, getattr(arguments, "ghost", "")):
        url, _ = place_of(run_named, url, DEFAULT_URL, CHALLENGE)
    arguments.url = url
    first, what = _beginning(arguments, what)
    try:
        MEANT.get(first, str)(what)
    except OptionOutOfRange as error:
        flag = f"--{OPTION_FLAGS.get(error.what, error.what)}"
        return failed(OptionOutOfRange(flag, error.low, error.high))
    except (EngineError, NotUnderstood) as error:
        return failed(error)
    words = Catalogue(chosen(arguments.language or ""))
    if arguments.command == "join" and arguments.json:
        return run_online(_sit_down(arguments, what), words)
    if getattr(arguments, "print", False) or getattr(arguments, "json", False):
        if whose:
            print("cellrace: --print and --json open a race for others, --against is alone", file=sys.stderr)
            return EXIT_USAGE
        return run_online(_open(arguments, what), words)
    plain = arguments.plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    server: Started | None = None
    if not arguments.local and not asyncio.run(answers(url)):
        server, first = _without_server(words, url, first, arguments)
        if server is None and not arguments.local:
            return EXIT_UNAVAILABLE
    try:
        kept = Identities(None if arguments.anonymous else default_folder())
        return (_in_lines if plain else _on_screen)(arguments, words, kept, first, what)
    finally:
        if server is not None:
            stop(server.process)


def _beginning(arguments: argparse.Namespace, what: str) -> tuple[str, str]:
    """What to do first, if anything, and what with: `play` sits down on a deal, and opens a race where only its rules
    are named."""
    rules = getattr(arguments, "rules", "") or ""
    first = FIRST.get(arguments.command or "play", "")
    if first == "quick":
        ghost = getattr(arguments, "ghost", "")
        return (
            ("ranked", "")
            if getattr(arguments, "ranked", False)
            else ("quick", f"ghost {ghost}" if ghost else "")
        )
    whose = getattr(arguments, "against", None)
    if whose:
        return "against", f"{'; '.join(whose)} {what} {rules}".strip()
    if not first and arguments.local:
        first = "practice"
    elif not first and (what or rules):
        first = "join" if what else "friend"
    options = _options(arguments) if first == "friend" else ""
    return first, " ".join(filter(None, [what, rules, options]))


def _options(arguments: argparse.Namespace) -> str:
    """The options of a race, as one types them."""
    numbers = {
        "seats": "seats",
        "best_of": "best",
        "limit": "limit",
        "countdown": "countdown",
        "delay": "delay",
    }
    flags = {
        "public": ("public", "link"),
        "ranked": ("ranked", "friendly"),
        "bots": ("bots", "nobots"),
        "open_boards": ("open", "closed"),
    }
    said: list[str] = []
    for name, word in numbers.items():
        value = getattr(arguments, name, None)
        if value is not None:
            said += [word, f"{value:g}"]
    for name, (yes, no) in flags.items():
        value = getattr(arguments, name, None)
        if value is not None:
            said.append(yes if value else no)
    return " ".join(said)


async def _open(arguments: argparse.Namespace, what: str) -> int:
    """Open a race without sitting down in it; its name and link on standard output."""
    asked = race_options(what)
    async with connect(arguments.url, name=arguments.name) as client:
        race = await client.create(**asked._asdict(), play=False)
        found = {"race": race.id, "link": client.link(race)}
    print(json.dumps(found) if arguments.json else f"{found['race']}  {found['link']}")
    return 0


async def _sit_down(arguments: argparse.Namespace, what: str) -> int:
    """Take a seat for who one is here, and say where; whoever comes back to it plays."""
    asked = joining(what)
    kept = None if arguments.anonymous else Identities.of()
    async with connect(arguments.url, name=arguments.name, keep=kept) as client:
        race = await client.join(asked.what, rules=asked.rules_name)
        model = await race.until(lambda _: True)
        players = [seat.name for seat in model.seats if seat.taken]
        found = {
            "race": race.id,
            "link": client.link(race),
            "seat": race.seat,
            "phase": model.phase,
            "rules": model.rules,
            "players": players,
        }
    print(json.dumps(found, ensure_ascii=False))
    return 0


def _without_server(
    words: Catalogue, url: str, first: str, arguments: argparse.Namespace
) -> tuple[Started | None, str]:
    """Nobody answers: offer to start a server, or to practise. A practice makes `local` of the arguments true."""
    none = words("start.none", url=url)
    if not sys.stdin.isatty():
        print(f"cellrace: {none}", file=sys.stderr)
        print(f"Is it running (make run)? {called()} play --local needs none.", file=sys.stderr)
        return None, first
    print(none, file=sys.stderr)
    can_start = url == DEFAULT_URL and can_start_server()
    print(words("start.offer" if can_start else "start.practise"), end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().lower()
    if answer == "s" and can_start:
        try:
            return start_server("--house-bots", "3"), first
        except ServerNotStarted as error:
            print(f"cellrace: {error}", file=sys.stderr)
            return None, first
    if answer == "p":
        arguments.local = True
        return None, "practice"
    return None, first


def _on_screen(
    arguments: argparse.Namespace, words: Catalogue, kept: Identities, first: str, what: str
) -> int:
    try:
        from cellrace_client.tui.app import CellraceApp, Settings  # noqa: PLC0415 - optional
        from cellrace_client.tui.looks import Looks, shows_symbols, terminal_encoding  # noqa: PLC0415
    except ModuleNotFoundError:
        print(
            "cellrace: the screen needs: pip install 'cellrace[tui]'; this is the line mode", file=sys.stderr
        )
        return _in_lines(arguments, words, kept, first, what)
    letters = arguments.ascii or not shows_symbols(terminal_encoding())
    looks = Looks(letters, arguments.four_colours)
    settings = Settings(
        arguments.url, words, looks, kept, arguments.name, first, what, arguments.local, os.name == "posix"
    )
    app = CellraceApp(settings)
    status = app.run() or 0
    tell_what_goes_on(arguments, words, app.goes_on)
    return status


def tell_what_goes_on(arguments: argparse.Namespace, words: Catalogue, race: str) -> None:
    """The way back to a race that one has quit, for who can come back as the same."""
    if race and not arguments.anonymous:
        command = " ".join([called(), "join", race, *_again(arguments)])
        with suppress(OSError):  # where the terminal is gone, nobody is told
            print(words("race.goes_on", race=race, command=command), file=sys.stderr)


def _again(arguments: argparse.Namespace) -> Iterator[str]:
    """What was said of the server, and of how it is shown, for whoever comes back."""
    if arguments.url != DEFAULT_URL:
        yield f"--url {shlex.quote(arguments.url)}"
    for name in ("plain", "ascii", "four_colours"):
        if getattr(arguments, name):
            yield f"--{name.replace('_', '-')}"
    if arguments.language:
        yield f"--language {arguments.language}"


def _in_lines(
    arguments: argparse.Namespace, words: Catalogue, kept: Identities, first: str, what: str
) -> int:
    from cellrace_client.plain.program import Program, Settings  # noqa: PLC0415

    command = f"{PLAIN.get(first, first)} {what}".strip()
    is_piped = not sys.stdin.isatty()
    settings = Settings(arguments.url, words, kept, arguments.name, command, arguments.local, is_piped)
    program = Program(settings, _say)

    async def play() -> int:
        playing = asyncio.current_task()
        assert playing is not None, "it is run as one"
        if os.name == "posix":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel, TOLD_TO_END)
        try:
            ending = await program.run(typed(sys.stdin))
        except asyncio.CancelledError as error:
            if TOLD_TO_END not in error.args:
                raise
            return 128 + signal.SIGTERM
        finally:
            tell_what_goes_on(arguments, words, program.goes_on)
        return _status(words, ending) if is_piped else 0

    return run_online(play(), words)


def _say(text: str) -> None:
    """A line; on a terminal, cut between words."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)) or text
    print(text, flush=True)


TOLD_TO_END = "told to end"


def _status(words: Catalogue, ending: "Ending") -> int:
    """What became of it, for a script: whoever types has read what was said, and leaves when it pleases them."""
    if ending.unfinished:
        print(f"cellrace: {words('plain.ended')}", file=sys.stderr)
        return EXIT_NO_INPUT
    if ending.failure is None:
        return 0
    if not (ending.is_said and sys.stdout.isatty() and sys.stderr.isatty()):  # who reads both has read it
        print(f"cellrace: {told(words, ending.failure)}", file=sys.stderr)
    return status_of(ending.failure)


async def typed(stream: TextIO) -> AsyncIterator[str]:
    """Lines as they are typed; what is no text in them comes as U+FFFD. A thread waits for them; one that waits when
    the program ends does not hold it up."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str] = asyncio.Queue()

    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")

    def read() -> None:
        try:
            for line in iter(stream.readline, ""):
                loop.call_soon_threadsafe(queue.put_nowait, line)
        finally:  # also where the terminal is gone
            loop.call_soon_threadsafe(queue.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    while line := await queue.get():
        yield line
