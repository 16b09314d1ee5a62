"""Re-run a replay and say whether what it claims is so."""

from dataclasses import dataclass

from cellrace_engine.line import Line
from cellrace_engine.notation import read_move
from cellrace_engine.refusal import Refusal
from cellrace_engine.replay.document import RESTART, UNDO, Action, PlayerRun, Replay, Result
from cellrace_engine.shown import shown


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a replay is false: the player, the index of the action (`None`: the claimed result), and why.

    `refusal` is there when the rules refuse the action.
    """

    player: int
    action: int | None
    reason: str
    refusal: Refusal | None = None

    @property
    def text(self) -> str:
        """One sentence for a person; players and actions are counted from 0 as in the document."""
        where = "result" if self.action is None else f"actions[{self.action}]"
        return f"players[{self.player}].{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What came out of a re-run: each player's line, as far as it was run, and the first failure."""

    lines: tuple[Line, ...]
    failure: Failure | None = None

    @property
    def holds(self) -> bool:
        """Whether every action is legal and every claimed result is what the actions give."""
        return self.failure is None


def verify(replay: Replay) -> Verification:
    """Run every action of every player again and compare the results that are claimed."""
    begin = Line.begin(replay.rules, replay.start())
    lines: list[Line] = []
    for player, run in enumerate(replay.players):
        line, failure = _rerun(begin, player, run)
        lines.append(line)
        if failure is not None:
            return Verification(tuple(lines), failure)
    return Verification(tuple(lines))


def _rerun(line: Line, player: int, run: PlayerRun) -> tuple[Line, Failure | None]:
    for index, action in enumerate(run.actions):
        after = perform(line, action)
        if isinstance(after, Refusal):
            return line, Failure(player, index, f"{shown(action.do)} is refused: {after.text}", after)
        line = after
    if run.result is None:
        return line, None
    false = _false_claim(run.result, line, run.actions[-1].t_ms if run.actions else 0)
    return line, None if false is None else Failure(player, None, false)


def perform(line: Line, action: Action) -> Line | Refusal:
    """What an action of a replay makes of a line, or why the rules refuse it."""
    if action.do == UNDO:
        return line.undo()
    if action.do == RESTART:
        return line.restart()
    move = read_move(action.do, line.position, line.rules)
    return move if isinstance(move, Refusal) else line.try_play(move)


def _false_claim(result: Result, line: Line, last_ms: int) -> str | None:
    claims = (
        ("moves", result.moves, line.moves),
        ("cards home", result.cards_home, line.cards_home),
        ("score", result.score, line.score),
    )
    for name, claimed, found in claims:
        if claimed != found:
            return f"{name}: {claimed} claimed, {found} found"
    time, compensation = result.time_ms, result.compensation_ms
    if time < 0 or compensation < 0 or time + compensation != last_ms:
        came = f"the last action came at {last_ms} ms"
        return f"time: {time} ms claimed after {compensation} ms of compensation, {came}"
    return None
