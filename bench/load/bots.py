"""Pairs of players who race, one race after the other, as fast as they are answered."""

from collections.abc import Callable

from tools.protocol.lines import DEAL, WINNING

from bench.load.frames import decode
from bench.load.peers import Closed, Peer
from bench.load.racers import SUBPROTOCOL

WON_EVERY = 10
"""Of so many races of a pair one is played to its end; in the others both give up after a few moves."""

FEW = 5
ON_THEIR_WAY = 32
"""Moves that a player sends without waiting."""


class Bot(Peer):
    """One of two. `act` hears of whatever the server tells it besides moves."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port, SUBPROTOCOL)
        self.channel = 0
        self.act: Callable[[str, list[object]], None] = lambda _name, _message: None
        self._line: list[str] = []
        self._n = 0
        self._applied = 0
        self._gives_up = False
        self._asked: tuple[object, ...] = ()
        self.ask("hello", 1, name, until="welcome")

    def request(self, *message: object) -> None:
        """Say something that is answered; said again when the store was away, as it may be on a busy machine."""
        self._asked = message
        self.say(*message)

    def play(self, line: list[str], gives_up: bool) -> None:
        """Make these moves in the race that has begun, and give up then or have won."""
        self._line, self._gives_up = line, gives_up
        self._n = self._applied = 0
        self._go_on()

    def heard(self, payload: bytes, /) -> None:
        message = decode(payload)
        name = str(message[0])
        if name == "a":
            self._applied += 1
            if self._applied == self._n:
                self._go_on()
        elif name == "error" and message[1] == "unavailable":
            self.say(*self._asked)
        elif name in ("error", "no"):
            raise Closed(str(message))
        else:
            self.act(name, message)

    def _go_on(self) -> None:
        for move in self._line[self._n : self._n + ON_THEIR_WAY]:
            self._n += 1
            self.say("m", self.channel, self._n, move)
        if self._n == self._applied and self._gives_up:
            self._gives_up = False
            self.say("giveup", self.channel, self._n + 1)


class Pair:
    """Two bots; `next_race` says whether there is to be another one."""

    def __init__(self, port: int, next_race: Callable[[], bool]) -> None:
        self.host, self.guest = Bot(port, "Ada"), Bot(port, "Grace")
        self.races = 0
        self.resting = True
        self._next_race = next_race
        self._ended = 0
        self.host.act, self.guest.act = self._host, self._guest

    def begin(self) -> None:
        """Open the next race, or rest."""
        self.resting = not self._next_race()
        if not self.resting:
            self._ended = 0
            self.races += 1
            self.host.request("create", 1, str(DEAL), "classic", 2, False, False, 0)

    def _host(self, name: str, message: list[object]) -> None:
        if name == "in":
            self.host.channel = int(str(message[2]))
            self.guest.request("join", 1, message[3])
            self.host.say("ready", self.host.channel)
        elif name == "go":
            won = self.races % WON_EVERY == 0
            self.host.play(WINNING if won else WINNING[:FEW], gives_up=not won)
        elif name == "end":
            self._end(self.host)

    def _guest(self, name: str, message: list[object]) -> None:
        if name == "in":
            self.guest.channel = int(str(message[2]))
            self.guest.say("ready", self.guest.channel)
        elif name == "go":
            self.guest.play(WINNING[:FEW], gives_up=True)
        elif name == "end":
            self._end(self.guest)

    def _end(self, bot: Bot) -> None:
        bot.say("part", bot.channel)
        self._ended += 1
        if self._ended == 2:
            self.begin()
