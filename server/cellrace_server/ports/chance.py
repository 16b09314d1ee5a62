"""Chance as the services see it: everything drawn, in one place."""

from typing import Protocol


class Chance(Protocol):
    def race_id(self) -> str:
        """A new race's id: letters only, none that look alike. May collide: the log refuses a second race of a name."""
        ...

    def token(self) -> str:
        """A secret that nobody can guess."""
        ...

    def salt(self) -> bytes:
        """Random bytes for a race's commitment."""
        ...

    def deal_number(self, first: int, last: int, /) -> int:
        """A number from `first` to `last`, both included; nobody can foresee it."""
        ...

    def guest_name(self) -> str:
        """A friendly made-up name. May repeat."""
        ...
