"""The terminal program without a terminal: started, driven by keys and the mouse, and looked at."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.events import Key
from textual.pilot import Pilot

from cellrace_client.identities import Identities
from cellrace_client.languages import Catalogue
from cellrace_client.tui.app import CellraceApp, Settings
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.play import PlayScreen
from cellrace_client.tui.practice import PracticeScreen
from cellrace_engine import Line
from tests.support.waiting import eventually_answers

NOWHERE = "ws://127.0.0.1:9/ws"
WITHIN_S = 60
SMALL = (80, 24)
Driver = Pilot[int]


@asynccontextmanager
async def program(
    first: str = "",
    text: str = "",
    *,
    url: str = NOWHERE,
    name: str = "",
    size: tuple[int, int] = SMALL,
    looks: Looks = Looks(),  # noqa: B008 - a frozen value
    language: str = "en",
    folder: Path | None = None,
    notices: bool = False,
) -> AsyncGenerator[Driver]:
    """The program on a terminal of this size; without an address there is no server."""
    words = Catalogue(language)
    app = CellraceApp(Settings(url, words, looks, Identities(folder), name, first, text, url == NOWHERE))
    async with app.run_test(size=size, notifications=notices) as pilot:
        yield pilot


async def until(pilot: Driver, condition: Callable[[], bool]) -> None:
    """Wait until the program is as wanted."""

    async def holds() -> bool:
        await pilot.pause()
        return condition()

    await eventually_answers(holds, WITHIN_S)


def screen_of(pilot: Driver) -> PlayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, PlayScreen)
    return screen


def line_of(pilot: Driver) -> Line:
    line = screen_of(pilot).table.line
    assert line is not None
    return line


def said(pilot: Driver) -> str:
    return str(screen_of(pilot).said.render())


@asynccontextmanager
async def practice(deal: str = "617", **options: object) -> AsyncGenerator[Driver]:
    """A game alone that has begun."""
    async with program("practice", deal, **options) as pilot:  # type: ignore[arg-type]
        await until(pilot, lambda: isinstance(pilot.app.screen, PracticeScreen))
        yield pilot


def shown(pilot: Driver) -> str:
    """The characters on the screen, line by line."""
    compositor = pilot.app.screen._compositor  # pyright: ignore[reportPrivateUsage]
    return "\n".join(strip.text for strip in compositor.render_strips())


def press(pilot: Driver, *keys: str) -> None:
    """Press keys one behind the other without waiting for anything between them."""
    for key in keys:
        pilot.app.post_message(Key(key, " " if key == "space" else None))
