"""The bots of the house: a process beside the server, started again when it ends, ended with the server."""

import asyncio
import logging
from pathlib import Path

from cellrace_server.adapters import tied

PROGRAM = "cellrace_client.bots.house"
"""Named and not imported: to the server it is a client like any other."""

FIRST_RETRY_S = 0.5
LAST_RETRY_S = 30.0

logger = logging.getLogger(__name__)


class HouseBots:
    """`count` bots on the server at `url`, at `speed` percent of a human pace; who they are is kept in the file
    `tokens`."""

    def __init__(self, url: str, count: int, speed: int, tokens: Path) -> None:
        self._arguments = (
            *("--url", url, "--count", str(count), "--speed", str(speed)),
            *("--tokens", str(tokens), "--tied"),
        )

    async def run(self) -> None:
        """Keep the process running until cancelled; then it is gone."""
        loop = asyncio.get_running_loop()
        delay = FIRST_RETRY_S
        while True:
            began = loop.time()
            try:
                await self._run_once()
            except OSError as error:
                logger.error("the house bots cannot be started: %s", error)  # noqa: TRY400 - the text says all
            if loop.time() - began > LAST_RETRY_S:
                delay = FIRST_RETRY_S
            await asyncio.sleep(delay)
            delay = min(2 * delay, LAST_RETRY_S)

    async def _run_once(self) -> None:
        process = await tied.start_module(PROGRAM, *self._arguments, stderr=asyncio.subprocess.STDOUT)
        assert process.stdout is not None, "it is a pipe"
        try:
            async for line in process.stdout:
                logger.info("%s", line.decode(errors="replace").rstrip())
            status = await process.wait()
            logger.warning("the house bots have ended (status %d) and are started again", status)
        finally:
            tied.kill(process)
            await process.wait()
