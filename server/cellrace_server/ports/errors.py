"""How the world fails, as the services see it."""


class StoreUnavailable(Exception):
    """The store did not answer in time, refused the connection, or cannot write.

    For a write this means *unknown*, never *failed*: it may have been carried out. Every write of every port
    can be repeated until it is answered.
    """


class StoreCorrupt(Exception):
    """What the store holds under `key` cannot be what this program wrote."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key}: {why}")
        self.key = key
        self.why = why


class SolverUnavailable(Exception):
    """Nobody has solved what was asked: `why` says whether there are no workers, or what became of the one at work.

    The same question can be asked again.
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"not solved: {why}")
        self.why = why
