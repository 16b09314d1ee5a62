"""What people type to begin something: a deal and a rule set, in any order."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cellrace_client.boards import BoardQuery
from cellrace_client.links import CHALLENGE
from cellrace_engine import PRESETS, DealCode, DealError, Rules, parse_rules
from cellrace_protocol.commands import Kind, Measure, Scope, Sight

DEAL = re.compile(r"#|-?\d|fc[\s\d-]", re.IGNORECASE)
"""What a deal begins with; a race's name does not."""

RUN = re.compile(r"[a-z]{7}-\d+", re.IGNORECASE)


DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

BOARD_WORDS: Mapping[str, Mapping[str, Any]] = {
    **{measure.value: {"by": measure} for measure in Measure},
    **{sight.value: {"sight": sight} for sight in Sight},
    **{scope.value: {"scope": scope} for scope in Scope if scope is not Scope.DEAL},
    "bots": {"kind": Kind.BOT},
}
"""What narrows a board down."""


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


class Strangers(NamedTuple):
    """How to meet strangers: `ranked`, or against a run by its name or link if nobody comes."""

    ranked: bool = False
    ghost: str = ""


def strangers(text: str) -> Strangers:
    """Read nothing, `ranked`, or `ghost RUN`."""
    first, _, rest = text.partition(" ")
    return Strangers(first == "ranked", rest.strip() if first == "ghost" else "")


def challenges(text: str) -> Sequence[Challenge]:
    """Read several of them, with semicolons between: `best; mine 617`, on one deal, which the last one names, or runs
    by name. Raises as `challenge` does."""
    parts = [part.strip() for part in text.split(";")]
    last = challenge(parts[-1])
    return [*(_on_the_same(part, last) for part in parts[:-1] if part), last]


def _on_the_same(text: str, last: Challenge) -> Challenge:
    words = text.split()
    if not last.run and not any(DEAL.match(word) for word in words[1:]) and not RUN.fullmatch(text):
        return last._replace(whose=text) if CHALLENGE not in text else challenge(text)
    return challenge(text)


def board_of(text: str) -> BoardQuery:
    """The board that is meant by a deal and rules, in any order: without a deal, that of the day under these rules, or
    of the `week`, or `ever`, or that of another day (`2026-11-30`). `moves` or `score`, `first` or `practised`, and
    `bots` say which one. Raises `DealError` or `RulesError`."""
    found = BoardQuery(scope=Scope.DAY)
    left: list[str] = []
    for word in text.split():
        known = BOARD_WORDS.get(word.lower())
        if known is not None:
            found = found._replace(**known)
        elif DAY.fullmatch(word):
            found = found._replace(day=word)
        else:
            left.append(word)
    asked = opening(" ".join(left))
    found = found._replace(rules=asked.rules_name)
    if asked.deal is None:
        return found
    return found._replace(deal=str(asked.deal), scope=Scope.DEAL, day="")


def is_of_any_deal(text: str) -> bool:
    """Whether `text`, which is to name a board, says no more than what counts on it and whose it is: neither a deal,
    nor rules, nor days."""
    said = [BOARD_WORDS.get(word.lower()) for word in text.split()]
    return all(known is not None and "scope" not in known for known in said)


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
