"""What a client knows of a race, and the values that a message carries."""

from collections.abc import Iterator
from typing import Any

from cellrace_client.model import RaceModel, SeatState


def shown(model: RaceModel) -> list[Any]:
    """What everybody sees of a race alike, live or in a snapshot."""
    seats = [
        (seat.player, seat.name, seat.ready, seat.gave_up, seat.time, seat.home, seat.moves, seat.away)
        for seat in model.seats
    ]
    return [
        model.k, model.phase, model.time, model.host, model.host_away, model.deal, model.start, model.you, model.end,
        model.standings, model.salt, model.commitment, model.rematch, seats,
    ]  # fmt: skip


def check_board(mine: SeatState, theirs: SeatState, over: bool) -> None:
    """A board that is followed is the race's. After the end a snapshot shows boards that were hidden."""
    if mine.board is None:
        assert theirs.board is None or over
        return
    assert theirs.board is not None
    assert mine.board.text == theirs.board.text
    assert mine.points == theirs.points


def msg_fields(message: Any) -> list[Any]:
    return [getattr(message, name) for name in message.__struct_fields__]


def flat(value: Any) -> Iterator[Any]:
    """Every single value in a message."""
    if isinstance(value, list | tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from flat(item)
    elif hasattr(value, "__struct_fields__"):
        yield from flat(msg_fields(value))
    else:
        yield value
