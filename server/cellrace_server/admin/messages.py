"""What is said on the admin socket: a command a line, an answer a line, in JSON."""

from typing import Annotated

import msgspec
from msgspec import Meta

LINE_MOST = 64 * 1024
"""Bytes of a line that a server reads."""


Told = Annotated[str, Meta(max_length=1_000)]
"""What people are told."""


class Command(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    pass


class List(Command, frozen=True):
    """All races that this node has in memory."""


class Inspect(Command, frozen=True):
    """Everything about a race, its deal included."""

    race: str


class Close(Command, frozen=True):
    """End a race; those who receive it here are told `reason`."""

    race: str
    reason: Told = ""


class Connections(Command, frozen=True):
    """Everybody who is connected to this node."""


class Disconnect(Command, frozen=True):
    """Close the connections of `who`: a player's id or name, or what a connection is called."""

    who: str
    reason: Told = ""


class Announce(Command, frozen=True):
    """Tell everybody on this node."""

    text: Told


class Drain(Command, frozen=True):
    """Take no new races and nobody new, and end when the races that run are over, or `deadline_s` seconds (if not 0)
    have passed."""

    deadline_s: float = 0


class Revoke(Command, frozen=True):
    """No token proves this player (by id or name) any more."""

    player: str


AnyCommand = List | Inspect | Close | Connections | Disconnect | Announce | Drain | Revoke


class Answer(msgspec.Struct, frozen=True, tag_field="is", tag=str.lower):
    pass


class RaceRow(msgspec.Struct, frozen=True):
    race: str
    phase: str
    age_s: int
    seats: int
    players: list[str]
    spectators: int
    rules: str
    ranked: bool
    public: bool


class Races(Answer, frozen=True):
    rows: list[RaceRow]


class SeatRow(msgspec.Struct, frozen=True):
    """`time_ms` and `place` are those of the standings, -1 and 0 before."""

    seat: int
    player: str
    name: str
    kind: str
    ready: bool
    away: bool
    connection: str
    actions: int
    moves: int
    home: int
    gave_up: bool
    time_ms: int
    place: int


class Details(Answer, frozen=True):
    """A race. Times in ms; `until_ms` -1: it waits for nothing."""

    race: str
    phase: str
    host: str
    age_s: int
    facts: int
    rules: str
    deal: str
    commitment: str
    seats: int
    open_boards: bool
    public: bool
    ranked: bool
    bots: bool
    countdown_ms: int
    limit_ms: int
    delay_ms: int
    best_of: int
    game: int
    time_ms: int
    until_ms: int
    end: str
    rematch: str
    receivers: int
    spectators: int
    players: list[SeatRow]


class ConnectionRow(msgspec.Struct, frozen=True):
    """`player` is empty before the hello."""

    connection: str
    player: str
    name: str
    kind: str
    address: str
    agent: str
    age_s: int
    races: int
    output_bytes: int


class Connected(Answer, frozen=True):
    rows: list[ConnectionRow]


class Done(Answer, frozen=True):
    """It is done, to `count` of them."""

    text: str
    count: int = 1


class Failed(Answer, frozen=True):
    """It is not done: `code` is stable, `text` says why."""

    code: str
    text: str


AnyAnswer = Races | Details | Connected | Done | Failed

encode = msgspec.json.Encoder().encode
decode_command = msgspec.json.Decoder(AnyCommand).decode
decode_answer = msgspec.json.Decoder(AnyAnswer).decode
