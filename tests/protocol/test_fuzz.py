"""Three hundred thousand broken messages: nothing but `WireError` comes of them, and no memory goes with them."""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.protocol.examples import client_examples, server_examples

from cellrace_protocol.codecs import CLIENT_CODECS, SERVER_CODECS, Codec
from cellrace_protocol.errors import WireError

CODECS: list[Codec[Any]] = [*SERVER_CODECS.values(), *CLIENT_CODECS.values()]
EXAMPLES = 900
INPUTS_EACH = 75_000
"""Of four codecs: 300,000 together."""


def _broken(sound: bytes, noise: bytes, place: int) -> list[bytes]:
    """Every truncation, and at every place a changed, an added and a missing byte."""
    broken: list[bytes] = []
    for at in range(len(sound)):
        byte = noise[at % len(noise) :][:1]
        broken += [sound[:at], sound[:at] + byte + sound[at + 1 :], sound[:at] + byte + sound[at:]]
    cut = place % (len(sound) + 1)
    return [*broken, sound[:cut] + noise + sound[cut:], noise]


def _decode(codec: Codec[Any], payload: bytes) -> None:
    try:
        codec.decode(payload if codec.binary else payload.decode("utf-8", "replace"))
    except WireError as error:
        assert error.text  # noqa: PT017 - any of them will do


@pytest.mark.spec("1.6")
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.subprotocol)
def test_broken_messages_are_refused_and_cost_nothing(codec: Codec[Any]) -> None:
    sound = [codec.encode(message) for message in (*client_examples(), *server_examples())]
    counted = 0

    @settings(max_examples=EXAMPLES)
    @given(st.sampled_from(sound), st.binary(min_size=1, max_size=48), st.integers(0, 1_000))
    def break_them(message: bytes, noise: bytes, place: int) -> None:
        nonlocal counted
        for payload in _broken(message[:200], noise, place):
            _decode(codec, payload)
            counted += 1

    break_them()
    assert counted >= INPUTS_EACH


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.subprotocol)
def test_decoding_never_takes_much_more_memory_than_the_frame(codec: Codec[Any]) -> None:
    announced = [bytes.fromhex(f"{first}ffffffff") for first in ("dd", "df", "c6", "db", "c9")]
    nested = [b"\x91" * 2_000, b"[" * 2_000, b"\x81" * 2_000, b'["m",0,1,"26",' + b"[" * 1_900]
    tracemalloc.start()
    try:
        for payload in (*announced, *nested):
            _decode(codec, payload)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 256 * 1024
