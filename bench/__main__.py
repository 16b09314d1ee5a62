"""`python -m bench`, or `python -m bench all`: all benchmarks one after the other; `python -m bench NAME …` one of them
with its own flags. `--quick` for all: those of the server, in some two minutes."""

import runpy
import sys

SERVER = ("race", "fanout", "memory", "join", "stalled")
LONG = ("races", "idle", "page")
"""Not among all: a quarter of an hour, very many files, or a browser."""

BENCHMARKS = ("boards", "engine", "ratings", "store", *SERVER)


def main() -> int:
    """Returns 0, or 64 for a name that is none."""
    words = sys.argv[1:]
    name = words.pop(0) if words and not words[0].startswith("-") else "all"
    if name not in (*BENCHMARKS, *LONG, "all"):
        print(f"there is no benchmark {name!r}; there are {', '.join((*BENCHMARKS, *LONG))}", file=sys.stderr)
        return 64
    everything = SERVER if words else BENCHMARKS
    for chosen in everything if name == "all" else (name,):
        print(f"== {chosen}", flush=True)
        sys.argv = [chosen, *words]
        runpy.run_module(f"bench.{chosen}", run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
