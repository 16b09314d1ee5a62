"""Values to store: one fact of every kind, players, runs."""

from collections.abc import Sequence

from cellrace_engine import POCKET, Move
from cellrace_server.core.boards import Entry
from cellrace_server.core.facts import (
    AnyFact,
    BotsWelcome,
    CountdownBegan,
    CountdownStopped,
    Created,
    Ended,
    EndReason,
    Finished,
    GaveUp,
    Joined,
    Left,
    Moved,
    Outage,
    Readied,
    Restarted,
    Started,
    Undone,
)
from cellrace_server.core.options import Options
from cellrace_server.core.people import Kind, Player
from cellrace_server.ports.results import Results, Run

ANNA = Player("anna", "Anna")
ROBOT = Player("robot", "Róbót 🤖", Kind.BOT)

EVERY_FACT: tuple[AnyFact, ...] = (
    Created(1, "race", ANNA, Options(rules=POCKET, seats=3), 617, bytes(range(16))),
    Joined(2, 0, ANNA),
    Joined(3, 1, ROBOT),
    Left(4, 1),
    Readied(5, 0, True),
    BotsWelcome(5, 0, False),
    CountdownBegan(6, 3_006),
    CountdownStopped(7),
    Started(8),
    Moved(9, 0, 1, Move(0, 8)),
    Moved(10, 0, 2, Move(7, 3, 5)),
    Undone(11, 0, 3),
    Restarted(12, 0, 4),
    Outage(13, 12),
    GaveUp(14, 0, 5),
    Finished(2**45, 1, 61_234, 12, 3),
    Ended(2**45, EndReason.ALL_DONE),
)


def moves(count: int, first: int = 1, seat: int = 0) -> Sequence[AnyFact]:
    """Facts that are all different: the actions `first …` of a seat."""
    return [Moved(1_000 + n, seat, n, Move(n % 8, 8 + n % 4)) for n in range(first, first + count)]


BOARD = "FC-617"


def run(player: str = "anna", time: int = 60_000, at: int = 1_000, suffix: str = "") -> Run:
    """A run whose id says which it is, and is told apart from equal ones by `suffix`."""
    name = f"{player}-{time}-{at}{suffix}"
    return Run(name, Player(player, player.title()), "FC1-C4-AAAAATJ", "classic", time, 80, at, "race")


async def book(results: Results, run: Run, replay: bytes = b"replay", board: str = BOARD) -> None:
    """Book a run on one board, by its time."""
    await results.book(run, (Entry(board, run.time),), replay)
