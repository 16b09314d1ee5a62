"""Our frames against those of the `websockets` library."""

import pytest
from websockets.frames import Frame, Opcode

from cellrace_server.gateway.frames import frame

LENGTHS = [0, 1, 2, 124, 125, 126, 127, 128, 255, 256, 65_534, 65_535, 65_536, 65_537, 200_000]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(("binary", "opcode"), [(True, Opcode.BINARY), (False, Opcode.TEXT)])
def test_a_frame_is_what_the_library_would_send(length: int, binary: bool, opcode: Opcode) -> None:
    payload = bytes(n % 251 for n in range(length))
    assert frame(payload, binary) == Frame(opcode, payload).serialize(mask=False)
