"""`cellrace`: one command for players and bots. Results go to standard output, the rest to standard error."""

from __future__ import annotations

import importlib
import io
import os
import sys

from cellrace_client.arguments import EXIT_USAGE as EXIT_USAGE
from cellrace_client.arguments import (
    YES_OR_NO,
    Parser,
    address,
    counting,
    day,
    language,
    named,
    not_negative,
    positive,
    rules,
)

TYPE_CHECKING = False  # as type checkers know it: what is imported here, `--help` waits for

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import TextIO

EXIT_DATA = 65
EXIT_NO_INPUT = 66
EXIT_UNAVAILABLE = 69
EXIT_CANNOT_CREATE = 73
EXIT_TRY_AGAIN = 75
EXIT_INTERRUPTED = 130

ABOUT = ("-h", "--help", "--version")
"""Options of `cellrace` itself: any other, without a command, is one of `play`."""

JSON = "for machines: lines of JSON"

DEFAULT_URL = "ws://127.0.0.1:8617/ws"


class _Command:
    """A subcommand, in a module that is imported only when it is asked for."""

    def __init__(
        self, module: str, text: str, arguments: Callable[[Parser], None], function: str = "run"
    ) -> None:
        self.module = module
        self.text = text
        self.arguments = arguments
        self.function = function


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status (0, or as in sysexits.h)."""
    _have_streams()
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:  # what is printed has nowhere to go
        print(f"cellrace: {error.strerror or error}", file=sys.stderr)
        sys.stdout = _nowhere()  # what is left goes there at the end
        return EXIT_CANNOT_CREATE
    return status


def _have_streams() -> None:
    """A stream that was closed before is as good as an empty one; what its encoding cannot say is said by `?`."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    out: object = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    said = list(sys.argv[1:] if arguments is None else arguments)
    if said and said[0].startswith("-") and said[0] not in ABOUT:
        said.insert(0, "play")
    found = parser.parse_args(said)
    if found.version:
        from importlib.metadata import version  # noqa: PLC0415 - slow, and seldom asked for

        print(f"cellrace {version('cellrace')}")
        return 0
    if found.command is None:
        if not sys.stdin.isatty():
            parser.error("a command is missing")
        found = parser.parse_args(["play"])
    command = _COMMANDS[found.command]
    module = importlib.import_module(command.module)
    status: int = getattr(module, command.function)(found)
    return status


