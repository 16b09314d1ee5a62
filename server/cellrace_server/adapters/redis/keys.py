"""Where the store keeps what. The braces are hash tags: what one step touches lies together on a cluster, but for
the booking of a run, which touches the run and every board it goes to: there it becomes a step for each, the run
first, and stays repeatable (docs/adr/0015-boards.md). The same goes for what keeps, counts, rates and erases
players."""

GROWTH = "cellrace:growth"
NODES = "cellrace:nodes"
REVOKED = "cellrace:revoked"
UNSETTLED = "cellrace:unsettled"
REPLAYED = "cellrace:replayed"
"""A sorted set with scores of 0: runs that have replays, in the order of finishing. Members are as on boards."""

ERASING = "cellrace:erasing"
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


def who(player: str) -> str:
    """The identity of a player, by the id that everybody may know."""
    return f"cellrace:{{{player}}}:who"


def tokens(player: str) -> str:
    """A set: the hashes of all tokens that lead to this player, most of them dead."""
    return f"cellrace:{{{player}}}:tokens"


def erased(player: str) -> str:
    """The mark of a player of whom nothing is kept any more."""
    return f"cellrace:{{{player}}}:erased"


def races(player: str) -> str:
    """A sorted set: the races of a player by the instants at which they were over."""
    return f"cellrace:{{{player}}}:races"


def named(player: str) -> str:
    """A set: other races whose logs name the player. It goes when the last of them does, or later."""
    return f"cellrace:{{{player}}}:named"


def wins(player: str) -> str:
    """A set: those of them that the player has won."""
    return f"cellrace:{{{player}}}:wins"


def raced_rules(player: str) -> str:
    """A sorted set: the rule sets of these races, by the instant of the last."""
    return f"cellrace:{{{player}}}:rules"


def rated_rules(player: str) -> str:
    """A set: the rule sets under which the player is rated."""
    return f"cellrace:{{{player}}}:rated"


def ratings(pool: str) -> str:
    """A hash: a rating by player. The order of a pool and its members are kept as a board's."""
    return f"cellrace:{{{pool}}}:ratings"


def rated_races(pool: str) -> str:
    """A hash: the number of its booking by race."""
    return f"cellrace:{{{pool}}}:races"


def rating_steps(pool: str, player: str) -> str:
    """A list: what the last races made of a player's rating."""
    return f"cellrace:{{{pool}}}:steps:{player}"


def replay(run: str) -> str:
    return f"cellrace:{{{run}}}:replay"


def run(run: str) -> str:
    """What rows show of a run."""
    return f"cellrace:{{{run}}}:run"


def runs(player: str) -> str:
    """A sorted set: the ids of a player's runs by the instants at which they were finished."""
    return f"cellrace:{{{player}}}:runs"


def seen(player: str) -> str:
    """A hash: what a deal was first seen in, by its number."""
    return f"cellrace:{{{player}}}:seen"


def daily(day: str, rules: str) -> str:
    """The deal of a day."""
    return f"cellrace:{{{day}:{rules}}}:daily"


def daily_days(player: str, rules: str) -> str:
    """A bitmap: the days on which the player has finished the daily."""
    return f"cellrace:{{{player}}}:days:{rules}"


def board_order(board: str) -> str:
    """A sorted set: value by member. A member is the instant of finishing, 14 hexadecimal digits, and the run's id."""
    return f"cellrace:{{{board}}}:order"


def board_members(board: str) -> str:
    """A hash: member by player."""
    return f"cellrace:{{{board}}}:members"
