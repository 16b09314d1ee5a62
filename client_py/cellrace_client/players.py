"""Who players are: profiles, ratings, and what is kept of oneself."""

import json
from collections.abc import Callable
from typing import Any, cast

from cellrace_client.errors import RequestFailed
from cellrace_client.requests import Ask
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind


class Players:
    """What a client can ask for about players; all of it raises what its other requests raise."""

    def __init__(self, ask: Ask, token: Callable[[], str]) -> None:
        self._ask = ask
        self._token = token

    async def profile(self, player: str = "", *, history: int = 0) -> e.Profile:
        """A player by id or name, oneself where none is named, with so many of the last steps of each rating. Raises
        `RequestFailed` (`not_found`) for one of whom nothing is kept: a guest before the first race."""
        return await self._ask(lambda r: c.GetProfile(r, player, history), e.Profile)

    async def ratings(
        self,
        rules: str = "classic",
        *,
        kind: Kind = Kind.HUMAN,
        count: int = 10,
        offset: int = 0,
        around: bool = False,
    ) -> e.Ratings:
        """The board of ratings: `count` rows at most, from row `offset` on or `around` one's own, which comes in any
        case."""
        return await self._ask(lambda r: c.GetRatings(r, rules, kind, count, offset, around), e.Ratings)

    async def export(self) -> dict[str, Any]:
        """All that the server keeps of us, as one document that JSON can say. What is booked meanwhile may be left
        out, or be there twice."""
        whole: dict[str, Any] = {}
        page, pages = 0, 1
        while page < pages:
            answer = await self._page(page)
            pages = answer.pages
            _add(whole, _read(answer.document))
            page += 1
        return whole

    async def _page(self, page: int) -> e.Exported:
        return await self._ask(lambda r: c.GetExport(r, page), e.Exported)

    async def erase(self) -> None:
        """Erase us from the server, for good: there is no way back. The connection ends, and the token is dead."""
        await self._ask(lambda r: c.Erase(r, self._token()), e.Erased)


def _read(document: str) -> dict[str, Any]:
    try:
        page = json.loads(document)
    except ValueError as error:
        raise RequestFailed("bad_answer", f"the server exports what is no JSON: {error}") from error
    if not isinstance(page, dict):
        raise RequestFailed("bad_answer", "the server exports what is no document")
    return cast("dict[str, Any]", page)


PAGED = ("rating_steps", "races", "runs", "deals_seen")
"""What goes on from page to page."""


def _add(whole: dict[str, Any], page: dict[str, Any]) -> None:
    for name, value in page.items():
        if name in PAGED and name in whole:
            whole[name] += value
        else:
            whole[name] = value
