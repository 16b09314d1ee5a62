"""Why a move is refused: a stable code, the numbers that matter, and an English sentence."""

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """The codes of all refusals. They go on the wire: never change one, only add."""

    UNREADABLE = "unreadable"
    AMBIGUOUS = "ambiguous"
    GAME_OVER = "game_over"
    NOTHING_TO_UNDO = "nothing_to_undo"
    UNDO_DEPTH_REACHED = "undo_depth_reached"
    NO_SUCH_PILE = "no_such_pile"
    SAME_PILE = "same_pile"
    BAD_COUNT = "bad_count"
    ONE_CARD_ONLY = "one_card_only"
    EMPTY_SOURCE = "empty_source"
    TOO_FEW_CARDS = "too_few_cards"
    CELL_OCCUPIED = "cell_occupied"
    BETWEEN_FOUNDATIONS = "between_foundations"
    NEVER_FROM_FOUNDATION = "never_from_foundation"
    FOUNDATION_TO_COLUMN_ONLY = "foundation_to_column_only"
    WRONG_FOUNDATION = "wrong_foundation"
    NOT_NEXT_ON_FOUNDATION = "not_next_on_foundation"
    NOT_A_RUN = "not_a_run"
    WRONG_COLOUR_OR_RANK = "wrong_colour_or_rank"
    OVER_CAPACITY = "over_capacity"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal. Numbers and cards that do not apply are `None`.

    `asked` (left out beyond four digits) and `possible` count cards; `empty_cells` and `empty_columns` are
    those that the capacity was reckoned with (the destination of a move to an empty column is not among
    them). `card` and `onto` are card names such as `"TH"`. `text` is the whole sentence for a person.
    """

    reason: Reason
    text: str
    asked: int | None = None
    possible: int | None = None
    empty_cells: int | None = None
    empty_columns: int | None = None
    card: str | None = None
    onto: str | None = None


def plural(number: int, noun: str) -> str:
    """Return number and noun in agreement: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def over_capacity(asked: int, possible: int, empty_cells: int, empty_columns: int) -> Refusal:
    """Return the refusal of a run that is longer than what can move."""
    text = (
        f"{plural(asked, 'card')} asked, {possible} can move: "
        f"{plural(empty_cells, 'empty cell')}, {plural(empty_columns, 'empty column')}"
    )
    return Refusal(Reason.OVER_CAPACITY, text, asked, possible, empty_cells, empty_columns)


GAME_OVER = Refusal(Reason.GAME_OVER, "the game is won: all 52 cards are home")
NOTHING_TO_UNDO = Refusal(Reason.NOTHING_TO_UNDO, "there is no move to take back")


def undo_depth_reached(depth: int) -> Refusal:
    """Return the refusal of an undo beyond the depth that the rules keep."""
    return Refusal(Reason.UNDO_DEPTH_REACHED, f"only the last {plural(depth, 'move')} can be taken back")
