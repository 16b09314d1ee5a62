"""The searches that answer quickly together: short tries with different weights, then a long one."""

from cellrace_engine.solver.evaluate import Weights

FIRST = Weights(
    home=-1.39,
    spread=0.2,
    step=0.39,
    cells=(1.87, 2.31, 2.54, 3.27),
    columns=(-2.16, -1.94, -1.77),
    broken=0.66,
    run=-0.63,
    blocking=0.685,
    urgent=(0.79, 0.33, 0.15, -0.1),
    king=-0.39,
    base=0.106,
)
SECOND = Weights(
    home=-3.0,
    spread=0.0,
    step=0.0,
    cells=(1.5, 1.5, 1.5, 3.0),
    columns=(-3.0, -3.0, -3.0),
    broken=1.0,
    run=-0.2,
    blocking=0.6,
    urgent=(1.0, 0.5, 0.2, 0.0),
    king=0.0,
    base=0.1,
)

# Weights and the nodes they may open; the last goes on as long as the limits let it.
TRIES: tuple[tuple[Weights, int], ...] = ((FIRST, 700), (SECOND, 700))
LAST = FIRST
