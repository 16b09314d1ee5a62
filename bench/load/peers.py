"""Connections of the load generator. They are opened and asked one at a time, then driven all at once."""

import contextlib
import itertools
import select
import socket
import time
from collections.abc import Callable, Iterable
from typing import Self

from bench.load.frames import CLOSE, decode, encode, frame, handshake, split

READ = 65_536
ANSWER_S = 20.0
CLOSING, PING, PONG = 0x88, 0x89, 0x8A

_addresses = itertools.count(2)


class Closed(Exception):
    """The server has closed a connection in the middle of a measurement."""


def _own_address() -> tuple[str, int]:
    """Every connection comes from an address of its own, as limits by address would have it in the world."""
    number = next(_addresses)
    return f"127.{1 + (number >> 16) % 200}.{(number >> 8) & 0xFF}.{number & 0xFF}", 0


class Peer:
    """One connection. While it is driven, `received` is told every read, in whole frames or not."""

    def __init__(self, port: int, subprotocol: str = "", wait: bool = True) -> None:
        """Without `wait` the handshake is only begun: `opened` goes on with it."""
        self.socket = socket.create_connection(
            ("127.0.0.1", port), timeout=ANSWER_S, source_address=_own_address()
        )
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send = self.socket.send
        self.recv = self.socket.recv
        self.rest = b""
        self.bytes_in = 0
        self._hung_up = False
        try:
            self.socket.sendall(handshake(subprotocol))
            if wait:
                self.opened()
        except BaseException:
            self.socket.close()
            raise

    def opened(self) -> None:
        """Wait for the end of the handshake."""
        head = b""
        while b"\r\n\r\n" not in head:
            got = self.recv(READ)
            if not got:
                raise Closed(head.decode())
            head += got
        answer, _, self.rest = head.partition(b"\r\n\r\n")
        if b" 101 " not in answer:
            raise Closed(answer.decode())

    def say(self, *message: object) -> None:
        self.socket.sendall(frame(encode(message)))

    def ask(self, *message: object, until: str) -> list[object]:
        """Say something and wait for a message of a name; what comes before it is passed over."""
        self.say(*message)
        return self.wait(until)

    def wait(self, name: str) -> list[object]:
        """The next message of a name. Raises `TimeoutError`, `Closed`."""
        while True:
            message = decode(self.next_frame())
            if message[0] == name:
                return message
            if message[0] in ("error", "no"):
                raise Closed(str(message))

    def next_frame(self) -> bytes:
        """The payload of the next data frame."""
        while True:
            frames, self.rest = split(self.rest, 1)
            if not frames:
                self._read()
            elif frames[0][0] == PING:
                self.pong(frames[0][1])
            elif frames[0][0] == CLOSING:
                raise Closed(str(frames[0][1]))
            else:
                return frames[0][1]

    def _read(self) -> None:
        data = self.recv(READ)
        if not data:
            raise Closed("the connection ended")
        self.rest += data

    def pong(self, payload: bytes) -> None:
        """Answer a ping."""
        answer = bytearray(frame(payload))
        answer[0] = PONG
        self.send(bytes(answer))

    def received(self, data: bytes) -> None:
        """A read while the connection is driven: pings are answered, all else is for subclasses."""
        if not data:
            raise Closed("the connection ended")
        self.bytes_in += len(data)
        frames, self.rest = split(self.rest + data)
        for first, payload in frames:
            if first == PING:
                self.pong(payload)
            else:
                self.heard(payload)

    def heard(self, payload: bytes, /) -> None:
        """One data frame while the connection is driven."""

    def hang_up(self) -> None:
        """Begin the closing handshake; `close` goes on with it."""
        self._hung_up = True
        self.socket.sendall(CLOSE)

    def close(self) -> None:
        """The closing handshake, as far as it goes, and the end."""
        try:
            self.socket.settimeout(ANSWER_S)
            if not self._hung_up:
                self.hang_up()
            while self.recv(READ):
                pass
        except OSError:
            pass
        self.socket.close()


class Crowd:
    """Connections that are driven together on one epoll; whoever is not measured just answers pings."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._by_fd: dict[int, Peer] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove(list(self._by_fd.values()))
        self._poll.close()

    def add(self, peers: Iterable[Peer]) -> None:
        """Drive these too. They cannot be asked one by one any more."""
        for peer in peers:
            peer.socket.setblocking(False)
            self._by_fd[peer.socket.fileno()] = peer
            self._poll.register(peer.socket.fileno(), select.EPOLLIN)

    def remove(self, peers: Iterable[Peer]) -> None:
        """Close these."""
        for peer in peers:
            if self._by_fd.pop(peer.socket.fileno(), None) is not None:
                self._poll.unregister(peer.socket.fileno())
                with contextlib.suppress(OSError):
                    peer.socket.send(CLOSE)
                peer.socket.close()

    def forsake(self, peer: Peer) -> None:
        """Never read from it again."""
        del self._by_fd[peer.socket.fileno()]
        self._poll.unregister(peer.socket.fileno())

    def drive(self, over: Callable[[], bool], seconds: float) -> None:
        """Hand on whatever comes until `over`. Raises `TimeoutError` when it is not after so many seconds."""
        deadline = time.perf_counter() + seconds
        poll, by_fd = self._poll.poll, self._by_fd
        while not over():
            for fd, _ in poll(0.02):
                peer = by_fd[fd]
                peer.received(peer.recv(READ))
            if time.perf_counter() > deadline:
                raise TimeoutError("the server did not do its work in time")

    def rest(self) -> None:
        """Answer the pings that have come; to be called every second or two."""
        for fd, _ in self._poll.poll(0):
            peer = self._by_fd[fd]
            peer.received(peer.recv(READ))
