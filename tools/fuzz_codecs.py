"""`python -m tools.fuzz_codecs [SECONDS]`: atheris looks for bytes that make a decoder raise anything but `WireError`.

Starts from the vectors. Stops at the first such bytes or after so many seconds (600), and fails as well when memory has
grown. What atheris keeps of interest is thrown away: bytes that found a fault belong in `tools/protocol/invalid.py`.
"""

# pyright: reportUnknownMemberType=false, reportAttributeAccessIssue=false
# pyright: reportMissingImports=false, reportUnknownVariableType=false

import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports():
    from cellrace_protocol.codecs import CLIENT_CODECS, SERVER_CODECS, Codec
    from cellrace_protocol.errors import WireError

from tools.protocol.examples import client_examples, server_examples

CODECS: list[Codec[Any]] = [*SERVER_CODECS.values(), *CLIENT_CODECS.values()]
MEMORY_MOST_MB = 512


def one_input(data: bytes) -> None:
    """Hand the same bytes to every decoder."""
    for codec in CODECS:
        try:
            codec.decode(data if codec.binary else data.decode("utf-8", "surrogateescape"))
        except WireError:
            continue
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if used > MEMORY_MOST_MB:
        raise MemoryError(f"{used} MB in use")


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "600"
    with tempfile.TemporaryDirectory() as corpus:
        for number, message in enumerate((*client_examples(), *server_examples())):
            for codec in SERVER_CODECS.values():
                Path(corpus, f"{number}-{codec.subprotocol}").write_bytes(codec.encode(message))
        atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=2048", corpus], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
