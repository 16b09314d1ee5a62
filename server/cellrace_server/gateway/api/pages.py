"""The JSON pages, each a coroutine from what its path and query say to what is found. They show what a stranger may see
who has played nothing, and raise what the store raises."""

import http
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import astuple

from cellrace_engine import rules_text
from cellrace_protocol import api
from cellrace_protocol import commands as c
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.boards import Board, Measure, Sight, of_daily
from cellrace_server.core.dailies import Daily
from cellrace_server.core.days import begins, day_number, day_text, parse_day
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Kind
from cellrace_server.core.ratings import Pool
from cellrace_server.core.runs import is_run_id
from cellrace_server.gateway.api.answers import Found, Refusal, objects
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.players import profile_message, rank_row
from cellrace_server.gateway.reading import against_day, read_deal, read_rules
from cellrace_server.gateway.records import board_row, board_scope, run_row
from cellrace_server.ports.results import Look
from cellrace_server.services.listing import Row

Answer = Found | Refusal
Handler = Callable[[Desk, str, Any], Coroutine[Any, Any, Answer]]
"""Gets the variable part of the path, empty where there is none, and the query."""

STRANGER = ""
"""Who reads: the id of no player."""

BOARD_S, RACES_S, REVEALED_S, REPLAY_S = 5, 1, 3_600, 3_600
"""How long what was read may be shown again. Erasing takes a replay away, if late."""


async def board(desk: Desk, _: str, query: api.BoardQuery) -> Answer:
    """A board of a deal, a day, a week or all times."""
    rules = read_rules(query.rules)
    if isinstance(rules, Rejected):
        return _bad(rules)
    deal = read_deal(query.deal, rules) if query.scope is c.Scope.DEAL else None
    if isinstance(deal, Rejected):
        return _bad(deal)
    if query.day and (why := against_day(query.day)) is not None:
        return _bad(why)
    scope, day = board_scope(query.scope, deal, query.day, desk.clock.now())
    kind, by, sight = Kind(query.kind.value), Measure(query.by.value), Sight(query.sight.value)
    shown = Board(scope, rules_text(rules), kind, by, sight)
    code = "" if deal is None else str(deal)
    return await _board(desk, shown, query, query.scope, day, code, f"{api.ROOT}/boards")


async def daily_board(desk: Desk, day: str, query: api.DailyBoardQuery) -> Answer:
    """The board of a day. It names no deal before the day is over."""
    rules = read_rules(query.rules)
    if isinstance(rules, Rejected):
        return _bad(rules)
    if (why := against_day(day)) is not None:
        return _missing(why.text)
    shown = Board(
        of_daily(day, query.practice), rules_text(rules), Kind(query.kind.value), Measure(query.by.value)
    )
    return await _board(desk, shown, query, c.Scope.DAY, day, "", f"{api.ROOT}/dailies/{day}/board")


async def _board(
    desk: Desk,
    shown: Board,
    query: api.BoardQuery | api.DailyBoardQuery,
    scope: c.Scope,
    day: str,
    deal: str,
    path: str,
) -> Answer:
    look = await _look(desk, query)
    if isinstance(look, Refusal):
        return look
    page, now = await desk.results.page(shown.name, look), desk.clock.now()
    mine = page.mine
    following = _following(path, query, page.offset, len(page.rows), page.total)
    answer = api.BoardPage(
        scope=scope,
        day=day,
        deal=deal,
        rules=shown.rules,
        kind=query.kind,
        by=c.Measure(shown.by.value),
        sight=c.Sight(shown.sight.value),
        offset=page.offset,
        total=page.total,
        rows=[board_row(row, STRANGER, now) for row in page.rows],
        mine=[] if mine is None else [board_row(mine.row, STRANGER, now)],
        ahead=0 if mine is None else mine.ahead,
        worse=0 if mine is None else mine.worse,
        next=following,
    )
    return Found(objects(answer), BOARD_S, following)


async def ratings(desk: Desk, _: str, query: api.RatingsQuery) -> Answer:
    """The board of ratings."""
    rules = read_rules(query.rules)
    look = await _look(desk, query)
    if isinstance(rules, Rejected):
        return _bad(rules)
    if isinstance(look, Refusal):
        return look
    pool = Pool(rules_text(rules), Kind(query.kind.value))
    found = await desk.ratings.page(pool, look)
    following = _following(f"{api.ROOT}/ratings", query, found.offset, len(found.places), found.total)
    answer = api.RatingsPage(
        rules=pool.rules,
        kind=query.kind,
        offset=found.offset,
        total=found.total,
        rows=[rank_row(place) for place in found.places],
        mine=[] if found.mine is None else [rank_row(found.mine)],
        ahead=found.ahead,
        worse=found.worse,
        next=following,
    )
    return Found(objects(answer), BOARD_S, following)


async def dailies(desk: Desk, _: str, _query: api.NoQuery) -> Answer:
    """The deals of the day, and those before and after."""
    today = day_number(desk.clock.now())
    days = [await desk.daily.on(today + apart) for apart in (0, 1, -1)]
    ends_at = begins(today + 1)
    answer = api.DailiesPage(
        day_text(today), ends_at, *([_daily(each, today) for each in day] for day in days)
    )
    left_s = (ends_at - desk.clock.now()) // 1_000
    return Found(objects(answer), max(0, min(left_s, BOARD_S)))


