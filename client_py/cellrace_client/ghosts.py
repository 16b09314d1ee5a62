"""Racing against stored runs."""

from collections.abc import Callable

from cellrace_client.dailies import Enter
from cellrace_client.race import Race
from cellrace_protocol import commands as c

LINK = "/g/"
"""What a run's name follows in the link by which it is left as a challenge."""


class Ghosts:
    """Raises what other requests raise."""

    def __init__(self, number: Callable[[], int], enter: Enter, url: str) -> None:
        self._number = number
        self._enter = enter
        self._url = url

    async def race(self, *runs: str, seats: int = 1) -> Race:
        """Sit down in a new friendly race against these runs, by their names or their links: of one deal under the same
        rules. `race.ghosts` has them; get ready when you are."""
        r = self._number()
        names = [run.rpartition(LINK)[2] for run in runs]
        return await self._enter(r, c.RaceGhosts(r, names, seats))

    def link(self, run: str) -> str:
        """The link that challenges others to race against a run."""
        scheme, _, rest = self._url.partition("://")
        return f"{'https' if scheme == 'wss' else 'http'}://{rest.partition('/')[0]}{LINK}{run}"
