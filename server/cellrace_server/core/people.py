"""Who takes part in races."""

import enum

import msgspec


class Kind(enum.StrEnum):
    """What plays under a name. A bot is a bot for good: boards and ratings keep them apart."""

    HUMAN = "human"
    BOT = "bot"


class Player(msgspec.Struct, frozen=True, array_like=True):
    """An identity as races and boards know it. `id` is public and never changes; `name` is for show."""

    id: str
    name: str
    kind: Kind = Kind.HUMAN
