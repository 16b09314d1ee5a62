"""Requests about the deals of the day, each a coroutine beside the reading. They raise what the store raises."""

from cellrace_engine import Rules, RulesError, parse_rules, rules_text
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_server.core.boards import Board, Measure, of_daily
from cellrace_server.core.days import day_number, day_of, day_text
from cellrace_server.core.people import Kind
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.reading import against_day
from cellrace_server.gateway.records import ROWS_MOST, Asked, answer
from cellrace_server.gateway.requests import enter, visitor
from cellrace_server.ports.results import Look
from cellrace_server.services.daily_attempts import Today, until_next


async def daily(desk: Desk, connection: Connection, message: c.GetDaily) -> None:
    """The deals of the day, all as of one instant."""
    now = desk.clock.now()
    day = day_number(now)
    rows = [_row(row) for row in await desk.daily.today(connection.player, day)]
    choosing = desk.daily.choosing({row.rules for row in rows})
    connection.send(e.Dailies(message.r, day_text(day), until_next(now), rows, choosing))


async def play_daily(desk: Desk, connection: Connection, message: c.PlayDaily, rules: Rules) -> None:
    """A seat, ready, in the attempt, or in a race for practice."""
    who = await visitor(desk, connection)
    enter(desk, connection, message.r, await desk.daily.play(who, rules))


def under_way(desk: Desk, connection: Connection, rules: str) -> bool:
    """Whether a daily attempt of this player under these rules runs here: to ask for it leads back to it."""
    for race in desk.hall.holdings.seats(connection.player):
        room = desk.hall.rooms.get(race)
        options = room.race.options if room is not None and room.race is not None else None
        if (
            options is not None
            and options.daily
            and not options.practice
            and rules_text(options.rules) == _canonical(rules)
        ):
            return True
    return False


async def daily_top(desk: Desk, connection: Connection, message: c.GetDailyTop, rules: Rules) -> None:
    """The board of a day. It names no deal."""
    day = message.day or day_of(desk.clock.now())
    if (why := against_day(day)) is not None:
        connection.error(str(why.reason), why.text, message.r)
        return
    board = Board(
        of_daily(day, message.practice),
        rules_text(rules),
        Kind(message.kind.value),
        Measure(message.by.value),
    )
    look = Look(min(message.count, ROWS_MOST), message.offset, connection.player, message.around)
    await answer(desk, connection, Asked(message.r, c.Scope.DAY, day), board, look)


def _canonical(rules: str) -> str:
    """These rules as they are written here; as they were given where they are none."""
    try:
        return rules_text(parse_rules(rules))
    except RulesError:
        return rules


def _row(row: Today) -> e.DailyRow:
    today, attempt, streak, following, last = row
    return e.DailyRow(
        rules=today.rules,
        commitment=today.commitment.hex(),
        committed_at=today.at,
        attempt=attempt.stage.value,
        race=attempt.race,
        time=attempt.time,
        streak=streak.current,
        longest=streak.longest,
        next_commitment=following.commitment.hex() if following is not None else "",
        last_deal=str(last.code) if last is not None else "",
        last_salt=last.salt.hex() if last is not None else "",
        last_commitment=last.commitment.hex() if last is not None else "",
    )
