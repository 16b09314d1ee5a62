"""Requests that ask the store, each a coroutine beside the reading. They raise what the store raises."""

from cellrace_engine import DealCode, Rules, rules_text
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Phase
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.services.bookkeeper import board_name
from cellrace_server.services.identities import Known
from cellrace_server.services.room import Room

CHANNELS_MOST = 64
RACES_MOST = 100
ROWS_MOST = 100


async def say_hello_again(desk: Desk, connection: Connection, message: c.Hello) -> None:
    """A returning player."""
    kind = Kind(message.kind.value)
    connection.welcome(await desk.people.find(message.token, message.name, kind))


async def create(
    desk: Desk, connection: Connection, message: c.Create, options: Options, deal: DealCode | None
) -> None:
    """A new race, entered by whoever asked for it."""
    known = await _remembered(desk, connection)
    number = None if deal is None else deal.number
    room = await desk.lobby.create(known.player, options, number, message.play)
    _enter(desk, connection, message.r, room)


async def join_race(desk: Desk, connection: Connection, message: c.Join) -> None:
    known = await _remembered(desk, connection)
    _enter(desk, connection, message.r, await desk.lobby.join(known.player, message.what))


async def join_deal(
    desk: Desk, connection: Connection, message: c.Join, deal: DealCode, rules: Rules
) -> None:
    known = await _remembered(desk, connection)
    room = await desk.lobby.join_deal(known.player, deal, Options(rules=rules))
    _enter(desk, connection, message.r, room)


async def watch(desk: Desk, connection: Connection, message: c.Watch) -> None:
    room = await desk.hall.open(message.race)
    if room is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {message.race}", message.r)
    else:
        _enter(desk, connection, message.r, room)


async def resume(desk: Desk, connection: Connection, message: c.Resume) -> None:
    room = await desk.hall.open(message.race)
    if room is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {message.race}", message.r)
    else:
        _enter(desk, connection, message.r, room, message.after)


async def top(desk: Desk, connection: Connection, message: c.GetTop, deal: DealCode, rules: Rules) -> None:
    """The best rows of a board."""
    board = board_name(deal, rules, Kind(message.kind.value))
    rows = await desk.results.top(board, min(message.count, ROWS_MOST))
    answer = [
        e.BoardRow(place, run.player.id, run.player.name, run.time, run.moves, run.at, run.id)
        for place, run in rows
    ]
    connection.send(e.Top(message.r, str(deal), rules_text(rules), message.kind, answer))


async def replay(desk: Desk, connection: Connection, message: c.GetReplay) -> None:
    document = await desk.results.replay(message.run)
    if document is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no replay {message.run}", message.r)
    else:
        connection.send(e.Replay(message.r, message.run, document.decode("utf-8")))


def races(desk: Desk, connection: Connection, message: c.GetRaces) -> None:
    """Public races on this node, the newest first."""
    rows: list[e.RaceRow] = []
    for room in reversed(desk.hall.rooms.values()):
        race = room.race
        if race is None or not race.options.public or race.phase is Phase.ENDED:
            continue
        players = [seat.player.name for _, seat in race.seated()]
        rules = rules_text(race.options.rules)
        rows.append(e.RaceRow(race.id, race.phase.value, rules, len(race.seats), players))
        if len(rows) == RACES_MOST:
            break
    connection.send(e.Races(message.r, rows))


async def _remembered(desk: Desk, connection: Connection) -> Known:
    assert connection.known is not None, "hello comes first"
    connection.known = await desk.people.remember(connection.known)
    return connection.known


def _enter(
    desk: Desk, connection: Connection, request: int, room: Room | Rejected, after: int | None = None
) -> None:
    """Answer with the channel and what is missing. From here to the end nothing waits: no fact can slip between."""
    if isinstance(room, Rejected):
        desk.counters.refused(str(room.reason))
        connection.error(str(room.reason), room.text, request, room.retry_after)
        return
    race = room.race
    if connection.over:
        return
    if len(connection.channels) >= CHANNELS_MOST:
        over = next((channel for channel in connection.channels.values() if channel.over), None)
        if over is None:
            text = f"{CHANNELS_MOST} races at once are the most: part from one"
            connection.error(ErrorCode.BUSY, text, request)
            return
        connection.part(over)
    if race is None or connection.known is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {room.id}", request)
        return
    seat = race.seat_of(connection.known.player.id)
    mine = race.seats[seat] if seat >= 0 else None
    channel = desk.channels.open(room)
    connection.enter(channel, seat)
    number = mine.n + 1 if mine is not None else 0
    connection.send(e.Entered(request, channel.number, race.id, seat, number))
    channel.catch_up(connection, after, desk.clock.now())
