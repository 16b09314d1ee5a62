"""How well two ways of rating foretell races of players whose skill is known: `python -m bench ratings`.

Players are made up. Each has a skill that drifts a little; a time home is log-normal around it, some do not come home,
some abandon. Races of two to eight players, half of them among players of like skill as a server might bring them
together, half at random. Every contender sees the same races in the same order and, before each, says of every two
players how likely the one is to be before the other: *log-loss* is of these (0.693 for who says ½ each time), once
where one of them is in the first ten races, once where none is. *order* is the rank correlation of ratings with true
skills, after ten races each and at the end. *cost* is of one update of a race of four.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from openskill.models import PlackettLuce

from cellrace_server.core.glicko import Strength, System, chance

SEED = 617
NEW_RACES = 10
DRIFT = 0.01
"""Standard deviation of what a race adds to a skill; skills themselves have one of 1."""

NOISES = (0.5, 0.9, 1.6)
"""Standard deviations of how well one plays in a race, beside the skill: a world has one of them."""


class Contender(Protocol):
    """A way of rating."""

    name: str

    def new(self) -> Strength: ...
    def chance(self, one: Strength, other: Strength) -> float: ...
    def after(self, ratings: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]: ...


class Plackett:
    """The library's Plackett-Luce, with its parameter for how much chance there is."""

    def __init__(self, beta: float, tau: float) -> None:
        self.name = f"Plackett-Luce, beta {beta:.2f}, tau {tau:.3f}"
        self._model = PlackettLuce(beta=beta, tau=tau)
        self._beta = beta

    def new(self) -> Strength:
        return Strength(25.0, 25 / 3, 0.0)

    def chance(self, one: Strength, other: Strength) -> float:
        spread = math.sqrt(2 * self._beta**2 + one.deviation**2 + other.deviation**2)
        return 1 / (1 + math.exp((other.value - one.value) / spread))

    def after(self, ratings: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]:
        teams = [[self._model.rating(mu=each.value, sigma=each.deviation)] for each in ratings]
        rated = self._model.rate(teams, ranks=[float(place) for place in places])
        return [Strength(team[0].mu, team[0].sigma, 0.0) for team in rated]


class Glicko:
    """The server's own, with other parameters."""

    def __init__(self, deviation: float, volatility: float, share: float) -> None:
        self.name = f"Glicko-2 pairwise, {deviation:.0f}, volatility {volatility:.2f}, share {share:.2f}"
        self._system = System(deviation, volatility, share=share)

    def new(self) -> Strength:
        return self._system.new

    def chance(self, one: Strength, other: Strength) -> float:
        return chance(one, other)

    def after(self, ratings: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]:
        return self._system.after(ratings, places)


class Race(NamedTuple):
    """Who raced, and where each came; equals share a place."""

    players: Sequence[int]
    places: Sequence[int]


class World:
    """Players with true skills, and the races they are in."""

    def __init__(self, players: int, noise: float, seed: int) -> None:
        self._chance = random.Random(seed)
        self._noise = noise
        self.skills = [self._chance.gauss(0, 1) for _ in range(players)]

    def races(self, count: int) -> Iterator[Race]:
        """As many, one after the other; skills drift meanwhile."""
        for _ in range(count):
            yield self._race(self._gathered())

    def _gathered(self) -> Sequence[int]:
        size = self._chance.choice((2, 2, 2, 2, 3, 4, 4, 8))
        if self._chance.random() < 0.5:
            return self._chance.sample(range(len(self.skills)), size)
        order = sorted(range(len(self.skills)), key=lambda player: self.skills[player])
        start = self._chance.randrange(len(order) - 3 * size)
        return self._chance.sample(order[start : start + 3 * size], size)

    def _race(self, players: Sequence[int]) -> Race:
        keys: list[tuple[int, int]] = []
        for player in players:
            played = self.skills[player] + self._chance.gauss(0, self._noise)
            self.skills[player] += self._chance.gauss(0, DRIFT)
            if self._chance.random() < 0.05:
                keys.append((2, 0))  # abandoned: all of them share the last place
            elif played < -1.5 and self._chance.random() < 0.6:
                keys.append((1, round(-10 * played)))  # some cards home, no more
            else:
                keys.append((0, round(-1_000 * played)))
        return Race(players, [1 + sum(other < key for other in keys) for key in keys])


