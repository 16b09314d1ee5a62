"""Open files are asked for, as far as there are."""

import resource
from collections.abc import Iterator

import pytest

from cellrace_server.adapters.descriptors import SPARE, allow_connections

HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


@pytest.fixture(autouse=True)
def few() -> Iterator[None]:
    """A low limit that can be raised, put back at the end."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def soft() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def test_what_connections_need_is_asked_for() -> None:
    assert allow_connections(500) == 500
    assert soft() == 500 + SPARE


def test_what_there_is_stays() -> None:
    assert allow_connections(50) == 50
    assert soft() == 300


@pytest.mark.skipif(resource.RLIM_INFINITY == HARD, reason="this system allows any number")
def test_a_system_that_does_not_allow_so_many_says_how_many() -> None:
    assert allow_connections(HARD + 1) == HARD - SPARE
    assert soft() == HARD
