"""`cellrace-admin`: what a host can ask of a server that runs on this machine."""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import msgspec

from cellrace_server import settings
from cellrace_server.admin import messages as m
from cellrace_server.admin.place import NobodyThere, NotAllowed, SocketUnusable, alive, dial, siblings
from cellrace_server.admin.tables import shown

ANSWER_S = 30.0

EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_UNAVAILABLE = 64, 65, 66, 69
EX_OSERR, EX_TEMPFAIL, EX_PROTOCOL, EX_NOPERM = 71, 75, 76, 77
STATUS = {"not_found": EX_NOINPUT, "unavailable": EX_TEMPFAIL, "bad_command": EX_USAGE}
"""Exit statuses as in sysexits.h; other failures are `EX_DATAERR`."""


class NoAnswer(Exception):
    """The server hung up, took too long, or said what this program does not understand."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Say one command to the server and print its answer. Returns the exit status."""
    parsed = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    try:
        path = _socket(parsed.socket, parsed.data_dir, parsed.config)
        answer = _ask(path, _command(parsed))
    except settings.Faults as error:
        return _fail(EX_USAGE, *error.faults)
    except _Several as error:
        return _fail(
            EX_USAGE, "several servers run there, name one:", *(f"  --socket {p}" for p in error.paths)
        )
    except NobodyThere as error:
        hint = "is it running, with this data directory (--data-dir) or socket (--socket), and as this user?"
        return _fail(EX_UNAVAILABLE, str(error), hint)
    except NotAllowed as error:
        return _fail(EX_NOPERM, str(error))
    except SocketUnusable as error:
        return _fail(EX_OSERR, str(error))
    except NoAnswer as error:
        return _fail(EX_PROTOCOL, str(error))
    if isinstance(answer, m.Failed):
        return _fail(STATUS.get(answer.code, EX_DATAERR), f"{answer.text} ({answer.code})")
    if parsed.json:
        print(json.dumps(msgspec.to_builtins(answer), ensure_ascii=False, indent=2))
    else:
        print("\n".join(shown(answer)))
    return 0


class _Several(Exception):
    def __init__(self, paths: list[Path]) -> None:
        super().__init__(paths)
        self.paths = paths


def _socket(named: str, data_dir: str, config: str) -> Path:
    """The socket to use: the one named, else that of the settings that a server here would have; of several servers on
    one data directory the only one that runs. Raises `settings.Faults`, `_Several`, `NobodyThere`."""
    if named:
        return Path(named).expanduser().absolute()
    flags = [*(("--data-dir", data_dir) if data_dir else ()), *(("--config", config) if config else ())]
    path = settings.read(flags).resolved.settings.admin_path
    if path is None:
        raise settings.Faults(["admin_socket is empty: the server has none (or name it with --socket)"])
    running = [candidate for candidate in (path, *siblings(path)) if alive(candidate)]
    if len(running) > 1:
        raise _Several(running)
    return running[0] if running else path


def _ask(path: Path, command: m.AnyCommand) -> m.AnyAnswer:
    with dial(path, ANSWER_S) as connection, connection.makefile("rb") as answers:
        try:
            connection.sendall(m.encode(command) + b"\n")
            line = answers.readline()
        except OSError as error:
            raise NoAnswer(f"the server does not answer: {error}") from error
    if not line:
        raise NoAnswer("the server hung up")
    try:
        return m.decode_answer(line)
    except msgspec.MsgspecError as error:
        raise NoAnswer(f"the server is of another version: {error}") from error


def _command(parsed: argparse.Namespace) -> m.AnyCommand:
    match parsed.command:
        case "list":
            return m.List()
        case "inspect":
            return m.Inspect(parsed.race)
        case "close":
            return m.Close(parsed.race, parsed.reason)
        case "connections":
            return m.Connections()
        case "disconnect":
            return m.Disconnect(parsed.who, parsed.reason)
        case "announce":
            return m.Announce(" ".join(parsed.text))
        case "drain":
            return m.Drain(parsed.deadline)
        case _:
            return m.Revoke(parsed.player)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cellrace-admin",
        description="Look after a cellrace server that runs on this machine.",
        epilog="Exit status: 0 done; 64 wrong use, 65 refused, 66 no such race, player or connection, 69 no server, "
        "71 the socket cannot be used, 75 the store is away, 76 no answer, 77 not allowed.",
    )
    parser.add_argument("--version", action="version", version=f"cellrace {version('cellrace')}")
    parser.add_argument("--socket", metavar="PATH", default="", help="the server's admin socket")
    parser.add_argument(
        "--data-dir", metavar="DIR", default="", help="its data directory, where the socket is"
    )
    parser.add_argument("--config", metavar="FILE", default="", help="its TOML file with settings")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    commands.add_parser("list", help="all races on this node")
    commands.add_parser("inspect", help="everything about a race, its deal too").add_argument("race")
    close = commands.add_parser("close", help="end a race")
    close.add_argument("race")
    commands.add_parser("connections", help="everybody who is connected")
    disconnect = commands.add_parser("disconnect", help="close the connections of a player")
    disconnect.add_argument("who", help="a player's id or name, or a connection of the list")
    for sub in (close, disconnect):
        sub.add_argument("--reason", default="", help="what those are told whom it concerns")
    commands.add_parser("announce", help="tell everybody something").add_argument("text", nargs="+")
    drain = commands.add_parser("drain", help="take nobody new, and end when the races that run are over")
    drain.add_argument(
        "--deadline", type=_seconds, default=0.0, metavar="SECONDS", help="end then at the latest"
    )
    revoke = commands.add_parser("revoke", help="make a player's token invalid, for good and on all nodes")
    revoke.add_argument("player", help="an id or a name")
    return parser


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(EX_USAGE, f"{self.prog}: {message}\n")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise ValueError(text)
    return seconds


def _fail(status: int, *lines: str) -> int:
    for line in lines:
        print(f"cellrace-admin: {line}", file=sys.stderr)
    return status
