"""Whose connection it is, whatever proxies and liars say."""

import ipaddress
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.gateway.addresses import Accounts, Networks, client_of, neighbourhood, parse
from cellrace_server.gateway.credits import Endpoint
from cellrace_server.gateway.door import Door, HouseRules
from cellrace_server.settings import Settings

DEFAULTS = Settings().rates
TRUSTED = Networks(["10.0.0.0/8", "127.0.0.1", "fd00::/8"])
PROXY = parse("10.0.0.1")
ADDRESSES = st.ip_addresses()


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ([], "10.0.0.1"),
        (["203.0.113.9"], "203.0.113.9"),
        (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),  # the first was written by the client itself
        (["198.51.100.1, 203.0.113.9, 10.2.3.4"], "203.0.113.9"),
        (["198.51.100.1", "203.0.113.9,10.2.3.4", "127.0.0.1"], "203.0.113.9"),
        (["10.9.9.9, 10.2.3.4"], "10.9.9.9"),
        (["203.0.113.9:4711"], "203.0.113.9"),
        (['"[2001:db8::1]:4711"'], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        (["::ffff:203.0.113.9"], "203.0.113.9"),
        (["fe80::1%eth0"], "fe80::1"),
        (["unknown"], "10.0.0.1"),
        (["203.0.113.9, what?"], "10.0.0.1"),
        (["what?, 10.2.3.4"], "10.2.3.4"),
        ([""], "10.0.0.1"),
        ([",".join(["10.2.3.4"] * 10_000)], "10.2.3.4"),
    ],
)
def test_behind_a_trusted_proxy_the_client_is_who_it_says(forwarded: list[str], client: str) -> None:
    assert client_of(PROXY, forwarded, TRUSTED).address == ipaddress.ip_address(client)


@given(ADDRESSES, st.lists(st.text(max_size=40), max_size=4))
def test_who_is_not_trusted_is_who_it_is(peer: ipaddress.IPv4Address, forwarded: list[str]) -> None:
    assert client_of(peer, forwarded, Networks([])).address == peer


@given(st.lists(st.text(string.printable, max_size=40), max_size=4), ADDRESSES)
def test_nothing_a_client_writes_hides_what_the_proxy_saw(
    lies: list[str], client: ipaddress.IPv4Address
) -> None:
    seen = parse(str(client))
    assert seen is not None
    if seen not in TRUSTED:
        assert client_of(PROXY, [*lies, str(client)], TRUSTED).address == seen


def test_a_peer_without_an_address_is_nobody_in_particular() -> None:
    assert client_of(None, ["203.0.113.9"], TRUSTED).address is None
    assert neighbourhood(None) == "None"


def test_addresses_of_one_home_are_one_client() -> None:
    def home(text: str) -> str:
        return neighbourhood(parse(text))

    assert home("2001:db8:1:2::1") == home("2001:db8:1:2:ffff::9") != home("2001:db8:1:3::1")
    assert home("203.0.113.9") == home("::ffff:203.0.113.9") != home("203.0.113.10")


def test_networks_that_are_none_are_refused() -> None:
    for text in ("nonsense", "10.0.0.0/99", ""):
        with pytest.raises(ValueError, match=r"\S"):
            Networks([text])


def test_addresses_that_owe_nothing_are_forgotten() -> None:
    accounts = Accounts(DEFAULTS)
    visitor, owing, staying = (accounts.of(parse(f"192.0.2.{last}")) for last in (1, 2, 3))
    assert accounts.of(parse("192.0.2.1")) is visitor
    staying.connections = 1
    bucket = owing.purse.bucket(Endpoint.CREATIONS)
    assert bucket is not None
    bucket.take(0, 100)
    accounts.forget(now=10)
    assert len(accounts) == 2
    assert accounts.of(parse("192.0.2.2")) is owing
    assert accounts.of(parse("192.0.2.3")) is staying
    accounts.forget(now=20)
    assert len(accounts) == 1


def test_ever_new_addresses_take_bounded_memory_and_no_connection_is_forgotten() -> None:
    accounts = Accounts(DEFAULTS, most=100)
    kept = [accounts.of(ipaddress.IPv6Address(number << 64)) for number in range(50)]
    for account in kept:
        account.connections = 1
    for number in range(50, 5_000):
        bucket = accounts.of(ipaddress.IPv6Address(number << 64)).purse.bucket(Endpoint.HELLOS)
        assert bucket is not None
        bucket.take(0, 500)
        assert len(accounts) <= 201
    accounts.forget(0)
    assert len(accounts) <= 100
    assert [accounts.of(ipaddress.IPv6Address(number << 64)) for number in range(50)] == kept


@pytest.mark.parametrize(
    ("peer", "forwarded", "exempt"),
    [
        ("127.0.0.1", [], True),
        ("127.0.0.1", ["203.0.113.9"], False),
        ("127.0.0.1", ["127.0.0.1"], False),
        ("127.0.0.2", [], True),
        ("127.0.0.2", ["127.0.0.1"], True),
        ("127.0.0.2", ["203.0.113.9"], False),
        ("127.0.0.2", [""], False),
        ("127.0.0.2", ["nobody"], False),
        ("127.0.0.2", ["203.0.113.9, unknown"], False),
        ("127.0.0.2", ["unknown, 127.0.0.2"], False),
        ("203.0.113.9", [], False),
    ],
)
def test_nobody_is_exempt_because_a_proxy_is(peer: str, forwarded: list[str], exempt: bool) -> None:
    """127.0.0.2 is trusted."""
    rules = HouseRules(exempt=Networks(["127.0.0.0/8"]), trusted=Networks(["127.0.0.2"]))
    visit = Door(rules, lambda: 0.0).visit(parse(peer), forwarded)
    assert (visit.account is None) is exempt


def test_a_host_with_limits_off_has_none_behind_proxies_either() -> None:
    everybody = HouseRules(limited=False)
    assert Door(everybody, lambda: 0.0).visit(parse("127.0.0.1"), ["nobody"]).account is None
