"""Racing against stored runs."""

from cellrace_client.dailies import Enter
from cellrace_client.links import CHALLENGE, link, without_address
from cellrace_client.race import Race
from cellrace_protocol import commands as c


class Ghosts:
    """Raises what other requests raise."""

    def __init__(self, enter: Enter, url: str) -> None:
        self._enter = enter
        self._url = url

    async def race(self, *runs: str, seats: int = 1) -> Race:
        """Sit down in a new friendly race against these runs, by their names or their links: of one deal under the same
        rules. `race.ghosts` has them; get ready when you are."""
        names = [without_address(run, CHALLENGE) for run in runs]
        return await self._enter(lambda r: c.RaceGhosts(r, names, seats))

    def link(self, run: str) -> str:
        """The link that challenges others to race against a run."""
        return link(self._url, run, CHALLENGE)
