"""Solve positions: a line that wins, the proof that there is none, or *unknown* within limits.

Nothing else in the engine imports this package. It is pure like the rest: time is the caller's.
"""

from cellrace_engine.solver.limits import Limits, Solution, Verdict
from cellrace_engine.solver.solving import Stop, solve

__all__ = ["Limits", "Solution", "Stop", "Verdict", "solve"]
