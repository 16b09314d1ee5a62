"""Who may come in: origins, room for one more, and how many an address has already."""

import http
import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cellrace_protocol.events import Limit
from cellrace_server.gateway.addresses import Account, Accounts, Address, Networks, client_of, neighbourhood
from cellrace_server.gateway.credits import NO_LIMITS, Allowance, Endpoint, Limits
from cellrace_server.gateway.http import TEXT, Answer
from cellrace_server.gateway.patience import PATIENCE

FULL_RETRY_S = 10
"""Seconds after which one who was turned away from a full house may ask again."""

HANDSHAKES_MOST = 1_000
"""Handshakes under way at the most, besides the connections that there may be."""

NOWHERE = Networks(())

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """`origins` are the web origins allowed besides the server's own (`*`: all of them). Clients of `exempt` addresses
    are under no limits, and nobody is where it is not `limited`. Only `trusted` peers are believed whose connection
    they pass on."""

    origins: Sequence[str] = ()
    connections_most: int = 10_000
    per_address_most: int = 200
    limits: Limits = NO_LIMITS
    exempt: Networks = NOWHERE
    trusted: Networks = NOWHERE
    limited: bool = True


@dataclass(frozen=True, slots=True)
class Visit:
    """Whose connection it is. `account` is that of the address, `None` for one that is exempt from limits: which
    nobody is because a proxy is."""

    address: Address | None
    account: Account | None = None

    @property
    def shown(self) -> str:
        """The address in words."""
        return str(self.address) if self.address is not None else "unknown"


class Admission(NamedTuple):
    """What a connection was let in with. `session` is what it is called in races. Without an `allowance` it may ask
    anything; `limits` are those that it is told of."""

    session: str
    visit: Visit = Visit(None)
    allowance: Allowance | None = None
    limits: Sequence[Limit] = ()
    hello_s: float = PATIENCE.hello_s


class Door:
    """`clock` gives seconds that do not go back."""

    def __init__(self, rules: HouseRules, clock: Callable[[], float]) -> None:
        self._rules = rules
        self._limits = _published(rules.limits)
        self._clock = clock
        self._accounts = Accounts(rules.limits)
        self._proxy_told = False
        self._knocking: Counter[str] = Counter()

    @property
    def addresses(self) -> int:
        """Addresses that are remembered."""
        return len(self._accounts)

    def knock(self, peer: Address | None, inside: int) -> bool:
        """Whether one more may begin its handshake where `inside` have begun theirs or have passed it. Each for whom
        that is so is `answered` in the end."""
        key = neighbourhood(peer)
        free = not self._rules.limited or peer in self._rules.exempt or peer in self._rules.trusted
        if inside >= self._rules.connections_most + HANDSHAKES_MOST or not (
            free or self._knocking[key] < self._rules.per_address_most
        ):
            return False
        self._knocking[key] += 1
        return True

    def answered(self, peer: Address | None) -> None:
        """A handshake is over, well or not."""
        key = neighbourhood(peer)
        self._knocking[key] -= 1
        if self._knocking[key] <= 0:
            del self._knocking[key]

    def visit(self, peer: Address | None, forwarded: Sequence[str]) -> Visit:
        """Who comes from `peer`; `forwarded` are the values of `X-Forwarded-For`."""
        address, certain = client_of(peer, forwarded, self._rules.trusted)
        if not certain and not self._proxy_told:
            self._proxy_told = True
            why = (
                "cannot be read"
                if peer in self._rules.trusted
                else "is not believed, for it is no trusted proxy"
            )
            logger.warning(
                "%s sends X-Forwarded-For, which %s: all who come so count as one address, under limits",
                peer,
                why,
            )
        exempt = not self._rules.limited or (certain and address in self._rules.exempt)
        return Visit(address, None if exempt else self._accounts.of(address))

    def turn_away(self, visit: Visit, origin: str | None, host: str, inside: int) -> Answer | None:
        """Why one more client cannot come in where `inside` are; `None` when it can."""
        if inside >= self._rules.connections_most:
            return _refusal(http.HTTPStatus.SERVICE_UNAVAILABLE, "full", FULL_RETRY_S)
        if origin is not None and not self._allowed(origin, host):
            return Answer(http.HTTPStatus.FORBIDDEN, TEXT, b"this origin is not allowed here\n")
        if visit.account is None:
            return None
        most = self._rules.per_address_most
        if visit.account.connections >= most:
            text = f"{most} connections of one address at once are the most"
            return _refusal(http.HTTPStatus.TOO_MANY_REQUESTS, text, FULL_RETRY_S)
        return self.slow_down(visit)

    def slow_down(self, visit: Visit) -> Answer | None:
        """Why an address is to wait before it comes again; `None` when it need not."""
        bucket = visit.account.purse.bucket(Endpoint.CONNECTIONS) if visit.account is not None else None
        if bucket is None:
            return None
        now = self._clock()
        wait = bucket.wait(now)
        if not wait:
            bucket.take(now)
            return None
        text = f"{bucket.rate.capacity} connections at once and then {bucket.rate.per_minute} a minute are the most"
        return _refusal(http.HTTPStatus.TOO_MANY_REQUESTS, f"{text} of one address", math.ceil(wait))

    def admit(self, visit: Visit, session: str, hello_s: float) -> Admission:
        """One more connection of this visitor is there."""
        if visit.account is None:
            return Admission(session, visit, hello_s=hello_s)
        allowance = Allowance(self._rules.limits, visit.account.purse, self._clock)
        return Admission(session, visit, allowance, self._limits, hello_s)

    def forget(self) -> None:
        """Let go of addresses that would be new. To be called now and then."""
        self._accounts.forget(self._clock())

    def _allowed(self, origin: str, host: str) -> bool:
        """A web page's own origin is that of the address it was loaded from; behind a proxy its scheme may differ."""
        origins = self._rules.origins
        if "*" in origins or origin in origins:
            return True
        scheme, mark, place = origin.partition("://")
        return scheme in ("http", "https") and bool(mark) and bool(host) and place == host


def _published(limits: Limits) -> Sequence[Limit]:
    """What there is credit for, as clients are told."""
    scopes = (("connection", limits.per_connection), ("address", limits.per_address))
    return [
        Limit(endpoint, scope, rate.capacity, rate.per_minute)
        for scope, rates in scopes
        for endpoint, rate in rates.items()
    ]


def _refusal(status: http.HTTPStatus, text: str, retry_s: int) -> Answer:
    return Answer(status, TEXT, f"{text}\n".encode(), retry_s)
