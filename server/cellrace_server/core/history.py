"""The facts of a race with what makes it quick to go back in them. Pure."""

from collections.abc import Iterable
from typing import cast

from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact, GaveUp, Moved, Restarted, Undone
from cellrace_server.core.race import Race

CHECKPOINT_EVERY = 64
"""Going back folds fewer facts than this. A checkpoint shares nearly everything with the race that goes on."""

NumberedFact = Moved | Undone | Restarted | GaveUp
NUMBERED: frozenset[type] = frozenset({Moved, Undone, Restarted, GaveUp})
"""Facts that are actions of a player. Types are looked up: a union would be built anew for every fact."""


class History:
    """`facts[k - 1]` is fact `k`; `race` is the race after all of them, `None` when there are none."""

    __slots__ = ("_checkpoints", "_numbers", "facts", "race")

    def __init__(self, facts: Iterable[AnyFact] = ()) -> None:
        self.facts: list[AnyFact] = []
        self.race: Race | None = None
        self._checkpoints: list[Race | None] = [None]
        self._numbers: dict[int, list[int]] = {}
        for fact in facts:
            self.add(fact, evolve(self.race, fact))

    def add(self, fact: AnyFact, after: Race) -> None:
        """One more fact; `after` must be the race that it makes (not checked)."""
        self.facts.append(fact)
        self.race = after
        number = len(self.facts)
        if type(fact) in NUMBERED:
            seat = cast("NumberedFact", fact).seat
            numbers = self._numbers.get(seat)
            if numbers is None:
                numbers = self._numbers[seat] = []
            numbers.append(number)
        if number % CHECKPOINT_EVERY == 0:
            self._checkpoints.append(after)

    def at(self, number: int) -> Race | None:
        """The race after fact `number`; `None` for 0. Raises `IndexError` beyond the last."""
        if not 0 <= number <= len(self.facts):
            raise IndexError(f"there are {len(self.facts)} facts, not {number}")
        race = self._checkpoints[number // CHECKPOINT_EVERY]
        for fact in self.facts[number - number % CHECKPOINT_EVERY : number]:
            race = evolve(race, fact)
        return race

    def number_of(self, seat: int, n: int) -> int:
        """The number of the fact that is action `n` of a seat. Raises `KeyError` or `IndexError` if there is none."""
        if n < 1:
            raise IndexError(f"actions are numbered from 1, not {n}")
        return self._numbers[seat][n - 1]
