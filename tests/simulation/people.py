"""Players and spectators, as clients are: all they know is what they were sent, and they check all of it."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

from cellrace_client.model import RaceModel
from cellrace_engine import format_move
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.codecs import CLIENT_CODECS, MSGPACK
from cellrace_server.core.facts import GaveUp, Moved, Restarted, Undone
from cellrace_server.core.race import Phase, Race
from cellrace_server.gateway.translate import snapshot
from tests.server.core.seen import check_board, flat, msg_fields, shown
from tests.simulation.cluster import EPOCH_MS, SimulatedNode
from tests.simulation.pipe import Pipe
from tests.simulation.truth import Chronicle, Truth
from tests.simulation.virtual_time import VirtualLoop

CODEC = CLIENT_CODECS[MSGPACK]
CLOCKS_OFF_MS = 20
"""How far apart the clocks of two nodes may be."""

DONE: dict[type, str] = {Undone: "undo", Restarted: "restart", GaveUp: "give up"}


class Following:
    """A race that is received on a channel, and what was sent there and has no answer."""

    def __init__(self, race: str) -> None:
        self.race = race
        self.model: RaceModel | None = None
        self.heard: dict[int, e.AnyRaceMessage] = {}
        self.waiting: Counter[int] = Counter()
        self.parted = False


class Person:
    """One identity with one connection at a time that it uses; older ones are left open until they are cut."""

    def __init__(self, name: str, loop: VirtualLoop, truth: Truth, told: Callable[[bytes], None]) -> None:
        self.name = name
        self.token = self.player = ""
        self.pipe = Pipe()
        self.pipe.cut()
        self.following: dict[int, Following] = {}
        self.plan: deque[str] = deque()
        self.next_n: dict[str, int] = {}
        self.sent: dict[tuple[str, int], set[str]] = {}
        self.requests: set[int] = set()
        self.last: tuple[bytes, int, int, int] | None = None
        self._r = 0
        self._welcome = False
        self._known: dict[str, RaceModel | None] = {}
        self._loop = loop
        self._truth = truth
        self._told = told

    def __repr__(self) -> str:
        return self.name

    # What a person does

    def connect(self, node: SimulatedNode) -> Pipe:
        """A new connection; what an older one would still bring is not looked at any more. Returns the older one."""
        older, self.pipe = self.pipe, Pipe(self._told)
        self._known = {following.race: following.model for following in self.following.values()}
        self.following.clear()
        self.requests.clear()
        self.plan.clear()
        self.last = None
        self._welcome = False
        node.connect(self.pipe)
        self.send(c.Hello(1, self.name, self.token))
        for race, model in self._known.items():
            self.ask(c.Resume(self._next_r(), race, 0 if model is None else model.k))
        return older

    def send(self, message: c.AnyClientMessage) -> None:
        if self.pipe.open:
            self.pipe.up.append(CODEC.encode(message))

    def ask(self, message: Any) -> None:
        """A request, which is answered."""
        if self.pipe.open:
            self.requests.add(message.r)
            self.send(message)

    def _next_r(self) -> int:
        self._r += 1
        return self._r

    def create(self, **terms: Any) -> None:
        self.ask(c.Create(self._next_r(), **terms))

    def join(self, what: str) -> None:
        self.ask(c.Join(self._next_r(), what))

    def watch(self, race: str) -> None:
        self.ask(c.Watch(self._next_r(), race))

    def quick(self) -> None:
        self.ask(c.Quick(self._next_r()))

    def play_daily(self) -> None:
        self.ask(c.PlayDaily(self._next_r()))

    def race_against(self, run: str) -> None:
        self.ask(c.RaceGhosts(self._next_r(), [run]))

    def rematch(self, channel: int) -> None:
        self.ask(c.Rematch(self._next_r(), channel))

    def ready(self, channel: int) -> None:
        self.send(c.Ready(channel))

    def start(self, channel: int) -> None:
        self.send(c.Start(channel))

    def leave(self, channel: int) -> None:
        self.send(c.Leave(channel))

    def look(self, channel: int) -> None:
        self.send(c.Look(channel))

    def part(self, channel: int) -> None:
        """Hear no more of a race; what comes until the server knows is still looked at, but not waited for."""
        self.send(c.Part(channel))
        self.following[channel].parted = True
        self.following[channel].waiting.clear()

    def list_races(self) -> None:
        self.ask(c.GetRaces(self._next_r()))

    def follow_the_list(self) -> None:
        self.ask(c.Follow(self._next_r()))

    def act(self, channel: int, what: str) -> None:
        """The next action on a board: a move in notation, or `undo`, `restart`, `finish`, `give up`."""
        following = self.following[channel]
        n = self.next_n.get(following.race, 1)
        self.next_n[following.race] = n + 1
        self.act_as(channel, n, what)

    def act_as(self, channel: int, n: int, what: str) -> None:
        """An action under any number."""
        following = self.following[channel]
        self.sent.setdefault((following.race, n), set()).add(what)
        kinds: dict[str, Any] = {
            "undo": c.Undo,
            "restart": c.Restart,
            "finish": c.Finish,
            "give up": c.GiveUp,
        }
        message = kinds[what](channel, n) if what in kinds else c.Move(channel, n, what)
        if self.pipe.open:
            following.waiting[n] += not following.parted
            self.last = (CODEC.encode(message), channel, n, self._r)
            self.send(message)

    def repeat(self) -> None:
        """Send the last action once more, as a client does that has missed the answer."""
        if self.last is not None and self.pipe.open:
            encoded, channel, n, _ = self.last
            if channel in self.following:
                self.following[channel].waiting[n] += not self.following[channel].parted
                self.pipe.up.append(encoded)

    # What a person hears

    def hear(self) -> None:
        """Read and check all that has come."""
        if not self.pipe.down:
            return
        secrets = list(self._truth.secrets(self.player))
        spoken_to: dict[int, None] = {}
        while self.pipe.down:
            message = CODEC.decode(self.pipe.down.popleft())
            self._check_secrets(message, secrets)
            self._take(message)
            spoken_to[getattr(message, "ch", -1)] = None
        for channel in spoken_to:
            if channel in self.following:
                self._check_agrees(channel, self.following[channel])

    @property
    def action_unanswered(self) -> bool:
        """An action was sent on the open connection and is neither acknowledged nor refused."""
        return self.pipe.open and any(following.waiting.total() for following in self.following.values())

    @property
    def unanswered(self) -> bool:
        """Something was sent on the open connection and is not answered."""
        return self.pipe.open and bool(self.requests or self.action_unanswered)

    def _take(self, message: Any) -> None:
        match message:
            case e.Welcome():
                assert not self.player or self.player == message.player, "a token is one identity"
                self.token, self.player = message.token, message.player
                self._welcome = True
            case e.Entered():
                assert message.r in self.requests or message.r == 0, "each request is answered once"
                self.requests.discard(message.r)
                self._enter(message)
                if message.seat >= 0:
                    self.next_n[message.race] = max(message.n, 1)
            case e.Error():
                self._failed(message)
            case e.Races():
                self.requests.discard(message.r)
            case e.Listing() | e.Watching() | e.Ghost():
                pass
            case e.Notice():
                if message.code == "taken_over":
                    self.following.pop(message.ch, None)
            case e.Refused():
                self._refused(message)
            case e.Snapshot():
                self._look(message)
            case _:
                self._happened(message)

    def _failed(self, message: e.Error) -> None:
        assert message.r in self.requests or message.r == 0, "each request is answered once"
        self.requests.discard(message.r)
        if (
            not self._welcome
        ):  # the store could not be asked who this is: what was said behind the hello is void
            self.pipe.cut()

    def _enter(self, message: e.Entered) -> None:
        following = self.following.get(message.ch)
        if following is None or following.parted:
            following = self.following[message.ch] = Following(message.race)
            following.model = self._known.pop(message.race, None)
        assert following.race == message.race, "a channel is one race's for as long as it is received"

    def _refused(self, message: e.Refused) -> None:
        self.plan.clear()
        following = self.following.get(message.ch)
        if following is None:
            return
        self._answered(following, message.n)
        if message.expected:
            self.next_n[following.race] = message.expected

    def _answered(self, following: Following, n: int) -> None:
        if following.waiting[n] > 0:
            following.waiting[n] -= 1

    def _look(self, message: e.Snapshot) -> None:
        following = self.following[message.ch]
        assert message.race == following.race
        following.model = RaceModel(message)
        following.heard.clear()
        self._check_delay(following, message.k)
        if message.you >= 0:
            self.next_n[message.race] = message.n

    def _happened(self, message: e.AnyRaceMessage) -> None:
        """Invariant 3: every fact once, in one order, without a gap; an acknowledgement may come again."""
        following = self.following.get(message.ch)
        assert following is not None, f"{message} on a channel that is not received"
        assert following.model is not None, "a snapshot comes first"
        if message.k <= following.model.k:
            assert isinstance(message, e.Applied | e.GaveUp), "only acknowledgements come twice"
            assert following.heard.get(message.k, message) == message
        else:
            following.model.apply(message)
            following.heard[message.k] = message
        self._check_delay(following, message.k)
        self._check_acknowledged(following, message)

    def _check_acknowledged(self, following: Following, message: e.AnyRaceMessage) -> None:
        """Invariant 2: what is acknowledged is in the log, as it was sent."""
        chronicle = self._truth.races[following.race]
        fact = chronicle.facts[message.k - 1]
        assert following.model is not None
        if isinstance(message, e.GaveUp) and message.seat != following.model.you:
            return
        if not isinstance(message, e.Applied | e.GaveUp):
            return
        assert isinstance(fact, Moved | Undone | Restarted | GaveUp)
        before = chronicle.states[message.k - 2]
        mover = before.seats[fact.seat]
        assert mover is not None
        assert mover.player.id == self.player, "an acknowledgement is the mover's alone"
        assert not isinstance(message, e.Applied) or message.n == fact.n
        self._answered(following, fact.n)
        self.next_n[following.race] = max(self.next_n.get(following.race, 1), fact.n + 1)
        asked = self.sent.get((following.race, fact.n), set[str]())
        if isinstance(fact, Moved):
            assert mover.line is not None
            said = format_move(fact.move, mover.line.position, mover.line.rules)
            finishing = any("finish" in self.sent.get((following.race, n), ()) for n in range(1, fact.n + 1))
            assert said in asked or finishing
        else:
            assert DONE[type(fact)] in asked

    def _check_delay(self, following: Following, number: int) -> None:
        """Spectators of a delayed race learn nothing early, from the start on."""
        chronicle = self._truth.races[following.race]
        assert number <= len(chronicle.facts), "nothing is shown that is not durable"
        assert following.model is not None
        delay = chronicle.now.options.delay_ms
        if delay and following.model.you < 0 and 0 < chronicle.started_at <= number:
            shown_at = chronicle.facts[number - 1].at + delay
            assert EPOCH_MS + self._loop.ms >= shown_at - CLOCKS_OFF_MS, "too early"

    def _check_secrets(self, message: Any, secrets: list[str | int | bytes]) -> None:
        """Invariant 5: whatever is said, to whomever, no deal shows before its start."""
        values = list(flat(msg_fields(message)))
        for secret in secrets:
            assert secret not in values
        channel = getattr(message, "ch", -1)
        following = self.following.get(channel)
        if following is None or following.race not in self._truth.races:
            return
        if not self._truth.races[following.race].started_at:
            assert not any(isinstance(value, str) and "|" in value for value in values), "a board"
        model = following.model
        if isinstance(message, e.Diff) and model is not None:
            hidden = model.you >= 0 and not model.open_boards
            assert not hidden, "opponents see progress, not boards"

    def _check_agrees(self, channel: int, following: Following) -> None:
        """What was sent makes the same race as the log does."""
        model = following.model
        if model is None:
            return
        chronicle = self._truth.races[following.race]
        expected = model_of(channel, chronicle, model.k, model.you)
        where = f"{self.name} in {following.race} after fact {model.k}, {chronicle.facts[model.k - 1]}"
        assert shown(model) == shown(expected), f"{where}: {shown(model)} != {shown(expected)}"
        over = chronicle.states[model.k - 1].phase is Phase.ENDED
        for mine, theirs in zip(model.seats, expected.seats, strict=True):
            check_board(mine, theirs, over)


def model_of(channel: int, chronicle: Chronicle, number: int, seat: int) -> RaceModel:
    """The race after fact `number`, as it should look from a seat."""
    race: Race = chronicle.states[number - 1]
    return RaceModel(snapshot(channel, race, seat, race.at))


def acting(person: Person) -> Iterator[int]:
    """The channels on which the person can act now."""
    for channel, following in person.following.items():
        model = following.model
        if model is None or model.you < 0 or model.phase != "running":
            continue
        seat = model.seats[model.you]
        if seat.time < 0 and not seat.gave_up:
            yield channel
