"""Whose connection it is: addresses of clients, seen through proxies that the host trusts."""

import functools
import ipaddress
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cellrace_server.gateway.credits import Limits, Purse

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

NEIGHBOURS_BITS = 64
"""Of an IPv6 address so many bits are one client: who has one such address has all that begin with them."""

NEIGHBOURS_KEPT = 1_024
"""Of addresses whose neighbourhood was asked for last: each connection asks several times."""

ACCOUNTS_MOST = 50_000
"""Addresses that are remembered at once without having a connection."""

HOPS_MOST = 20
"""Entries of `X-Forwarded-For` that are looked at, from the right."""


class Networks:
    """Addresses and networks as a host writes them, `10.0.0.0/8` or `::1`. Raises `ValueError` for what is none."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._networks: list[Network] = [ipaddress.ip_network(text, strict=False) for text in texts]

    def __contains__(self, address: Address | None) -> bool:
        return any(address in network for network in self._networks) if address is not None else False


def parse(text: str) -> Address | None:
    """An address with or without a port, brackets or a zone; an IPv4 address that is written as an IPv6 one is the
    IPv4 address. `None` for what is no address."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


class Client(NamedTuple):
    """Whose connection it is. Not `certain`: a proxy stands between, and who is behind it cannot be told."""

    address: Address | None
    certain: bool


def client_of(peer: Address | None, forwarded: Sequence[str], trusted: Networks) -> Client:
    """The client's address: the peer's own, or where the peer is trusted, the last of `forwarded` (the values of
    `X-Forwarded-For`) that is not of a trusted proxy. What cannot be read there was not written by one: then it is the
    address of the proxy that passed it on."""
    if not forwarded or peer not in trusted:
        return Client(peer, not forwarded)
    client = peer
    hops = ",".join(forwarded).split(",")
    for hop in reversed(hops[-HOPS_MOST:]):
        address = parse(hop)
        if address is None:
            return Client(client, False)
        client = address
        if address not in trusted:
            break
    return Client(client, True)


@functools.lru_cache(NEIGHBOURS_KEPT)
def neighbourhood(address: Address | None) -> str:
    """What counts as one client."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, NEIGHBOURS_BITS), strict=False))
    return str(address)


class Account:
    """One address: its credits, and how many connections it has."""

    __slots__ = ("connections", "purse")

    def __init__(self, purse: Purse) -> None:
        self.purse = purse
        self.connections = 0


class Accounts:
    """The addresses that have connections, or have had some and would not be new: those whose credits are whole again
    are forgotten, and of too many those that came first."""

    def __init__(self, limits: Limits, most: int = ACCOUNTS_MOST) -> None:
        self._limits = limits
        self._most = most
        self._accounts: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def of(self, address: Address | None) -> Account:
        """The account of an address; a new one is whole."""
        key = neighbourhood(address)
        account = self._accounts.get(key)
        if account is None:
            account = self._accounts[key] = Account(Purse(self._limits.per_address))
            if len(self._accounts) > 2 * self._most:
                self._forget_first()
        return account

    def forget(self, now: float) -> None:
        """Let go of the addresses that have no connection and owe nothing. To be called now and then."""
        self._accounts = {
            key: account
            for key, account in self._accounts.items()
            if account.connections or not account.purse.full(now)
        }
        if len(self._accounts) > self._most:
            self._forget_first()

    def _forget_first(self) -> None:
        idle = [key for key, account in self._accounts.items() if not account.connections]
        for key in idle[: max(0, len(idle) - self._most // 2)]:
            del self._accounts[key]
