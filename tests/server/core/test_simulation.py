"""Races in which anything may be asked at any time: what always holds, for the race and for everybody who follows it.

Receivers get messages only, as they go over the wire, and must agree with the race after each of them.
"""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cellrace_client.model import RaceModel
from cellrace_engine import CLASSIC, RELAXED, format_move, legal_moves, parse_rules
from cellrace_protocol import events as e
from cellrace_protocol.codecs import CLIENT_CODECS, Codec
from cellrace_server.core import commands as c
from cellrace_server.core.decide import decide
from cellrace_server.core.evolve import evolve, fold
from cellrace_server.core.facts import (
    AnyFact,
    Away,
    CountdownStopped,
    Ended,
    HandedOn,
    Here,
    HostAway,
    HostHere,
    Left,
    Moved,
    Rematched,
    Restarted,
    Started,
    Undone,
)
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Rejected
from cellrace_server.core.people import Kind, Player
from cellrace_server.core.presence import attending
from cellrace_server.core.race import Phase, Race, deadline
from cellrace_server.gateway.translate import message_for, snapshot
from tests.server.core.seen import check_board, flat, msg_fields, shown
from tests.support.lines import DEAL, winning_line

CH = 3
SALT = b"0123456789abcdef"
EPOCH = 1_000_000
PLAYERS = [Player(f"id-{name}", name) for name in ("Ada", "Grace", "Alan", "Edsger")]
PLAYERS.append(Player("id-Barbara", "Barbara", Kind.BOT))
ACTIONS: dict[str, type[c.Undo | c.Restart | c.Finish | c.GiveUp]] = {
    "undo": c.Undo,
    "restart": c.Restart,
    "finish": c.Finish,
    "give up": c.GiveUp,
}
SPECTATOR = "a spectator"
RULES = [CLASSIC, RELAXED, parse_rules("classic+automatic_moves=no"), parse_rules("classic+undo_depth=1")]
CODECS: list[Codec[Any]] = list(CLIENT_CODECS.values())

# Times are multiples of ten, so that no number that is shown is the deal's by chance.
STEPS = st.integers(-20, 500).map(lambda tens: tens * 10)
someone = st.sampled_from([player.id for player in PLAYERS])
players = st.sampled_from(PLAYERS)
sessions = st.sampled_from(["phone", "laptop", ""])
odd_numbers = st.integers(-2, 12) | st.just(2**31 - 1)
odd_moves = st.sampled_from(["2a", "2b", "11", "zz", "", "h5", "26v3", "1h", "a1", "\x00"]) | st.text(
    max_size=4
)


class Follower:
    """Somebody who only gets messages: a player, on a seat or without, or a spectator."""

    def __init__(self, race: Race, player: str, now: int) -> None:
        self.player = player
        self.look(race, now)

    def look(self, race: Race, now: int) -> None:
        """Ask for a snapshot."""
        self.seat = race.seat_of(self.player)
        seen = snapshot(CH, race, self.seat, now)
        self.said: list[Any] = [seen]
        self.model = RaceModel(through(seen))

    def hear(self, before: Race | None, fact: AnyFact, after: Race) -> None:
        """The message about one fact, on whichever codec."""
        message = message_for(CH, self.seat, before, fact, after)
        self.said.append(message)
        self.model.apply(through(message))
        self.seat = self.model.you


def through(message: Any) -> Any:
    """The message as it comes out of a codec; both must agree."""
    read = [
        codec.decode(encoded if codec.binary else encoded.decode())
        for codec in CODECS
        for encoded in [codec.encode(message)]
    ]
    assert read[0] == read[1]
    return read[0]


