"""How much may be asked in how much time: token buckets by endpoint, of a connection and of an address.

Pure: instants are arguments, in seconds on any clock that does not go back.
"""

import enum
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple, Self

PURSE = 64
"""Messages that are paid for at once, so that most of them need no clock."""

OFFENCES_AT_ONCE, OFFENCES_A_MINUTE = 500, 300
"""Refusals for want of credit after which a connection is closed: whoever waits as told has none."""

ROUNDING = 1e-6
"""Part of a credit that arithmetic may lose, so that waiting as told is enough."""


class Endpoint(enum.StrEnum):
    """What is counted. `MESSAGES` are all of them, each of the others has credits of its own besides; `CONNECTIONS`
    are handshakes, of an address only."""

    MESSAGES = "messages"
    HELLOS = "hellos"
    CREATIONS = "creations"
    JOINS = "joins"
    QUERIES = "queries"
    CONNECTIONS = "connections"


class Rate(NamedTuple):
    """So many at once, and so many more in a minute."""

    capacity: int
    per_minute: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """`1000/30000`; `None` for `off`. Raises `ValueError` for anything else."""
        if text == "off":
            return None
        capacity, mark, per_minute = text.partition("/")
        if not (
            mark and capacity.isdecimal() and per_minute.isdecimal() and int(capacity) and int(per_minute)
        ):
            raise ValueError(f"{text!r} is neither `off` nor two numbers above 0 like 100/60")
        return cls(int(capacity), int(per_minute))


Rates = Mapping[Endpoint, Rate]
"""An endpoint that is missing has no limit."""


class Limits(NamedTuple):
    """What a connection may ask, and all connections of an address together."""

    per_connection: Rates
    per_address: Rates


class Bucket:
    """Credits of one kind: full at first, and filled again at a steady rate."""

    __slots__ = ("_at", "_per_second", "_used", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._per_second = rate.per_minute / 60
        self._used = 0.0
        self._at = 0.0

    def available(self, now: float) -> int:
        """Whole credits that can be taken now."""
        return int(self.rate.capacity - self._used_at(now) + ROUNDING)

    def wait(self, now: float) -> float:
        """Seconds until a credit can be taken, if nobody else takes it; 0 when there is one."""
        short = self._used_at(now) + 1 - self.rate.capacity
        return short / self._per_second if short > ROUNDING else 0.0

    def take(self, now: float, count: int = 1) -> None:
        """Take credits. That there are as many is not checked."""
        self._used = self._used_at(now) + count
        self._at = now

    def full(self, now: float) -> bool:
        """As if nothing had ever been taken."""
        return self._used_at(now) <= ROUNDING

    def _used_at(self, now: float) -> float:
        return max(0.0, self._used - (now - self._at) * self._per_second)


class Purse:
    """The buckets of one connection, or of one address; each is made when it is first needed."""

    __slots__ = ("_buckets", "_rates")

    def __init__(self, rates: Rates) -> None:
        self._rates = rates
        self._buckets: dict[Endpoint, Bucket] = {}

    def bucket(self, endpoint: Endpoint) -> Bucket | None:
        """`None` where there is no limit."""
        bucket = self._buckets.get(endpoint)
        if bucket is None and (rate := self._rates.get(endpoint)) is not None:
            bucket = self._buckets[endpoint] = Bucket(rate)
        return bucket

    def full(self, now: float) -> bool:
        """Nothing would be lost if it were forgotten."""
        return all(bucket.full(now) for bucket in self._buckets.values())


class Shortage(NamedTuple):
    """Why something is refused for now. `retry_after` in ms: the same again after it works, if nobody else of the
    address has taken the credit meanwhile."""

    endpoint: Endpoint
    scope: str
    rate: Rate
    retry_after: int

    @property
    def text(self) -> str:
        """In words for whoever asked."""
        return (
            f"too many {self.endpoint}: {self.rate.capacity} at once and then {self.rate.per_minute} a minute "
            f"are the most of {self.scope}"
        )


class Allowance:
    """What one connection may ask, out of its own credits and those of its address."""

    __slots__ = ("_clock", "_offences", "_own", "_paid", "_shared", "limits")

    def __init__(self, limits: Limits, shared: Purse, clock: Callable[[], float]) -> None:
        self.limits = limits
        self._own = Purse(limits.per_connection)
        self._shared = shared
        self._clock = clock
        self._paid = 0
        self._offences: Bucket | None = None

    def message(self) -> Shortage | None:
        """Pay for one message of any kind; `None`: it is paid for."""
        if self._paid:
            self._paid -= 1
            return None
        return self._pay_ahead()

    def request(self, endpoint: Endpoint) -> Shortage | None:
        """Pay for one request of a kind, of which there are few."""
        now = self._clock()
        short = self._shortage(endpoint, now)
        if short is None:
            for bucket in (self._own.bucket(endpoint), self._shared.bucket(endpoint)):
                if bucket is not None:
                    bucket.take(now)
        return short

    def offence(self) -> bool:
        """Something was refused for want of credit; whether that has happened too often now."""
        if self._offences is None:
            self._offences = Bucket(Rate(OFFENCES_AT_ONCE, OFFENCES_A_MINUTE))
        now = self._clock()
        if self._offences.wait(now):
            return True
        self._offences.take(now)
        return False

    def _pay_ahead(self) -> Shortage | None:
        now = self._clock()
        short = self._shortage(Endpoint.MESSAGES, now)
        if short is not None:
            return short
        own, shared = self._own.bucket(Endpoint.MESSAGES), self._shared.bucket(Endpoint.MESSAGES)
        count = PURSE
        if own is not None:
            count = min(count, own.available(now))
        if shared is not None:  # others live on it too, and what is left of a connection's purse is lost
            count = min(count, max(1, shared.available(now) // PURSE))
        for bucket in (own, shared):
            if bucket is not None:
                bucket.take(now, count)
        self._paid = count - 1
        return None

    def _shortage(self, endpoint: Endpoint, now: float) -> Shortage | None:
        """What lacks for longest."""
        found: Shortage | None = None
        for scope, purse in (("one connection", self._own), ("one address", self._shared)):
            bucket = purse.bucket(endpoint)
            wait = bucket.wait(now) if bucket is not None else 0.0
            if bucket is not None and wait:
                short = Shortage(endpoint, scope, bucket.rate, math.ceil(wait * 1_000))
                found = short if found is None or found.retry_after < short.retry_after else found
        return found


NO_LIMITS = Limits({}, {})
