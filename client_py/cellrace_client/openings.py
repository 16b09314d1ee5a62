"""What people type to begin something: a deal and a rule set, in any order."""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cellrace_client.boards import BoardQuery
from cellrace_client.links import CHALLENGE
from cellrace_engine import PRESETS, DealCode, DealError, Rules, parse_rules
from cellrace_protocol.commands import Scope

DEAL = re.compile(r"#|-?\d|fc[\s\d-]", re.IGNORECASE)
"""What a deal begins with; a race's name does not."""

RUN = re.compile(r"[a-z]{7}-\d+", re.IGNORECASE)


class Opening(NamedTuple):
    """`deal` is `None` where none was named: then any."""

    deal: DealCode | None
    rules_name: str
    rules: Rules


def opening(text: str, rules_name: str = "classic") -> Opening:
    """Read `617`, `617 relaxed`, `pocket+cells=2`, `FC1-C2-AAAAAKH pocket` or nothing. Rules get as many cells as a
    code names. Raises `DealError` or `RulesError`."""
    deal_words: list[str] = []
    for word in text.split():
        if _is_rules(word):
            rules_name = word.lower()
        else:
            deal_words.append(word)
    rules = parse_rules(rules_name)
    if not deal_words:
        return Opening(None, rules_name, rules)
    code = DealCode.parse(" ".join(deal_words), rules.cells)
    if code.cells != rules.cells:
        rules_name = f"{rules_name}+cells={code.cells}"
        rules = parse_rules(rules_name)
    return Opening(code, rules_name, rules)


class Joining(NamedTuple):
    """A race by its name or link, or a deal with the rules to race on it by."""

    what: str
    rules_name: str


def joining(text: str) -> Joining:
    """Read what to sit down in: a name or a link as it is, `617`, `617 relaxed`. Raises `DealError` for what can only
    be a deal and is none, `DealError` or `RulesError` for rules beside what is no deal."""
    words = text.split()
    if len(words) > 1 and any(_is_rules(word) for word in words):
        asked = opening(text)
        if asked.deal is not None:
            return Joining(str(asked.deal), asked.rules_name)
    if is_meant_as_deal(text):
        DealCode.parse(text)
    return Joining(text, "classic")


def is_meant_as_deal(text: str) -> bool:
    """Whether this can only be a deal, and no race's name, though it may be one that there is not."""
    return DEAL.match(text.strip()) is not None


class Challenge(NamedTuple):
    """A stored run to race: by its name or link, or the best, one's own or a player's (`whose`) on a deal."""

    run: str
    whose: str = ""
    deal: str = ""
    rules_name: str = "classic"


def challenge(text: str) -> Challenge:
    """Read `best 617`, `mine 617 relaxed`, `Ada Lovelace 617`, or a run's name or link. Raises `DealError` or
    `RulesError` where no deal is named."""
    words = text.split()
    if len(words) == 1 and (CHALLENGE in text or RUN.fullmatch(words[0])):
        return Challenge(words[0])
    first = len(words) - 1
    while first > 1 and _is_rules(words[first]):
        first -= 1
    asked = opening(" ".join(words[max(1, first) :]))
    if asked.deal is None:
        raise DealError("format", "name a deal too (617, FC1-C4-AAAAAKH)")
    return Challenge("", " ".join(words[: max(1, first)]), str(asked.deal), asked.rules_name)


def board_of(text: str) -> BoardQuery:
    """The board that is meant by a deal and rules, in any order: without a deal, that of the day under these rules.
    Raises `DealError` or `RulesError`."""
    asked = opening(text)
    if asked.deal is None:
        return BoardQuery(rules=asked.rules_name, scope=Scope.DAY)
    return BoardQuery(str(asked.deal), asked.rules_name)


def replay_file(text: str) -> Path | None:
    """The file that is meant where a replay is named; `None` where it is a run, by its name or its link. A name with a
    folder or an ending is a file's, whether it is there or not."""
    path = Path(text)
    with suppress(OSError):  # of a name that no file can have
        if path.is_file():
            return path
    is_link = text.startswith(("http://", "https://"))
    return path if not is_link and ("/" in text or path.suffix) else None


def _is_rules(word: str) -> bool:
    return word.lower().partition("+")[0] in PRESETS
