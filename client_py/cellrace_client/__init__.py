"""The client of cellrace: `async with connect(...)`, races to play and to watch."""

from cellrace_client.client import DEFAULT_URL, Client, connect
from cellrace_client.errors import ActionRefused, CannotConnect, CellraceError, Disconnected, RequestFailed
from cellrace_client.model import RaceModel
from cellrace_client.race import Event, Race
from cellrace_client.race_list import RaceList
from cellrace_protocol.commands import Kind

__all__ = [
    "DEFAULT_URL",
    "ActionRefused",
    "CannotConnect",
    "CellraceError",
    "Client",
    "Disconnected",
    "Event",
    "Kind",
    "Race",
    "RaceList",
    "RaceModel",
    "RequestFailed",
    "connect",
]
