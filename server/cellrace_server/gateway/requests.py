"""Requests that ask the store, each a coroutine beside the reading. They raise what the store raises."""

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from cellrace_engine import DealCode, Rules
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind as WireKind
from cellrace_protocol.commands import Order
from cellrace_protocol.errors import ErrorCode
from cellrace_server.core.dailies import shown_at
from cellrace_server.core.facts import AnyFact, Ended, Rematched
from cellrace_server.core.ghosts import Ghost
from cellrace_server.core.options import Options, usual_delay
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Kind
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.race_names import read_race_name
from cellrace_server.core.rematch import raced_bots_only
from cellrace_server.core.secrecy import deal_is_public
from cellrace_server.gateway.attendance import Attendance
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.services.daily_attempts import not_yet
from cellrace_server.services.lobby import Terms, Visitor
from cellrace_server.services.nodes import instance_of
from cellrace_server.services.room import Room
from cellrace_server.services.sights import NAMED, watched

CHANNELS_MOST = 64
ITS_END = 2**31 - 1
"""What a `resume` is after that asks for the result of a race, and for nothing of one that goes on."""

TOO_MANY_RACES = f"{CHANNELS_MOST} races at once are the most: part from one"


async def say_hello_again(desk: Desk, connection: Connection, message: c.Hello) -> None:
    """A returning player."""
    kind = Kind(message.kind.value)
    known = await desk.people.find(message.token, message.name, kind)
    if known is None:
        connection.error(ErrorCode.REVOKED, "this token was revoked")
    elif not known.stored and (fault := desk.people.fault_in(message.name)) is not None:
        connection.error(ErrorCode.BAD_NAME, fault.text, facts=fault.facts)
    elif desk.closing.last_races and not desk.hall.holdings.places(known.player.id):
        connection.turn_away(0)
    else:
        connection.welcome(known)


async def renew(desk: Desk, connection: Connection, message: c.Renew) -> None:
    """Another token. One that is drawn here is kept until it is known to be in force, so that asking again after
    the store was away does not draw another."""
    assert connection.known is not None, "hello comes first"
    connection.next_token = message.token or connection.next_token or desk.people.new_token()
    found = await desk.people.renew(connection.known, connection.next_token)
    connection.next_token = ""
    if isinstance(found, Rejected):
        refuse(connection, message.r, found)
    else:
        connection.known = found
        connection.send(e.Renewed(message.r, found.token))


async def bring_in(connection: Connection, request: int, work: Callable[[], Awaitable[None]]) -> None:
    """Do what takes a seat, which would be lost on a connection that can enter no more races: those it is entering
    meanwhile are counted as well."""
    open_races = sum(not channel.over for channel in connection.channels.values())
    if open_races + connection.entering >= CHANNELS_MOST:
        connection.error(ErrorCode.BUSY, TOO_MANY_RACES, request)
        return
    connection.entering += 1
    try:
        await work()
    finally:
        connection.entering -= 1


async def create(
    desk: Desk, connection: Connection, message: c.Create, options: Options, deal: DealCode | None
) -> None:
    """A new race, entered by whoever asked for it."""
    host = await visitor(desk, connection)
    if deal is not None:
        await desk.sights.see(host.player.id, deal.number, NAMED)
    terms = Terms(options, None if deal is None else deal.number, message.play)
    enter(desk, connection, message.r, await desk.lobby.create(host, terms))


async def join_race(
    desk: Desk, connection: Connection, race: str, r: int = 0, bots_welcome: bool = True
) -> None:
    """A seat in a race, asked for or, with `r` 0, found for those who meet again: none that another device of theirs
    has already."""
    who = (await visitor(desk, connection))._replace(bots_welcome=bots_welcome)
    room = await desk.lobby.join(who, race)
    if not r and isinstance(room, Room) and _gone_on_elsewhere(desk, connection, room):
        return
    ghosts = await _ghosts(desk, connection, room) if isinstance(room, Room) else ()
    enter(desk, connection, r, room, ghosts=ghosts)


