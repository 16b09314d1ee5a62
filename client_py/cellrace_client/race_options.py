"""What people type to open a race of their own: the deal and the rules, and how it is to be. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from cellrace_client.errors import OptionUnclear
from cellrace_client.openings import opening

MINUTE_MS = 60_000
SECOND_MS = 1_000

FLAGS: Mapping[str, tuple[str, bool]] = {
    "public": ("public", True),
    "link": ("public", False),
    "ranked": ("ranked", True),
    "friendly": ("ranked", False),
    "bots": ("bots", True),
    "nobots": ("bots", False),
    "open": ("open_boards", True),
    "closed": ("open_boards", False),
}
NUMBERS: Mapping[str, tuple[str, int]] = {
    "seats": ("seats", 1),
    "best": ("best_of", 1),
    "limit": ("limit_ms", MINUTE_MS),
    "countdown": ("countdown_ms", SECOND_MS),
    "delay": ("delay_ms", SECOND_MS),
}
"""What is followed by a number, and of what it is one: minutes or seconds where that is not 1."""


class RaceOptions(NamedTuple):
    """As `Client.create` takes them; people's races are for who has the link, and for people."""

    deal: str = ""
    rules: str = "classic"
    seats: int = 2
    open_boards: bool = False
    public: bool = False
    countdown_ms: int = 3_000
    limit_ms: int = 1_800_000
    ranked: bool = False
    bots: bool = False
    delay_ms: int = -1
    best_of: int = 1

    @property
    def asked(self) -> dict[str, object]:
        """By name, without the deal."""
        return {name: value for name, value in self._asdict().items() if name != "deal"}

    @property
    def text(self) -> str:
        """What one would type for them: what is as usual is left out."""
        usual = RaceOptions()
        words = [self.deal] if self.deal else []
        if self.rules != usual.rules:
            words.append(self.rules)
        for word, (name, unit) in NUMBERS.items():
            value = getattr(self, name)
            if value != getattr(usual, name):
                words += [word, f"{value / unit:g}" if value >= 0 else "-1"]
        for word, (name, is_set) in FLAGS.items():
            if getattr(self, name) is is_set is not getattr(usual, name):
                words.append(word)
        return " ".join(words)


def race_options(text: str) -> RaceOptions:
    """Read `617 relaxed seats 4 ranked best of 3 limit 20 countdown 5 delay 30 public bots open`, in any order: limits
    in minutes, the rest in seconds. Raises `OptionUnclear` for a number that is none, `DealError` or `RulesError` for
    what is left and is no deal or no rules. Whether a server takes them is not looked at."""
    found: dict[str, bool | int] = {}
    left: list[str] = []
    words = text.split()
    while words:
        word = words.pop(0)
        key = word.lower()
        if key in FLAGS:
            name, is_set = FLAGS[key]
            found[name] = is_set
        elif key in NUMBERS:
            if key == "best" and words[:1] == ["of"]:
                del words[0]
            name, unit = NUMBERS[key]
            found[name] = _number(key, words.pop(0) if words else "", unit)
        else:
            left.append(word)
    asked = opening(" ".join(left))
    return RaceOptions(str(asked.deal or ""), asked.rules_name)._replace(**found)  # type: ignore[arg-type]


def _number(what: str, text: str, unit: int) -> int:
    """In the unit of the protocol; -1 stays what it is, the usual."""
    try:
        value = float(text) if unit > 1 else int(text)
        return -1 if value == -1 else round(value * unit)
    except (ValueError, OverflowError):
        raise OptionUnclear(what) from None
