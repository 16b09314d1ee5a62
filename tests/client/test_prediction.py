"""The own board is always current, and ends as the server has it, whatever is refused, lost or sent again."""

import asyncio
import random
from collections.abc import Iterable

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from cellrace_client.errors import ActionRefused
from cellrace_client.model import RaceModel
from cellrace_client.prediction import Prediction
from cellrace_client.race import Race
from cellrace_client.session import Do, RaceSession
from cellrace_engine import (
    CLASSIC,
    NO_CARD,
    PRESETS,
    Line,
    Move,
    Reason,
    Refusal,
    Rules,
    deal,
    format_move,
    read_move,
)
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.board import checksum, pack
from cellrace_protocol.commands import Kind
from cellrace_protocol.transfers import pack_transfer
from tests.support.lines import winning_line

CH = 3
WITHIN = 10


def text_of(line: Line) -> str:
    return pack(line.position.columns, line.position.cells, line.position.foundations)


def packed(moves: Iterable[Move]) -> list[int]:
    return [pack_transfer(*move) for move in moves]


class Referee:
    """A server's side of one race with one player: folds the commands that reach it, and remembers what it said."""

    def __init__(self, rules_name: str, number: int) -> None:
        self.rules_name = rules_name
        self.line = Line.begin(PRESETS[rules_name], deal(number))
        self.start = text_of(self.line)
        self.n = 0
        self.facts: list[e.AnyRaceMessage] = []
        self.applied = 0

    def hear(self, command: msgspec.Struct) -> list[e.AnyServerMessage]:
        """The answers to one command."""
        assert isinstance(command, c.Move | c.Undo | c.Restart | c.Finish)
        if command.n <= self.n:
            return [fact for fact in self.facts if isinstance(fact, e.Applied) and fact.n == command.n]
        if command.n != self.n + 1:
            return [e.Refused(CH, command.n, "out_of_order", "", self.n + 1)]
        told = self._told(command)
        if isinstance(told, Refusal):
            return [e.Refused(CH, command.n, told.reason, told.text, self.n + 1)]
        self.applied += 1
        return [*told]

    def _told(self, command: c.Move | c.Undo | c.Restart | c.Finish) -> list[e.Applied] | Refusal:
        line = self.line
        match command:
            case c.Move(move=text):
                move = read_move(text, line.position, line.rules)
                return move if isinstance(move, Refusal) else self._played(move)
            case c.Undo():
                step, after = line.step, line.undo()
                transfers = packed(step.reversed_transfers) if step is not None else []
                return after if isinstance(after, Refusal) else [self._stands(after, transfers, e.What.UNDO)]
            case c.Restart():
                after = line.restart()
                return after if isinstance(after, Refusal) else [self._stands(after, [], e.What.RESTART)]
            case _:
                told: list[e.Applied] = []
                for move in line.finish_moves():
                    played = self._played(move)
                    assert not isinstance(played, Refusal)
                    told += played
                return told or Refusal(Reason.GAME_OVER, "not finishable")

    def _played(self, move: Move) -> list[e.Applied] | Refusal:
        after = self.line.try_play(move)
        if isinstance(after, Refusal):
            return after
        assert after.step is not None
        return [self._stands(after, packed(after.step.transfers), e.What.MOVE)]

    def _stands(self, line: Line, transfers: list[int], what: e.What) -> e.Applied:
        self.line = line
        self.n += 1
        told = e.Applied(
            CH, len(self.facts) + 1, 1, self.n, transfers, what, line.score, checksum(text_of(line))
        )
        self.facts.append(told)
        return told

    def snapshot(self) -> e.Snapshot:
        line = self.line
        seat = e.SeatView(
            "p",
            "P",
            Kind.HUMAN,
            True,
            False,
            -1,
            line.cards_home,
            line.moves,
            line.undos,
            line.score,
            text_of(line),
        )
        return e.Snapshot(
            CH,
            len(self.facts),
            "race",
            "running",
            0,
            0,
            -1,
            "p",
            self.rules_name,
            False,
            True,
            0,
            1,
            "",
            "",
            self.start,
            0,
            self.n + 1,
            [seat],
        )


