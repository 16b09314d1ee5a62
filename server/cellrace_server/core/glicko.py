"""Glicko-2 for races of any number of players: everybody has met everybody. Pure, and nothing but arithmetic.

The method is Glickman's ("Example of the Glicko-2 system", 2013), a race being a rating period of its own, but for one
thing: what a player did against the others of one race is not independent, so each of those meetings counts for less
than a meeting of two (`share`). docs/adr/0018-ratings.md has the figures behind the parameters.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

MIDDLE = 1_500.0
_SCALE = 400 / math.log(10)
_EXACT = 1e-6


class Strength(NamedTuple):
    """How strong a player is, on the scale of chess ratings: `value` give or take `deviation` (one standard deviation).
    `volatility` is how erratic the player is, on the scale of the method."""

    value: float
    deviation: float
    volatility: float


class System(NamedTuple):
    """`deviation` and `volatility` are those of a new player. `constraint` is how much volatility may change, the tau
    of the method. A meeting in a race of n players counts for `(n - 1) ** -share` of a meeting of two."""

    deviation: float = 250.0
    volatility: float = 0.03
    constraint: float = 0.5
    share: float = 0.5

    @property
    def new(self) -> Strength:
        """A player of whom nothing is known."""
        return Strength(MIDDLE, self.deviation, self.volatility)

    def after(self, strengths: Sequence[Strength], places: Sequence[int]) -> Sequence[Strength]:
        """Everybody after a race in which they came at these places; equals share one."""
        weight = (len(strengths) - 1) ** -self.share if len(strengths) > 1 else 0.0
        return [self._one(index, strengths, places, weight) for index in range(len(strengths))]

    def _one(
        self, mine: int, strengths: Sequence[Strength], places: Sequence[int], weight: float
    ) -> Strength:
        own = strengths[mine]
        information = gain = 0.0
        for index, other in enumerate(strengths):
            if index != mine:
                against = _impact(other.deviation / _SCALE)
                expected = _logistic(against * (own.value - other.value) / _SCALE)
                information += weight * against**2 * expected * (1 - expected)
                gain += weight * against * (_score(places[mine], places[index]) - expected)
        if not information:
            return own
        deviation, variance = own.deviation / _SCALE, 1 / information
        volatility = self._volatility(own.volatility, deviation, variance, variance * gain)
        prior = deviation**2 + volatility**2
        after = 1 / math.sqrt(1 / prior + information)
        value = own.value + _SCALE * after**2 * gain
        return Strength(value, min(_SCALE * after, self.deviation), volatility)

    def _volatility(self, before: float, deviation: float, variance: float, change: float) -> float:
        """Step 5 of the method: the root of `f` between two bounds, by regula falsi in the Illinois manner."""
        start, spread = math.log(before**2), deviation**2 + variance

        def f(x: float) -> float:
            whole = spread + math.exp(x)
            return math.exp(x) * (change**2 - whole) / (2 * whole**2) - (x - start) / self.constraint**2

        low, high = start, start - self.constraint
        if change**2 > spread:
            high = math.log(change**2 - spread)
        else:
            while f(high) < 0:
                high -= self.constraint
        at_low, at_high = f(low), f(high)
        while abs(high - low) > _EXACT:
            middle = low + (low - high) * at_low / (at_high - at_low)
            at_middle = f(middle)
            if at_middle * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = middle, at_middle
        return math.exp(low / 2)


def chance(one: Strength, other: Strength) -> float:
    """How likely `one` is to be before `other`, from 0 to 1."""
    impact = _impact(math.hypot(one.deviation, other.deviation) / _SCALE)
    return _logistic(impact * (one.value - other.value) / _SCALE)


def _impact(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _score(mine: int, other: int) -> float:
    """1 for who came before the other, ½ for equals."""
    return (1 + (mine < other) - (mine > other)) / 2
