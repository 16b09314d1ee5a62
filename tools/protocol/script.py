"""How conversations are written down."""

from cellrace_client.conformance.conversation import ANY, Conversation, Step
from cellrace_protocol.codecs import MSGPACK
from tools.protocol.examples import DEAL, START


class Script:
    """Steps, one method a kind."""

    def __init__(self, name: str, about: str) -> None:
        self._name = name
        self._about = about
        self._steps: list[Step] = []

    def connect(self, by: str, subprotocol: str = MSGPACK) -> None:
        self._steps.append(Step(by, "connect", subprotocol=subprotocol))

    def send(self, by: str, *message: object) -> None:
        self._steps.append(Step(by, "send", message=list(message)))

    def frame(self, by: str, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            self._steps.append(Step(by, "frame", hex=payload.hex()))
        else:
            self._steps.append(Step(by, "frame", text=payload))

    def told(self, by: str, clause: str, *message: object) -> None:
        self._steps.append(Step(by, "receive", message=list(message), clause=clause))

    def all_told(self, who: str, clause: str, name: str, *rest: object) -> None:
        """The same message to several, each on their own channel."""
        for by in who.split():
            self.told(by, clause, name, f"{{{by}_ch}}", *rest)

    def close(self, by: str) -> None:
        self._steps.append(Step(by, "close"))

    def closed(self, by: str, code: int, clause: str) -> None:
        self._steps.append(Step(by, "closed", code=code, clause=clause))

    def hello(self, by: str, subprotocol: str = MSGPACK, kind: str = "human") -> None:
        """Connect and be welcomed as a new identity."""
        self.connect(by, subprotocol)
        self.send(by, "hello", 1, by.capitalize(), "", kind, "conformance")
        self.told(by, "2.2", "welcome", 1, f"{{{by}}}", ANY, kind, f"{{{by}_token}}")

    def back(self, by: str, who: str) -> None:
        """Connect as `by`, with the token of `who`."""
        self.connect(by)
        self.send(by, "hello", 1, "", f"{{{who}_token}}")
        self.told(by, "2.1", "welcome", 1, f"{{{who}}}", f"{{{who}_name}}", "human", f"{{{who}_token}}")

    def lobby(self, host: str, *guests: str) -> None:
        """A private race on deal 617 with a free countdown: facts 1 (created), 2 and on (joined)."""
        seats = 1 + len(guests)
        self.send(host, "create", 1, "617", "classic", seats, False, False, 0, 600_000)
        self.told(host, "3.2", "in", 1, f"{{{host}_ch}}", "{race}", 0, 1)
        self.told(host, "4.4", "snap", f"{{{host}_ch}}", 2, "{race}", "lobby")
        present = [host]
        for seat, guest in enumerate(guests, 1):
            self.send(guest, "join", 1, "{race}")
            for other in present:
                told = (
                    "joined",
                    f"{{{other}_ch}}",
                    seat + 2,
                    ANY,
                    seat,
                    f"{{{guest}}}",
                    f"{{{guest}_name}}",
                    "human",
                )
                self.told(other, "4.1", *told)
            self.told(guest, "3.2", "in", 1, f"{{{guest}_ch}}", "{race}", seat, 1)
            self.told(guest, "4.4", "snap", f"{{{guest}_ch}}", seat + 2, "{race}", "lobby")
            present.append(guest)

    def start(self, k: int, *players: str) -> int:
        """Everybody is ready; returns the number of the `go` fact."""
        everybody = " ".join(players)
        for seat, player in enumerate(players):
            self.send(player, "ready", f"{{{player}_ch}}")
            k += 1
            self.all_told(everybody, "5.6", "readied", k, ANY, seat, True)
        self.all_told(everybody, "4.2", "countdown", k + 1, ANY, 0)
        self.all_told(everybody, "4.2", "go", k + 2, ANY, DEAL, START)
        return k + 2

    def done(self) -> Conversation:
        return Conversation(self._name, self._about, self._steps)
