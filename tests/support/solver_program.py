"""A server reduced to its solver workers, to be killed by tests.

`python -m tests.support.solver_program` prints the process id of a worker that is at work, and waits.
"""

import asyncio
import sys

from cellrace_engine import CLASSIC, DealCode
from cellrace_server.adapters.solver import Workers
from cellrace_server.ports.solver import Effort


async def main() -> None:
    async with Workers(1) as workers:
        await workers.solve(DealCode(4, 617), CLASSIC)
        endless = asyncio.create_task(
            workers.solve(DealCode(4, 11_982), CLASSIC, Effort(nodes=10**9, ms=10**6))
        )
        (pid,) = workers.pids
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        await endless


if __name__ == "__main__":
    asyncio.run(main())
