"""The replay document as frozen values."""

import unicodedata
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import NamedTuple

from cellrace_engine.deals import DealCode
from cellrace_engine.errors import DealError, PositionError, ReplayError
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules
from cellrace_engine.shown import encodable, shown

VERSION = 1
UNDO = "undo"
RESTART = "restart"
HIGHEST = 2**53 - 1  # every reader of JSON knows whole numbers up to here


class PlayerKind(StrEnum):
    """Who played."""

    HUMAN = "human"
    BOT = "bot"


class Action(NamedTuple):
    """What a player did: a move's text, `"undo"` or `"restart"`, in whole milliseconds after the start."""

    t_ms: int
    do: str


@dataclass(frozen=True, slots=True)
class Result:
    """What is claimed of a run: its time, the moves that stood at its end, cards home, the running total.

    The network's delay may be made good: `time_ms` is the time that counts, after `compensation_ms` was taken
    off that of the last action. Raises `ReplayError` for numbers beyond 2**53 - 1; `verify` checks the claims.
    """

    time_ms: int
    moves: int
    cards_home: int
    score: int
    compensation_ms: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            if abs(getattr(self, field.name)) > HIGHEST:
                message = f"{shown(getattr(self, field.name))} is beyond {HIGHEST} (2**53 - 1)"
                raise ReplayError(field.name, message)


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
NAME_MOST = 100
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class PlayerRun:
    """One player's run. Times never decrease; `result` is absent when nothing is claimed.

    A name is shown to whoever looks at the document, who has it from strangers: it has at most `NAME_MOST` characters,
    and among them no control, no change of direction, no end of a line and nothing else invisible (the categories of
    Unicode Cc, Cf, Cs, Zl, Zp).

    Raises `ReplayError` for other times and names, and for texts with half of a surrogate pair: they cannot be written.
    """

    name: str
    kind: PlayerKind
    actions: tuple[Action, ...]
    result: Result | None = None

    def __post_init__(self) -> None:
        if len(self.name) > NAME_MOST:
            raise ReplayError(
                "name", f"a name has {NAME_MOST} characters at the most, this one {len(self.name)}"
            )
        if any(unicodedata.category(character) in _HIDDEN for character in self.name):
            raise ReplayError("name", f"{shown(self.name)} has characters that cannot be shown")
        before = 0
        for index, action in enumerate(self.actions):
            if action.t_ms < before:
                message = (
                    f"{shown(action.t_ms)} ms comes after {before} ms: times start at 0 and never decrease"
                )
                raise ReplayError(f"actions[{index}]", message)
            if action.t_ms > HIGHEST:
                message = f"{shown(action.t_ms)} ms is beyond {HIGHEST} (2**53 - 1)"
                raise ReplayError(f"actions[{index}]", message)
            if not encodable(action.do):
                raise ReplayError(f"actions[{index}]", f"{shown(action.do)} has half of a surrogate pair")
            before = action.t_ms


@dataclass(frozen=True, slots=True)
class Replay:
    """One game or race: the rules, the deal (a code, or the text of a custom layout) and every player's run.

    Raises `ReplayError` when the deal is missing, given twice, cannot be, or has other cells than the rules.
    """

    rules: Rules
    players: tuple[PlayerRun, ...]
    deal: DealCode | None = None
    layout: str | None = None
    version: int = VERSION

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise ReplayError("version", f"{shown(self.version)} is not known: {VERSION} is")
        if (self.deal is None) == (self.layout is None):
            raise ReplayError("deal", "either a deal code or a layout is needed, not both")
        cells = len(self.start().cells)
        if cells != self.rules.cells:
            raise ReplayError("rules.cells", f"the deal has {cells}, the rules have {self.rules.cells}")

    def start(self) -> Position:
        """Return the position in which every run began."""
        if self.deal is not None:
            try:
                return self.deal.deal()
            except DealError as error:
                raise ReplayError("deal", str(error)) from error
        try:
            return Position.parse(self.layout or "")
        except PositionError as error:
            raise ReplayError("layout", str(error)) from error
