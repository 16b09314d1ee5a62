"""Boards, the runs on them, and the replays that prove them."""

from collections.abc import Sequence

from cellrace_client.boards import BoardQuery
from cellrace_client.links import CHALLENGE, without_address
from cellrace_client.requests import Ask
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind


class Records:
    """What a client can ask for about what was raced; all of it raises what its other requests raise."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def top(
        self, deal: str, *, rules: str = "classic", kind: Kind = Kind.HUMAN, count: int = 10
    ) -> Sequence[e.BoardRow]:
        """The board of a deal: the fastest run of each player."""
        return (await self.board(BoardQuery(deal, rules, kind), count)).rows

    async def board(
        self, board: BoardQuery, count: int = 10, offset: int = 0, *, around: bool = False
    ) -> e.Top:
        """Rows of a board, `count` at most, from row `offset` on or `around` one's own, which comes in any case."""
        return await self._ask(lambda r: board.asked(r, count, offset, around), e.Top)

    async def runs(self, player: str = "", *, count: int = 10, offset: int = 0) -> e.Runs:
        """The finished runs of a player, one's own where none is named: the newest first."""
        return await self._ask(lambda r: c.GetRuns(r, player, count, offset), e.Runs)

    async def replay(self, run: str) -> str:
        """The replay document (JSON text) of a run on a board, by its name or its link."""
        name = without_address(run, CHALLENGE)
        return (await self._ask(lambda r: c.GetReplay(r, name), e.Replay)).document
