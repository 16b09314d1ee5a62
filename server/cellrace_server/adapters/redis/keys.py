"""Where the store keeps what. The braces are hash tags: what one step touches lies together on a cluster, but
for a replay, which is found by its run and not by its board: there the booking becomes two steps, the replay
first."""

GROWTH = "cellrace:growth"
NODES = "cellrace:nodes"
REVOKED = "cellrace:revoked"
UNSETTLED = "cellrace:unsettled"
BARRIER = "cellrace:barrier"
DAILY_SECRET = "cellrace:daily:secret"  # noqa: S105 - where it is, not what it is


def log(race: str) -> str:
    """A stream. `scripts/append.lua` makes the same key."""
    return f"cellrace:{{{race}}}:log"


def name(name: str) -> str:
    return f"cellrace:{{{name}}}:name"


def identity(token_hash: bytes) -> str:
    return f"cellrace:{{{token_hash.hex()}}}:identity"


def token(player: str) -> str:
    """The hash of the one token that proves this player: nothing where that is the first one, empty for none."""
    return f"cellrace:{{{player}}}:token"


def replay(run: str) -> str:
    return f"cellrace:{{{run}}}:replay"


def daily(day: str, rules: str) -> str:
    """The deal of a day."""
    return f"cellrace:{{{day}:{rules}}}:daily"


def daily_days(player: str, rules: str) -> str:
    """A bitmap: the days on which the player has finished the daily."""
    return f"cellrace:{{{player}}}:days:{rules}"


def board_order(board: str) -> str:
    """A sorted set: time by member. A member is `at` and the booking, 16 hexadecimal digits each, and the
    player."""
    return f"cellrace:{{{board}}}:order"


def board_members(board: str) -> str:
    """A hash: member by player."""
    return f"cellrace:{{{board}}}:members"


def board_runs(board: str) -> str:
    """A hash: run by player."""
    return f"cellrace:{{{board}}}:runs"


def board_bookings(board: str) -> str:
    """A counter."""
    return f"cellrace:{{{board}}}:bookings"
