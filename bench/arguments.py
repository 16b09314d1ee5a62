"""The flags that the benchmarks of the server share."""

import argparse

from bench.contest import FULL, MOMENT, QUICK, Scale


def chosen_scale(about: str | None) -> Scale:
    """How long to measure, as the command line says."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    shorter = parser.add_mutually_exclusive_group()
    shorter.add_argument(
        "--quick", action="store_true", help="shorter samples: two minutes for all benchmarks"
    )
    shorter.add_argument(
        "--moment", action="store_true", help="one short sample each: whether it works at all"
    )
    parser.add_argument("--rounds", type=int, default=0, help="how often each contender takes its turn")
    parser.add_argument("--seconds", type=float, default=0.0, help="of each sample")
    chosen = parser.parse_args()
    scale = QUICK if chosen.quick else MOMENT if chosen.moment else FULL
    return Scale(chosen.rounds or scale.rounds, chosen.seconds or scale.seconds)
