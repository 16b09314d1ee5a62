"""Pictures of every screen, to be looked at: `make pictures` writes them to `build/pictures/`, with a sheet of all."""

import asyncio
import html
import shutil
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from tests.e2e.page import screens
from tests.e2e.page.screens import LONG_NAME, Seen
from tests.e2e.page.window import Chromium
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 900
FOLDER = Path(__file__).parents[3] / "build" / "pictures"
SIZES = ((320, 568), (390, 844), (768, 1024), (1440, 900))
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
_PNG = b"\x89PNG\r\n"

# Nothing is under way any more.
_STILL = """async () => {
  await new Promise(requestAnimationFrame);
  const running = document.getAnimations().filter(({ playState }) => playState === 'running');
  await Promise.allSettled(running.map(({ finished }) => finished));
}"""


class Album(NamedTuple):
    """The pictures of one language."""

    folder: Path
    names: list[str]

    async def take(self, seen: Seen) -> None:
        """One picture a size and theme."""
        number = f"{len(self.names):02}"
        self.names.append(seen.name)
        page = seen.window.page
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                await page.emulate_media(color_scheme=theme)
                await page.evaluate(_STILL)
                await page.screenshot(path=self.folder / f"{number} {width} {theme}.png")

    def bind(self) -> None:
        """All on one sheet."""
        rows = [
            f"<h2>{html.escape(name)}</h2>"
            + "".join(
                f'<img loading="lazy" height="420" src="{number:02} {width} {theme}.png" alt="{width} {theme}"> '
                for theme in THEMES
                for width, _ in SIZES
            )
            for number, name in enumerate(self.names)
        ]
        (self.folder / "index.html").write_text("<!doctype html><meta charset='utf-8'>" + "\n".join(rows))


@pytest.mark.parametrize("language", ["en", "uk"])
async def test_every_screen_has_its_pictures(
    server: ServerProcess, chromium: Chromium, language: str
) -> None:
    folder = FOLDER / language
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    album = Album(folder, [])
    async with asyncio.timeout(WITHIN):
        await server.dailies_chosen()
        ada, grace, watcher = await chromium.windows(server.url, 3, locale=language)
        named = await chromium.window(server.url, locale=language, settings={"name": LONG_NAME})
        for shown in (
            screens.places(ada),
            screens.dialogs(ada),
            screens.waits(watcher),
            screens.race(named, ada, grace),
            screens.done(ada, grace, named),
        ):
            async for seen in shown:
                await album.take(seen)
    album.bind()
    pictures = sorted(folder.glob("*.png"))
    assert len(pictures) == len(album.names) * len(SIZES) * len(THEMES)
    assert all(picture.read_bytes().startswith(_PNG) for picture in pictures)
