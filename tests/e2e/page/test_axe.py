"""What axe finds on every screen, in both themes: nothing serious. `make check-axe` fetches it and runs this."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.page import screens
from tests.e2e.page.screens import LONG_NAME
from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess
from tests.web.tools import missing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
AXE = Path(__file__).parents[3] / "build" / "axe" / "package" / "axe.min.js"

_FOUND = """async (only) => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(only && { runOnly: only }) });
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).slice(0, 5).join(', ')}`);
}"""


async def _looks_at(window: Window, screen: str) -> list[str]:
    """What is wrong with what a window shows; in the other theme, what cannot be read."""
    found: list[str] = []
    if not await window.page.evaluate("'axe' in window"):
        await window.page.evaluate(AXE.read_text())
    for theme, only in (("dark", None), ("light", "color-contrast")):
        await window.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        found += [f"{screen}, {theme}: {one}" for one in await window.page.evaluate(_FOUND, only)]
    return found


async def test_nothing_serious_is_found_on_any_screen(server: ServerProcess, chromium: Chromium) -> None:
    if not AXE.exists():
        missing("axe is not there: make check-axe fetches it")
    async with asyncio.timeout(WITHIN):
        ada, grace, watcher = await chromium.windows(server.url, 3)
        named = await chromium.window(server.url, settings={"name": LONG_NAME})
        found: list[str] = []
        for shown in (
            screens.places(ada),
            screens.dialogs(ada),
            screens.waits(watcher),
            screens.race(named, grace, watcher),
            screens.done(ada, grace, named),
        ):
            async for name, window in shown:
                found += await _looks_at(window, name)
        assert found == []
