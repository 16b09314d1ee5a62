"""Replay documents: what was played, as text that any later version reads and re-runs."""

from cellrace_engine.replay.document import (
    Action,
    PlayerKind,
    PlayerRun,
    Replay,
    Result,
)
from cellrace_engine.replay.text import from_json, to_json
from cellrace_engine.replay.verify import Failure, Verification, perform, verify

__all__ = [
    "Action",
    "Failure",
    "PlayerKind",
    "PlayerRun",
    "Replay",
    "Result",
    "Verification",
    "from_json",
    "perform",
    "to_json",
    "verify",
]
