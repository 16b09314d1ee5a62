"""What is typed behind a command. Types for `argparse` raise what it tells of."""

from __future__ import annotations

import argparse
import math
import sys

TYPE_CHECKING = False  # as type checkers know it: what is imported here, `cellrace --help` waits for

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

EXIT_USAGE = 64
"""Of a program that was called wrongly, as in sysexits.h: 2, which `argparse` has, says nothing to a script."""


YES_OR_NO = argparse.BooleanOptionalAction
"""`--flag`, `--no-flag`, or neither."""


class Parser(argparse.ArgumentParser):
    """Ends with `EXIT_USAGE`, after the usage and the reason on standard error, where a command is called wrongly. No
    option may be shortened: a script would break with the next one that begins so. Its subparsers are like it.

    `arguments` adds the parser's own, when they are needed: of many commands one is asked for."""

    def __init__(
        self,
        *,
        allow_abbrev: bool = False,
        arguments: Callable[[Parser], None] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(allow_abbrev=allow_abbrev, **options)  # which ones subparsers get differs by version
        self._arguments = arguments

    def parse_known_args(self, *words: Any, **options: Any) -> Any:
        """As that of the library, but nothing is left over: what is not known is an error."""
        arguments, self._arguments = self._arguments, None
        if arguments is not None:
            arguments(self)
        found, rest = super().parse_known_args(*words, **options)
        if rest:
            self.error(
                f"unrecognized arguments: {' '.join(rest)}"
            )  # with the usage of the command that was meant
        return found, rest

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message}\n")


def address(text: str) -> str:
    """A server's address to connect to, from what `server_url` understands."""
    from cellrace_client.links import is_server, server_url  # noqa: PLC0415 - slow, and needed where there is one

    try:
        url = server_url(text)
        url.encode()  # bytes that are no text
    except ValueError:
        url = ""
    if not is_server(url):
        raise argparse.ArgumentTypeError(f"{text} is no ws:// or wss:// address")
    return url


def named(text: str) -> str:
    """A race's or a run's name, or its link, whose address can be one; other things are left to who reads them."""
    if text.startswith(("http://", "https://")):
        try:
            address(text)
        except argparse.ArgumentTypeError:
            raise argparse.ArgumentTypeError(f"{text} is no link") from None
    return text


def rules(text: str) -> str:
    """A rule set by its name, or with changes; nothing is nothing."""
    from cellrace_engine import RulesError, parse_rules  # noqa: PLC0415 - `--help` does not need it

    try:
        parse_rules(text or "classic")
    except RulesError as error:
        raise argparse.ArgumentTypeError(error.fault) from None
    return text


def language(text: str) -> str:
    """A language that there is, by its code or by a locale's name."""
    from cellrace_client.languages import LANGUAGES, code_of  # noqa: PLC0415 - needed where there is one

    code = code_of(text)
    if code not in LANGUAGES:
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(LANGUAGES)}")
    return code


def day(text: str) -> str:
    """A day of the calendar, `2026-11-30`; empty for today."""
    from datetime import date  # noqa: PLC0415 - needed where there is one

    try:
        known = not text or str(date.fromisoformat(text)) == text
    except ValueError:
        known = False
    if not known:
        raise argparse.ArgumentTypeError(f"{text} is no day such as 2026-11-30")
    return text


def positive(text: str) -> float:
    """A finite number above 0."""
    number = not_negative(text)
    if number == 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def not_negative(text: str) -> float:
    """A finite number, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number") from None
    if not math.isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(f"{text} is no finite number of 0 or more")
    return number


def counting(text: str) -> int:
    """A whole number, 1 or more."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number
