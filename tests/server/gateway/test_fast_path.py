"""The fast path against its oracle, the library's own: the same messages, the same bytes back, the same end."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.asyncio.messages import MAX_FRAGMENTS
from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from cellrace_server.gateway.fast_path import FastWire
from cellrace_server.gateway.wire import ODD_FRAMES_MOST, TURN_BYTES, Wire

MOST = 2_048
TURNS_MOST = 500
"""For what one read brings here; after its end nobody takes the library's rest."""
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN = 0x80


class Transport:
    """What is written, and whether the connection was cut."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.ended = False
        self.cut = False
        self.reading = True

    def write(self, data: bytes) -> None:
        self.written += data

    def write_eof(self) -> None:
        self.ended = True

    def abort(self) -> None:
        self.cut = True

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self.cut

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, _name: str) -> None:
        return None

    def set_write_buffer_limits(self, *_: object) -> None:
        pass

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


class OpenDoor:
    """Implements `wire.Doorkeeper`, and what the library's connections ask of their server."""

    def __init__(self) -> None:
        self.handler_tasks: set[asyncio.Task[None]] = set()

    def knock(self, _wire: Wire, /) -> bool:
        return True

    def gone(self, _wire: Wire, /) -> None:
        pass

    async def handler(self, _wire: Wire) -> None:
        """Nobody: the test hears."""


class Seen(NamedTuple):
    """What came of some bytes."""

    messages: list[bytes | str]
    written: bytes
    ended: bool
    cut: bool
    state: State


class Line:
    """A connection after its handshake."""

    def __init__(self, kind: type[Wire], heard_from_the_start: bool = True) -> None:
        door, protocol = OpenDoor(), ServerProtocol(max_size=MOST, state=State.OPEN)
        self.wire = kind(door, protocol, cast("Any", door), ping_interval=None, close_timeout=1)
        self.wire.request = Request("/ws", Headers())
        self.transport = Transport()
        self.messages: list[bytes | str] = []
        self.wire.connection_made(cast("asyncio.Transport", self.transport))
        self._hearing: asyncio.Task[None] | None = None
        if heard_from_the_start:
            self.hear()

    def hear(self) -> None:
        self._hearing = asyncio.create_task(self.wire.hear(self.messages.append))

    async def read(self, *chunks: bytes) -> None:
        await self._settle()
        for chunk in chunks:
            if not self.transport.cut:
                self.wire.data_received(chunk)
                await self._settle()

    async def seen(self) -> Seen:
        """All of it; the connection is lost then."""
        await self._settle()
        state, cut = self.wire.state, self.transport.cut  # the library also cuts what is lost
        self.wire.connection_lost(None)
        await self._settle()
        assert self._hearing is not None
        assert self._hearing.done()
        written = bytes(self.transport.written)
        return Seen(self.messages, written, self.transport.ended, cut, state)

    async def _settle(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        for _ in range(TURNS_MOST):
            if self._hearing is None or not self.wire.behind:
                break
            await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0)


def frame(first: int, payload: bytes = b"", mask: bytes | None = b"\x01\x02\x03\x04") -> bytes:
    """A client's frame; without a mask one that no client may send."""
    length, flag = len(payload), 0 if mask is None else 0x80
    if length < 126:
        head = bytes((first, flag | length))
    elif length < 65_536:
        head = bytes((first, flag | 126)) + length.to_bytes(2, "big")
    else:
        head = bytes((first, flag | 127)) + length.to_bytes(8, "big")
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))


LENGTHS = st.sampled_from([0, 1, 2, 3, 17, 124, 125, 126, 127, 128, 300, MOST, MOST + 1, 65_536])
MASKS = st.binary(min_size=4, max_size=4)
TEXTS = st.text(max_size=40).map(str.encode)


