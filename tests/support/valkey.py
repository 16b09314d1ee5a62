"""A real Valkey for tests, by our own supervisor."""

import asyncio
import threading
from collections.abc import Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from cellrace_server.adapters.valkey import EmbeddedValkey

WITHIN = 30


@contextmanager
def valkey_in_thread(data_dir: Path) -> Generator[str]:
    """The URL of a Valkey that outlives the event loops of single tests: it has a loop and a thread of its own."""
    serving: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    thread = threading.Thread(target=asyncio.run, args=(_serve(data_dir, serving),), name="valkey")
    thread.start()
    try:
        url, loop, over = serving.result(WITHIN)
        yield url
        loop.call_soon_threadsafe(over.set)
    finally:
        thread.join(WITHIN)


async def _serve(
    data_dir: Path, serving: "Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]]"
) -> None:
    over = asyncio.Event()
    try:
        async with EmbeddedValkey(data_dir) as store:
            serving.set_result((store.url, asyncio.get_running_loop(), over))
            await over.wait()
    except BaseException as error:
        if not serving.done():
            serving.set_exception(error)
        raise
