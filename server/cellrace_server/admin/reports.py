"""Races and connections as a host sees them."""

from cellrace_engine import rules_text
from cellrace_server.admin.messages import ConnectionRow, Details, RaceRow, SeatRow
from cellrace_server.core.race import Phase, Race, Seat, deadline
from cellrace_server.core.secrecy import commitment
from cellrace_server.core.standings import Standing, standings
from cellrace_server.gateway.channels import Channel
from cellrace_server.gateway.connection import Connection
from cellrace_server.services.room import Room


def race_row(race: Race, room: Room, channel: Channel | None, now: int) -> RaceRow:
    """One line of the list. `now` as the clock says."""
    return RaceRow(
        race=race.id,
        phase=race.phase.value,
        age_s=_age_s(room, now),
        seats=len(race.seats),
        players=[seat.player.name for _, seat in race.seated()],
        spectators=_spectators(channel),
        rules=rules_text(race.options.rules),
        ranked=race.options.ranked,
        public=race.options.public,
    )


def details(race: Race, room: Room, channel: Channel | None, now: int) -> Details:
    """Everything; the deal too, whatever the phase."""
    options, due = race.options, deadline(race)
    places = {row.seat: row for row in standings(race)} if race.phase is Phase.ENDED else {}
    return Details(
        race=race.id,
        phase=race.phase.value,
        host=race.host,
        age_s=_age_s(room, now),
        facts=race.number,
        rules=rules_text(options.rules),
        deal=str(race.code),
        commitment=commitment(race).hex(),
        seats=len(race.seats),
        open_boards=options.open_boards,
        public=options.public,
        ranked=options.ranked,
        bots=options.bots,
        countdown_ms=options.countdown_ms,
        limit_ms=options.limit_ms,
        delay_ms=options.delay_ms,
        best_of=options.best_of,
        game=race.series.game,
        time_ms=race.time(race.at if race.phase is Phase.ENDED else now),
        until_ms=-1 if due is None else max(0, due - now),
        end=race.end_reason.value if race.end_reason is not None else "",
        rematch=race.rematch,
        receivers=len(channel.players) if channel is not None else 0,
        spectators=_spectators(channel),
        players=[_seat_row(index, seat, places.get(index)) for index, seat in race.seated()],
    )


def connection_row(connection: Connection, now: float) -> ConnectionRow:
    """One line of the list of connections. `now` in seconds of the event loop."""
    player = connection.known.player if connection.known is not None else None
    return ConnectionRow(
        connection=connection.session,
        player=player.id if player is not None else "",
        name=player.name if player is not None else "",
        kind=player.kind.value if player is not None else "",
        address=connection.visit.shown,
        agent=connection.agent,
        age_s=round(now - connection.since),
        races=len(connection.channels),
        output_bytes=connection.output,
    )


def _seat_row(index: int, seat: Seat, standing: Standing | None) -> SeatRow:
    return SeatRow(
        seat=index,
        player=seat.player.id,
        name=seat.player.name,
        kind=seat.player.kind.value,
        ready=seat.ready,
        away=seat.away > 0,
        connection=seat.session,
        actions=seat.n,
        moves=seat.line.moves if seat.line is not None else 0,
        home=seat.line.cards_home if seat.line is not None else 0,
        gave_up=seat.gave_up,
        time_ms=seat.result.time if seat.result is not None else -1,
        place=standing.place if standing is not None else 0,
    )


def _age_s(room: Room, now: int) -> int:
    return max(0, now - room.facts[0].at) // 1_000 if room.facts else 0


def _spectators(channel: Channel | None) -> int:
    return len(channel.gallery.watchers) if channel is not None else 0
