"""What is kept of players in memory, with the semantics of the real store: ratings, careers, erasure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from cellrace_server.core.dailies import attempt_names
from cellrace_server.core.people import Player
from cellrace_server.core.ratings import HISTORY_MOST, Change, Pool, Rated, Step
from cellrace_server.ports.careers import Career, Raced
from cellrace_server.ports.ratings import Place, Ranking
from cellrace_server.ports.results import Look
from tests.support.memory_store import Memory


class MemoryRatings:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def of(self, pool: Pool, players: Sequence[str], /) -> Sequence[Rated | None]:
        ratings = self._memory.ratings
        return await self._memory.call(lambda: [ratings.get(pool, {}).get(player) for player in players])

    async def book(self, pool: Pool, race: str, changes: Sequence[Change], /) -> bool:
        return await self._memory.call(lambda: self._book(pool, race, changes))

    def _book(self, pool: Pool, race: str, changes: Sequence[Change]) -> bool:
        booked = self._memory.rated_races.setdefault(pool, [])
        ratings = self._memory.ratings.setdefault(pool, {})
        if race in booked:
            return True
        changes = [change for change in changes if change.rated.player.id not in self._memory.erased]
        for rated, _, before in changes:
            stands = ratings.get(rated.player.id)
            if before != (0 if stands is None else stands.races):
                return False
        for rated, step, _ in changes:
            ratings[rated.player.id] = rated
            steps = self._memory.steps.setdefault((pool, rated.player.id), [])
            steps.append(step)
            del steps[:-HISTORY_MOST]
        booked.append(race)
        return True

    async def page(self, pool: Pool, look: Look, /) -> Ranking:
        return await self._memory.call(lambda: self._page(pool, look))

    def _page(self, pool: Pool, look: Look) -> Ranking:
        ratings = [each for each in self._memory.ratings.get(pool, {}).values() if not each.provisional]
        ratings.sort(key=lambda each: (-each.shown, each.at, each.player.id))
        values = [-each.shown for each in ratings]
        places = [Place(bisect_left(values, -each.shown) + 1, each) for each in ratings]
        mine = next((place for place in places if place.rated.player.id == look.player), None)
        ahead = places.index(mine) if mine is not None else 0
        worse = len(values) - bisect_right(values, -mine.rated.shown) if mine is not None else 0
        count, offset = max(look.most, 0), max(look.offset, 0)
        if look.around:
            count = count if mine is not None else 0
            offset = max(0, min(ahead - count // 2, len(places) - count)) if mine is not None else 0
        return Ranking(len(places), offset, places[offset : offset + count], mine, ahead, worse)

    async def history(self, pool: Pool, player: str, /) -> Sequence[Step]:
        return await self._memory.call(lambda: list(self._memory.steps.get((pool, player), [])))

    async def rules(self, player: str, /) -> Sequence[str]:
        return await self._memory.call(
            lambda: sorted(
                {pool.rules for pool, ratings in self._memory.ratings.items() if player in ratings}
            )
        )


class MemoryCareers:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def count(
        self, race: str, at: int, raced: Sequence[Raced], named: Sequence[str] = (), /
    ) -> Sequence[str]:
        return await self._memory.call(lambda: self._count(race, at, raced, named))

    def _count(self, race: str, at: int, raced: Sequence[Raced], named: Sequence[str]) -> Sequence[str]:
        for player in named:
            if player not in self._memory.erased:
                self._memory.named.setdefault(player, set()).add(race)
        for each in raced:
            if each.player not in self._memory.erased:
                self._memory.careers.setdefault(each.player, {})[race] = (at, each)
        players = [*(each.player for each in raced), *named]
        return [player for player in players if player in self._memory.erased]

    async def of(self, player: str, /) -> Career:
        return await self._memory.call(lambda: self._of(player))

    def _of(self, player: str) -> Career:
        career = sorted(self._memory.careers.get(player, {}).values(), reverse=True)
        wins = sum(raced.won for _, raced in career)
        return Career(len(career), wins, list(dict.fromkeys(raced.rules for _, raced in career)))

    async def races(self, player: str, count: int, offset: int = 0, /) -> Sequence[str]:
        return await self._memory.call(lambda: self._races(player, count, offset))

    def _races(self, player: str, count: int, offset: int) -> Sequence[str]:
        career = self._memory.careers.get(player, {})
        names = sorted(career, key=lambda race: (career[race][0], race), reverse=True)
        return names[offset : offset + count] if count > 0 and offset >= 0 else []

    async def named(self, player: str, /) -> Sequence[str]:
        return await self._memory.call(lambda: sorted(self._memory.named.get(player, ())))


class MemoryErasure:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def begin(self, player: Player, /) -> None:
        await self._memory.call(lambda: self._begin(player))

    def _begin(self, player: Player) -> None:
        self._memory.erased.add(player.id)
        self._memory.erasing[player.id] = player

    async def begun(self, player: str, /) -> bool:
        return await self._memory.call(lambda: player in self._memory.erased)

    async def wipe(self, player: str, today: int, /) -> None:
        await self._memory.call(lambda: self._wipe(player, today))

    def _wipe(self, player: str, today: int) -> None:
        memory = self._memory
        for name in [name for name, run in memory.runs.items() if run.player.id == player]:
            del memory.runs[name], memory.replays[name]
        for rows in memory.rows.values():
            rows.pop(player, None)
        memory.sorted_rows.clear()
        for ratings in memory.ratings.values():
            ratings.pop(player, None)
        for key in [key for key in memory.steps if key[1] == player]:
            del memory.steps[key]
        memory.careers.pop(player, None)
        memory.named.pop(player, None)
        for name in attempt_names(player, today):
            memory.names.pop(name, None)
        for seen in [seen for seen in memory.seen if seen[0] == player]:
            del memory.seen[seen]
        for days in [days for days in memory.days if days[0] == player]:
            del memory.days[days]

    async def end(self, player: str, /) -> None:
        await self._memory.call(lambda: self._memory.erasing.pop(player, None))

    async def unfinished(self) -> Sequence[Player]:
        return await self._memory.call(lambda: list(self._memory.erasing.values()))