class Wire:
    """A race on one side, the referee on the other, and between them what is on its way and may be lost."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.up: list[msgspec.Struct] = []
        self.down: list[e.AnyServerMessage] = []
        self.race = Race(self, RaceSession(e.Entered(1, CH, "race", 0, 1)))
        self.race.hear(referee.snapshot())
        self.tasks: list[asyncio.Task[None]] = []

    def send(self, messages: Iterable[msgspec.Struct], /) -> None:
        self.up += messages

    def later(self, seconds: float, call: object, /) -> None: ...
    def parted(self, race: Race, /) -> None: ...

    async def act(self, action: str) -> None:
        race = self.race
        doing = {"undo": race.undo, "restart": race.restart, "finish": race.finish}.get(action)
        self.tasks.append(asyncio.create_task(doing() if doing is not None else race.move(action)))
        await asyncio.sleep(0)

    def travel(self, most: int) -> None:
        """So many commands reach the referee, and so many answers the player."""
        for _ in range(most):
            if self.up:
                self._reach(self.up.pop(0))
        for _ in range(most):
            if self.down:
                self._arrive(self.down.pop(0))

    def _reach(self, command: msgspec.Struct) -> None:
        if isinstance(command, c.Look):
            self.down.append(self.referee.snapshot())
        else:
            self.down += self.referee.hear(command)

    def _arrive(self, message: e.AnyServerMessage) -> None:
        assert isinstance(message, e.Snapshot | e.Refused | e.Applied)
        self.race.hear(message)
        self.check()

    def reconnect(self, with_snapshot: bool) -> None:
        """All that is on its way is lost."""
        self.up.clear()
        self.down.clear()
        self.race.channel_lost()
        seen = self.race.resume(1).after
        self.race.entered_again(e.Entered(1, CH, "race", 0, self.referee.n + 1))
        if with_snapshot or not seen:
            self._arrive(self.referee.snapshot())
        else:
            for fact in self.referee.facts[seen:]:
                assert isinstance(fact, e.Applied)
                self._arrive(fact)

    def check(self) -> None:
        """What is confirmed is what the model has been told."""
        model, line = self.race.model, self.race.line
        assert isinstance(model, RaceModel)
        assert line is not None
        board = model.seats[0].board
        assert board is not None
        if not self.race.under_way:
            assert checksum(text_of(line)) == checksum(board.text)
            assert line.moves == model.seats[0].moves

    async def settle(self) -> None:
        async with asyncio.timeout(WITHIN):
            while self.up or self.down:
                self.travel(1)
                await asyncio.sleep(0)
            await asyncio.gather(*self.tasks, return_exceptions=True)


def some_move(chance: random.Random, line: Line) -> str:
    legal = line.legal_moves()
    if not legal or chance.random() < 0.15:
        return chance.choice("12345678abcd") + chance.choice("12345678abcdh")
    return format_move(chance.choice(legal), line.position, line.rules)


async def played(wire: Wire, chance: random.Random, steps: int) -> None:
    for _ in range(steps):
        line = wire.race.line
        assert line is not None
        match chance.choices(
            ("move", "undo", "restart", "finish", "travel", "reconnect"), (9, 3, 0.3, 0.3, 5, 0.5)
        )[0]:
            case "move":
                await wire.act(some_move(chance, line))
            case "travel":
                wire.travel(chance.randint(1, 4))
            case "reconnect":
                wire.reconnect(chance.random() < 0.5)
            case action:
                await wire.act(action)
    await wire.settle()


@given(seed=st.integers(0, 2**32), rules=st.sampled_from(sorted(PRESETS)))
def test_the_own_board_ends_as_the_servers(seed: int, rules: str) -> None:
    async def run() -> None:
        chance = random.Random(seed)
        wire = Wire(Referee(rules, chance.randint(1, 32_000)))
        await played(wire, chance, 60)
        line = wire.race.line
        assert line is not None
        assert checksum(text_of(line)) == checksum(text_of(wire.referee.line))
        assert (line.moves, line.score) == (wire.referee.line.moves, wire.referee.line.score)
        assert wire.race.under_way == 0
        outcomes = [task.exception() for task in wire.tasks]
        assert all(outcome is None or isinstance(outcome, ActionRefused) for outcome in outcomes)
        assert outcomes.count(None) == wire.referee.applied  # each exactly once

    asyncio.run(run())


def begun(rules: Rules = CLASSIC) -> Prediction:
    return Prediction.begin(rules, text_of(Line.begin(rules, deal(617))))


def test_moves_show_at_once_and_a_refusal_takes_them_back() -> None:
    prediction = begun()
    before = prediction.line
    prediction.acted(1, "2a")
    prediction.acted(2, "2b")
    assert prediction.line.moves == 2
    prediction.refused([1])
    assert prediction.line.moves == 1
    prediction.refused([2])
    assert prediction.line == before


def test_what_comes_out_as_it_was_guessed_is_not_played_again() -> None:
    prediction = begun()
    lines: list[Line] = []
    actions: list[str | Do] = ["2a", "2b", Do.UNDO, "2c", Do.RESTART, "2d"]
    for ticket, action in enumerate(actions):
        prediction.acted(ticket, action)
        lines.append(prediction.line)
    told = [([Move(1, 8)], e.What.MOVE), ([Move(1, 9)], e.What.MOVE), ([Move(9, 1)], e.What.UNDO)]
    told += [([Move(1, 10)], e.What.MOVE), ([], e.What.RESTART), ([Move(1, 11)], e.What.MOVE)]
    for ticket, (moves, what) in enumerate(told):
        assert prediction.heard(e.Applied(CH, ticket, 1, ticket, packed(moves), what))
        prediction.settled([ticket])
        assert prediction.confirmed is lines[ticket]
        assert prediction.line is lines[-1]


def test_what_comes_out_otherwise_than_it_was_guessed_is_played_again() -> None:
    prediction = begun()
    prediction.acted(1, "2a")
    prediction.acted(2, "2b")
    assert prediction.heard(e.Applied(CH, 1, 1, 1, packed([Move(1, 11)])))
    prediction.settled([1])
    assert prediction.line.position.cells[0] == NO_CARD
    assert prediction.line.moves == 2


def test_an_undo_of_what_was_never_seen_is_left_to_the_server() -> None:
    prediction = begun()
    line = prediction.line.play(Move(1, 8))
    prediction.rebase(text_of(line), 1, 0, 0)
    prediction.acted(1, Do.UNDO)
    assert not prediction.certain
    assert prediction.line.moves == 1
    assert prediction.reason_against("99") is None
    prediction.acted(2, "2b")
    assert prediction.line.moves == 1
    undone = e.Applied(CH, 5, 1, 1, packed([Move(8, 1)]), e.What.UNDO)
    assert not prediction.heard(undone)
    prediction.rebase(prediction_start(), 0, 0)
    prediction.settled([1])
    assert prediction.certain
    assert prediction.line.moves == 1


def prediction_start() -> str:
    return text_of(Line.begin(CLASSIC, deal(617)))


def test_a_snapshot_of_the_board_that_is_known_keeps_the_way_to_it() -> None:
    prediction = begun()
    prediction.acted(1, "2a")
    move = prediction.line.step
    assert move is not None
    assert prediction.heard(e.Applied(CH, 5, 1, 1, packed(move.transfers)))
    prediction.settled([1])
    prediction.rebase(prediction.board(), 1, 0, 0)
    prediction.acted(2, Do.UNDO)
    assert prediction.line.moves == 0


def test_a_reason_comes_with_its_numbers() -> None:
    refusal = begun().reason_against("12v3")
    assert refusal is not None
    assert refusal.asked == 3


def test_what_will_never_be_answered_is_taken_out() -> None:
    start = Line.begin(CLASSIC, deal(617))
    prediction = Prediction(start)
    for ticket, move in enumerate(winning_line()[:3], 1):
        prediction.acted(ticket, move)
    assert prediction.line.moves == 3
    prediction.abandoned()
    assert (prediction.line, prediction.under_way) == (start, 0)


def test_the_rest_of_a_finish_that_will_never_be_told_is_taken_out() -> None:
    line = Line.begin(CLASSIC, deal(617))
    for text in winning_line():
        if line.finishable:
            break
        move = read_move(text, line.position, line.rules)
        assert not isinstance(move, Refusal)
        line = line.play(move)
    prediction = Prediction(line)
    prediction.acted(1, Do.FINISH)
    prediction.settled([1])
    assert prediction.line.won
    prediction.abandoned()
    assert prediction.line is line
