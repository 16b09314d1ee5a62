"""The explaining judge: the rules once more, written for reasons instead of speed.

It shares no rule with `cellrace_engine.referee`; the tests demand that both agree on every move.
"""

from cellrace_engine.cards import NAMES, NO_CARD, RANKS, is_red, rank, suit
from cellrace_engine.moves import (
    CELLS,
    COLUMNS,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FOUNDATIONS,
    PILES,
    Move,
    describe_pile,
)
from cellrace_engine.position import Position
from cellrace_engine.refusal import GAME_OVER, Reason, Refusal, over_capacity, plural
from cellrace_engine.rules import Rules, TakeBack
from cellrace_engine.shown import shown


def reason_against(position: Position, move: Move, rules: Rules) -> Refusal | None:
    """Return why the rules refuse the move in this position, `None` when it is legal."""
    if position.is_won:
        return GAME_OVER
    return (
        _against_piles(position, move)
        or _against_taking_back(move, rules)
        or _against_source(position, move)
        or _against_destination(position, move)
        or _against_capacity(position, move, rules)
    )


def _against_piles(position: Position, move: Move) -> Refusal | None:
    for pile in (move.source, move.destination):
        if pile not in PILES:
            return Refusal(Reason.NO_SUCH_PILE, f"there is no pile {shown(pile)}")
        if pile in CELLS and pile - FIRST_CELL >= len(position.cells):
            there = plural(len(position.cells), "cell")
            return Refusal(Reason.NO_SUCH_PILE, f"there is no {describe_pile(pile)}: this game has {there}")
    if move.source == move.destination:
        return Refusal(Reason.SAME_PILE, f"a move from {describe_pile(move.source)} to itself is none")
    return None


def _against_taking_back(move: Move, rules: Rules) -> Refusal | None:
    if move.source not in FOUNDATIONS:
        return None
    if move.destination in FOUNDATIONS:
        return Refusal(Reason.BETWEEN_FOUNDATIONS, "no card goes from one foundation to another")
    if rules.take_back is TakeBack.NEVER:
        return Refusal(Reason.NEVER_FROM_FOUNDATION, "these rules never take a card back from a foundation")
    if rules.take_back is TakeBack.COLUMN and move.destination in CELLS:
        text = "these rules take a card back from a foundation to a column only, not to a cell"
        return Refusal(Reason.FOUNDATION_TO_COLUMN_ONLY, text)
    return None


def _against_source(position: Position, move: Move) -> Refusal | None:
    asked = move.count if -10_000 < move.count < 10_000 else None
    cards = f"{shown(move.count)} card{'' if move.count == 1 else 's'} asked"
    if move.count < 1:
        return Refusal(Reason.BAD_COUNT, f"{cards}: at least 1 must move", asked)
    if move.count > 1 and not (move.source in COLUMNS and move.destination in COLUMNS):
        text = f"{cards}: only 1 at a time goes from {_between(move)}"
        return Refusal(Reason.ONE_CARD_ONLY, text, asked, 1)
    there = len(_pile(position, move.source))
    if there == 0:
        return Refusal(Reason.EMPTY_SOURCE, f"{describe_pile(move.source)} is empty")
    if there < move.count:
        text = f"{cards}, {describe_pile(move.source)} has {there}"
        return Refusal(Reason.TOO_FEW_CARDS, text, asked, there)
    return None


def _between(move: Move) -> str:
    return f"{describe_pile(move.source)} to {describe_pile(move.destination)}"


def _pile(position: Position, pile: int) -> bytes:
    if pile in COLUMNS:
        return position.columns[pile]
    if pile in CELLS:
        card = position.cells[pile - FIRST_CELL]
        return b"" if card == NO_CARD else bytes((card,))
    home = pile - FIRST_FOUNDATION
    return bytes(level * 4 + home for level in range(position.foundations[home]))


def _against_destination(position: Position, move: Move) -> Refusal | None:
    cards = _pile(position, move.source)[-move.count :]
    target = _pile(position, move.destination)
    if move.destination in CELLS:
        return _against_cell(move, target)
    if move.destination in FOUNDATIONS:
        return _against_foundation(cards[0], move, len(target))
    return _against_run(cards) or _against_building(cards[0], target)


def _against_cell(move: Move, target: bytes) -> Refusal | None:
    if not target:
        return None
    name = NAMES[target[0]]
    return Refusal(Reason.CELL_OCCUPIED, f"{describe_pile(move.destination)} is taken by {name}", onto=name)


def _against_foundation(card: int, move: Move, height: int) -> Refusal | None:
    name = NAMES[card]
    home = move.destination - FIRST_FOUNDATION
    if suit(card) != home:
        return Refusal(
            Reason.WRONG_FOUNDATION, f"{name} does not belong on {describe_pile(move.destination)}", card=name
        )
    if rank(card) != height + 1:
        wanted = RANKS[height] + name[1]
        text = f"{name} is not next on {describe_pile(move.destination)}: {wanted} is"
        return Refusal(
            Reason.NOT_NEXT_ON_FOUNDATION, text, card=name, onto=NAMES[card - 4] if height else None
        )
    return None


def _fits(card: int, onto: int) -> bool:
    return rank(onto) == rank(card) + 1 and is_red(onto) != is_red(card)


def _against_run(cards: bytes) -> Refusal | None:
    for at in range(len(cards) - 1):
        upper, lower = cards[at], cards[at + 1]
        if not _fits(lower, upper):
            text = f"the last {len(cards)} cards are no run: {NAMES[lower]} does not follow {NAMES[upper]}"
            return Refusal(Reason.NOT_A_RUN, text, asked=len(cards), card=NAMES[lower], onto=NAMES[upper])
    return None


def _against_building(card: int, target: bytes) -> Refusal | None:
    if not target or _fits(card, target[-1]):
        return None
    name, onto = NAMES[card], NAMES[target[-1]]
    colour = "black" if is_red(card) else "red"
    wanted = (
        f"a {colour} {RANKS[rank(card)]} is needed"
        if rank(card) < 13
        else "a king goes to an empty column only"
    )
    return Refusal(
        Reason.WRONG_COLOUR_OR_RANK, f"{name} does not go on {onto}: {wanted}", card=name, onto=onto
    )


def _against_capacity(position: Position, move: Move, rules: Rules) -> Refusal | None:
    if move.count == 1:
        return None
    empty_cells = sum(card == NO_CARD for card in position.cells)
    empty_columns = sum(
        not column for pile, column in enumerate(position.columns) if pile != move.destination
    )
    possible = rules.capacity(empty_cells, empty_columns)
    return over_capacity(move.count, possible, empty_cells, empty_columns) if move.count > possible else None
