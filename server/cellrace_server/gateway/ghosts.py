"""The request for a race against stored runs."""

from msgspec.structs import replace

from cellrace_protocol import commands as c
from cellrace_server.gateway.connection import Connection
from cellrace_server.gateway.desk import Desk
from cellrace_server.gateway.requests import enter, visitor
from cellrace_server.services.room import Room


async def race_ghosts(desk: Desk, connection: Connection, message: c.RaceGhosts) -> None:
    """A new race against stored runs, entered by whoever asked for it. Raises what the store raises."""
    who = await visitor(desk, connection)
    room = await desk.ghosts.create(who, message.runs, replace(desk.waits, seats=message.seats, public=False))
    ghosts = await desk.ghosts.of(room) if isinstance(room, Room) else ()
    enter(desk, connection, message.r, room, ghosts=ghosts)
