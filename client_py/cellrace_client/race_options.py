"""What people type to open a race of their own: the deal and the rules, and how it is to be. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from cellrace_client.errors import NotUnderstood, OptionOutOfRange, OptionsClash, OptionUnclear
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


RANGES: Mapping[str, tuple[int, int]] = {
    "seats": (1, 16),
    "best": (1, 99),
    "limit": (SECOND_MS, 1_440 * MINUTE_MS),
    "countdown": (0, 60 * SECOND_MS),
    "delay": (-1, 600 * SECOND_MS),
}
"""What servers take of each number, in the unit of the protocol."""


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
    def fault(self) -> NotUnderstood | None:
        """Why no server would open such a race, as far as that can be told here; `None` where one may."""
        for word, (low, high) in RANGES.items():
            name, unit = NUMBERS[word]
            if not low <= getattr(self, name) <= high:
                return OptionOutOfRange(word, f"{max(0, low) / unit:.2g}", f"{high / unit:g}")
        if self.best_of % 2 == 0:
            return OptionsClash("even", "a series is the best of an odd number of races")
        if self.ranked and self.deal:
            return OptionsClash("ranked_deal", "a ranked race draws its deal: name none, or no ranked race")
        return None

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
    what is left and is no deal or no rules, and the `fault` of what no server takes."""
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
    options = RaceOptions(str(asked.deal or ""), asked.rules_name)._replace(**found)  # type: ignore[arg-type]
    if options.fault is not None:
        raise options.fault
    return options


def _number(what: str, text: str, unit: int) -> int:
    """In the unit of the protocol; -1 stays what it is, the usual."""
    try:
        value = float(text) if unit > 1 else int(text)
        return -1 if value == -1 else round(value * unit)
    except (ValueError, OverflowError):
        raise OptionUnclear(what) from None
