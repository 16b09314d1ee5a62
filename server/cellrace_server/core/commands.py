"""What can be asked of a race. Who asks (`player`) is established by the caller, never taken from a message."""

import msgspec

from cellrace_server.core.facts import Series
from cellrace_server.core.options import Options
from cellrace_server.core.people import Player


class Command(msgspec.Struct, frozen=True, gc=False):
    pass


class Create(Command, frozen=True, gc=True):
    """`deal` and `salt` are drawn by the caller; `play` seats the host as well."""

    race: str
    host: Player
    options: Options
    deal: int
    salt: bytes
    play: bool = True
    session: str = ""
    series: Series = Series()
    bots_welcome: bool = True


class Join(Command, frozen=True):
    player: Player
    session: str = ""
    bots_welcome: bool = True


class Appear(Command, frozen=True):
    """A player who has a seat, or hosts without one, has a new connection, named `session`, which receives the race
    from now on."""

    player: str
    session: str


class Vanish(Command, frozen=True):
    """The connection named `session` is gone."""

    player: str
    session: str


class Withdraw(Command, frozen=True):
    """The player is no more: the seat is given back before the start, and given up after it; nor do they host."""

    player: str


class Close(Command, frozen=True):
    """The server's operator ends the race."""


class Rematch(Command, frozen=True):
    """Meet again in `race`, which the caller has opened."""

    player: str
    race: str


class Leave(Command, frozen=True):
    """Give the seat back, or hosting where one has no seat."""

    player: str


class Ready(Command, frozen=True):
    player: str
    ready: bool = True


class WelcomeBots(Command, frozen=True):
    """The player does not mind a house bot, or does; and wants to race the ghost of a run where nobody comes, if one is
    named."""

    player: str
    welcome: bool
    ghost: str = ""


class FallBack(Command, frozen=True):
    """Nobody came: the player goes on against a ghost in `race`, which the caller has opened."""

    player: str
    race: str


class Start(Command, frozen=True):
    """The host starts the countdown without waiting for the rest."""

    player: str


class Action(Command, frozen=True):
    """Numbered by the player: `n` is one more than the last applied action's."""

    player: str
    n: int


class Play(Action, frozen=True):
    """A move in notation. `compensation` and `error` (ms) are what the network is known to cost this player."""

    move: str
    compensation: int = 0
    error: int = 0


class Undo(Action, frozen=True):
    pass


class Restart(Action, frozen=True):
    pass


class Finish(Action, frozen=True):
    """All that is left goes home, card by card; each card is an action of its own and takes the next number."""

    compensation: int = 0
    error: int = 0


class GiveUp(Action, frozen=True):
    pass


class Tick(Command, frozen=True):
    """Time has passed: nobody asks, the race's deadline is there."""


class StoreReturned(Command, frozen=True):
    """The store could not be written from `since` until now."""

    since: int


AnyCommand = (
    Create
    | Join
    | Appear
    | Vanish
    | Close
    | Rematch
    | Leave
    | Ready
    | WelcomeBots
    | FallBack
    | Start
    | Play
    | Undo
    | Restart
    | Finish
    | GiveUp
    | Tick
    | StoreReturned
    | Withdraw
)
