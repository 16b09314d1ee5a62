"""Choosing the deals of the day: ahead of time, from the store's secret, solved before anybody is promised them."""

import itertools
import logging

from cellrace_engine import DealCode, Rules, rules_text
from cellrace_engine.solver import Verdict
from cellrace_server.core.dailies import DAILY_RULES, Daily, candidate, salt
from cellrace_server.core.days import begins, day_number, day_text
from cellrace_server.core.fair_deals import KNOWN_LOST, needs_proof, proving_rules
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.dailies import Dailies
from cellrace_server.ports.errors import SolverUnavailable, StoreCorrupt, StoreUnavailable
from cellrace_server.ports.solver import Solver
from cellrace_server.services.dealer import EFFORT

LOOK_EVERY_MS = 60_000
AGAIN_MS = 1_000
"""After the store or the solver has failed."""

logger = logging.getLogger(__name__)


class DailyDeals:
    """Run `run` beside the rest: it sees to it that today and tomorrow have their deals.

    What is chosen is kept in the store, and the first that is kept stands: nodes that choose at the same time, or find
    that their solvers disagree about what is too hard, offer the same deal all the same.
    """

    def __init__(self, dailies: Dailies, solver: Solver, clock: Clock, chance: Chance) -> None:
        self._dailies = dailies
        self._solver = solver
        self._clock = clock
        self._chance = chance
        self._known: dict[tuple[int, str], Daily] = {}

    async def on(self, day: int, rules: Rules) -> Daily | None:
        """The deal of a day, given by its number; `None` where none was chosen (yet). Raises `StoreUnavailable`."""
        key = (day, rules_text(rules))
        known = self._known.get(key) or await self._dailies.find(day_text(day), key[1])
        if known is not None:
            self._known[key] = known
        return known

    def chooses(self, rules: Rules) -> bool:
        """Whether deals under these rules are chosen here: with fewer than four cells nothing is offered unsolved."""
        return bool(self._solver.workers) or not needs_proof(rules.cells)

    async def run(self) -> None:
        """Choose what is missing, at once and at every midnight, until cancelled."""
        while True:
            now = self._clock.now()
            try:
                await self.choose(day_number(now))
            except (StoreUnavailable, SolverUnavailable) as error:
                logger.debug("no daily chosen: %s", error)
                await self._clock.wait_until(self._clock.now() + AGAIN_MS)
            except StoreCorrupt:
                logger.exception("a daily cannot be read: none is chosen")
                await self._clock.wait_until(now + LOOK_EVERY_MS)
            else:
                await self._clock.wait_until(min(begins(day_number(now) + 1), now + LOOK_EVERY_MS))

    async def choose(self, today: int) -> None:
        """See to it that this day and the next have their deals, as far as that can be done here. Raises
        `StoreUnavailable` and `SolverUnavailable`: the rest is for the next time."""
        for day, rules in itertools.product((today, today + 1), DAILY_RULES):
            if await self.on(day, rules) is None and self.chooses(rules):
                chosen = await self._chosen(day_text(day), rules)
                self._known[day, rules_text(rules)] = await self._dailies.keep(chosen)
        for key in [key for key in self._known if key[0] < today - 1]:
            del self._known[key]

    async def _chosen(self, day: str, rules: Rules) -> Daily:
        secret = await self._dailies.secret(self._chance.salt() + self._chance.salt())
        count = 0
        while not await self._can_be_won(
            DealCode(rules.cells, number := candidate(secret, day, rules, count))
        ):
            count += 1
        return Daily(day, rules_text(rules), number, salt(secret, day, rules), self._clock.now())

    async def _can_be_won(self, code: DealCode) -> bool:
        """Solved here; without workers, what is known of all deals with four cells has to do."""
        if not needs_proof(code.cells) and code.number in KNOWN_LOST:
            return False
        if not self._solver.workers:
            return True
        found = await self._solver.solve(code, proving_rules(code.cells), EFFORT)
        return found.verdict is Verdict.SOLVED
