"""`python -m bench`: all benchmarks one after the other; `python -m bench NAME …` one of them with its own flags."""

import runpy
import sys

BENCHMARKS = {"boards": "bench.boards", "engine": "bench.engine", "store": "bench.store"}


def main() -> int:
    """Returns 0, or 64 for a name that is none."""
    names = sys.argv[1:2] or list(BENCHMARKS)
    if names[0] not in BENCHMARKS:
        print(f"there is no benchmark {names[0]!r}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 64
    for name in names:
        print(f"== {name}", flush=True)
        sys.argv = [name, *sys.argv[2:]]
        runpy.run_module(BENCHMARKS[name], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
