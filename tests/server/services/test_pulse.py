import asyncio

import pytest

from cellrace_server.services.pulse import EVERY_MS, Pulse
from tests.support.clock import ManualClock
from tests.support.memory_store import Memory

pytestmark = pytest.mark.asyncio


async def test_a_store_that_goes_and_comes_back_is_noticed_though_nobody_plays() -> None:
    memory, clock = Memory(), ManualClock()
    pulse = Pulse(memory.confirm, clock)
    beating = asyncio.create_task(pulse.run())
    try:
        await clock.settle()
        assert not pulse.away
        memory.away = True
        await clock.pass_time(EVERY_MS)
        assert pulse.away
        memory.mend()
        await clock.pass_time(EVERY_MS)
        assert not pulse.away
        memory.mute = True
        await clock.pass_time(EVERY_MS)
        assert pulse.away, "what is not answered may not be durable"
    finally:
        beating.cancel()
