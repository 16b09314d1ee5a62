"""How a race has ended, for whoever shows it. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cellrace_client.languages import Catalogue
from cellrace_client.model import GhostRun, RaceModel
from cellrace_client.times import clock
from cellrace_protocol.commands import Kind
from cellrace_protocol.events import BoardRow, Place, RankRow


class Result(NamedTuple):
    """One of the standings. `place` is 0 for a ghost, `time_ms` -1 for who did not get home. `back_ms` were given back
    for the network, and the time is exact to `error_ms` either way."""

    place: int
    name: str
    time_ms: int
    home: int
    moves: int
    back_ms: int = 0
    error_ms: int = 0
    own: bool = False
    bot: bool = False
    gave_up: bool = False

    @property
    def is_home(self) -> bool:
        return self.time_ms >= 0

    @property
    def is_ghost(self) -> bool:
        return self.place == 0

    def called(self, words: Catalogue) -> str:
        """The name, with what is to be known of whose it is."""
        kind = words("race.ghost") if self.is_ghost else words("race.bot") if self.bot else ""
        name = f"{self.name} ({kind})" if kind else self.name
        return own_name(words, name) if self.own else name


def own_name(words: Catalogue, name: str) -> str:
    """One's own name among others."""
    return f"{name} ({words('race.you')})"


def marked_name(
    words: Catalogue, row: BoardRow | RankRow, mine: Sequence[BoardRow] | Sequence[RankRow]
) -> str:
    """The name in a row of a board, told apart where the row is one's own."""
    return own_name(words, row.name) if any(own.player == row.player for own in mine) else row.name


def results(model: RaceModel) -> Sequence[Result]:
    """The standings of a race that is over, the best first; ghosts, which have no place, stand where they would."""
    rows = [_of_seat(model, place) for place in model.standings]
    for ghost in sorted(model.ghosts.values(), key=lambda ghost: ghost.time) if rows else ():
        after = (at for at, row in enumerate(rows) if not 0 <= row.time_ms <= ghost.time)
        rows.insert(next(after, len(rows)), _of_ghost(ghost))
    return rows


def run_to_show(model: RaceModel) -> str:
    """The run whose replay there is: one's own, else that of who was first; empty where nobody has got home."""
    home = [place.seat for place in model.standings if place.time >= 0]
    seat = model.you if model.you in home else next(iter(home), -1)
    return f"{model.race}-{seat}" if seat >= 0 else ""


def _of_seat(model: RaceModel, place: Place) -> Result:
    seat = model.seats[place.seat]
    return Result(
        place.place,
        seat.name,
        place.time,
        place.home,
        place.moves,
        place.compensation,
        place.error,
        own=place.seat == model.you,
        bot=seat.kind is Kind.BOT,
        gave_up=seat.gave_up,
    )


def _of_ghost(ghost: GhostRun) -> Result:
    home, moves = ghost.at(ghost.time)
    return Result(0, ghost.name, ghost.time, home, moves)


def racing(model: RaceModel) -> int:
    """How many still race."""
    return sum(seat.taken and seat.time < 0 and not seat.gave_up for seat in model.seats)


def awaited_line(words: Catalogue, model: RaceModel) -> str:
    """When the result comes, for whoever is done; empty where nobody is awaited."""
    others = racing(model)
    return words("race.still", others) if others else ""


def headline(words: Catalogue, model: RaceModel) -> str:
    """What to say of it first: that one has won, who was first, or where nobody got home why it is over."""
    first = [row for row in results(model) if row.place == 1 and row.is_home]
    if any(row.own for row in first):
        return words("race.shared" if len(first) > 1 else "race.won")
    if first:
        return words("race.first", len(first), names=", ".join(row.name for row in first))
    why = words.named("end", model.end)
    return why[:1].upper() + why[1:]


class Series(NamedTuple):
    """How a series stands, a race that is over counted in. `is_over`: the next race begins another. `winners` have won
    more than half of its races."""

    game: int
    most: int
    wins: Mapping[str, int]
    winners: Sequence[str]
    is_over: bool


def series_of(model: RaceModel) -> Series | None:
    """The series that a race is of; `None` where it is a race by itself. Names are in order, whoever sits where."""
    most = model.best_of
    if most <= 1:
        return None
    first = {place.seat for place in model.standings if place.place == 1 and place.time >= 0}
    before = [*model.wins, *[0] * (len(model.seats) - len(model.wins))]
    taken = {seat.name: before[at] + (at in first) for at, seat in enumerate(model.seats) if seat.taken}
    wins = dict(sorted(taken.items(), key=lambda one: one[0].casefold()))
    winners = [name for name, number in wins.items() if number > most / 2]
    is_over = bool(winners) or (model.phase == "ended" and model.game >= most)
    return Series(model.game, most, wins, winners, is_over)


def series_line(words: Catalogue, model: RaceModel) -> str:
    """How a series stands; empty where there is none."""
    series = series_of(model)
    if series is None:
        return ""
    score = ", ".join(words.pair(name, number) for name, number in series.wins.items())
    line = words("series.score", most=series.most, game=series.game, score=score)
    if not series.is_over:
        return line
    names = ", ".join(series.winners)
    return (
        f"{line}. {words('series.won', len(series.winners), names=names) if names else words('series.drawn')}"
    )


def again(model: RaceModel) -> str:
    """What a rematch is: `rematch` itself, the `next_game` of a series, or a `new_series`."""
    series = series_of(model)
    if series is None:
        return "rematch"
    return "new_series" if series.is_over else "next_game"


def line_of(words: Catalogue, row: Result) -> str:
    """One of the standings in words."""
    place = "-" if row.is_ghost else f"{row.place}."
    moves, home = words("n.moves", row.moves), words("n.home", row.home)
    parts = [clock(row.time_ms), moves, home] if row.is_home else [home, moves]
    if row.is_home and not row.is_ghost:
        parts.append(words("race.exact", back=row.back_ms, error=row.error_ms))
    elif row.gave_up:
        parts.append(words("race.gave_up"))
    return words.pair(f"{place} {row.called(words)}", ", ".join(parts))
