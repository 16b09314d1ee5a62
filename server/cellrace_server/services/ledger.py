"""What a race that is over means for those who were in it: it is counted for each, and rated, once."""

from collections.abc import Sequence

from cellrace_engine import rules_text
from cellrace_server.core.erasing import named_in, without_names
from cellrace_server.core.facts import AnyFact
from cellrace_server.core.race import Race
from cellrace_server.core.ratings import Finishers, changes, rated_by
from cellrace_server.core.standings import standings
from cellrace_server.ports.careers import Careers, Raced
from cellrace_server.ports.race_log import RaceLog
from cellrace_server.ports.ratings import Ratings
from cellrace_server.services.turns import Turns


class Ledger:
    """All of it may be done again, by any node: sets have everything once, and ratings know which races they follow
    from. So it is done before a race is settled, and again whenever it may not have been."""

    def __init__(self, careers: Careers, ratings: Ratings, log: RaceLog) -> None:
        self._careers = careers
        self._ratings = ratings
        self._log = log
        self._turns = Turns()

    async def close(self, race: Race, facts: Sequence[AnyFact]) -> None:
        """Count and rate a race that is over, of which `facts` is the log. Raises `StoreUnavailable`: done or not."""
        raced = _raced(race) if race.start else []
        counted = {each.player for each in raced}
        others = [player for player in named_in(facts) if player not in counted]
        erased = await self._careers.count(race.id, race.ended, raced, others)
        for finishers in rated_by(race) if race.start else ():
            await self._rate(race, finishers)
        if erased:
            await self._log.rewrite(race.id, without_names(await self._log.read(race.id), erased))

    async def _rate(self, race: Race, finishers: Finishers) -> None:
        """Players of several races that end at once are rated for one after the other. On other nodes somebody may book
        meanwhile, whom one follows: one looks again at what that made of the players they share."""
        pool, players = finishers.pool, [player.id for player in finishers.players]
        async with self._turns.at([(pool, player) for player in players]):
            booked = False
            while not booked:
                known = await self._ratings.of(pool, players)
                booked = await self._ratings.book(
                    pool, race.id, changes(race.id, race.ended, finishers, known)
                )


def _raced(race: Race) -> list[Raced]:
    """A shared win is one for everybody who shares it, and who has had no rival has won nothing."""
    rules, alone = rules_text(race.options.rules), sum(1 for _ in race.seated()) < 2
    winners = {row.seat for row in standings(race) if row.place == 1 and row.result is not None and not alone}
    return [Raced(seat.player.id, rules, index in winners) for index, seat in race.seated()]
