"""The replay document as frozen values."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cellrace_engine.deals import DealCode
from cellrace_engine.errors import PositionError, ReplayError
from cellrace_engine.position import Position
from cellrace_engine.rules import Rules

VERSION = 1
UNDO = "undo"
RESTART = "restart"


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
    """What is claimed of a run: its time, the moves that stood at its end, cards home, the running total."""

    time_ms: int
    moves: int
    cards_home: int
    score: int


@dataclass(frozen=True, slots=True)
class PlayerRun:
    """One player's run. Times never decrease; `result` is absent when nothing is claimed."""

    name: str
    kind: PlayerKind
    actions: tuple[Action, ...]
    result: Result | None = None

    def __post_init__(self) -> None:
        before = 0
        for index, action in enumerate(self.actions):
            if action.t_ms < before:
                message = f"{action.t_ms} ms comes after {before} ms: times start at 0 and never decrease"
                raise ReplayError(f"actions[{index}]", message)
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
            raise ReplayError("version", f"{self.version} is not known: {VERSION} is")
        if (self.deal is None) == (self.layout is None):
            raise ReplayError("deal", "either a deal code or a layout is needed, not both")
        cells = len(self.start().cells)
        if cells != self.rules.cells:
            raise ReplayError("rules.cells", f"the deal has {cells}, the rules have {self.rules.cells}")

    def start(self) -> Position:
        """Return the position in which every run began."""
        if self.deal is not None:
            return self.deal.deal()
        try:
            return Position.parse(self.layout or "")
        except PositionError as error:
            raise ReplayError("layout", str(error)) from error