@st.composite
def messages(draw: st.DrawFn) -> list[bytes]:
    """Frames of one message as a decent client may send it: whole or in parts, control frames in between."""
    opcode = draw(st.sampled_from([TEXT, BINARY]))
    payload = draw(TEXTS if opcode == TEXT else st.binary(max_size=300))
    cuts = sorted(draw(st.lists(st.integers(0, len(payload)), max_size=draw(st.sampled_from([0, 0, 0, 3])))))
    parts = [payload[one:other] for one, other in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
    frames: list[bytes] = []
    for number, part in enumerate(parts):
        first = (opcode if number == 0 else CONTINUED) | (FIN if number == len(parts) - 1 else 0)
        frames.append(frame(first, part, draw(MASKS)))
        if draw(st.integers(0, 5)) == 0:
            control = draw(st.sampled_from([PING, PONG]))
            frames.append(frame(FIN | control, draw(st.binary(max_size=125)), draw(MASKS)))
    return frames


def one_frame(first: int, payload: bytes, masked: bool = True) -> list[bytes]:
    return [frame(first, payload, b"\x05\x06\x07\x08" if masked else None)]


FIRSTS = st.sampled_from([FIN | TEXT, FIN | BINARY])
ODDITIES = st.one_of(
    st.builds(one_frame, FIRSTS, LENGTHS.map(bytes)),
    st.builds(one_frame, st.integers(0, 255), st.binary(max_size=130)),
    st.builds(one_frame, FIRSTS, st.binary(max_size=9), st.just(False)),
    st.builds(one_frame, FIRSTS, st.binary(max_size=9)),
    st.builds(one_frame, st.just(FIN | CLOSE), st.binary(max_size=9)),
    st.just([frame(FIN | CLOSE, b"\x03\xe8bye")]),
    st.just([frame(TEXT, b"\xf0\x9f"), frame(FIN | CONTINUED, b"\x83\x8f")]),
    st.lists(st.binary(min_size=1, max_size=12), min_size=1, max_size=1),
)


@st.composite
def conversations(draw: st.DrawFn) -> list[bytes]:
    """Bytes as they are read: what peers send, cut anywhere or nowhere."""
    decent = draw(st.lists(messages(), max_size=8))
    odd = draw(st.lists(ODDITIES, max_size=draw(st.sampled_from([0, 1, 2]))))
    frames = [one for group in draw(st.permutations([*decent, *odd])) for one in group]
    if draw(st.booleans()):
        return frames
    data = b"".join(frames)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    return [data[one:other] for one, other in zip([0, *cuts], [*cuts, len(data)], strict=True) if one < other]


def outcome(kind: type[Wire], chunks: Sequence[bytes], unheard: int = 0) -> Seen:
    """What comes of it; the first `unheard` chunks arrive before anybody hears."""

    async def talk() -> Seen:
        line = Line(kind, heard_from_the_start=not unheard)
        await line.read(*chunks[:unheard])
        if unheard:
            line.hear()
        await line.read(*chunks[unheard:])
        return await line.seen()

    return asyncio.run(talk())


@settings(max_examples=400, deadline=None)
@given(chunks=conversations(), unheard=st.sampled_from([0, 0, 0, 1, 3]))
@example(chunks=[frame(FIN | BINARY, b"ab")[:2], frame(FIN | BINARY, b"ab")[2:] * 1], unheard=0)
@example(chunks=[frame(FIN | BINARY, b"a") * 3 + frame(FIN | BINARY, b"bc")[:-1], b"?"], unheard=0)
@example(chunks=[frame(FIN | TEXT, b"\xff") + frame(FIN | BINARY, b"late")], unheard=0)
@example(chunks=[frame(BINARY, b"1") + frame(FIN | TEXT, b"2")], unheard=1)
def test_the_library_would_have_said_the_same(chunks: list[bytes], unheard: int) -> None:
    fast, library = outcome(FastWire, chunks, unheard), outcome(Wire, chunks, unheard)
    assert fast == library


AFTER_WHAT_IS_NO_TEXT = {
    "another message": [frame(FIN | BINARY, b"late")],
    "more that is no text": [frame(FIN | TEXT, b"\xfe")],
    "too long": one_frame(FIN | BINARY, bytes(MOST + 1)),
    "a part": [frame(BINARY, b"1")],
    "no message begun": [frame(FIN | CONTINUED)],
    "no mask": one_frame(FIN | BINARY, b"x", masked=False),
    "no such frame": [frame(FIN | 3)],
    "a reserved bit": [frame(0xC0 | BINARY)],
    "ping": [frame(FIN | PING, b"hi")],
    "pong": [frame(FIN | PONG)],
    "close": [frame(FIN | CLOSE, b"\x03\xe8bye")],
    "close without a code": [frame(FIN | CLOSE)],
    "a bad close": [frame(FIN | CLOSE, b"\x00\x01")],
    "half of one": [frame(FIN | BINARY, b"late")[:5]],
}


@pytest.mark.parametrize("rest", AFTER_WHAT_IS_NO_TEXT.values(), ids=AFTER_WHAT_IS_NO_TEXT)
@pytest.mark.parametrize("before", [[], [frame(FIN | BINARY, b"before")], [frame(FIN | TEXT, b"before")]])
@pytest.mark.parametrize(
    "bad",
    [[frame(FIN | TEXT, b"\xff")], [frame(TEXT, b"\xff"), frame(FIN | CONTINUED)]],
    ids=["whole", "parts"],
)
def test_what_follows_what_is_no_text(before: list[bytes], bad: list[bytes], rest: list[bytes]) -> None:
    """Also in the same read: the library looks at all of that before anybody hears of the first."""
    chunks = [*before, *bad, *rest]
    assert outcome(FastWire, chunks) == outcome(Wire, chunks)
    assert outcome(FastWire, [b"".join(chunks)]) == outcome(Wire, [b"".join(chunks)])


INNER = frame(FIN | BINARY, b"inner")


@pytest.mark.parametrize("first", [FIN | BINARY, BINARY])
@pytest.mark.parametrize("cut", range(1, 6 + len(INNER)))
def test_what_looks_like_a_frame_inside_another_is_none(first: int, cut: int) -> None:
    """Wherever the outer one is cut, the next read begins with something that might be one."""
    outer = frame(first, INNER, b"\0\0\0\0")
    chunks = [outer[:cut], outer[cut:], INNER, frame(FIN | CONTINUED)]
    fast, library = outcome(FastWire, chunks), outcome(Wire, chunks)
    assert fast == library


@pytest.mark.parametrize("opcode", range(16))
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("fin", [0, FIN])
@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, MOST, MOST + 1])
def test_every_opcode_and_length(opcode: int, fin: int, length: int, masked: bool) -> None:
    odd = one_frame(fin | opcode, b"x" * length, masked)
    chunks = [frame(FIN | BINARY, b"before"), *odd, frame(FIN | TEXT, b"after")]
    assert outcome(FastWire, chunks) == outcome(Wire, chunks)
    assert outcome(FastWire, [b"".join(chunks)]) == outcome(Wire, [b"".join(chunks)])


