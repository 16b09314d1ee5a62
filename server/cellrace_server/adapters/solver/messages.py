"""What goes through the pipes of a worker: frames of MessagePack behind their length in four bytes."""

import struct

import msgspec

HEAD = struct.Struct("!I")
FRAME_MOST = 1 << 20


class Job(msgspec.Struct, frozen=True, array_like=True):
    """Solve a deal. Time counts from when the worker begins."""

    number: int
    rules: str
    nodes: int
    ms: int


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """The outcome of the job, in the terms of `ports.solver.Found`. `out_of_memory`: there is none; the worker ends."""

    verdict: str
    line: list[str]
    out_of_memory: bool = False


_encode = msgspec.msgpack.Encoder().encode
read_job = msgspec.msgpack.Decoder(Job).decode
read_answer = msgspec.msgpack.Decoder(Answer).decode


def framed(message: msgspec.Struct) -> bytes:
    """The message as it travels."""
    payload = _encode(message)
    return HEAD.pack(len(payload)) + payload
