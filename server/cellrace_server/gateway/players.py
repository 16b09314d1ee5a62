"""Requests about players: profiles, ratings, all that is kept of oneself, and erasing it. Each is a coroutine beside
the reading, and raises what the store raises."""

import hmac

import msgspec

from cellrace_engine import Rules, rules_text
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.outcome import Reason
from cellrace_server.core.people import Kind
from cellrace_server.core.ratings import HISTORY_MOST, Pool
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.exports import Export
from cellrace_server.gateway.records import ROWS_MOST, run_row
from cellrace_server.ports.ratings import Place
from cellrace_server.ports.results import Look
from cellrace_server.services.profiles import Profile, Standing


async def profile(desk: Desk, connection: Connection, message: c.GetProfile) -> None:
    """A player's profile, as everybody may see it."""
    named = message.player
    player = await desk.profiles.find(named) if named else connection.player
    history = min(message.history, HISTORY_MOST)
    found = await desk.profiles.of(player, history) if player is not None else None
    if found is None:
        who = f"there is no player {named}" if named else "nothing is kept of you before your first race"
        connection.error(ErrorCode.NOT_FOUND, who, message.r)
        return
    connection.send(profile_message(message.r, found, connection.player, desk.clock.now()))


def profile_message(r: int, found: Profile, viewer: str, now: int) -> e.Profile:
    """A profile as this player may see it."""
    player, career = found.player, found.career
    return e.Profile(
        *(r, player.id, player.name, c.Kind(player.kind.value), found.since),
        *(career.races, career.wins, found.runs),
        ratings=[rating_row(standing) for standing in found.ratings],
        bests=[
            e.BestRow(best.by.value, best.place, best.total, run_row(best.run, viewer, now))
            for best in found.bests
        ],
        streaks=[e.StreakRow(each.rules, each.streak.current, each.streak.longest) for each in found.streaks],
        steps=[
            e.RatingStep(standing.rules, step.at, step.place, step.players, step.rating, step.deviation)
            for standing in found.ratings
            for step in standing.steps
        ],
    )


def rating_row(standing: Standing) -> e.RatingRow:
    """One of a player's ratings."""
    rated = standing.rated
    return e.RatingRow(
        standing.rules,
        rated.shown,
        round(rated.deviation),
        rated.races,
        rated.provisional,
        standing.place,
        standing.total,
    )


async def ratings(desk: Desk, connection: Connection, message: c.GetRatings, rules: Rules) -> None:
    """Rows of a board of ratings, and one's own."""
    pool = Pool(rules_text(rules), Kind(message.kind.value))
    look = Look(min(message.count, ROWS_MOST), message.offset, connection.player, message.around)
    ranking = await desk.ratings.page(pool, look)
    mine = ranking.mine
    connection.send(
        e.Ratings(
            message.r,
            pool.rules,
            message.kind,
            [rank_row(place) for place in ranking.places],
            ranking.offset,
            ranking.total,
            [] if mine is None else [rank_row(mine)],
            ranking.ahead,
            ranking.worse,
        )
    )


def rank_row(row: Place) -> e.RankRow:
    """A player on a board of ratings."""
    place, rated = row
    player = rated.player
    return e.RankRow(
        place, player.id, player.name, rated.shown, round(rated.deviation), rated.races, rated.at
    )


async def export(desk: Desk, connection: Connection, message: c.GetExport) -> None:
    """A page of all that is kept of who asks."""
    portion = await desk.profiles.portion(connection.player, message.page)
    if portion is None or message.page >= portion.portions:
        connection.error(ErrorCode.NOT_FOUND, "nothing is kept of you there", message.r)
        return
    document = msgspec.json.encode(Export.of(portion)).decode()
    connection.send(e.Exported(message.r, message.page, portion.portions, document))


async def erase(desk: Desk, connection: Connection, message: c.Erase) -> None:
    """Erase who asks and has shown the token again, unless somebody races against them just now, as far as this node
    knows."""
    known = connection.known
    assert known is not None, "hello comes first"
    if not hmac.compare_digest(known.token.encode(), message.token.encode()):
        connection.error(ErrorCode.BAD_TOKEN, "say your token, to be sure that it is you who asks", message.r)
    elif not await desk.people.proves(known):
        connection.error(ErrorCode.REVOKED, "this token was revoked", message.r)
    elif seats := desk.hall.holdings.seats(known.player.id):
        text = f"you have a seat in {', '.join(sorted(seats))}: leave or give up first"
        connection.error(str(Reason.NOT_OVER), text, message.r)
    else:
        await desk.eraser.erase(known.player, lambda: connection.send(e.Erased(message.r)))
