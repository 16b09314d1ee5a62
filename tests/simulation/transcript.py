"""Everything that is said and stored in some histories: `python -m tests.simulation.transcript SEED HISTORIES`."""

import sys

from hypothesis import Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.test_histories import SETTINGS, Histories
from tests.simulation.world import World


def record(line: str) -> None:
    sys.stdout.write(line + "\n")


class Recorded(Histories):
    """One history, written down."""

    def begin_world(self) -> World:
        record("a history")
        return World(self.tally, record)


def main() -> None:
    number, histories = map(int, sys.argv[1:])
    as_many = settings(SETTINGS, max_examples=histories, phases=[Phase.generate])
    run_state_machine_as_test(seed(number)(Recorded), settings=as_many)


if __name__ == "__main__":
    main()
