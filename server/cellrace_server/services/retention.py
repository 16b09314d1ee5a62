"""How long replays are kept: those behind a row of a board for good, others for as long as the host wishes."""

import logging
from collections.abc import Sequence

from cellrace_server.core.boards import entries
from cellrace_server.core.days import DAY_MS
from cellrace_server.core.runs import Run
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.ports.results import Results

FOR_EVER = 0

EVERY_MS = 3_600_000
BATCH = 100
PAUSE_MS = 1_000
"""From one batch to the next: there may be a million."""

logger = logging.getLogger(__name__)


class Retention:
    """Drops the replays of runs that were finished `days` days ago and have no row. Run `run` beside the rest, on any
    number of nodes.

    A row is the least of all that was booked there. So a run that is booked and has no row gets none any more, and what
    is seen of it holds for good: nothing has to be atomic. Not booked everywhere yet is, at most, a run whose race is
    unsettled; that is asked between two looks at the boards, so that no booking ends unseen between them.
    """

    def __init__(self, results: Results, log: RaceLog, clock: Clock, days: int) -> None:
        self._results = results
        self._log = log
        self._clock = clock
        self._days = days

    async def run(self) -> None:
        """Look again and again until cancelled."""
        while True:
            await self._clock.wait_until(self._clock.now() + EVERY_MS)
            if self._days != FOR_EVER:
                await self._try_to_sweep()

    async def _try_to_sweep(self) -> None:
        try:
            await self.sweep()
        except StoreUnavailable:
            logger.debug("no replays dropped: the store is away")
        except StoreCorrupt:
            logger.exception("no replays dropped from here on")

    async def sweep(self) -> None:
        """Look at all that is old enough, once. Raises `StoreUnavailable` and `StoreCorrupt`: the rest is for the
        next time."""
        until = self._clock.now() - self._days * DAY_MS
        last: Run | None = None
        while until >= 0 and (runs := await self._results.aging(until, BATCH, last)):
            await self._drop_among(runs)
            last = runs[-1]
            await self._clock.wait_until(self._clock.now() + PAUSE_MS)

    async def _drop_among(self, runs: Sequence[Run]) -> None:
        without_row = [run for run in runs if not await self._stands(run)]
        if not without_row:
            return
        unsettled = frozenset(await self._log.unsettled())
        for run in without_row:
            if run.race not in unsettled and not await self._stands(run):
                await self._results.drop_replay(run)
                logger.info("the replay of the run %s, which has no row, is not kept any longer", run.id)

    async def _stands(self, run: Run) -> bool:
        return await self._results.stands(run, [entry.board for entry in entries(run)])
