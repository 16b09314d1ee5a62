"""Playbooks: a race driven by commands, one line each, on a clock moved by hand."""

from cellrace_engine import CLASSIC, Rules, parse_rules
from cellrace_server.core.commands import AnyCommand, Create, Join, Play, Ready, Tick
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import fold
from cellrace_server.core.facts import AnyFact, Series
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected, Repeated
from cellrace_server.core.people import Player
from cellrace_server.core.race import Race

SALT = b"0123456789abcdef"
ADA, GRACE, ALAN = Player("ada", "Ada"), Player("grace", "Grace"), Player("alan", "Alan")
NO_AUTOMATIC = parse_rules("classic+automatic_moves=no")
EPOCH = 1_000_000
FIRST = Series()


class Script:
    """Commands in, facts out. Every outcome is checked against the fold on the way."""

    def __init__(
        self,
        options: Options | None = None,
        deal: int = 617,
        play: bool = True,
        series: Series = FIRST,
        now: int = EPOCH,
        session: str = "",
    ) -> None:
        self.now = now
        self.facts: list[AnyFact] = []
        self.race: Race | None = None
        self.answer: Rejected | Repeated | None = None
        self.do(Create("race", ADA, options or Options(), deal, SALT, play, session, series))

    def do(self, command: AnyCommand, after_ms: int = 0) -> tuple[AnyFact, ...]:
        """Move the clock, decide, fold; returns the new facts and keeps the answer."""
        self.now += after_ms
        before = self.race
        outcome = decide(self.race, command, self.now)
        self.facts += outcome.facts
        self.race, self.answer = outcome.race, outcome.answer
        assert fold(outcome.facts, before) == outcome.race, "the outcome is what folding its facts gives"
        assert fold(self.facts) == self.race
        return outcome.facts

    def refused(self, command: AnyCommand, after_ms: int = 0) -> str:
        """The reason for a refusal, which must have changed nothing."""
        before = self.race
        assert self.do(command, after_ms) == ()
        assert self.race == before
        assert isinstance(self.answer, Rejected), f"{command} was not refused"
        assert self.answer.text
        return str(self.answer.reason)

    def player_on(self, seat: int) -> str:
        """The id of whoever sits there."""
        taken = self.state.seats[seat]
        assert taken is not None, "somebody sits there"
        return taken.player.id

    @property
    def state(self) -> Race:
        assert self.race is not None, "the race was created"
        return self.race


def started(*players: Player, rules: Rules = CLASSIC, series: Series = FIRST, **options: object) -> Script:
    """A race of these players (Ada hosts) that has just begun."""
    terms = Options(rules=rules, seats=len(players), countdown_ms=3_000, **options)  # type: ignore[arg-type]
    script = Script(terms, series=series)
    for player in players[1:]:
        script.do(Join(player))
    for player in players:
        script.do(Ready(player.id))
    script.do(Tick(), after_ms=3_000)
    return script


def play(script: Script, player: Player, moves: list[str], every_ms: int = 100) -> None:
    """Play moves in order; each must be accepted."""
    for move in moves:
        seat = script.state.seats[script.state.seat_of(player.id)]
        assert seat is not None, f"{player.name} sits"
        script.do(Play(player.id, seat.n + 1, move), every_ms)
        assert script.answer is None, f"{move}: {script.answer}"
