"""Every exception of the package.

Expected refusals of a move are values (`cellrace_engine.refusal`); the exceptions are for callers that pass
what cannot be right, and for those who asked for an exception (`Line.play`, `Game.push`).
"""

from typing import Any

from cellrace_engine.refusal import Refusal


class EngineError(ValueError):
    """The base of all exceptions of this package. All of them can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        # The usual way calls the class with `args`, which are not what most constructors here take.
        return _remade, (type(self), self.args), dict(self.__dict__)


def _remade(kind: type[EngineError], args: tuple[Any, ...]) -> EngineError:
    return kind.__new__(kind, *args)


class CardError(EngineError):
    """A text that names no card."""


class PositionError(EngineError):
    """A position that cannot be: its text is malformed, or its cards are not the 52 of a deck."""


class RulesError(EngineError):
    """A value that a field of a rule set cannot take."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.fault = message


class DealError(EngineError):
    """A deal number or deal code that cannot be right; `part` names the part that is wrong.

    `part` is one of `"format"`, `"cells"` and `"number"`.
    """

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


class IllegalMove(EngineError):
    """A move (or an undo, or a restart) that the rules refuse; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class NotationError(EngineError):
    """A text that is no move, or that could be several; `refusal` says what is wrong with it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class ReplayError(EngineError):
    """A replay document that is malformed; `where` is the path to the faulty field, `fault` what is wrong."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where
        self.fault = message
