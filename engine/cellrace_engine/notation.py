"""Moves as text: `26`, `3h`, `a5`, `7a`, `h5`, `hd5`, `26v3`.

A pile is `1` to `8`, `a` to `d`, or `h` for the foundations. Where it is not plain which foundation is
meant, its suit follows the `h`. Without a count a move to an empty column takes the longest run that can
move, and one onto a card the only length that fits; `v` and a hexadecimal digit name another count. Case
does not matter.
"""

from typing import overload

from cellrace_engine.cards import NO_CARD, PARENTS, run_length
from cellrace_engine.errors import NotationError
from cellrace_engine.line import Line
from cellrace_engine.moves import FIRST_CELL, FIRST_FOUNDATION, PILES, Move
from cellrace_engine.position import Position
from cellrace_engine.reasons import reason_against
from cellrace_engine.referee import is_run, placed
from cellrace_engine.refusal import Reason, Refusal
from cellrace_engine.rules import Rules
from cellrace_engine.shown import shown

_PILES = "12345678abcd"
_SUITS = "cdhs"
_ANY = 16  # "a foundation": which one depends on the card
_COUNTS = {
    **{format(count, "x"): count for count in range(1, 14)},
    **{str(count): count for count in range(1, 14)},
}


def _named_piles() -> dict[str, int]:
    named = {name: pile for pile, name in enumerate(_PILES)}
    named |= {f"h{suit}": FIRST_FOUNDATION + at for at, suit in enumerate(_SUITS)}
    return named | {"h": _ANY}


def _forms() -> dict[str, tuple[int, int]]:
    piles = _named_piles()
    forms = {
        first + second: (piles[first], piles[second]) for first in piles if first != "h" for second in piles
    }
    # After a bare `h` no suit may follow: `hhc` is the heart to cell c.
    return forms | {"h" + second: (_ANY, piles[second]) for second in (*_PILES, "h")}


_FORMS = _forms()
# Every move that a text can mean, made once: [source][destination][count].
_MOVES = tuple(
    tuple(tuple(Move(source, destination, count) for count in range(14)) for destination in range(16))
    for source in range(16)
)


def read_move(text: str, position: Position, rules: Rules) -> Move | Refusal:
    """Return the move that a text means here, or why it means none. Never raises for a `str`.

    Types are not checked, nor that the position has the cells of the rules.
    Whether the move is legal is not checked. Reasons are `unreadable` and `ambiguous`; where a text can be
    completed only with a legal move (`h5`) also the reason why there is none.
    """
    form = _FORMS.get(text)
    count = 0
    if form is None:
        plain, mark, digits = "".join(text.split()).lower().partition("v")
        form = _FORMS.get(plain)
        count = _COUNTS.get(digits, 0)
        if form is None or (mark and not count):
            return _unreadable(text)
    source, destination = form
    if destination < 8 and source < 8:
        return _MOVES[source][destination][count or _usual_count(position, source, destination, rules)]
    if source == _ANY:
        return _from_some_foundation(text, destination, count or 1, position, rules)
    if destination == _ANY:
        destination = FIRST_FOUNDATION + _suit_of_exposed(position, source)
    return _MOVES[source][destination][count or 1]


@overload
def parse_move(text: str, at: Line) -> Move: ...
@overload
def parse_move(text: str, at: Position, rules: Rules) -> Move: ...
def parse_move(text: str, at: Line | Position, rules: Rules | None = None) -> Move:
    """Return the move that a text means here; raise `NotationError`, which says what is wrong.

    A position needs the rules beside it, a line has its own.
    """
    if isinstance(at, Line):
        return parse_move(text, at.position, at.rules)
    if rules is None:
        raise TypeError("a position needs the rules beside it")
    move = read_move(text, at, rules)
    if isinstance(move, Refusal):
        raise NotationError(move)
    return move


def format_move(move: Move, position: Position, rules: Rules) -> str:
    """Return the canonical text of a move in this position; `read_move` gives a legal one back.

    Raises `NotationError` where there is no text: for piles not from 0 to 15 and counts not from 1 to 13. Else
    whether the move is legal is not checked.
    """
    source, destination, count = move
    if source not in PILES or destination not in PILES:
        wrong = source if source not in PILES else destination
        raise NotationError(Refusal(Reason.NO_SUCH_PILE, f"there is no pile {shown(wrong)}"))
    if not 1 <= count <= 13:
        raise NotationError(Refusal(Reason.BAD_COUNT, f"{shown(count)} cards: from 1 to 13 can be written"))
    usual = 1
    if source < 8 and destination < 8:
        usual = _usual_count(position, source, destination, rules)
    tail = "" if count == usual else f"v{count:x}"
    return _source_text(move, position, rules) + _destination_text(source, destination, position) + tail


