"""A server reduced to its embedded store, to be killed by tests.

`python -m tests.support.store_program DATA_DIR [tie|guard]` prints one line, `pid-of-valkey socket`, when the
store serves, and ends in good order at SIGINT and SIGTERM.
"""

import asyncio
import signal
import sys
from pathlib import Path

from cellrace_server.adapters.valkey import EmbeddedValkey
from cellrace_server.adapters.valkey.command import Tether


async def main(data_dir: Path, tether: Tether) -> None:
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    async with EmbeddedValkey(data_dir, tether=tether) as store:
        sys.stdout.write(f"{store.pid} {store.socket}\n")
        sys.stdout.flush()
        await over.wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), "guard" if "guard" in sys.argv[2:] else "tie"))
