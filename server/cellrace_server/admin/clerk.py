"""Carrying out the host's commands on this node."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cellrace_protocol.events import CLOSED, SENT_AWAY, Notice
from cellrace_protocol.lean import lean
from cellrace_server.admin import messages as m
from cellrace_server.admin.reports import connection_row, details, race_row
from cellrace_server.core import commands as core
from cellrace_server.core.evolve import BrokenLog
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.race_names import read_race_name
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.once import framed
from cellrace_server.gateway.server import Gateway
from cellrace_server.ports.errors import StoreCorrupt, StoreUnavailable
from cellrace_server.services.room import Room

LOOK_AGAIN_S = 0.25
"""How soon the end of the last race is noticed."""

ID_LENGTH = 20


class Clerk:
    """`stop` is called when the server is to end. `close` when it does."""

    def __init__(self, desk: Desk, gateway: Gateway, stop: Callable[[], None]) -> None:
        self._desk = desk
        self._gateway = gateway
        self._stop = stop
        self._draining: asyncio.Task[None] | None = None
        self._table: dict[type, Callable[[Any], Awaitable[m.AnyAnswer]]] = {
            m.List: self._list,
            m.Inspect: self._inspect,
            m.Close: self._close,
            m.Connections: self._connections,
            m.Disconnect: self._disconnect,
            m.Announce: self._announce,
            m.Drain: self._drain,
            m.Revoke: self._revoke,
        }

    async def carry_out(self, command: m.AnyCommand) -> m.AnyAnswer:
        """What became of a command. Cancelled, it may be done or not."""
        try:
            return await self._table[type(command)](command)
        except StoreUnavailable:
            return m.Failed("unavailable", "the store is away: it may be done or not, try again")
        except (StoreCorrupt, BrokenLog) as error:
            return m.Failed("broken", f"this race cannot be read: {error}")

    def close(self) -> None:
        """Nothing is waited for any more."""
        if self._draining is not None:
            self._draining.cancel()

    async def _list(self, _command: m.List) -> m.AnyAnswer:
        now = self._desk.clock.now()
        rooms = list(self._desk.hall.rooms.values())
        return m.Races(
            [
                race_row(room.race, room, self._desk.channels.of(room), now)
                for room in rooms
                if room.race is not None
            ]
        )

    async def _inspect(self, command: m.Inspect) -> m.AnyAnswer:
        race = _read(command.race)
        mine = race in self._desk.hall.rooms
        room = await self._desk.hall.open(race)
        if room is None or room.race is None:
            return _no_race(command.race)
        answer = details(room.race, room, self._desk.channels.of(room), self._desk.clock.now())
        if not mine:
            self._desk.hall.drop(room)
        return answer

    async def _close(self, command: m.Close) -> m.AnyAnswer:
        room = await self._desk.hall.open(_read(command.race))
        if room is None:
            return _no_race(command.race)
        if self._desk.hall.committer.away:
            return m.Failed("unavailable", "the store is away: try again")
        self._tell_receivers(room, command.reason or CLOSED)
        answer = await self._desk.hall.ask(room, core.Close())
        if isinstance(answer, Rejected):
            return m.Failed(str(answer.reason), answer.text)
        return m.Done(f"race {room.id} is closed")

    def _tell_receivers(self, room: Room, reason: str) -> None:
        channel = self._desk.channels.of(room)
        if channel is not None and not channel.over:
            notice = Notice("closed", reason, channel.number)
            for receiver in (*channel.players.values(), *channel.gallery.watchers):
                receiver.write(framed(lean(notice), receiver.codec))

    async def _connections(self, _command: m.Connections) -> m.AnyAnswer:
        now = asyncio.get_running_loop().time()
        return m.Connected([connection_row(connection, now) for connection in self._gateway.connections])

    async def _disconnect(self, command: m.Disconnect) -> m.AnyAnswer:
        found = self._gateway.connections.find(command.who)
        if not found:
            return m.Failed("not_found", f"nobody here is called {command.who}: see `connections`")
        self._gateway.connections.send_away(found, command.reason or SENT_AWAY)
        return m.Done(f"{_connections(len(found))} closed", len(found))

    async def _announce(self, command: m.Announce) -> m.AnyAnswer:
        if not command.text.strip():
            return m.Failed("bad_command", "an announcement says something")
        told = self._gateway.connections.announce("announcement", command.text)
        return m.Done(f"{_connections(told)} told", told)

    async def _drain(self, command: m.Drain) -> m.AnyAnswer:
        self._gateway.last_races()
        if self._draining is not None:
            self._draining.cancel()
        self._draining = asyncio.create_task(self._end_in_time(command.deadline_s), name="drain")
        left = self._gateway.races_under_way
        until = f", or after {command.deadline_s:g} s" if command.deadline_s else ""
        return m.Done(f"the server ends when {_races(left)} over{until}", left)

    async def _end_in_time(self, deadline_s: float) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + deadline_s if deadline_s else None
        while self._gateway.races_under_way and (deadline is None or loop.time() < deadline):
            left = LOOK_AGAIN_S if deadline is None else min(LOOK_AGAIN_S, deadline - loop.time())
            await asyncio.sleep(max(0.0, left))
        self._stop()

    async def _revoke(self, command: m.Revoke) -> m.AnyAnswer:
        player = await self._player(command.player)
        if player is None:
            return m.Failed("not_found", f"no player is called {command.player}: name one, or give an id")
        await self._desk.people.revoke(player)
        return m.Done(f"player {player} is revoked", 1)

    async def _player(self, text: str) -> str | None:
        """The id meant: itself, or that of who is connected or stored under a name."""
        if len(text) == ID_LENGTH and set(text) <= set("0123456789abcdef"):
            return text
        here = {
            connection.known.player.id
            for connection in self._gateway.connections.find(text)
            if connection.known is not None
        }
        stored = await self._desk.people.named(text)
        if stored is not None:
            return stored
        return here.pop() if len(here) == 1 else None


def _read(race: str) -> str:
    """The race that the host has typed."""
    return read_race_name(race) or race


def _no_race(race: str) -> m.Failed:
    return m.Failed("not_found", f"there is no race {race}")


def _connections(number: int) -> str:
    return "1 connection is" if number == 1 else f"{number} connections are"


def _races(number: int) -> str:
    return "the race that runs is" if number == 1 else f"{number} races that run are"
