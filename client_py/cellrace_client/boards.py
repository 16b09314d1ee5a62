"""Which board is meant."""

from typing import NamedTuple

from cellrace_protocol.commands import GetTop, Kind, Measure, Scope, Sight


class BoardQuery(NamedTuple):
    """The board of a deal or, with another `scope`, that of the ranked races of a UTC day, of its week, or of all
    times; `day` is like `2026-11-30`, empty for today."""

    deal: str = ""
    rules: str = "classic"
    kind: Kind = Kind.HUMAN
    by: Measure = Measure.TIME
    sight: Sight = Sight.ANY
    scope: Scope = Scope.DEAL
    day: str = ""

    def asked(self, r: int, count: int, offset: int, around: bool) -> GetTop:
        """The request for some of its rows."""
        return GetTop(
            r,
            self.deal,
            self.rules,
            self.kind,
            count,
            self.by,
            self.sight,
            offset,
            around,
            self.scope,
            self.day,
        )
