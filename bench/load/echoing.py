"""Connections that send 12 bytes and wait for them to come back."""

import time
from collections.abc import Sequence

from bench.load.frames import frame
from bench.load.peers import Crowd, Peer
from bench.load.racers import DRAIN_S, WARM_S
from bench.meter import Meter

MESSAGE = frame(b"twelve bytes")


class Echoer(Peer):
    """Sends again whenever its message is back."""

    going = False
    done = 0
    sent = 0

    def shout(self) -> None:
        self.sent += 1
        self.send(MESSAGE)

    def received(self, data: bytes) -> None:
        """The whole frame, or something longer with a ping in it."""
        if len(data) != 14 or self.rest:
            super().received(data)
        else:
            self.heard(data)

    def heard(self, _payload: bytes, /) -> None:
        self.done += 1
        if self.going:
            self.shout()


def echo(crowd: Crowd, peers: Sequence[Echoer], seconds: float, meter: Meter) -> int:
    """Messages that came back while `meter` ran."""
    for peer in peers:
        peer.going = True
        peer.shout()
    began = time.perf_counter() + WARM_S
    crowd.drive(lambda: time.perf_counter() >= began, DRAIN_S)
    before = sum(peer.done for peer in peers)
    meter.start()
    began = time.perf_counter()
    crowd.drive(lambda: time.perf_counter() - began >= seconds, seconds + DRAIN_S)
    meter.stop()
    done = sum(peer.done for peer in peers) - before
    for peer in peers:
        peer.going = False
    crowd.drive(lambda: not any(peer.sent - peer.done for peer in peers), DRAIN_S)
    return done
