"""`python -m tools.library`: make the library's reference from its docstrings (`--check`: say whether it is stale)."""

import argparse
import sys
from pathlib import Path

from tools.library.reference import reference

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "client.md"


def stale() -> bool:
    """Whether the page is not what it should be."""
    return not PAGE.exists() or PAGE.read_text(encoding="utf-8") != reference()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the page is stale")
    if parser.parse_args().check:
        if stale():
            print(f"stale: {PAGE.relative_to(ROOT)} (make generate)")
            return 1
        return 0
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(reference(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