class Score(NamedTuple):
    early: float
    late: float
    order_early: float
    order: float


def judged(contender: Contender, races: Sequence[Race], skills: Sequence[float]) -> Score:
    """How well a contender foretold these races."""
    ratings = [contender.new() for _ in skills]
    raced = [0] * len(skills)
    losses: tuple[list[float], list[float]] = ([], [])
    at_ten: dict[int, float] = {}
    for race in races:
        for row, one in enumerate(race.players):
            for column in range(row + 1, len(race.players)):
                other = race.players[column]
                if race.places[row] != race.places[column]:
                    before = contender.chance(ratings[one], ratings[other])
                    said = before if race.places[row] < race.places[column] else 1 - before
                    is_late = min(raced[one], raced[other]) >= NEW_RACES
                    losses[is_late].append(-math.log(max(said, 1e-9)))
        after = contender.after([ratings[player] for player in race.players], race.places)
        for player, rating in zip(race.players, after, strict=True):
            ratings[player] = rating
            raced[player] += 1
            if raced[player] == NEW_RACES:
                at_ten[player] = rating.value
    early, late = map(statistics.fmean, losses)
    ten = list(at_ten)
    order_early = _order([at_ten[player] for player in ten], [skills[player] for player in ten])
    return Score(early, late, order_early, _order([each.value for each in ratings], skills))


def _order(ones: Sequence[float], others: Sequence[float]) -> float:
    return statistics.correlation(_ranks(ones), _ranks(others))


def _ranks(values: Sequence[float]) -> Sequence[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = float(rank)
    return ranks


def cost(contender: Contender) -> float:
    """Microseconds of an update of a race of four."""
    ratings, count = [contender.new()] * 4, 2_000
    before = time.process_time()
    for _ in range(count):
        contender.after(ratings, (1, 2, 2, 4))
    return 1e6 * (time.process_time() - before) / count


def contenders() -> Sequence[Callable[[], Contender]]:
    """Each with the parameters that its authors propose first, and around them."""
    return (
        *(partial(Plackett, times * 25 / 6, 25 / 300) for times in (1.0, 1.4, 2.0)),
        *(
            partial(Glicko, deviation, volatility, share)
            for deviation in (350, 250)
            for volatility in (0.06, 0.03)
            for share in (0.0, 0.5, 1.0)
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--races", type=int, default=20_000)
    parser.add_argument("--worlds", type=int, default=3, help="how often all of it, with other players")
    parser.add_argument("--moment", action="store_true", help="a short sample: whether it works at all")
    arguments = parser.parse_args()
    players, count, worlds = arguments.players, arguments.races, arguments.worlds
    if arguments.moment:
        players, count, worlds = 30, 300, 1
    print(f"{players} players, {count} races, {worlds} worlds; seed {SEED}")
    histories: list[tuple[Sequence[Race], Sequence[float]]] = []
    for number in range(worlds):
        world = World(players, NOISES[number % len(NOISES)], SEED + number)
        histories.append((list(world.races(count)), world.skills))
    print(f"{'':<52}log-loss new  later   order at 10  at the end    cost")
    for make in contenders():
        contender = make()
        scores = [judged(contender, races, skills) for races, skills in histories]
        early, late, ten, end = map(statistics.fmean, zip(*scores, strict=True))
        print(
            f"{contender.name:<52}{early:12.4f} {late:6.4f} {ten:13.3f} {end:11.3f} {cost(contender):5.0f} µs",
            flush=True,
        )


if __name__ == "__main__":
    main()