def _parser() -> Parser:
    parser = Parser(
        prog="cellrace",
        description="FreeCell races from the terminal. Without a command: play.",
        epilog="Exit status: 0 done; 64 wrong use, 65 refused, or what is read does not hold, 66 no such file, or "
        "the input ended before there was a result, 69 no server there, 73 a file cannot be written, "
        "75 not now: try again later, 130 interrupted.",
    )
    parser.add_argument("--version", action="store_true", help="show the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in _COMMANDS.items():
        commands.add_parser(name, help=command.text, description=command.text, arguments=command.arguments)
    return parser


def _server(parser: Parser) -> None:
    parser.add_argument(
        "--url", type=address, default=DEFAULT_URL, help="the server's address (default %(default)s)"
    )


def _watch(parser: Parser) -> None:
    parser.add_argument("race", type=named, help="the race's name, or its link")
    _json(parser)
    parser.add_argument("--lines", action="store_true", help="one line an event, also on a terminal")
    _server(parser)


def _bot(parser: Parser) -> None:
    parser.add_argument(
        "what",
        type=named,
        nargs="?",
        default="",
        help="a race's name or link, or a deal (617, FC1-C4-AAAAAKH); without one, whatever race others wait in",
    )
    parser.add_argument("--count", type=counting, default=1, metavar="N", help="so many bots (default 1)")
    parser.add_argument("--races", type=counting, default=1, metavar="N", help="races of each (default 1)")
    parser.add_argument(
        "--kind", choices=("solver", "random", "ghost"), help="how they play (default solver)"
    )
    parser.add_argument(
        "--ghost", type=named, metavar="RUN", help="the run that --kind ghost plays again: its name or link"
    )
    parser.add_argument(
        "--moves",
        metavar="FILE",
        help="the moves to play instead, separated by spaces or line ends; checked before the race",
    )
    _bot_manner(parser, "medium", "how well a solver plays (default %(default)s)")
    parser.add_argument(
        "--patience", type=positive, metavar="S", help="seconds to wait for others (600; several bots 30)"
    )
    parser.add_argument(
        "--pace",
        type=not_negative,
        default=0.5,
        metavar="S",
        help="seconds a move of a file (default %(default)s)",
    )
    parser.add_argument(
        "--rules",
        type=rules,
        default="classic",
        help="the rule set where no race is named (default %(default)s)",
    )
    _json(parser)
    parser.add_argument("--token-file", metavar="FILE", help="where the bot's identity is kept between runs")
    _server(parser)


def _top(parser: Parser) -> None:
    parser.add_argument("deal", nargs="?", default="", help="a deal (617, FC1-C4-AAAAAKH)")
    ranked = parser.add_mutually_exclusive_group()
    for scope, about in (("day", "of a UTC day"), ("week", "of the week of a day")):
        ranked.add_argument(
            f"--{scope}",
            nargs="?",
            const="",
            type=day,
            metavar="DATE",
            help=f"the ranked races {about} (2026-11-30; today's without one) instead of a deal",
        )
    ranked.add_argument("--ratings", action="store_true", help="the best ratings instead of a deal")
    ranked.add_argument("--ever", action="store_true", help="the ranked races of all times instead of a deal")
    parser.add_argument("--rules", type=rules, default="classic", help="the rule set (default %(default)s)")
    parser.add_argument(
        "--sight",
        choices=("any", "first", "practised"),
        default="any",
        help="all runs, those of players who had not seen the deal, or the others (default %(default)s)",
    )
    parser.add_argument("--bots", action="store_true", help="the board of bots")
    _rows(parser)
    parser.add_argument(
        "--token-file", metavar="FILE", help="who one is (default: who one has played as here)"
    )
    _json(parser)
    _server(parser)


def _rows(parser: Parser) -> None:
    """Which rows of a board."""
    parser.add_argument(
        "--by", choices=("time", "moves", "score"), default="time", help="what counts (default %(default)s)"
    )
    parser.add_argument("--count", type=int, default=10, help="rows at the most (default %(default)s)")
    parser.add_argument(
        "--offset", type=int, default=0, help="rows to leave out before them (default %(default)s)"
    )
    parser.add_argument("--around", action="store_true", help="the rows around one's own")


def _profile(parser: Parser) -> None:
    parser.add_argument("player", nargs="?", default="", help="a name or an id; without one, oneself")
    parser.add_argument("--count", type=int, default=10, help="finished runs to show (default %(default)s)")
    parser.add_argument("--offset", type=int, default=0, help="runs to leave out before them")
    parser.add_argument(
        "--export", metavar="FILE", help="write all that is kept of oneself, - for standard output"
    )
    parser.add_argument("--erase", metavar="NAME", help="erase oneself, whose name this must be, for good")
    parser.add_argument(
        "--token-file", metavar="FILE", help="who one is (default: who one has played as here)"
    )
    _json(parser)
    _server(parser)


def _daily(parser: Parser) -> None:
    _bot_manner(parser, None, "let a bot of this strength play it")
    parser.add_argument(
        "--rules", type=rules, default="classic", help="the rule set to play (default %(default)s)"
    )
    parser.add_argument(
        "--day", type=day, default="", metavar="DATE", help="the board of another UTC day (2026-11-30)"
    )
    parser.add_argument("--bots", action="store_true", help="the boards of bots")
    parser.add_argument("--practice", action="store_true", help="the boards of runs after the one attempt")
    _rows(parser)
    parser.add_argument("--token-file", metavar="FILE", help="where the identity is kept between runs")
    _json(parser)
    _server(parser)


def _bot_manner(parser: argparse.ArgumentParser, usual: str | None, text: str) -> None:
    """How a bot plays, and what it is called."""
    from cellrace_client.bots.strength import STRENGTHS  # noqa: PLC0415 - `--help` does not need it

    strengths = [strength.name for strength in STRENGTHS]
    parser.add_argument("--bot", choices=strengths, default=usual, help=text)
    parser.add_argument(
        "--speed",
        type=positive,
        default=1.0,
        metavar="X",
        help="how many times as fast as people (default %(default)g)",
    )
    parser.add_argument("--name", default="", help="the bot's name; without one the server makes one up")


def _ghost(parser: Parser) -> None:
    parser.add_argument(
        "runs", type=named, nargs="+", metavar="RUN", help="a run's name, as a board shows it, or its link"
    )
    _json(parser)
    _bot_manner(parser, "medium", "how well the bot plays (default %(default)s)")
    _server(parser)


def _races(parser: Parser) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--follow", action="store_true", help="go on, and say what changes")
    ways.add_argument("--json", action="store_true", help=JSON)
    _server(parser)


def _json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help=JSON)


