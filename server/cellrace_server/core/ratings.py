"""Who is rated by a race, in which order they came, and what a rating is. Pure.

Only ranked races are rated, and only when they ran to their end. There is a pool for each rule set and kind: people are
rated against people, bots against bots, also where both were in one race.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from cellrace_engine import rules_text
from cellrace_server.core.days import DAY_MS
from cellrace_server.core.facts import EndReason
from cellrace_server.core.glicko import Strength, System
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.race import Phase, Race, Seat
from cellrace_server.core.standings import standings

SYSTEM = System()

PROVISIONAL_RACES = 10
"""Before so many a rating is provisional, and on no board."""

HISTORY_MOST = 200
"""How many of a player's last races a rating remembers."""

_REST = 9.0
"""How much a day away adds to a deviation, in the manner of variances: two years from 50 to that of a new player."""


class Pool(NamedTuple):
    """Who is rated against each other. `rules` is the text of a rule set."""

    rules: str
    kind: Kind = Kind.HUMAN

    @property
    def name(self) -> str:
        """What the pool is kept under, and its board."""
        return f"rating:{self.rules}:{self.kind.value}"


class Rated(msgspec.Struct, frozen=True, array_like=True):
    """A player's rating after `races` races, the last of which was over at the instant `at`. Stored for good: new
    fields at the end only, with a default. `player` is as in that race."""

    player: Player
    value: float
    deviation: float
    volatility: float
    races: int
    at: int

    @property
    def shown(self) -> int:
        """The rating in whole points: what boards rank by."""
        return round(self.value)

    @property
    def provisional(self) -> bool:
        return self.races < PROVISIONAL_RACES


class Step(msgspec.Struct, frozen=True, array_like=True):
    """What one race made of a rating. `place` is that among the `players` who were rated by it. Stored as `Rated`
    is."""

    race: str
    at: int
    place: int
    players: int
    rating: int
    deviation: int


class Change(NamedTuple):
    """A new rating and how it came about. `before` is the number of races of the rating that it was made from."""

    rated: Rated
    step: Step
    before: int


class Finishers(NamedTuple):
    """Those whom a race rates against each other, and where each of them came among these; equals share a place."""

    pool: Pool
    players: Sequence[Player]
    places: Sequence[int]


def rated_by(race: Race) -> Iterator[Finishers]:
    """Whom a race rates: nobody, unless it was ranked, had started and was not closed before its end; and nobody who
    had no rival of the same kind."""
    options, ran_to_its_end = race.options, race.end_reason in (EndReason.ALL_DONE, EndReason.TIME_LIMIT)
    if not (options.ranked and race.phase is Phase.ENDED and race.start and ran_to_its_end) or options.daily:
        return
    keys = _keys(race)
    for kind in Kind:
        seats = [(seat, keys[index]) for index, seat in race.seated() if seat.player.kind is kind]
        if len(seats) > 1:
            places = [1 + sum(other < key for _, other in seats) for _, key in seats]
            yield Finishers(Pool(rules_text(options.rules), kind), [seat.player for seat, _ in seats], places)


def _keys(race: Race) -> dict[int, int]:
    """By seat, less for who came earlier: the places of the standings, but that those who abandoned the race, having
    given up or being gone at its end, have lost it to all others, whatever they had home."""
    keys: dict[int, int] = {}
    for row in standings(race):
        seat = race.seats[row.seat]
        assert seat is not None, "standings are of seats that are taken"
        keys[row.seat] = len(race.seats) + 1 if _abandoned(seat) else row.place
    return keys


def _abandoned(seat: Seat) -> bool:
    return seat.result is None and (seat.gave_up or seat.away > 0)


def changes(race: str, at: int, finishers: Finishers, known: Sequence[Rated | None]) -> Sequence[Change]:
    """What a race that was over at the instant `at` makes of its players' ratings, `known` as they are before it, in
    the order of the players; `None` for who has none yet."""
    before = [SYSTEM.new if rated is None else rested(rated, at) for rated in known]
    after = SYSTEM.after(before, finishers.places)
    made: list[Change] = []
    for player, place, rated, strength in zip(finishers.players, finishers.places, known, after, strict=True):
        races = 0 if rated is None else rated.races
        now = Rated(player, *strength, races + 1, at)
        step = Step(race, at, place, len(known), now.shown, round(now.deviation))
        made.append(Change(now, step, races))
    return made


def rested(rated: Rated, at: int) -> Strength:
    """A rating as it is worth at the instant `at`: the longer ago the last race, the less is certain."""
    days = max(0, at - rated.at) / DAY_MS
    deviation = min(math.sqrt(rated.deviation**2 + days * _REST**2), SYSTEM.deviation)
    return Strength(rated.value, max(deviation, rated.deviation), rated.volatility)
