"""What each client message does: one table from type to function."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from cellrace_engine import DealCode, Rules
from cellrace_protocol import commands as c
from cellrace_protocol.commands import AnyClientMessage
from cellrace_protocol.errors import ErrorCode
from cellrace_protocol.fields import VERSION
from cellrace_server.core import commands as core
from cellrace_server.core.options import usual_delay
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.people import Kind
from cellrace_server.core.race_names import read_race_name
from cellrace_server.gateway import dailies, ghosts, players, records, requests
from cellrace_server.gateway.channels import Channel
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.credits import Allowance, Endpoint, Shortage
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.reading import against_day, read_deal, read_rules
from cellrace_server.services.identities import token_fault

T = TypeVar("T")


def handle(desk: Desk, connection: Connection, message: AnyClientMessage) -> None:
    """Act on one message. Never waits."""
    kind = type(message)
    desk.counters.received[kind] += 1
    if connection.known is None and kind is not c.Hello:
        text = "the first message must be hello"
        connection.fault(ErrorCode.HELLO_FIRST, text, getattr(message, "r", 0))
        return
    allowance = connection.allowance
    if allowance is not None:
        short = allowance.message()
        if short is None and kind in _ENDPOINTS:
            short = _unpaid(allowance, message)
        if short is not None:
            connection.slow_down(message, short)
            return
    if desk.closing.last_races and _opens_something(desk, connection, message):
        connection.turn_away(getattr(message, "r", 0))
        return
    _HANDLERS[kind](desk, connection, message)


def _opens_something(desk: Desk, connection: Connection, message: AnyClientMessage) -> bool:
    """Whether this brings somebody new in, or opens a race; coming back to a seat does not."""
    match message:
        case c.Create() | c.Quick() | c.Rematch() | c.RaceGhosts():
            return True
        case c.PlayDaily(rules=rules):
            return not dailies.under_way(desk, connection, rules)
        case c.Join(what=what):
            assert connection.known is not None, "hello comes first"
            return (read_race_name(what) or what) not in desk.hall.holdings.places(connection.known.player.id)
        case c.Hello(token=token):
            return not token
        case _:
            return False


def _unpaid(allowance: Allowance, message: AnyClientMessage) -> Shortage | None:
    """Take the credit that a request costs; what lacks, if anything."""
    endpoint = _ENDPOINTS[type(message)]
    if type(message) is c.Join and read_race_name(message.what) is None:
        endpoint = Endpoint.CREATIONS  # of a race on a deal, if there is none
    return allowance.request(endpoint)


def _hello(desk: Desk, connection: Connection, message: c.Hello) -> None:
    connection.agent = message.agent
    if connection.known is not None:
        connection.fault(ErrorCode.HELLO_TWICE, "hello was said before")
    elif message.version != VERSION:
        connection.fault(ErrorCode.BAD_VERSION, f"version {message.version} is not spoken here, {VERSION} is")
    else:
        _identify(desk, connection, message)


def _identify(desk: Desk, connection: Connection, message: c.Hello) -> None:
    connection.instance = message.instance
    if not message.token:
        if (fault := desk.people.fault_in(message.name)) is not None:
            connection.error(ErrorCode.BAD_NAME, fault.text, facts=fault.facts)
        else:
            connection.welcome(desk.people.guest(message.name, Kind(message.kind.value)))
    elif (why := token_fault(message.token)) is not None:
        connection.error(ErrorCode.BAD_TOKEN, why)
    else:
        connection.greet(requests.say_hello_again(desk, connection, message))


def _create(desk: Desk, connection: Connection, message: c.Create) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is None:
        return
    deal = None
    if message.deal:
        deal = _deal(connection, message.r, message.deal, rules)
        if deal is None:
            return
    options = replace(
        desk.waits,
        rules=rules,
        seats=message.seats,
        open_boards=message.open_boards,
        public=message.public,
        countdown_ms=message.countdown_ms,
        limit_ms=message.limit_ms,
        ranked=message.ranked,
        bots=message.bots,
        delay_ms=usual_delay(message.ranked) if message.delay_ms < 0 else message.delay_ms,
        best_of=message.best_of,
    )
    fault = options.fault()
    if message.ranked and deal is not None:
        fault = "a ranked race draws its deal: whoever names one may know it"
    if fault is not None:
        connection.error(str(Reason.BAD_OPTIONS), fault, message.r)
        return
    _bring_in(connection, message.r, lambda: requests.create(desk, connection, message, options, deal))


def _bring_in(connection: Connection, r: int, work: Callable[[], Awaitable[None]]) -> None:
    connection.request(r, requests.bring_in(connection, r, work))


def _join_race(desk: Desk, connection: Connection, race: str, r: int, bots_welcome: bool = True) -> None:
    """A race that is open on this connection needs no room for one more."""
    if any(channel.room.id == race for channel in connection.channels.values()):
        connection.request(r, requests.join_race(desk, connection, race, r, bots_welcome))
    else:
        _bring_in(connection, r, lambda: requests.join_race(desk, connection, race, r, bots_welcome))


def _join(desk: Desk, connection: Connection, message: c.Join) -> None:
    race = read_race_name(message.what)
    if race is not None:
        _join_race(desk, connection, race, message.r)
        return
    rules = _rules(connection, message.r, message.rules)
    deal = _deal(connection, message.r, message.what, rules) if rules is not None else None
    if rules is not None and deal is not None:
        _bring_in(connection, message.r, lambda: requests.join_deal(desk, connection, message, deal, rules))


def _quick(desk: Desk, connection: Connection, message: c.Quick) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is not None:
        _bring_in(connection, message.r, lambda: requests.quick(desk, connection, message, rules))


def _rematch(desk: Desk, connection: Connection, message: c.Rematch) -> None:
    channel = connection.channels.get(message.ch)
    if channel is None:
        connection.error(ErrorCode.NO_CHANNEL, f"you do not receive channel {message.ch}", message.r)
    else:
        _bring_in(connection, message.r, lambda: requests.rematch(desk, connection, message, channel.room))


def gather(desk: Desk, connection: Connection, race: str, seated: bool) -> None:
    """Bring a connection to the race in which everybody meets again: players to a seat, spectators to watch."""
    if seated:
        connection.bring(
            requests.bring_in(
                connection, 0, lambda: requests.join_race(desk, connection, race, bots_welcome=False)
            )
        )
    else:
        connection.bring(requests.watch_race(desk, connection, race))


def _watch(desk: Desk, connection: Connection, message: c.Watch) -> None:
    connection.request(message.r, requests.watch(desk, connection, message))


def _resume(desk: Desk, connection: Connection, message: c.Resume) -> None:
    connection.request(message.r, requests.resume(desk, connection, message))


def _top(desk: Desk, connection: Connection, message: c.GetTop) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is None:
        return
    deal = None
    if message.scope is c.Scope.DEAL:
        deal = _deal(connection, message.r, message.deal, rules)
        if deal is None:
            return
    if message.day and (why := against_day(message.day)) is not None:
        connection.error(str(why.reason), why.text, message.r)
        return
    connection.request(message.r, records.top(desk, connection, message, deal, rules))


def _runs(desk: Desk, connection: Connection, message: c.GetRuns) -> None:
    connection.request(message.r, records.runs(desk, connection, message))


def _profile(desk: Desk, connection: Connection, message: c.GetProfile) -> None:
    connection.request(message.r, players.profile(desk, connection, message))


def _ratings(desk: Desk, connection: Connection, message: c.GetRatings) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is not None:
        connection.request(message.r, players.ratings(desk, connection, message, rules))


def _export(desk: Desk, connection: Connection, message: c.GetExport) -> None:
    connection.request(message.r, players.export(desk, connection, message))


def _erase(desk: Desk, connection: Connection, message: c.Erase) -> None:
    connection.request_alone(message.r, lambda: players.erase(desk, connection, message))


def _race_ghosts(desk: Desk, connection: Connection, message: c.RaceGhosts) -> None:
    _bring_in(connection, message.r, lambda: ghosts.race_ghosts(desk, connection, message))


def _daily(desk: Desk, connection: Connection, message: c.GetDaily) -> None:
    connection.request(message.r, dailies.daily(desk, connection, message))


def _play_daily(desk: Desk, connection: Connection, message: c.PlayDaily) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is not None:
        _bring_in(connection, message.r, lambda: dailies.play_daily(desk, connection, message, rules))


def _daily_top(desk: Desk, connection: Connection, message: c.GetDailyTop) -> None:
    rules = _rules(connection, message.r, message.rules)
    if rules is not None:
        connection.request(message.r, dailies.daily_top(desk, connection, message, rules))


def _replay(desk: Desk, connection: Connection, message: c.GetReplay) -> None:
    connection.request(message.r, records.replay(desk, connection, message))


def _renew(desk: Desk, connection: Connection, message: c.Renew) -> None:
    why = token_fault(message.token) if message.token else None
    if why is not None:
        connection.error(ErrorCode.BAD_TOKEN, why, message.r)
    else:
        connection.request(message.r, requests.renew(desk, connection, message))


def _rules(connection: Connection, request: int, text: str) -> Rules | None:
    return _told(connection, request, read_rules(text))


def _deal(connection: Connection, request: int, text: str, rules: Rules) -> DealCode | None:
    return _told(connection, request, read_deal(text, rules))


def _told(connection: Connection, request: int, found: T | Rejected) -> T | None:
    """What was read; who asked is told where it cannot be."""
    if isinstance(found, Rejected):
        requests.refuse(connection, request, found)
        return None
    return found


# Commands on a channel


def _on_channel(
    act: Callable[[Desk, Connection, Channel, Any], None],
) -> Callable[[Desk, Connection, Any], None]:
    def handler(desk: Desk, connection: Connection, message: Any) -> None:
        channel = connection.channels.get(message.ch)
        if channel is None:
            _refuse_channel(connection, message)
        else:
            act(desk, connection, channel, message)

    return handler


def _refuse_channel(connection: Connection, message: Any) -> None:
    text = f"you do not receive channel {message.ch}"
    connection.refuse(message.ch, getattr(message, "n", 0), Rejected(ErrorCode.NO_CHANNEL, text))


def _command(
    make: Callable[[str, Any], core.AnyCommand],
) -> Callable[[Desk, Connection, Any], None]:
    """Hand a command to the race of its channel."""

    def act(_desk: Desk, connection: Connection, channel: Channel, message: Any) -> None:
        assert connection.known is not None, "hello comes first"
        player = connection.known.player.id
        if channel.elsewhere(connection, player):
            text = "another connection of yours has the seat: resume to take it over"
            connection.refuse(message.ch, getattr(message, "n", 0), Rejected(Reason.NOT_SEATED, text))
        else:
            channel.room.submit(make(player, message), connection)

    return _on_channel(act)


def _play(_desk: Desk, connection: Connection, message: c.Move) -> None:
    """As `_on_channel` would have it, without the detour: this is nearly every message."""
    channel = connection.channels.get(message.ch)
    if channel is None:
        _refuse_channel(connection, message)
        return
    assert connection.known is not None, "hello comes first"
    compensation, error = connection.round_trips.fair
    command = core.Play(connection.known.player.id, message.n, message.move, compensation, error)
    channel.room.submit(command, connection)


def _finish(_desk: Desk, connection: Connection, channel: Channel, message: c.Finish) -> None:
    assert connection.known is not None, "hello comes first"
    command = core.Finish(connection.known.player.id, message.n, *connection.round_trips.fair)
    channel.room.submit(command, connection)


def _part(_desk: Desk, connection: Connection, channel: Channel, _message: c.Part) -> None:
    connection.part(channel)


def _look(_desk: Desk, connection: Connection, channel: Channel, _message: c.Look) -> None:
    channel.catch_up(connection, None)


_ENDPOINTS: dict[type, Endpoint] = {
    c.Hello: Endpoint.HELLOS,
    c.Create: Endpoint.CREATIONS,
    c.Quick: Endpoint.CREATIONS,
    c.Rematch: Endpoint.CREATIONS,
    c.Join: Endpoint.JOINS,
    c.Watch: Endpoint.JOINS,
    c.Resume: Endpoint.JOINS,
    c.Look: Endpoint.JOINS,  # the answer is that of a resume
    c.GetRaces: Endpoint.QUERIES,
    c.Follow: Endpoint.QUERIES,
    c.Unfollow: Endpoint.QUERIES,
    c.GetTop: Endpoint.QUERIES,
    c.GetReplay: Endpoint.QUERIES,
    c.GetRuns: Endpoint.QUERIES,
    c.Renew: Endpoint.HELLOS,
    c.RaceGhosts: Endpoint.CREATIONS,
    c.GetDaily: Endpoint.QUERIES,
    c.PlayDaily: Endpoint.CREATIONS,
    c.GetDailyTop: Endpoint.QUERIES,
    c.GetProfile: Endpoint.QUERIES,
    c.GetRatings: Endpoint.QUERIES,
    c.GetExport: Endpoint.QUERIES,
    c.Erase: Endpoint.HELLOS,
}

_HANDLERS: dict[type, Callable[[Desk, Connection, Any], None]] = {
    c.Hello: _hello,
    c.Create: _create,
    c.Join: _join,
    c.Quick: _quick,
    c.Rematch: _rematch,
    c.Watch: _watch,
    c.Resume: _resume,
    c.GetRaces: requests.races,
    c.Follow: requests.follow,
    c.Unfollow: requests.unfollow,
    c.GetTop: _top,
    c.GetReplay: _replay,
    c.GetRuns: _runs,
    c.Renew: _renew,
    c.RaceGhosts: _race_ghosts,
    c.GetDaily: _daily,
    c.PlayDaily: _play_daily,
    c.GetDailyTop: _daily_top,
    c.GetProfile: _profile,
    c.GetRatings: _ratings,
    c.GetExport: _export,
    c.Erase: _erase,
    c.Part: _on_channel(_part),
    c.Look: _on_channel(_look),
    c.Leave: _command(lambda player, _: core.Leave(player)),
    c.Ready: _command(lambda player, message: core.Ready(player, message.ready)),
    c.Start: _command(lambda player, _: core.Start(player)),
    c.Move: _play,
    c.Undo: _command(lambda player, message: core.Undo(player, message.n)),
    c.Restart: _command(lambda player, message: core.Restart(player, message.n)),
    c.Finish: _on_channel(_finish),
    c.GiveUp: _command(lambda player, message: core.GiveUp(player, message.n)),
}
