"""Somebody at the line mode."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from cellrace_client.identities import Identities
from cellrace_client.languages import Catalogue
from cellrace_client.plain.program import Program, Settings
from tests.support.waiting import eventually

WITHIN = 30


class Person:
    """Somebody who types lines, and reads what is said; without an address, alone."""

    def __init__(
        self, url: str = "", name: str = "", folder: Path | None = None, language: str = "en"
    ) -> None:
        self.said: list[str] = []
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        settings = Settings(url, Catalogue(language), Identities(folder), name, local=not url)
        self.program = Program(settings, self.said.append)
        self.task = asyncio.create_task(self.program.run(self._typed()))

    async def _typed(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) != "end":
            yield line

    def type(self, *lines: str) -> None:
        for line in lines:
            self._lines.put_nowait(line)

    async def hears(self, words: str) -> str:
        await eventually(lambda: any(words in line for line in self.said), WITHIN)
        return next(line for line in self.said if words in line)

    async def ends(self) -> None:
        """Wait until the program has ended; raises what it raised."""
        async with asyncio.timeout(WITHIN):
            await self.task
