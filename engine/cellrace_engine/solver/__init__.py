"""Solve positions: a line that wins, the proof that there is none, or *unknown* within limits.

Nothing else in the engine imports this package. It is pure like the rest: time is the caller's.
"""

from cellrace_engine.solver.hints import Assessment, assess, hint
from cellrace_engine.solver.limits import Limits, Solution, Stop, Verdict
from cellrace_engine.solver.solving import solve

__all__ = ["Assessment", "Limits", "Solution", "Stop", "Verdict", "assess", "hint", "solve"]
