"""What handlers work with."""

from dataclasses import dataclass, field

from cellrace_server.core.options import USUAL, Options
from cellrace_server.gateway.channels import Channels
from cellrace_server.gateway.closing import Closing
from cellrace_server.gateway.counters import Counters
from cellrace_server.gateway.followers import Followers
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.ratings import Ratings
from cellrace_server.ports.results import Results
from cellrace_server.services.daily_attempts import DailyAttempts
from cellrace_server.services.erasure import Eraser
from cellrace_server.services.ghosts import GhostRaces
from cellrace_server.services.hall import Hall
from cellrace_server.services.identities import People
from cellrace_server.services.listing import Listing
from cellrace_server.services.lobby import Lobby
from cellrace_server.services.nodes import Nodes
from cellrace_server.services.profiles import Profiles
from cellrace_server.services.pulse import Pulse
from cellrace_server.services.roll_call import RollCall
from cellrace_server.services.shown import Shown
from cellrace_server.services.sights import Sights


@dataclass(frozen=True, slots=True)
class Desk:
    """The services behind one gateway."""

    people: People
    hall: Hall
    lobby: Lobby
    daily: DailyAttempts
    ghosts: GhostRaces
    shown: Shown
    results: Results
    ratings: Ratings
    profiles: Profiles
    eraser: Eraser
    sights: Sights
    channels: Channels
    listing: Listing
    followers: Followers
    counters: Counters
    clock: Clock
    nodes: Nodes
    roll_call: RollCall
    pulse: Pulse
    closing: Closing = field(default_factory=Closing)
    compensation_ms_most: int = 0
    spectators_most: int = 10_000
    waits: Options = USUAL
    """Terms of which only the patience before the start counts."""