async def join_deal(
    desk: Desk, connection: Connection, message: c.Join, deal: DealCode, rules: Rules
) -> None:
    """A seat in the open race on a deal."""
    who = await visitor(desk, connection)
    await desk.sights.see(who.player.id, deal.number, NAMED)
    room = await desk.lobby.join_deal(who, deal, replace(desk.waits, rules=rules))
    enter(desk, connection, message.r, room)


async def quick(desk: Desk, connection: Connection, message: c.Quick, rules: Rules) -> None:
    """A seat in the next race of strangers."""
    who = await visitor(desk, connection)
    options = replace(
        desk.waits,
        rules=rules,
        ranked=message.ranked,
        bots=message.bots,
        delay_ms=usual_delay(message.ranked),
    )
    who = who._replace(bots_welcome=message.house_bot)
    early = await desk.ghosts.against(message.ghost, rules) if message.ghost else None
    room = early or await desk.lobby.quick(who, options, message.ghost)
    enter(desk, connection, message.r, room)
    channel = desk.channels.of(room) if isinstance(room, Room) else None
    if message.house_bot and channel is not None and (why := _no_house_bot(desk, who, options)) is not None:
        connection.send(e.Notice("no_house_bot", why, channel.number))


def _no_house_bot(desk: Desk, who: Visitor, options: Options) -> str | None:
    """Why no house bot will come to a race of strangers; `None` when one may."""
    if who.player.kind is Kind.BOT:
        return "house bots come to people only: you wait for a person, or a bot of somebody's"
    if options.ranked:
        return "house bots do not race for rank: you wait for a person"
    if not options.bots:
        return "you asked for people only: you wait for one"
    if not desk.listing.house_bots:
        return "no house bots are kept on this server: you wait for a person"
    return None


async def rematch(desk: Desk, connection: Connection, message: c.Rematch, room: Room) -> None:
    """Everybody meets again; the others are gathered, who asked is answered. No bot of the house takes a seat that
    is meant for a person; where all others were bots, and have gone to race somebody else, another may come."""
    bots_welcome = room.race is not None and raced_bots_only(room.race, connection.player)
    who = (await visitor(desk, connection))._replace(bots_welcome=bots_welcome)
    connection.rematching.add(room.id)
    try:
        found = await desk.lobby.rematch(who, room)
    finally:
        connection.rematching.discard(room.id)
    if isinstance(found, Rejected) and room.race is not None and room.race.rematch:
        found = room.race.rematch  # somebody else's came about meanwhile, which nobody has brought us to
    if isinstance(found, Rejected):
        refuse(connection, message.r, found)
    else:
        await join_race(desk, connection, found, message.r, bots_welcome=False)


async def watch_race(desk: Desk, connection: Connection, race: str) -> None:
    """For spectators of those who meet again."""
    room = await desk.hall.open(race)
    if room is not None:
        await _looks_on(desk, connection, room)
        enter(desk, connection, 0, room, ghosts=await _ghosts(desk, connection, room))


async def watch(desk: Desk, connection: Connection, message: c.Watch) -> None:
    """A race to look on at, or one's own."""
    room = await desk.hall.open(read_race_name(message.race) or message.race)
    if room is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {message.race}", message.r)
    else:
        await _looks_on(desk, connection, room)
        enter(desk, connection, message.r, room, ghosts=await _ghosts(desk, connection, room))


async def resume(desk: Desk, connection: Connection, message: c.Resume) -> None:
    """The same race again, from a fact on."""
    room = await desk.hall.open(read_race_name(message.race) or message.race)
    if room is None:
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {message.race}", message.r)
    elif _gone_on_elsewhere(desk, connection, room, message.after):
        text = "the race was gone on with elsewhere: watch it to take the seat"
        connection.error(ErrorCode.TAKEN_OVER, text, message.r)
    else:
        await _looks_on(desk, connection, room)
        enter(desk, connection, message.r, room, message.after, await _ghosts(desk, connection, room))
        _bring_who_missed_it(desk, connection, room, message.after)