def _playing(parser: Parser) -> None:
    """What goes for everything that one plays."""
    parser.add_argument("--name", default="", help="what to be called; without one the server makes one up")
    parser.add_argument(
        "--plain", action="store_true", help="lines instead of a screen, as for screen readers"
    )
    parser.add_argument("--ascii", action="store_true", help="letters instead of the suits' symbols")
    parser.add_argument("--four-colours", action="store_true", help="a colour for each suit")
    parser.add_argument(
        "--language", type=language, metavar="CODE", help="en, fr, it, nl or uk (default: the locale's)"
    )
    parser.add_argument("--anonymous", action="store_true", help="be somebody new, and keep nothing")
    parser.set_defaults(local=False)
    _server(parser)


def _play(parser: Parser) -> None:
    parser.add_argument("what", nargs="*", metavar="DEAL", help="a deal: race on it, or with --local play it")
    parser.add_argument(
        "--rules", type=rules, default="", help="classic, relaxed, pocket or linear, or with changes"
    )
    _playing(parser)
    parser.add_argument("--local", action="store_true", help="alone, without a server")


def _race(parser: Parser) -> None:
    parser.add_argument("what", nargs="*", metavar="DEAL", help="a deal; without one the server draws it")
    parser.add_argument("--rules", type=rules, default="", help="the rule set (default classic)")
    parser.add_argument(
        "--against",
        type=named,
        action="append",
        metavar="WHOSE",
        help="alone, against a stored run on the deal: best, mine, a player's; or one by its name or link; "
        "may be said several times",
    )
    _race_options(parser)
    parser.add_argument(
        "--print", action="store_true", help="open it for others, print its name and link, and end"
    )
    _json(parser)
    _playing(parser)


def _race_options(parser: Parser) -> None:
    """How a race of one's own is to be."""
    group = parser.add_argument_group("how it is to be")
    group.add_argument("--seats", type=counting, metavar="N", help="so many players (2)")
    group.add_argument(
        "--best-of", type=counting, metavar="N", help="a series of so many races at most, odd (1)"
    )
    group.add_argument("--limit", type=positive, metavar="MIN", help="minutes until time is up (30)")
    group.add_argument(
        "--countdown",
        type=not_negative,
        metavar="S",
        help="seconds between everybody being ready and the deal (3)",
    )
    group.add_argument(
        "--delay",
        type=not_negative,
        metavar="S",
        help="seconds by which spectators see it late (ranked 30, others 0)",
    )
    for flag, text in (
        ("public", "on the list of races for everybody, not just for who has the link"),
        ("ranked", "for the boards and ratings, on a deal that the server draws"),
        ("bots", "bots may sit down, too"),
        ("open-boards", "players see each other's boards"),
    ):
        group.add_argument(f"--{flag}", action=YES_OR_NO, default=None, help=text)


def _quick(parser: Parser) -> None:
    parser.add_argument(
        "--ghost",
        type=named,
        default="",
        metavar="RUN",
        help="race against this run, by its name or link, if nobody comes",
    )
    parser.add_argument(
        "--ranked",
        action="store_true",
        help="for the boards and a rating: with people only, and without hints",
    )
    _playing(parser)


def _join(parser: Parser) -> None:
    parser.add_argument(
        "what", type=named, nargs="+", metavar="RACE", help="a race's name or link, or a deal"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="sit down, say where in a line of JSON, and end: the seat is kept a while",
    )
    _playing(parser)


