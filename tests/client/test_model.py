"""A receiver that knows no rules: boards kept by transfers alone."""

from dataclasses import replace
from typing import Any

import pytest

from cellrace_client.model import Board, OutOfStep, RaceModel
from cellrace_engine import Line, Move, Position, Refusal, deal
from cellrace_engine.rules import POCKET
from cellrace_protocol import events as e
from cellrace_protocol.board import checksum, pack
from cellrace_protocol.commands import Kind
from cellrace_protocol.transfers import pack_transfer
from tests.engine.vectors import move_of, read, rules_of

PLAYOUTS = list(read("playouts.jsonl"))
SOLUTIONS = list(read("solutions.jsonl"))


def text(position: Position) -> str:
    return pack(position.columns, position.cells, position.foundations)


def snapshot(start: str, you: int = 0, seats: int = 2) -> e.Snapshot:
    shown = [
        e.SeatView(
            f"p{seat}", f"P{seat}", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, start if seat == you else ""
        )
        for seat in range(seats)
    ]
    return e.Snapshot(
        0,
        5,
        "race",
        "running",
        0,
        0,
        -1,
        "p0",
        "classic",
        False,
        True,
        0,
        1,
        "",
        "deal",
        start,
        you,
        1,
        shown,
    )


class Follower:
    """A model and a line, driven alike: the line by moves, the model by messages."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.model = RaceModel(snapshot(text(line.position)))

    def hear(self, transfers: tuple[Move, ...], what: e.What, after: Line) -> None:
        self.line = after
        packed = [pack_transfer(source, destination, count) for source, destination, count in transfers]
        total = checksum(text(after.position))
        self.model.apply(e.Applied(0, self.model.k + 1, 1, 1, packed, what, after.score, total))
        seat = self.model.seats[0]
        assert seat.board is not None
        assert seat.board.text == text(after.position)
        assert (seat.home, seat.moves, seat.points) == (after.cards_home, after.moves, after.score)

    def play(self, move: Move) -> None:
        after = self.line.try_play(move)
        if not isinstance(after, Refusal):
            assert after.step is not None
            self.hear(after.step.transfers, e.What.MOVE, after)

    def undo(self) -> None:
        after, step = self.line.undo(), self.line.step
        if not isinstance(after, Refusal):
            assert step is not None
            self.hear(step.reversed_transfers, e.What.UNDO, after)

    def restart(self) -> None:
        after = self.line.restart()
        if not isinstance(after, Refusal):
            self.hear((), e.What.RESTART, after)


@pytest.mark.parametrize("playout", PLAYOUTS, ids=lambda playout: f"{playout['preset']}-{playout['deal']}")
def test_a_board_follows_every_playout_by_transfers_alone(playout: dict[str, Any]) -> None:
    rules = rules_of(playout)
    follower = Follower(Line.begin(rules, deal(playout["deal"], rules.cells)))
    for step in playout["steps"]:
        if step["do"] == "undo":
            follower.undo()
        elif step["do"] != "stuck":
            follower.play(move_of(step["do"]))
    follower.restart()


@pytest.mark.parametrize(
    "solution", SOLUTIONS, ids=lambda solution: f"{solution['deal']}-{solution['cells']}"
)
def test_a_board_follows_every_solution_home(solution: dict[str, Any]) -> None:
    follower = Follower(
        Line.begin(replace(POCKET, cells=solution["cells"]), deal(solution["deal"], solution["cells"]))
    )
    for triple in solution["moves"]:
        follower.play(move_of(triple))
    assert follower.model.seats[0].home == 52


START = text(deal(617))


@pytest.mark.parametrize(
    ("source", "destination", "count"), [(0, 1, 9), (8, 0, 1), (12, 0, 1), (0, 11, 1), (11, 8, 1)]
)
def test_a_transfer_that_cannot_be_is_out_of_step(source: int, destination: int, count: int) -> None:
    board = Board(START.replace("----", "---"))
    with pytest.raises(OutOfStep):
        board.transfer(pack_transfer(source, destination, count))


def test_a_board_with_another_checksum_is_out_of_step() -> None:
    model = RaceModel(snapshot(START))
    with pytest.raises(OutOfStep):
        model.apply(e.Applied(0, 6, 1, 1, [pack_transfer(0, 8)], e.What.MOVE, 0, 1))


@pytest.mark.parametrize("k", [4, 5, 7])
def test_a_fact_that_is_not_the_next_is_out_of_step(k: int) -> None:
    model = RaceModel(snapshot(START))
    with pytest.raises(OutOfStep):
        model.apply(e.GaveUp(0, k, 1, 1))
    assert model.k == 5


def test_race_time_runs_with_facts_and_stands_still_for_outages() -> None:
    model = RaceModel(snapshot(START))
    model.apply(e.Progress(0, 6, 1_500, 1, 2, 3))
    model.apply(e.Outage(0, 7, 4_000, 3_500))
    assert model.time == 2_000
    model.apply(e.End(0, 8, 500, "time_limit", [], "FC1", "salt"))
    assert (model.time, model.phase, model.salt) == (2_500, "ended", "salt")


def test_a_player_who_leaves_sees_what_spectators_see() -> None:
    view = snapshot("", you=0)
    lobby = RaceModel(e.Snapshot(*[getattr(view, name) for name in view.__struct_fields__]))
    lobby.phase = "lobby"
    lobby.apply(e.Left(0, 6, 1, 0, "p1"))
    assert lobby.you == -1
    lobby.apply(e.Joined(0, 7, 1, 0, "p2", "P2", Kind.HUMAN, False))
    assert not lobby.seats[0].bots
    lobby.apply(e.Go(0, 8, 1, "deal", START))
    assert all(seat.board is not None for seat in lobby.seats)
