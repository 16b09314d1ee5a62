"""The deal of the day: how it follows from a secret, when it may be seen, and who has had it. Pure."""

import hashlib
import hmac

import msgspec

from cellrace_engine import DealCode, Rules, parse_rules, rules_text
from cellrace_server.core.days import begins, day_number, day_text, parse_day
from cellrace_server.core.fair_deals import DEALS
from cellrace_server.core.options import HOUR, SECOND, Options
from cellrace_server.core.runs import Run
from cellrace_server.core.secrecy import SALT_BYTES

DAILY_RULES = (parse_rules("classic"), parse_rules("pocket+cells=2"))
"""Each has a deal of its own every day."""

LIMIT_MS = HOUR
"""The time limit of an attempt."""

COUNTDOWN_MS = 3 * SECOND


class Daily(msgspec.Struct, frozen=True, array_like=True):
    """The deal of one day under one rule set. `number` and `salt` are secrets. `at` is the instant from which its
    commitment could be seen (store clock, ms)."""

    day: str
    rules: str
    number: int
    salt: bytes
    at: int

    @property
    def code(self) -> DealCode:
        """The deal's code."""
        return DealCode(parse_rules(self.rules).cells, self.number)

    @property
    def commitment(self) -> bytes:
        """SHA-256 over the salt followed by the deal's code in ASCII, as for every race."""
        return hashlib.sha256(self.salt + str(self.code).encode("ascii")).digest()

    @property
    def begins(self) -> int:
        """The first instant at which it may be attempted."""
        return begins(_number(self.day))

    @property
    def ends(self) -> int:
        """The first instant at which it may not be begun any more, and may be shown to everybody."""
        return begins(_number(self.day) + 1)


def candidate(secret: bytes, day: str, rules: Rules, count: int) -> int:
    """The number of the deal that is tried as number `count` (from 0) for a day: known to who knows the secret."""
    first, last = DEALS
    drawn = int.from_bytes(_drawn(secret, f"deal {count}", day, rules)[:16])
    return first + drawn % (last - first + 1)


def salt(secret: bytes, day: str, rules: Rules) -> bytes:
    """What is hashed with the deal of that day: it tells nothing about another day's."""
    return _drawn(secret, "salt", day, rules)[:SALT_BYTES]


def _drawn(secret: bytes, what: str, day: str, rules: Rules) -> bytes:
    words = f"cellrace daily\n{what}\n{day}\n{rules_text(rules)}"
    return hmac.digest(secret, words.encode("ascii"), "sha256")


def terms(rules: Rules, day: str, practice: bool) -> Options:
    """A race of one on the deal of a day. Nobody is shown it before the day is over."""
    return Options(
        rules=rules,
        seats=1,
        public=False,
        countdown_ms=COUNTDOWN_MS,
        limit_ms=LIMIT_MS,
        ranked=not practice,
        daily=day,
        practice=practice,
    )


def shown_at(day: str) -> int:
    """The instant from which others than the player may see races on the deal of a day, and their replays: the day is
    over, and so is every attempt that was begun on it. 0 for races that are no dailies, whose day is empty."""
    return begins(_number(day) + 1) + LIMIT_MS if day else 0


def may_see(player: str, run: Run, now: int) -> bool:
    """Whether a player may be shown what tells the deal of a run: one's own always."""
    return run.player.id == player or now >= shown_at(run.daily)


def too_late(options: Options, at: int) -> bool:
    """Whether an attempt cannot be begun at the instant `at` because its day is over: the start decides the day."""
    return bool(options.daily) and not options.practice and day_number(at) > _number(options.daily)


def attempt_name(day: str, rules: str, player: str) -> str:
    """The name whose holder is the one race in which this player attempts the deal of that day."""
    return f"daily:{day}:{rules}:{player}"


ATTEMPT_DAYS = 31
"""For how many days it is kept which race was the attempt of a day."""


def attempt_names(player: str, today: int) -> list[str]:
    """The names of all attempts of a player that may be kept on the day number `today`, or on the one after it."""
    days = [day_text(number) for number in range(today - ATTEMPT_DAYS, today + 2)]
    return [attempt_name(day, rules_text(rules), player) for day in days for rules in DAILY_RULES]


def _number(day: str) -> int:
    number = parse_day(day)
    assert number is not None, f"{day} is a day"
    return number
