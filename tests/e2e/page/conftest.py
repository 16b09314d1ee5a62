"""The page in Debian's Chromium, against the real server and store."""

import shutil
from collections.abc import AsyncIterator

import pytest_asyncio

from tests.e2e.page.window import Chromium
from tests.web.tools import missing


@pytest_asyncio.fixture
async def chromium() -> AsyncIterator[Chromium]:
    """A browser; each window of it is another person. Skipped with a word where there is none."""
    program = shutil.which("chromium")
    if program is None:
        missing("chromium is not on PATH: install the Debian package chromium")
    async with Chromium.started(str(program)) as browser:
        yield browser