def _gone_on_elsewhere(desk: Desk, connection: Connection, room: Room, after: int = 0) -> bool:
    """Another run of a client has taken this player's seat meanwhile, which this one would take away. Who has seen the
    end of the race, up to `after`, has nothing under way that could be taken for what the other one did; and who asks
    for nothing but that is told that the race goes on."""
    race = room.race
    ended = _number_of(room, Ended) if race is not None and race.phase is Phase.ENDED else None
    if ended is None and after == ITS_END:
        return True
    if ended is not None and after >= ended:
        return False
    index = race.seat_of(connection.player) if race is not None and connection.instance else -1
    seat = race.seats[index] if race is not None and index >= 0 else None
    if seat is None:
        return False
    channel = desk.channels.of(room)
    sitting = channel.players.get(index) if channel is not None else None
    return instance_of(seat.session if sitting is None else sitting.session) != connection.instance


def _number_of(room: Room, kind: type[AnyFact]) -> int | None:
    """The number of the first fact of a kind that a race has at most one of."""
    return next((n for n, fact in enumerate(room.facts, 1) if type(fact) is kind), None)


def races(desk: Desk, connection: Connection, message: c.GetRaces) -> None:
    """Public races on all nodes."""
    listing = desk.listing
    if message.order is Order.NEWEST:
        rows = desk.followers.newest.encoded(listing.newest(), connection.codec)
    else:
        rows = desk.followers.watched.encoded(listing.most_watched(), connection.codec)
    connection.send(e.Races(message.r, rows))


def follow(desk: Desk, connection: Connection, message: c.Follow) -> None:
    """The list as it stands; changes follow."""
    connection.send(e.Races(message.r, desk.followers.follow(connection)))


def unfollow(desk: Desk, connection: Connection, _message: c.Unfollow) -> None:
    desk.followers.leave(connection)


async def visitor(desk: Desk, connection: Connection) -> Visitor:
    """Who asks, from now on known for good."""
    assert connection.known is not None, "hello comes first"
    connection.known = await desk.people.remember(connection.known)
    return Visitor(connection.known.player, connection.session)


async def _looks_on(desk: Desk, connection: Connection, room: Room) -> None:
    """Who comes to look on at a race that shows its deal has seen it, before anything is sent; who has a seat in it saw
    it by the race, and who is turned away has not seen it."""
    race = room.race
    if race is None or not deal_is_public(race) or race.seat_of(connection.player) >= 0:
        return
    if desk.clock.now() >= shown_at(race.options.daily) and not _crowded(desk, connection, room):
        await desk.sights.see(connection.player, race.deal, watched(race.id))


async def _ghosts(desk: Desk, connection: Connection, room: Room) -> Sequence[Ghost]:
    """The ghosts of a race. Who is told their names is told its deal, and so has seen it."""
    race = room.race
    if race is None or not race.options.ghosts:
        return ()
    await desk.sights.see(connection.player, race.deal, NAMED)
    return await desk.ghosts.of(room)


def _crowded(desk: Desk, connection: Connection, room: Room) -> bool:
    """There is no room for one more spectator, who is not the host."""
    race = room.race
    if race is not None and race.only_hosts(connection.player):
        return False
    channel = desk.channels.of(room)
    watchers = channel.gallery.watchers if channel is not None else ()
    return len(watchers) >= desk.spectators_most and connection not in watchers


def refuse(connection: Connection, request: int, why: Rejected) -> None:
    """Answer a request with why it is refused."""
    connection.error(str(why.reason), why.text, request, why.retry_after, why.facts)


