"""`make autobahn`: Autobahn's fuzzing client against both ways of reading, and what came of it.

Needs `wstest` (Python 2.7) as its first argument; further ones are cases, such as `1.*`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

WAYS = ("fast", "library")
FINE = {"OK", "NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"}
FAILS_IN_THE_LIBRARY = {"7.1.5"}
"""A message that was begun, then a close: the library calls that an error and closes with 1002."""

NO_LIMIT = {"WEBSOCKETS_MAX_FRAGMENTS": "1000000"}


@contextmanager
def echo(way: str) -> Generator[int]:
    """An echo server; its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.autobahn.echo", way],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **NO_LIMIT},
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def run(wstest: str, cases: list[str], folder: Path) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """What Autobahn says of each case, by way of reading."""
    with echo(WAYS[0]) as fast, echo(WAYS[1]) as library:
        specification: dict[str, object] = {
            "outdir": str(folder / "reports"),
            "servers": [
                {"agent": way, "url": f"ws://127.0.0.1:{port}"}
                for way, port in zip(WAYS, (fast, library), strict=True)
            ],
            "cases": cases or ["*"],
            "exclude-cases": [],
            "exclude-agent-cases": {},
        }
        wanted = folder / "specification.json"
        wanted.write_text(json.dumps(specification))
        subprocess.run(
            [wstest, "-m", "fuzzingclient", "-s", str(wanted)], check=True, stdout=subprocess.DEVNULL
        )
    found: Mapping[str, Mapping[str, Mapping[str, str]]]
    found = json.loads((folder / "reports" / "index.json").read_text())
    return found


def main() -> int:
    """Returns 0 when nothing failed but what fails in the library itself, and both ways did the same."""
    with tempfile.TemporaryDirectory() as folder:
        found = run(sys.argv[1], sys.argv[2:], Path(folder))
    faults = 0
    for way in WAYS:
        cases = found[way]
        bad = {
            name: f"{case['behavior']}/{case['behaviorClose']}"
            for name, case in cases.items()
            if not {case["behavior"], case["behaviorClose"]} <= FINE
        }
        faults += len(bad.keys() - FAILS_IN_THE_LIBRARY)
        ran = sum(case["behavior"] != "UNIMPLEMENTED" for case in cases.values())
        print(f"{way}: {len(cases)} cases, {ran} of them for what we speak; not passed: {bad or 'none'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
