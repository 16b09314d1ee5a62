"""Whether the server takes nobody new."""

LATER_MS = 2_000
"""After which one who was turned away may ask again: here, if it has not ended, or another node."""


class Closing:
    """`last_races`: those who race go on, nobody else comes in, and no race is opened."""

    def __init__(self) -> None:
        self.last_races = False
