"""What a fact means to those who see it, in the race's own terms. Who may see which is said here as well."""

import enum
from collections.abc import Sequence

import msgspec

from cellrace_engine import Line, Move
from cellrace_server.core.evolve import line_of
from cellrace_server.core.facts import Moved, Restarted, Undone
from cellrace_server.core.race import Phase, Race

BoardFact = Moved | Undone | Restarted
BOARD_FACTS: frozenset[type] = frozenset({Moved, Undone, Restarted})


class Change(enum.IntEnum):
    """What a player did with a board. The numbers go on the wire."""

    MOVE = 0
    UNDO = 1
    RESTART = 2


class BoardChange(msgspec.Struct, frozen=True, gc=False):
    """Card transfers in order, automatic ones included: applied to the board before, they give the board after.
    A restart has none: the board is the deal again. `points` is the total that stands."""

    change: Change
    transfers: Sequence[Move]
    points: int


class Progress(msgspec.Struct, frozen=True, gc=False):
    """All that a hidden board shows: cards on the foundations, moves in the line that stands."""

    home: int
    moves: int


def board_change(before: Race, fact: BoardFact, after: Race) -> BoardChange:
    """What `fact` did to the board of its seat; `before` and `after` are the race around it."""
    line = _line(after, fact.seat)
    if type(fact) is Moved:
        step = line.step
        assert step is not None, "a move was made"
        return BoardChange(Change.MOVE, step.transfers, line.score)
    if type(fact) is Undone:
        step = _line(before, fact.seat).step
        assert step is not None, "a move was taken back"
        return BoardChange(Change.UNDO, step.reversed_transfers, line.score)
    return BoardChange(Change.RESTART, (), line.score)


def progress(race: Race, seat: int) -> Progress:
    """What everybody may know of a seat in a race that has started."""
    line = _line(race, seat)
    return Progress(line.cards_home, line.moves)


def phase_shown(race: Race, now: int) -> Phase:
    """The phase that spectators know: from the start on they see everything `delay_ms` late."""
    if race.phase is Phase.ENDED and now >= race.shown_at:
        return Phase.ENDED
    if race.phase in (Phase.RUNNING, Phase.ENDED) and race.options.delay_ms:
        return Phase.RUNNING if now >= race.start + race.options.delay_ms else Phase.COUNTDOWN
    return race.phase


def rivals_see_boards(race: Race) -> bool:
    """Whether players see each other's boards: in an open race, and once a race is over."""
    return race.options.open_boards or race.phase is Phase.ENDED


def _line(race: Race, seat: int) -> Line:
    taken = race.seats[seat]
    assert taken is not None, "nobody sits there"
    return line_of(taken)