@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_too_many_parts_end_it(kind: type[Wire]) -> None:
    """Also where they come slowly enough to be looked at in between."""

    async def talk() -> Seen:
        line = Line(kind)
        await line.read(frame(BINARY))
        for _ in range(MAX_FRAGMENTS // ODD_FRAMES_MOST + 1):
            line.wire.stuck()
            await line.read(frame(CONTINUED) * (ODD_FRAMES_MOST - 1))
        return await line.seen()

    seen = asyncio.run(talk())
    assert seen.messages == []
    assert seen.written[:4] == bytes((0x88, 20)) + (1009).to_bytes(2, "big")


@pytest.mark.parametrize(
    "unusual",
    [
        [frame(FIN | PING, b"hi")],
        [frame(FIN | PONG)],
        [frame(FIN | BINARY, b"x" * 126)],
        [frame(BINARY, b"1"), frame(FIN | PING), frame(FIN | CONTINUED, b"2")],
        [bytes((byte,)) for byte in frame(FIN | BINARY, b"drop by drop")],
        [frame(FIN | BINARY, b"one") + frame(FIN | BINARY, b"two")[:1], frame(FIN | BINARY, b"two")[1:]],
    ],
    ids=["ping", "pong", "long", "parts", "byte by byte", "one and a half"],
)
def test_after_anything_unusual_it_is_fast_again(unusual: list[bytes]) -> None:
    async def talk() -> None:
        line = Line(FastWire)
        assert isinstance(line.wire, FastWire)
        usual = frame(FIN | BINARY, b"usual")
        await line.read(usual * 2)
        assert line.wire.taken == 2
        await line.read(*unusual)
        before = line.wire.taken
        await line.read(usual, usual * 2)
        assert line.wire.taken == before + 3
        assert line.messages[-3:] == [b"usual"] * 3
        await line.seen()

    asyncio.run(talk())


def test_the_library_does_not_see_pongs() -> None:
    """Who looks on sends nothing else, and there may be thousands."""

    async def talk() -> None:
        line = Line(FastWire)
        await line.read(frame(FIN | BINARY, b"usual"))
        with patch.object(line.wire.protocol, "receive_data") as seen:
            line.wire.probe(60)
            await line.read(frame(FIN | PONG, bytes(line.transport.written[-4:])) + frame(FIN | PONG))
            await line.read(frame(FIN | BINARY, b"next"))
        assert not seen.called
        assert line.wire.latency > 0
        assert line.messages == [b"usual", b"next"]
        await line.seen()

    asyncio.run(talk())


@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_pongs_without_end_are_cut(kind: type[Wire]) -> None:
    async def talk() -> None:
        line = Line(kind)
        for _ in range(ODD_FRAMES_MOST):
            await line.read(frame(FIN | PONG, b"none"))
        assert not line.transport.cut
        await line.read(frame(FIN | PONG, b"none"))
        assert line.transport.cut
        await line.seen()

    asyncio.run(talk())


@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_a_burst_of_one_peer_is_heard_in_turns_and_in_order(kind: type[Wire]) -> None:
    """Also where its rest is followed by more, or begins with what only the library reads."""

    async def talk() -> None:
        line = Line(kind)
        await line.read(frame(FIN | BINARY, b"first"))
        small = [b"%03d" % number for number in range(200)]
        burst = frame(FIN | PING) + b"".join(frame(FIN | BINARY, payload) for payload in small[:150])
        line.wire.data_received(burst)
        line.wire.data_received(b"".join(frame(FIN | BINARY, payload) for payload in small[150:]))
        turns = 0
        while line.wire.behind:
            before = len(line.messages)
            await asyncio.sleep(0)
            assert len(line.messages) - before <= TURN_BYTES // 9 + 1, "a turn is short"
            turns += 1
        assert turns > 5
        assert line.transport.reading
        await line.seen()
        assert line.messages == [b"first", *small]

    asyncio.run(talk())


@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_what_comes_before_anybody_hears_is_not_read_without_bound(kind: type[Wire]) -> None:
    async def talk() -> None:
        line = Line(kind, heard_from_the_start=False)
        line.wire.data_received(frame(FIN | BINARY, b"x") * 500)
        for _ in range(50):
            await asyncio.sleep(0)
        assert line.wire.messages < 100
        assert not line.transport.reading
        line.hear()
        await line.seen()
        assert line.messages == [b"x"] * 500

    asyncio.run(talk())


def test_a_limit_below_short_messages_is_the_librarys_to_keep() -> None:
    async def talk() -> Seen:
        door, protocol = OpenDoor(), ServerProtocol(max_size=10, state=State.OPEN)
        line = Line(FastWire)
        line.wire = FastWire(door, protocol, cast("Any", door), ping_interval=None)
        line.wire.request = Request("/ws", Headers())
        line.wire.connection_made(cast("asyncio.Transport", line.transport))
        line.hear()
        await line.read(frame(FIN | BINARY, b"x" * 11))
        return await line.seen()

    assert asyncio.run(talk()).written[2:4] == (1009).to_bytes(2, "big")


@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_a_pong_tells_how_long_it_took_and_one_too_late_ends_it(kind: type[Wire]) -> None:
    async def talk() -> None:
        line = Line(kind)
        line.wire.probe(0)
        sent = bytes(line.transport.written)
        assert sent[:2] == b"\x89\x04"
        await line.read(frame(FIN | PONG, b"none"))
        assert line.wire.latency == 0
        await line.read(frame(FIN | PONG, sent[2:]))
        assert line.wire.latency > 0
        line.wire.probe(60)
        line.wire.probe(60)
        assert len(line.transport.written) == 2 * len(sent)
        line.wire.probe(0)
        seen = await line.seen()
        assert seen.written[2 * len(sent) + 2 :][:2] == (1011).to_bytes(2, "big")
        assert seen.ended

    asyncio.run(talk())


class Clock:
    """In place of a wire's event loop: says what time it is."""

    now = 100.0

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(delay, call)


@pytest.mark.spec("1.8")
@pytest.mark.parametrize("kind", [FastWire, Wire])
def test_a_pong_is_late_at_the_look_that_comes_when_it_is_all_but_late(kind: type[Wire]) -> None:
    """Looks are as far apart as pongs may take: at the one after that the peer would have had twice the time."""

    async def talk() -> None:
        line, clock = Line(kind), Clock()
        line.wire.loop = cast("Any", clock)
        line.wire.probe(5)
        pinged = len(line.transport.written)
        clock.now += 4.8
        line.wire.probe(5)
        assert len(line.transport.written) == pinged, "there is time yet"
        clock.now += 0.199
        line.wire.probe(5)
        seen = await line.seen()
        assert seen.written[pinged + 2 :][:2] == (1011).to_bytes(2, "big")

    asyncio.run(talk())
