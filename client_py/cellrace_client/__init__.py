"""The client of cellrace: `async with connect(...)`, races to play and to watch."""

import importlib

TYPE_CHECKING = (
    False  # as type checkers know it; the module `typing` takes time that the command line has not
)

if TYPE_CHECKING:
    from cellrace_client.boards import BoardQuery
    from cellrace_client.client import DEFAULT_URL, Client, connect
    from cellrace_client.errors import (
        ActionRefused,
        CannotConnect,
        CellraceError,
        Disconnected,
        RequestFailed,
    )
    from cellrace_client.identities import Identities
    from cellrace_client.model import RaceModel
    from cellrace_client.race import Event, Race
    from cellrace_client.race_list import RaceList
    from cellrace_protocol.commands import Kind

__all__ = [
    "DEFAULT_URL",
    "ActionRefused",
    "BoardQuery",
    "CannotConnect",
    "CellraceError",
    "Client",
    "Disconnected",
    "Event",
    "Identities",
    "Kind",
    "Race",
    "RaceList",
    "RaceModel",
    "RequestFailed",
    "connect",
]

_ERRORS = ("ActionRefused", "CannotConnect", "CellraceError", "Disconnected", "RequestFailed")
_WHERE = {
    **dict.fromkeys(("DEFAULT_URL", "Client", "connect"), "cellrace_client.client"),
    **dict.fromkeys(_ERRORS, "cellrace_client.errors"),
    **dict.fromkeys(("Event", "Race"), "cellrace_client.race"),
    "Identities": "cellrace_client.identities",
    "BoardQuery": "cellrace_client.boards",
    "Kind": "cellrace_protocol.commands",
    "RaceList": "cellrace_client.race_list",
    "RaceModel": "cellrace_client.model",
}


def __getattr__(name: str) -> object:
    """Import what is asked for when it is: the command line begins without any of it."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)