class AnyRace(RuleBasedStateMachine):
    """One race, from its creation to wherever the commands drawn lead."""

    @initialize(
        rules=st.sampled_from(RULES),
        seats=st.integers(1, 4),
        open_boards=st.booleans(),
        countdown=st.sampled_from([0, 3_000]),
        limit=st.sampled_from([20_000, 1_800_000]),
        play=st.booleans(),
    )
    def create(
        self, rules: Any, seats: int, open_boards: bool, countdown: int, limit: int, play: bool
    ) -> None:
        options = Options(
            rules=rules, seats=seats, open_boards=open_boards, countdown_ms=countdown, limit_ms=limit
        )
        self.now = EPOCH
        self.facts: list[AnyFact] = []
        self.race: Race | None = None
        self.followers: dict[str, Follower] = {}
        self.before_start: list[Any] = []
        self.do(c.Create("race", PLAYERS[0], options, DEAL, SALT, play))
        for name in [*(player.id for player in PLAYERS), SPECTATOR]:
            self.followers[name] = Follower(self.state, name, self.now)

    @property
    def state(self) -> Race:
        assert self.race is not None
        return self.race

    def do(self, command: c.AnyCommand) -> None:
        """Decide, check what must hold of any outcome, and tell everybody."""
        race = self.race
        due = deadline(race) if race is not None else None
        outcome = decide(race, command, self.now)
        facts, after, answer = outcome.facts, outcome.race, outcome.answer
        assert fold(facts, race) == after
        if isinstance(answer, Rejected):
            assert answer.reason
            assert answer.text
            overdue = due is not None and max(self.now, race.at if race else 0) >= due
            assert all(
                isinstance(fact, Started | Ended | Left | CountdownStopped | HandedOn) for fact in facts
            )
            assert overdue or not facts
            assert facts or after == race
        for fact in facts:
            before, self.race = self.race, evolve(self.race, fact)
            check_presence(before, fact)
            self.facts.append(fact)
            for follower in self.followers.values():
                follower.hear(before, fact, self.race)
        assert self.race == after
        for follower in self.followers.values():
            if follower.seat != self.state.seat_of(follower.player):  # whoever sits down gets a snapshot
                follower.look(self.state, self.now)

    # What may be asked

    @rule(step=STEPS)
    def time_passes(self, step: int) -> None:
        self.now += step

    @rule(player=players, session=sessions)
    def join(self, player: Player, session: str) -> None:
        self.do(c.Join(player, session))

    @rule(player=someone, session=sessions)
    def appear(self, player: str, session: str) -> None:
        self.do(c.Appear(player, session))

    @rule(player=someone, session=sessions)
    def vanish(self, player: str, session: str) -> None:
        self.do(c.Vanish(player, session))

    @rule()
    def everybody_vanishes(self) -> None:
        for player, session in list(attending(self.state)):
            self.do(c.Vanish(player, session))

    @rule(player=someone, race=st.sampled_from(["next", "another"]))
    def rematch(self, player: str, race: str) -> None:
        self.do(c.Rematch(player, race))

    @precondition(lambda self: len(self.facts) > 20)
    @rule()
    def close(self) -> None:
        self.do(c.Close())

    @rule(player=someone, ready=st.sampled_from([True, True, False]))
    def ready(self, player: str, ready: bool) -> None:
        self.do(c.Ready(player, ready))

    @rule()
    def all_ready(self) -> None:
        for _, seat in list(self.state.seated()):
            self.do(c.Ready(seat.player.id))

    @rule(player=someone)
    def start(self, player: str) -> None:
        self.do(c.Start(player))

    @rule()
    def host_starts(self) -> None:
        self.do(c.Start(self.state.host))

    @rule(player=someone)
    def leave(self, player: str) -> None:
        self.do(c.Leave(player))

    @rule(player=players)
    def create_again(self, player: Player) -> None:
        self.do(c.Create("race", player, Options(), 1, SALT))

    @rule(player=someone, n=odd_numbers, move=odd_moves)
    def odd_move(self, player: str, n: int, move: str) -> None:
        self.do(c.Play(player, n, move))

    @rule(player=someone, n=odd_numbers, what=st.sampled_from([c.Undo, c.Restart, c.Finish, c.GiveUp]))
    def odd_action(self, player: str, n: int, what: Any) -> None:
        self.do(what(player, n))

    @rule(data=st.data())
    def good_action(self, data: st.DataObject) -> None:
        """Something legal, where there is a seat that can act."""
        able = [seat for _, seat in self.state.seated() if seat.line is not None and not seat.done]
        if not able:
            return
        seat = data.draw(st.sampled_from(able))
        line = seat.line
        assert line is not None
        n, player = seat.n + 1, seat.player.id
        moves = legal_moves(line.position, line.rules)
        kind = data.draw(st.sampled_from(["move", "move", "move", "undo", "restart", "finish", "give up"]))
        if kind == "move" and moves:
            move = data.draw(st.sampled_from(moves))
            self.do(c.Play(player, n, format_move(move, line.position, line.rules), 30, 5))
        elif kind != "move":
            self.do(ACTIONS[kind](player, n))

    @precondition(lambda self: self.state.phase is Phase.RUNNING)
    @rule(data=st.data())
    def play_the_line(self, data: st.DataObject) -> None:
        """A seat starts anew and plays the winning line, to the end or nearly."""
        able = [seat for _, seat in self.state.seated() if not seat.done]
        if not able:
            return
        seat = data.draw(st.sampled_from(able))
        index = self.state.seat_of(seat.player.id)
        self.do(c.Restart(seat.player.id, seat.n + 1))
        line = winning_line(self.state.options.rules)
        short = data.draw(st.sampled_from([0, 0, 1, 3]))
        for move in line[: len(line) - short]:
            taken = self.state.seats[index]
            assert taken is not None
            self.do(c.Play(seat.player.id, taken.n + 1, move))

    @rule()
    def tick(self) -> None:
        self.do(c.Tick())

    @rule()
    def deadline_comes(self) -> None:
        due = deadline(self.state)
        if due is not None:
            self.now = max(self.now, due)
            self.do(c.Tick())

    @rule(ago=st.integers(-10, 1_000).map(lambda tens: tens * 10))
    def store_returns(self, ago: int) -> None:
        self.do(c.StoreReturned(self.now - ago))

    @rule(who=st.sampled_from([*(player.id for player in PLAYERS), SPECTATOR]))
    def look_again(self, who: str) -> None:
        self.followers[who].look(self.state, self.now)

    # What always holds

    @invariant()
    def the_race_is_the_fold_of_its_facts(self) -> None:
        assert fold(self.facts) == self.race
        assert self.state.number == len(self.facts)

    @invariant()
    def time_never_runs_backwards(self) -> None:
        instants = [fact.at for fact in self.facts]
        assert instants == sorted(instants)

    @invariant()
    def a_player_has_one_seat(self) -> None:
        seated = [seat.player.id for _, seat in self.state.seated()]
        assert len(seated) == len(set(seated))

    @invariant()
    def the_next_deadline_is_not_past(self) -> None:
        """Whoever is away before the start is given back in time: after any command nothing is overdue."""
        due = deadline(self.state)
        assert due is None or due > self.state.at or self.state.phase is Phase.COUNTDOWN

    @invariant()
    def somebody_hosts_who_may_come_back(self) -> None:
        """No lobby has people in it whose host is gone for good, or is a bot that knows nothing of it."""
        race = self.state
        if race.phase is not Phase.LOBBY or not any(race.seats):
            return
        if race.seat_of(race.host) < 0:
            assert not race.inherited, "hosting goes to those who sit"
            assert race.host == PLAYERS[0].id
            assert not race.host_away or race.at < race.host_away + race.options.away_ms
        people = [seat for _, seat in race.seated() if seat.player.kind is Kind.HUMAN]
        host = race.seats[race.seat_of(race.host)] if race.inherited else None
        assert host is None or not people or host.player.kind is Kind.HUMAN

    @invariant()
    def actions_are_numbered_without_gaps(self) -> None:
        for index, seat in self.state.seated():
            numbers = [
                fact.n
                for fact in self.facts
                if isinstance(fact, Moved | Undone | Restarted) and fact.seat == index
            ]
            assert numbers == list(range(1, len(numbers) + 1))
            assert seat.n == len(numbers) + seat.gave_up

    @invariant()
    def everybody_who_follows_agrees(self) -> None:
        for follower in self.followers.values():
            expected = RaceModel(through(snapshot(CH, self.state, follower.seat, self.now)))
            assert shown(follower.model) == shown(expected)
            for mine, theirs in zip(follower.model.seats, expected.seats, strict=True):
                check_board(mine, theirs, self.state.phase is Phase.ENDED)

    @invariant()
    def nobody_hears_what_is_secret(self) -> None:
        """Invariant 5: before the start, nothing that identifies the deal, to anybody."""
        running = self.state.start > 0 and self.state.phase in (Phase.RUNNING, Phase.ENDED)
        for follower in self.followers.values():
            said, follower.said = follower.said, []
            if not running:
                for value in flat([msg_fields(message) for message in said]):
                    assert value not in (DEAL, str(self.state.code), SALT, SALT.hex())
                    assert not (isinstance(value, str) and "|" in value)
            elif (
                self.state.phase is Phase.RUNNING
                and not self.state.options.open_boards
                and follower.seat >= 0
            ):
                for message in said:
                    check_hidden(message, follower.seat)


def check_hidden(message: Any, seat: int) -> None:
    """A message to the player on a seat shows no other's board."""
    name = message.__struct_config__.tag
    assert name != "d"
    if isinstance(message, e.Snapshot) and message.phase == "running":
        assert all(view.board == "" and view.points == 0 for i, view in enumerate(message.seats) if i != seat)


def check_presence(before: Race | None, fact: AnyFact) -> None:
    """Nobody comes or goes twice, hosts neither, and nothing but a rematch follows the end."""
    if before is None:
        return
    assert before.phase is not Phase.ENDED or isinstance(fact, Rematched)
    if isinstance(fact, Here | Away):
        seat = before.seats[fact.seat]
        assert seat is not None
        gone = bool(seat.away)
        assert not gone if isinstance(fact, Away) else gone or seat.session != fact.session
    if isinstance(fact, HostHere | HostAway):
        assert before.host_outside
        gone = bool(before.host_away)
        assert not gone if isinstance(fact, HostAway) else gone or before.host_session != fact.session
    if isinstance(fact, HandedOn):
        heir = before.seats[fact.seat]
        assert heir is not None
        assert heir.player.id != before.host


AnyRace.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestAnyRace = AnyRace.TestCase