def _deal(parser: Parser) -> None:
    parser.add_argument("deal", nargs="+", metavar="DEAL", help="a number or a code (617, FC1-C4-AAAAAKH)")
    parser.add_argument("--rules", type=rules, default="classic", help="the rule set (default %(default)s)")
    _json(parser)


def _token(parser: Parser) -> None:
    parser.add_argument(
        "--renew", action="store_true", help="have another token: the old one is dead, everywhere, at once"
    )
    parser.add_argument(
        "--show", action="store_true", help="print the token, which is secret, alone on a line"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help="where it is kept (default: where one's own are)"
    )
    _server(parser)


def _doctor(parser: Parser) -> None:
    _json(parser)
    _server(parser)


def _replay(parser: Parser) -> None:
    parser.add_argument(
        "run",
        type=named,
        help="the run's name, as a board shows it, its link, or a file, - for standard input",
    )
    parser.add_argument(
        "--speed",
        type=positive,
        default=1.0,
        metavar="X",
        help="how many times as fast as it was (default %(default)g)",
    )
    parser.add_argument(
        "--from", dest="begin", default="0", metavar="T", help="begin at 75 (seconds) or 1:15"
    )
    parser.add_argument("--plain", action="store_true", help="one line an action, all at once")
    _json(parser)
    parser.add_argument("--save", metavar="FILE", help="keep the document in a file instead of showing it")
    _server(parser)


def _verify(parser: Parser) -> None:
    parser.add_argument("file", help="a replay document, - for standard input")
    _json(parser)


def _conformance(parser: Parser) -> None:
    parser.add_argument("url", type=address, help="the server, ws://HOST:PORT/ws")
    _json(parser)
    parser.add_argument("--only", metavar="NAME", help="this conversation alone")


def _demo(parser: Parser) -> None:
    parser.add_argument(
        "--pace", type=not_negative, default=0.15, metavar="S", help="seconds a move (default %(default)s)"
    )
    parser.add_argument("--data-dir", metavar="DIR", help="where the demo's server keeps its data")


_COMMANDS = {
    "play": _Command("cellrace_client.cli.play", "play: races, or with --local alone", _play),
    "quick": _Command("cellrace_client.cli.play", "race whoever else wants to", _quick),
    "race": _Command("cellrace_client.cli.play", "open a race for friends", _race),
    "join": _Command("cellrace_client.cli.play", "sit down in a race, or on a deal", _join),
    "deal": _Command("cellrace_client.cli.deal", "print a board", _deal, "run_deal"),
    "solve": _Command("cellrace_client.cli.deal", "print moves that win a deal", _deal, "run_solve"),
    "doctor": _Command("cellrace_client.cli.doctor", "see what works here", _doctor),
    "watch": _Command("cellrace_client.cli.watch", "show a race as it happens", _watch),
    "races": _Command("cellrace_client.cli.races", "list the races that are open or running", _races),
    "bot": _Command(
        "cellrace_client.cli.bot",
        "have bots race: by solving, by chance, as a stored run did, or the moves of a file",
        _bot,
    ),
    "daily": _Command(
        "cellrace_client.cli.daily", "show the deals of the day, or have a bot play one", _daily
    ),
    "ghost": _Command("cellrace_client.cli.ghost", "have a bot race against stored runs", _ghost),
    "top": _Command(
        "cellrace_client.cli.top",
        "show a board: of a deal, of a day’s, a week’s or all ranked races, or of the ratings",
        _top,
    ),
    "profile": _Command("cellrace_client.cli.profile", "show a player; export or erase oneself", _profile),
    "token": _Command("cellrace_client.cli.token", "see, show or renew what proves who one is", _token),
    "replay": _Command(
        "cellrace_client.cli.replay",
        "show the replay of a run; print the document where there is no terminal",
        _replay,
    ),
    "verify": _Command("cellrace_client.cli.verify", "re-run a replay and check what it claims", _verify),
    "conformance": _Command(
        "cellrace_client.cli.conformance",
        "check a server against the protocol, clause by clause",
        _conformance,
    ),
    "demo": _Command("cellrace_client.cli.demo", "two bots race deal 617 while you watch", _demo),
}