def _bring_who_missed_it(desk: Desk, connection: Connection, room: Room, after: int) -> None:
    """A player whose connection was gone when everybody was brought to the next race."""
    race = room.race
    if race is not None and race.rematch and race.seat_of(connection.player) >= 0:
        told = _number_of(room, Rematched)
        if told is not None and after < told:
            connection.bring(_late(desk, connection, race.rematch))


async def _late(desk: Desk, connection: Connection, race: str) -> None:
    """A seat where others wait, for one who has none there yet; or the one that was taken while word of it was lost,
    unless another device has gone on with it."""
    room = await desk.hall.open(race)
    if room is None or (there := room.race) is None:
        return
    if any(channel.room.id == race for channel in connection.channels.values()):
        return
    if there.seat_of(connection.player) >= 0:
        if there.phase is not Phase.ENDED and not _gone_on_elsewhere(desk, connection, room):
            await watch_race(desk, connection, race)
    elif there.phase is Phase.LOBBY:
        await bring_in(connection, 0, lambda: join_race(desk, connection, race, bots_welcome=False))


def _absent(connection: Connection, room: Room) -> None:
    """A seat that was taken for a connection that cannot receive the race is without its player."""
    if connection.known is not None:
        Attendance(room).vanishes(connection.known.player.id, connection.session)


def enter(
    desk: Desk,
    connection: Connection,
    request: int,
    room: Room | Rejected,
    after: int | None = None,
    ghosts: Sequence[Ghost] = (),
) -> None:
    """Answer with the channel and what is missing. From here to the end nothing waits: no fact can slip between."""
    if isinstance(room, Rejected):
        refuse(connection, request, room)
        return
    if not request and desk.channels.of(room) in connection.channels.values():
        return  # brought to where it has been asked to go meanwhile, and is
    race = room.race
    if connection.over:
        _absent(connection, room)
        return
    if not _room_for_one_more(desk, connection, room):
        connection.error(ErrorCode.BUSY, TOO_MANY_RACES, request)
        _absent(connection, room)
        return
    seat = -1 if race is None else race.seat_of(connection.player)
    if race is None or connection.known is None or (seat < 0 and _not_shown(desk, race)):
        connection.error(ErrorCode.NOT_FOUND, f"there is no race {room.id}", request)
        return
    mine = race.seats[seat] if seat >= 0 else None
    if seat < 0 and desk.clock.now() < shown_at(race.options.daily):
        refuse(connection, request, not_yet())
        return
    if seat < 0 and _crowded(desk, connection, room):
        text = f"{desk.spectators_most} spectators of a race are the most here"
        refuse(connection, request, Rejected(Reason.FULL, text))
        return
    channel = desk.channels.open(room)
    connection.enter(channel, seat, by_itself=after is not None)
    number = mine.n + 1 if mine is not None else 0
    name = connection.known.player.name
    outbox = desk.channels.outbox
    outbox.held = True  # what was missed goes with the answer
    try:
        connection.send(e.Entered(request, channel.number, race.id, seat, number, name))
        channel.catch_up(connection, after)
        for index, ghost in enumerate(ghosts):
            connection.send(_ghost(channel.number, index, ghost))
    finally:
        outbox.flush()


def _not_shown(desk: Desk, race: Race) -> bool:
    """Spectators have not seen the end of the race before, which they would know by this one."""
    return desk.clock.now() < race.series.shown_from


def _room_for_one_more(desk: Desk, connection: Connection, room: Room) -> bool:
    """A race that is over makes room."""
    channels = connection.channels.values()
    if len(channels) < CHANNELS_MOST or desk.channels.of(room) in channels:
        return True
    over = next((channel for channel in channels if channel.over), None)
    if over is not None:
        connection.part(over)
    return over is not None


def _ghost(ch: int, index: int, ghost: Ghost) -> e.Ghost:
    steps = [e.GhostStep(*step) for step in ghost.steps]
    return e.Ghost(ch, index, ghost.run, ghost.name, WireKind(ghost.kind.value), ghost.time, steps)