async def daily(desk: Desk, day: str, _query: api.NoQuery) -> Answer:
    """The deals of one day."""
    number, today = parse_day(day), day_number(desk.clock.now())
    found = await desk.daily.on(number) if number is not None and number <= today + 1 else []
    if number is None or not found:
        return _missing(f"there is no daily of {day}")
    answer = api.DailyPage(day, [_daily(each, today) for each in found])
    return Found(objects(answer), REVEALED_S if number < today else BOARD_S)


def _daily(daily: Daily, today: int) -> api.PublicDaily:
    """It is revealed when its day is over."""
    number = parse_day(daily.day)
    over = number is not None and number < today
    deal, salt = (str(daily.code), daily.salt.hex()) if over else ("", "")
    return api.PublicDaily(daily.day, daily.rules, daily.commitment.hex(), daily.at, deal, salt)


async def player(desk: Desk, named: str, query: api.PlayerQuery) -> Answer:
    """A player's profile."""
    who = await desk.profiles.find(named)
    found = await desk.profiles.of(who, query.history) if who is not None else None
    if found is None:
        return _missing(f"there is no player {named}")
    message = profile_message(0, found, STRANGER, desk.clock.now())
    return Found(objects(api.PlayerPage(*astuple(message)[1:])), BOARD_S)


async def runs(desk: Desk, named: str, query: api.RowsQuery) -> Answer:
    """Finished runs of a player."""
    who = await desk.profiles.find(named)
    if who is None:
        return _missing(f"there is no player {named}")
    found = await desk.results.runs(who, query.limit, query.offset)
    now = desk.clock.now()
    path = f"{api.ROOT}/players/{who}/runs"
    following = _following(path, query, query.offset, len(found.runs), found.total)
    rows = [run_row(run, STRANGER, now) for run in found.runs]
    return Found(objects(api.RunsPage(who, query.offset, found.total, rows, following)), BOARD_S, following)


async def races(desk: Desk, _: str, query: api.RacesQuery) -> Answer:
    """Public races on all nodes."""
    listing = desk.listing
    listed = listing.newest() if query.order is c.Order.NEWEST else listing.most_watched()
    rows = listed[query.offset : query.offset + query.limit]
    following = _following(f"{api.ROOT}/races", query, query.offset, len(rows), len(listed))
    answer = api.RacesPage(query.offset, len(listed), [_race(row) for row in rows], following)
    return Found(objects(answer), RACES_S, following)


def _race(row: Row) -> api.PublicRace:
    entry = row.entry
    return api.PublicRace(
        race=entry.race,
        phase=entry.phase,
        rules=entry.rules,
        seats=entry.seats,
        players=list(entry.players),
        bot_players=entry.bot_players,
        ranked=entry.ranked,
        bots=entry.bots,
        opened_at=entry.created,
        spectators=row.spectators,
    )


async def replay(desk: Desk, named: str, query: api.ReplayQuery) -> Answer:
    """The replay that proves a run, unless its deal is secret still, or others race on it."""
    run = await desk.results.run(named) if is_run_id(named) else None
    early = await desk.shown.against(run, STRANGER) if run is not None else None
    if early is not None:
        return Refusal(http.HTTPStatus.FORBIDDEN, str(early.reason), early.text)
    document = await desk.results.replay(named) if run is not None else None
    if document is None:
        return _missing(f"there is no replay {named}")
    return Found(document, REPLAY_S, filename=f"cellrace-{named}.json" if query.download else "")


HANDLERS: dict[str, Handler] = {
    "board": board,
    "ratings": ratings,
    "dailies": dailies,
    "daily": daily,
    "daily_board": daily_board,
    "player": player,
    "runs": runs,
    "races": races,
    "replay": replay,
}
"""By the names of the pages."""

WITHOUT_STORE = ("races",)
"""Pages that are there while the store is not."""


async def _look(desk: Desk, query: api.BoardQuery | api.DailyBoardQuery | api.RatingsQuery) -> Look | Refusal:
    if not query.player:
        return (
            _bad(Rejected(Reason.BAD_OPTIONS, "around whom? name a player"))
            if query.around
            else Look(query.limit, query.offset)
        )
    who = await desk.profiles.find(query.player)
    if who is None:
        return _missing(f"there is no player {query.player}")
    return Look(query.limit, query.offset, who, query.around)


def _following(path: str, query: Any, offset: int, rows: int, total: int) -> str:
    """Where the rows after these are; empty where these are the last."""
    after = offset + rows
    if not rows or after >= total:
        return ""
    said: Sequence[tuple[str, Any]] = [
        (name, getattr(query, name))
        for name in query.__struct_fields__
        if name not in ("offset", "around") and getattr(query, name) not in ("", False)
    ]
    return f"{path}?{urlencode([*said, ('offset', after)])}"


def _bad(why: Rejected) -> Refusal:
    return Refusal(http.HTTPStatus.BAD_REQUEST, str(why.reason), why.text)


def _missing(text: str) -> Refusal:
    return Refusal(http.HTTPStatus.NOT_FOUND, str(ErrorCode.NOT_FOUND), text)
