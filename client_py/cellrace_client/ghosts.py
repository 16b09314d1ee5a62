"""Racing against stored runs."""

from cellrace_client.dailies import Enter
from cellrace_client.deal_names import deal_text
from cellrace_client.errors import RequestFailed
from cellrace_client.links import CHALLENGE, link, without_address
from cellrace_client.players import Players
from cellrace_client.race import Race
from cellrace_client.records import Records
from cellrace_engine import DealCode, parse_rules
from cellrace_protocol import commands as c

BEST, MINE = "best", "mine"
PAGE, PAGES_MOST = 100, 20
"""How far back in somebody's runs one looks for those on a deal."""


class Ghosts:
    """Raises what other requests raise."""

    def __init__(self, enter: Enter, url: str, records: Records, players: Players) -> None:
        self._enter = enter
        self._url = url
        self._records = records
        self._players = players

    async def race(self, *runs: str, seats: int = 1) -> Race:
        """Sit down in a new friendly race against these runs, by their names or their links: of one deal under the same
        rules. `race.ghosts` has them; get ready when you are."""
        names = [without_address(run, CHALLENGE) for run in runs]
        return await self._enter(lambda r: c.RaceGhosts(r, names, seats))

    async def of(self, deal: str, rules: str = "classic", *, whose: str = BEST) -> str:
        """The name of the fastest run on a deal under these rules: of everybody (`"best"`), our own (`"mine"`), or that
        of a player by name or id, of whose last 2,000 runs. Raises `RequestFailed` (`not_found`) where there is none,
        `DealError` or `RulesError` for what is no deal or no rules."""
        code = str(DealCode.parse(deal, parse_rules(rules).cells))
        if whose == BEST:
            found = [(row.time, row.run) for row in await self._records.top(code, rules=rules, count=1)]
        else:
            player = "" if whose == MINE else (await self._players.profile(whose)).player
            found = await self._runs_of(player, code, rules)
        if not found:
            raise RequestFailed("not_found", f"there is no such run on deal {deal_text(code)}")
        return min(found)[1]

    async def _runs_of(self, player: str, code: str, rules: str) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        for page in range(PAGES_MOST):
            rows = (await self._records.runs(player, count=PAGE, offset=PAGE * page)).rows
            found += [(row.time, row.run) for row in rows if (row.deal, row.rules) == (code, rules)]
            if len(rows) < PAGE:
                break
        return found

    def link(self, run: str) -> str:
        """The link that challenges others to race against a run."""
        return link(self._url, run, CHALLENGE)
