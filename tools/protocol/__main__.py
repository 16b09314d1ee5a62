"""`python -m tools.protocol`: make the protocol's documents and vectors from its types (`--check`: name stale ones)."""

import argparse
import json
import sys
from pathlib import Path

from tools.protocol.openapi import openapi
from tools.protocol.reference import with_reference
from tools.protocol.schemas import asyncapi, schema
from tools.protocol.vectors import invalid_vectors, message_vectors

FOLDER = Path(__file__).parents[2] / "protocol"


def documents() -> dict[Path, str]:
    """What each generated file should hold."""
    specification = FOLDER / "SPEC.md"
    return {
        specification: with_reference(specification.read_text(encoding="utf-8")),
        FOLDER / "schema.json": _pretty(schema()),
        FOLDER / "asyncapi.json": _pretty(asyncapi()),
        FOLDER / "cellrace_protocol" / "openapi.json": _pretty(openapi()),
        FOLDER / "vectors" / "messages.json": _rows(message_vectors()),
        FOLDER / "vectors" / "invalid.json": _rows(invalid_vectors()),
    }


def stale() -> list[Path]:
    """The generated files that are not what they should be."""
    return [
        path
        for path, text in documents().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def _pretty(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rows(rows: list[dict[str, object]]) -> str:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when something is stale")
    if parser.parse_args().check:
        for path in (late := stale()):
            print(f"stale: {path.relative_to(FOLDER.parent)} (make generate)")
        return 1 if late else 0
    for path, text in documents().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