def _usual_count(position: Position, source: int, destination: int, rules: Rules) -> int:
    column, target = position.columns[source], position.columns[destination]
    if not column:
        return 1
    if target:
        count = (target[-1] >> 2) - (column[-1] >> 2)
        if count <= 1 or count > len(column):
            return 1
        run = column[-count:]
        return count if target[-1] in PARENTS[run[0]] and is_run(run) else 1
    empty_columns = position.columns.count(b"") - 1
    return min(run_length(column), rules.capacity(position.cells.count(NO_CARD), empty_columns))


def _suit_of_exposed(position: Position, pile: int) -> int:
    if pile < FIRST_CELL:
        return position.columns[pile][-1] & 3 if position.columns[pile] else 0
    cell = pile - FIRST_CELL
    card = position.cells[cell] if cell < len(position.cells) else NO_CARD
    return card & 3


def _legal_sources(position: Position, destination: int, rules: Rules) -> list[int]:
    foundations = range(FIRST_FOUNDATION, FIRST_FOUNDATION + 4)
    return [
        source for source in foundations if placed(position, Move(source, destination), rules) is not None
    ]


def _from_some_foundation(
    text: str, destination: int, count: int, position: Position, rules: Rules
) -> Move | Refusal:
    if destination >= FIRST_FOUNDATION:
        return Refusal(Reason.BETWEEN_FOUNDATIONS, "no card goes from one foundation to another")
    sources = _legal_sources(position, destination, rules)
    if len(sources) == 1:
        return Move(sources[0], destination, count)
    pile = _PILES[destination]
    if sources:
        choices = " or ".join(f"h{_SUITS[source - FIRST_FOUNDATION]}{pile}" for source in sources)
        return Refusal(Reason.AMBIGUOUS, f"{shown(text)} could be {choices}", possible=len(sources))
    return _none_fits(text, destination, position, rules)


def _none_fits(text: str, destination: int, position: Position, rules: Rules) -> Refusal:
    tops = [at for at, height in enumerate(position.foundations) if height]
    source = FIRST_FOUNDATION + (tops[0] if tops else 0)
    refusal = reason_against(position, Move(source, destination), rules)
    if refusal is not None and (len(tops) < 2 or refusal.reason is not Reason.WRONG_COLOUR_OR_RANK):
        return refusal
    return Refusal(Reason.WRONG_COLOUR_OR_RANK, f"{shown(text)}: no foundation's top card fits there")


def _source_text(move: Move, position: Position, rules: Rules) -> str:
    if move.source < FIRST_FOUNDATION:
        return _PILES[move.source]
    if _legal_sources(position, move.destination, rules) == [move.source]:
        return "h"
    return "h" + _SUITS[move.source - FIRST_FOUNDATION]


def _destination_text(source: int, destination: int, position: Position) -> str:
    if destination < FIRST_FOUNDATION:
        return _PILES[destination]
    suit = destination - FIRST_FOUNDATION
    if source < FIRST_FOUNDATION and _suit_of_exposed(position, source) == suit:
        return "h"
    return "h" + _SUITS[suit]


def _unreadable(text: str) -> Refusal:
    shown = text if len(text) <= 20 else text[:20] + "..."
    plain, mark, digits = "".join(text.split()).lower().partition("v")
    if mark and plain in _FORMS:
        wanted = "after 'v' a count from 1 to d (13) is expected"
        return Refusal(Reason.UNREADABLE, f"{shown!r} is no move: {wanted}, not {digits[:8]!r}")
    wrong = next((letter for letter in plain if letter not in "12345678abcdhs"), "")
    hint = f"{wrong!r} is no pile; " if wrong else ""
    return Refusal(
        Reason.UNREADABLE,
        f"{shown!r} is no move: {hint}piles are 1-8 (columns), a-d (cells) and h (foundations), as in '3h'",
    )
