"""Which nodes are taken for dead, and when."""

import pytest

from cellrace_server.services.nodes import SILENT_MS, Nodes, instance_of, named_after, node_of
from tests.support.clock import ManualClock


@pytest.fixture
def nodes(clock: ManualClock) -> Nodes:
    found = Nodes("here", clock)
    found.listen_anew()
    return found


def test_a_session_says_whose_it_is(nodes: Nodes) -> None:
    assert node_of(nodes.session(17)) == "here"
    assert node_of("a name without a node") == ""
    assert not nodes.gone("")


def test_a_node_is_gone_when_it_was_silent_for_long(nodes: Nodes, clock: ManualClock) -> None:
    nodes.heard("there")
    clock.move(SILENT_MS - 1)
    assert (nodes.alive("there"), nodes.gone("there")) == (True, False)
    clock.move(1)
    assert (nodes.alive("there"), nodes.gone("there")) == (False, True)
    assert (nodes.alive("here"), nodes.gone("here")) == (True, False)
    nodes.heard("there")
    assert not nodes.gone("there")


@pytest.mark.parametrize("own", ["here", "a-b", "a/b", "a-b/c"])
def test_the_name_of_a_session_says_its_node_and_which_run_of_a_client_it_is_of(
    own: str, clock: ManualClock
) -> None:
    session = Nodes(own, clock).session(255)
    for instance in ("", "Phone1"):
        name = named_after(session, instance)
        assert (node_of(name), instance_of(name)) == (own, instance)
    assert instance_of("") == ""


def test_one_that_said_so_is_gone_at_once(nodes: Nodes, clock: ManualClock) -> None:
    clock.move(SILENT_MS)
    nodes.heard("there")
    nodes.left("there")
    assert nodes.gone("there")


def test_one_that_was_never_heard_has_time_to_speak(nodes: Nodes, clock: ManualClock) -> None:
    clock.move(10 * SILENT_MS)
    assert not nodes.gone("new")
    clock.move(SILENT_MS - 1)
    assert not nodes.gone("new")
    clock.move(1)
    assert nodes.gone("new")


def test_who_did_not_listen_judges_nobody(clock: ManualClock) -> None:
    nodes = Nodes("here", clock)
    nodes.heard("there")
    nodes.unsure()
    clock.move(10 * SILENT_MS)
    assert not nodes.gone("there"), "it does not listen yet"
    nodes.listen_anew()
    clock.move(SILENT_MS - 1)
    assert not nodes.gone("there")
    nodes.unsure()
    clock.move(SILENT_MS - 1)
    assert not nodes.gone("there")
    clock.move(1)
    assert nodes.gone("there")
