"""Whether a stored run may be shown: not while it would tell those who still race on its deal how it goes."""

from cellrace_server.core.dailies import may_see
from cellrace_server.core.options import HOUR
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.runs import Run, is_run_id
from cellrace_server.ports.clock import Clock
from cellrace_server.services.daily_attempts import not_yet
from cellrace_server.services.hall import Hall

LONGEST_MS = 25 * HOUR
"""No race lasts longer than its limit, of a day at the most, and what the store was away."""


class Shown:
    """Says of the runs of all races who may be shown them just now."""

    def __init__(self, hall: Hall, clock: Clock) -> None:
        self._hall = hall
        self._clock = clock

    async def against(self, run: Run, player: str) -> Rejected | None:
        """Why the replay of a run is not for this player (an empty id: for anybody) yet; `None` when it is. One's own
        always is, but to others a run on the deal of a day, or of a race that goes on, is not. Raises
        `StoreUnavailable`, and what an unreadable race raises."""
        now = self._clock.now()
        if not may_see(player, run, now):
            return not_yet()
        if run.player.id == player or now - run.at > LONGEST_MS or not await self._hall.goes_on(run.race):
            return None
        return _not_over()

    async def to_come(self, run: str) -> Rejected | None:
        """Whether a run that is not stored may be soon: its race goes on, or spectators do not know its end yet. Raises
        as `against` does."""
        race = run.partition("-")[0]
        return _not_over() if is_run_id(run) and await self._hall.goes_on(race) else None


def _not_over() -> Rejected:
    return Rejected(Reason.NOT_OVER, "the race is not over yet: its replays are shown when it is")
