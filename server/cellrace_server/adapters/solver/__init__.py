"""The solver in processes of its own: `Workers` here, `worker` there, `messages` between them."""

from cellrace_server.adapters.solver.workers import Workers

__all__ = ["Workers"]
