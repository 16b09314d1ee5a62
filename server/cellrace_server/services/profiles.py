"""What there is to show of a player, and all that is kept of one."""

from collections.abc import Sequence
from typing import NamedTuple

from cellrace_engine import parse_rules, rules_text
from cellrace_server.core.boards import EVER, Board, Measure, measures
from cellrace_server.core.dailies import DAILY_RULES
from cellrace_server.core.days import day_number
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.ratings import Pool, Rated, Step
from cellrace_server.core.streaks import Streak, streak
from cellrace_server.ports.careers import Career, Careers
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.dailies import Dailies
from cellrace_server.ports.ratings import Ratings
from cellrace_server.ports.results import Look, Results, Run
from cellrace_server.ports.sightings import Sightings
from cellrace_server.services.identities import People

RULES_MOST = 8
"""Of so many rule sets, those raced under last, a profile shows bests and ratings."""

EXPORTED_AT_ONCE = 200


class Standing(NamedTuple):
    """A rating, its last steps, the oldest first, and its place among `total`; 0 where it is on no board."""

    rules: str
    rated: Rated
    place: int
    total: int
    steps: Sequence[Step]


class Best(NamedTuple):
    """The best ranked run of all times under a rule set, and its place."""

    rules: str
    by: Measure
    place: int
    total: int
    run: Run


class Streaks(NamedTuple):
    rules: str
    streak: Streak


class Profile(NamedTuple):
    """`since` is the instant at which the player was first kept. `runs` is how many are finished."""

    player: Player
    since: int
    career: Career
    runs: int
    ratings: Sequence[Standing]
    streaks: Sequence[Streaks]
    bests: Sequence[Best]


class Portion(NamedTuple):
    """Some of all that is kept of a player: `ratings` by rule set, and parts of what is long, which go on in other
    portions: `steps` by rule set, `races` by name, `runs`, and `seen`, what each deal was first seen in."""

    profile: Profile
    portions: int
    ratings: Sequence[tuple[str, Rated]]
    steps: Sequence[tuple[str, Step]]
    races: Sequence[str]
    runs: Sequence[Run]
    seen: Sequence[tuple[int, str]]


class Profiles:
    """All methods raise `StoreUnavailable`."""

    def __init__(
        self,
        people: People,
        results: Results,
        ratings: Ratings,
        careers: Careers,
        dailies: Dailies,
        sightings: Sightings,
        clock: Clock,
    ) -> None:
        self._people = people
        self._results = results
        self._ratings = ratings
        self._careers = careers
        self._dailies = dailies
        self._sightings = sightings
        self._clock = clock

    async def find(self, text: str) -> str | None:
        """The id of the player who is meant, by id or by name in any spelling; `None` where there is none."""
        if await self._people.who(text) is not None:
            return text
        return await self._people.named(text)

    async def of(self, player: str, history: int = 0) -> Profile | None:
        """A player's profile, with so many of the last steps of each rating; `None` for one who was never kept, or was
        erased."""
        identity = await self._people.who(player)
        if identity is None:
            return None
        career = await self._careers.of(player)
        runs = await self._results.runs(player, 0)
        kind, rules = identity.player.kind, career.rules[:RULES_MOST]
        return Profile(
            identity.player,
            identity.since,
            career,
            runs.total,
            [
                standing
                for each in rules
                if (standing := await self._standing(player, Pool(each, kind), history)) is not None
            ],
            await self._streaks(player),
            [best for each in rules for best in await self._bests(player, each, kind)],
        )

    async def portion(self, player: str, number: int) -> Portion | None:
        """Part `number` (from 0) of all that is kept of a player; `None` where nothing is."""
        profile = await self.of(player)
        if profile is None:
            return None
        first, kind = number * EXPORTED_AT_ONCE, profile.player.kind
        ratings: list[tuple[str, Rated]] = []
        steps: list[tuple[str, Step]] = []
        for rules in await self._ratings.rules(player):
            pool = Pool(rules, kind)
            (rated,) = await self._ratings.of(pool, [player])
            if rated is not None:
                ratings.append((rules, rated))
                steps += [(rules, step) for step in await self._ratings.history(pool, player)]
        seen = sorted((await self._sightings.of(player)).items())
        longest = max(len(steps), len(seen), profile.career.races, profile.runs, 1)
        last = first + EXPORTED_AT_ONCE
        return Portion(
            profile,
            -(-longest // EXPORTED_AT_ONCE),
            ratings,
            steps[first:last],
            await self._careers.races(player, EXPORTED_AT_ONCE, first),
            (await self._results.runs(player, EXPORTED_AT_ONCE, first)).runs,
            seen[first:last],
        )

    async def _standing(self, player: str, pool: Pool, history: int) -> Standing | None:
        (rated,) = await self._ratings.of(pool, [player])
        if rated is None:
            return None
        ranking = await self._ratings.page(pool, Look(0, player=player))
        steps = await self._ratings.history(pool, player) if history > 0 else ()
        place = 0 if ranking.mine is None else ranking.mine.place
        return Standing(pool.rules, rated, place, ranking.total, steps[-history:] if history > 0 else ())

    async def _streaks(self, player: str) -> list[Streaks]:
        today = day_number(self._clock.now())
        found: list[Streaks] = []
        for rules in DAILY_RULES:
            text = rules_text(rules)
            days = streak(await self._dailies.days(player, text), today)
            if days.longest:
                found.append(Streaks(text, days))
        return found

    async def _bests(self, player: str, rules: str, kind: Kind) -> list[Best]:
        bests: list[Best] = []
        for by in measures(parse_rules(rules)):
            page = await self._results.page(Board(EVER, rules, kind, by).name, Look(0, player=player))
            if page.mine is not None:
                bests.append(Best(rules, by, page.mine.row.place, page.total, page.mine.row.run))
        return bests
