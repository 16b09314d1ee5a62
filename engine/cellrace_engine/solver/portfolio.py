"""The searches that answer quickly together: short tries with different weights, then a long one.

Each set of weights is lost now and then in a deal that another solves at once, so that several short
tries have a much shorter tail than one long search.
"""

from dataclasses import replace

from cellrace_engine.solver.evaluate import Weights

QUICK = Weights(
    home=-1.69,
    spread=0.2,
    step=0.51,
    cells=(1.7, 2.31, 1.93, 3.27),
    columns=(-3.61, -1.94, -1.52),
    broken=0.66,
    run=-0.63,
    blocking=0.62,
    urgent=(0.54, 0.33, 0.14, -0.11),
    king=-0.39,
    base=0.11,
)
PLAIN = Weights(
    home=-3.0,
    spread=0.0,
    step=1.2,
    cells=(1.5, 1.5, 1.5, 3.0),
    columns=(-3.0, -3.0, -3.0),
    broken=1.0,
    run=-0.2,
    blocking=0.6,
    urgent=(1.0, 0.5, 0.2, 0.0),
    king=0.0,
    base=0.1,
)
ROOTED = Weights(
    home=-1.39,
    spread=0.3,
    step=1.2,
    cells=(0.95, 2.31, 1.93, 2.75),
    columns=(-3.54, -1.94, -1.52),
    broken=0.66,
    run=-0.63,
    blocking=0.31,
    urgent=(0.77, 0.33, 0.14, -0.11),
    king=-0.46,
    base=0.64,
)

# Weights and the nodes they may open, one after the other.
TRIES: tuple[tuple[Weights, int], ...] = (
    (QUICK, 300),
    (PLAIN, 1_500),
    (ROOTED, 2_500),
    (replace(PLAIN, step=1.6), 5_000),
    (QUICK, 5_000),
    (replace(QUICK, step=1.6), 10_000),
)
# Goes on as long as the limits let it; where there is no way to win, it sees every state.
LAST = replace(QUICK, step=1.2)

# Each move that a line takes counts so much here that short lines come first: for par.
THRIFTY: tuple[tuple[Weights, int], ...] = (
    (replace(QUICK, step=1.6), 2_000),
    (replace(QUICK, step=2.0), 4_000),
    (replace(PLAIN, step=2.0), 4_000),
    (replace(QUICK, step=2.5), 6_000),
)
