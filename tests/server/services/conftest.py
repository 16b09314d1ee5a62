import pytest

from tests.server.services.node import Node
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory


@pytest.fixture
def node(memory: Memory, clock: ManualClock) -> Node:
    """A node that does nothing yet: `async with running(node)`."""
    return Node(memory, clock)
