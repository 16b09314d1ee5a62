"""Drawing deals that nobody has named and that can be won: by chance, and proven where many are lost."""

import asyncio
import logging
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

from cellrace_engine import DealCode, Rules
from cellrace_engine.solver import Verdict
from cellrace_server.core.fair_deals import DEALS, KNOWN_LOST, needs_proof, proving_rules
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.errors import SolverUnavailable
from cellrace_server.ports.solver import Effort, Solver

STOCK = 8
"""Proven deals kept ahead for each number of cells that is asked for."""

PATIENCE_MS = 5_000
"""How long a race waits for its deal when there is none in stock."""

RETRY_AFTER_MS = 3_000

EFFORT = Effort(nodes=5_000, ms=3_000)
"""For one candidate. Of random deals some 65 in 100 are solved with two cells and 15 in 100 with one, in 0.2 and 0.3
seconds of work for each that is; ten times the effort finds few more."""

PAUSE_MS = 1_000
"""After the solver has failed."""

logger = logging.getLogger(__name__)


class Dealer:
    """Keeps a small stock of proven deals for each number of cells, from the first time it is asked for on, in memory
    and nowhere else: nobody can know a deal before it is drawn, and none is drawn twice here.

    `aclose` when nobody draws any more.
    """

    def __init__(self, solver: Solver, clock: Clock, chance: Chance) -> None:
        self._solver = solver
        self._clock = clock
        self._chance = chance
        self._stock: dict[int, deque[int]] = {}
        self._waiting: dict[int, dict[str, asyncio.Future[None]]] = {}
        self._kept: dict[tuple[int, str], int] = {}
        self._filling: dict[int, asyncio.Task[None]] = {}

    def draw(self, rules: Rules, who: str = "") -> int | None:
        """The number of a deal that can be won under these rules; `None` when there is none in stock just now. One that
        `who` has waited for is kept for them."""
        if not needs_proof(rules.cells):
            return self._draw_blindly()
        kept = self._kept.pop((rules.cells, who), None)
        if kept is not None:
            return kept
        stock = self._stock.get(rules.cells)
        if not stock:
            return None
        number = stock.popleft()
        self._fill(rules.cells)
        return number

    @contextmanager
    def keeping(self, rules: Rules, who: str) -> Generator[None]:
        """A deal that `who` waits for in this block and does not draw is back in stock after it."""
        try:
            yield
        finally:
            number = self._kept.pop((rules.cells, who), None)
            if number is not None:
                self._stock[rules.cells].append(number)
                self._serve(rules.cells)

    async def restocked(self, rules: Rules, who: str = "") -> Rejected | None:
        """Wait until there is a deal for `who` to draw: first come, first served, and nobody else gets it; or why there
        will be none soon. Cancelled, the place in the queue is lost."""
        if not self._solver.workers:
            text = "this server has no solver workers: with fewer than four cells a deal must be named"
            return Rejected(Reason.BAD_OPTIONS, text)
        cells = rules.cells
        waiting = self._waiting.setdefault(cells, {})
        if who in waiting:
            text = f"you wait for a deal with {cells} cells already"
            return Rejected(Reason.BUSY, text, 0, RETRY_AFTER_MS)
        there = waiting[who] = asyncio.get_running_loop().create_future()
        self._fill(cells)
        self._serve(cells)
        late = asyncio.create_task(self._clock.wait_until(self._clock.now() + PATIENCE_MS))
        try:
            await asyncio.wait([there, late], return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.pop(who, None)
            late.cancel()
        if there.done():
            return None
        text = f"no deal with {cells} cells that can be won was found yet, try again in a moment"
        return Rejected(Reason.BUSY, text, 0, RETRY_AFTER_MS)

    async def aclose(self) -> None:
        """Stop looking for deals. Harmless when repeated."""
        for filling in self._filling.values():
            filling.cancel()
        if self._filling:
            await asyncio.wait(self._filling.values())

    def _draw_blindly(self) -> int:
        while (number := self._chance.deal_number(*DEALS)) in KNOWN_LOST:
            pass
        return number

    def _serve(self, cells: int) -> None:
        """Give what is in stock to those who wait, in turn."""
        stock, waiting = self._stock[cells], self._waiting.get(cells, {})
        while stock and waiting:
            who = next(iter(waiting))
            self._kept[cells, who] = stock.popleft()
            waiting.pop(who).set_result(None)

    def _fill(self, cells: int) -> None:
        """See to it that the stock is full again soon."""
        self._stock.setdefault(cells, deque())
        filling = self._filling.get(cells)
        if filling is None or filling.done():
            self._filling[cells] = asyncio.create_task(self._find(cells), name=f"deals of {cells} cells")

    async def _find(self, cells: int) -> None:
        stock = self._stock[cells]
        rules = proving_rules(cells)
        while len(stock) < STOCK:
            number = self._chance.deal_number(*DEALS)
            try:
                found = await self._solver.solve(DealCode(cells, number), rules, EFFORT)
            except SolverUnavailable as error:
                logger.debug("no deal proven: %s", error.why)
                await self._clock.wait_until(self._clock.now() + PAUSE_MS)
                continue
            if found.verdict is Verdict.SOLVED and number not in stock:
                stock.append(number)
                self._serve(cells)
