"""Several devices and tabs of one person, and networks that are lost."""

from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess


async def two_devices(server: ServerProcess, chromium: Chromium) -> tuple[Window, Window, Window]:
    """A laptop that races Grace and has made a move, Grace, and a phone of the laptop's owner."""
    laptop, grace = await chromium.windows(server.url, 2)
    await meet(laptop, grace)
    await laptop.until("() => navigator.serviceWorker.controller !== null")
    await laptop.plays(winning_line()[:1])
    await laptop.settled()
    token = await laptop.page.evaluate("JSON.parse(localStorage.cellrace).token")
    return laptop, grace, await chromium.window(server.url, 390, 844, settings={"token": token})


async def no_network(window: Window) -> None:
    await window.context.set_offline(True)
    await window.sees("No connection")


async def next_tab(of: Window) -> Window:
    """Another tab of the same browser, in which nothing is loaded yet."""
    return Window(of.context, await of.context.new_page(), of.url)


async def closes(window: Window) -> None:
    """The tab is closed, as by a person: the page hears of it."""
    async with window.page.expect_event("close"):
        await window.page.close(run_before_unload=True)
