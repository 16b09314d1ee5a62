"""Rule sets as data: one frozen value with a field for each choice, and the four published presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from cellrace_engine.errors import RulesError
from cellrace_engine.shown import shown

CELL_COUNTS = (1, 2, 4)


class RunCapacity(StrEnum):
    """How many cards of a run may move at once, with F empty cells and E empty columns."""

    POWER = "power"  # (F + 1) * 2**E
    LINEAR = "linear"  # (F + 1) * (1 + E)


class TakeBack(StrEnum):
    """Where the top card of a foundation may go."""

    NEVER = "never"
    COLUMN = "column"
    COLUMN_OR_CELL = "column_or_cell"


_POWER = RunCapacity.POWER  # a class looks its enumeration members up anew each time


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set. Any combination of valid field values can be played.

    Points are for one card: moved to its foundation, taken back from it, moved from a cell to a column.
    `undo_depth` is how many moves can be taken back at most; `None` means all of them.
    Raises `RulesError`, which names the field, when a value is not valid.
    """

    cells: int = 4
    run_capacity: RunCapacity = RunCapacity.POWER
    take_back: TakeBack = TakeBack.NEVER
    automatic_moves: bool = False
    points_to_foundation: int = 0
    points_taken_back: int = 0
    points_cell_to_column: int = 0
    undo_depth: int | None = None

    def __post_init__(self) -> None:
        _require_whole("cells", self.cells)
        if self.cells not in CELL_COUNTS:
            raise RulesError("cells", f"{shown(self.cells)} cells are not offered: 4, 2 or 1")
        _require_choice("run_capacity", self.run_capacity, RunCapacity)
        _require_choice("take_back", self.take_back, TakeBack)
        if not _is_bool(self.automatic_moves):
            raise RulesError("automatic_moves", f"true or false expected, not {shown(self.automatic_moves)}")
        _require_range("points_to_foundation", self.points_to_foundation, 0, 1000)
        _require_range("points_taken_back", self.points_taken_back, -1000, 0)
        _require_range("points_cell_to_column", self.points_cell_to_column, 0, 1000)
        if self.undo_depth is not None:
            _require_range("undo_depth", self.undo_depth, 0, 1_000_000)

    def capacity(self, empty_cells: int, empty_columns: int) -> int:
        """Return how many cards may move at once; an empty column that is the destination is not counted."""
        if self.run_capacity is _POWER:
            return (empty_cells + 1) << empty_columns
        return (empty_cells + 1) * (empty_columns + 1)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _require_whole(field: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RulesError(field, f"a whole number expected, not {shown(value)}")


def _require_range(field: str, value: int, low: int, high: int) -> None:
    _require_whole(field, value)
    if not low <= value <= high:
        raise RulesError(field, f"{shown(value)} is not within {low} and {high}")


def _require_choice(field: str, value: object, choices: type[StrEnum]) -> None:
    if not isinstance(value, choices):
        names = ", ".join(choice.value for choice in choices)
        raise RulesError(field, f"one of {choices.__name__} ({names}) expected, not {shown(value)}")


CLASSIC = Rules(automatic_moves=True, undo_depth=400)
RELAXED = Rules(
    take_back=TakeBack.COLUMN_OR_CELL, points_to_foundation=10, points_taken_back=-15, undo_depth=400
)
POCKET = Rules(take_back=TakeBack.COLUMN, points_to_foundation=10, points_cell_to_column=5, undo_depth=100)
LINEAR = Rules(run_capacity=RunCapacity.LINEAR)

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {"classic": CLASSIC, "relaxed": RELAXED, "pocket": POCKET, "linear": LINEAR}
)
