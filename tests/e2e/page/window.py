"""A window with the page in it: what a person sees and does there."""

import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self

from playwright.async_api import Browser, BrowserContext, Page, WebSocket, async_playwright

WITHIN_MS = 60_000
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)

# Where to take the cards of a move, and where to let them go.
_WAY = """async (text) => {
  const base = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { readMove } = await import(base + 'game/notation.js');
  const table = document.querySelector('card-table');
  while (table.arranged.flights.underWay.size) await new Promise(requestAnimationFrame);
  const line = table.game.line();
  const move = readMove(text, line.board, line.rules);
  const card = table.elementsOf({ pile: move.source, count: move.count })[0].getBoundingClientRect();
  const frame = table.getBoundingClientRect();
  const { piles, width, height, fan } = table.laid;
  const column = move.destination < 8 ? line.board.columns[move.destination].length * fan[move.destination] : 0;
  const to = piles[move.destination];
  return [card.x + card.width / 2, card.y + 6, frame.x + to.x + width / 2, frame.y + to.y + column + 6];
}"""
_BOARD = """async () => {
  const base = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { boardText } = await import(base + 'game/board.js');
  const table = document.querySelector('card-table');
  return table && table.board ? boardText(table.board) : '';
}"""
_SPEAK = """(language) => {
  localStorage.cellrace = JSON.stringify({ ...JSON.parse(localStorage.cellrace ?? '{}'), language });
}"""
_WORD = """async (key) => {
  const base = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { default: words } = await import(`${base}languages/${document.documentElement.lang}.js`);
  return words[key];
}"""
_STILL = """() => {
  const { flights, unsettled } = document.querySelector('card-table').arranged;
  return !flights.underWay.size && !unsettled.size;
}"""
_MOVES = "() => document.querySelector('card-table')?.game?.line().moves ?? -1"
_SETTLED = "() => document.querySelectorAll('.pending:not([hidden])').length === 0"


class Frames(NamedTuple):
    """Of WebSockets: texts, or bytes."""

    said: list[str | bytes]
    heard: list[str | bytes]


class Window:
    """One person's window."""

    def __init__(self, context: BrowserContext, page: Page, url: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    async def go(self, path: str = "/") -> None:
        await self.page.goto(self.url + path)

    def frames(self) -> Frames:
        """What is said and heard on its connections from now on."""
        frames = Frames([], [])

        def keep(socket: WebSocket) -> None:
            # Playwright cannot mark a method of a list's as a listener.
            socket.on("framesent", lambda frame: frames.said.append(frame))  # noqa: PLW0108
            socket.on("framereceived", lambda frame: frames.heard.append(frame))  # noqa: PLW0108

        self.page.on("websocket", keep)
        return frames

    async def deals(self, deal: int | str, shown: str = "") -> None:
        """Practise on a deal, as its address says."""
        await self.go(f"/#deal={deal}")
        await self.sees(shown or f"#{deal}")

    async def speaks(self, language: str) -> None:
        """The same page in another language."""
        await self.page.evaluate(_SPEAK, language)
        await self.page.reload()
        await self.page.locator(f"html[lang={language}]").wait_for(state="attached")

    async def invites(self) -> str:
        """Open a race for a friend; its link."""
        await self.go("/#friend")
        await self.press("Get the link")
        await self.stage("lobby")
        return await self.page.locator("input.link").input_value()

    async def gives_up(self) -> None:
        await self.page.locator(".tool-giveUp").click()
        await self.page.locator(".answers .danger").click()

    async def plays(self, moves: Iterable[str]) -> None:
        """Make moves by their letters."""
        for move in moves:
            await self.type(move)

    async def press(self, name: str) -> None:
        """Press the button or follow the link with this name."""
        await self.page.locator("button:visible, a:visible").filter(has_text=name).first.click()

    async def presses(self, key: str) -> None:
        """Press what is called by this text of the catalogues, in the language of the window."""
        await self.page.locator("main .screen").wait_for()  # it speaks its language before there is one
        await self.press(str(await self.page.evaluate(_WORD, key)))

    async def sees(self, text: str) -> None:
        await self.page.get_by_text(text).first.wait_for(timeout=WITHIN_MS)

    async def hears(self, beginning: str) -> str:
        """Wait until screen readers are told this; it stays until they are told something else. Returns all of it."""
        live = "document.getElementById('live').textContent"
        await self.until(f"(beginning) => {live}.startsWith(beginning)", beginning)
        return str(await self.page.evaluate(live))

    async def lies_still(self) -> None:
        """Wait until all cards lie where they belong, in the document too."""
        await self.until(_STILL)

    async def stage(self, stage: str) -> None:
        """Wait until the race is so far."""
        await self.page.locator(f".race[data-stage={stage}]").wait_for(timeout=WITHIN_MS)

    async def until(self, script: str, argument: Any = None) -> None:
        await self.page.wait_for_function(script, arg=argument, timeout=WITHIN_MS)

    async def board(self) -> str:
        return str(await self.page.evaluate(_BOARD))

    async def moves(self) -> int:
        return int(await self.page.evaluate(_MOVES))

    async def made(self, moves: int) -> None:
        """Wait until so many moves stand on the board."""
        await self.until(f"(moves) => ({_MOVES})() === moves", moves)

    async def settled(self) -> None:
        """Wait until the server has answered everything."""
        await self.until(_SETTLED)

    async def drag(self, move: str) -> None:
        """Make a move with the mouse."""
        x, y, to_x, to_y = await self.page.evaluate(_WAY, move)
        await self.page.mouse.move(x, y)
        await self.page.mouse.down()
        await self.page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        await self.page.mouse.move(to_x, to_y)
        await self.page.mouse.up()

    async def touch(self, move: str) -> None:
        """Make a move by one finger that drags."""
        x, y, to_x, to_y = await self.page.evaluate(_WAY, move)
        session = await self.context.new_cdp_session(self.page)
        for kind, at in (
            ("touchStart", (x, y)),
            ("touchMove", ((x + to_x) / 2, (y + to_y) / 2)),
            ("touchMove", (to_x, to_y)),
            ("touchEnd", None),
        ):
            points = [{"x": at[0], "y": at[1]}] if at is not None else []
            await session.send(  # pyright: ignore[reportUnknownMemberType]
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )
        await session.detach()

    async def type(self, move: str) -> None:
        """Make a move by its letters; a count is typed before the destination."""
        piles, mark, count = move.partition("v")
        for letter in f"{piles[0]}{mark}{count}{piles[1:]}":
            await self.page.keyboard.press(letter)


class Chromium:
    """`async with Chromium.started(program) as chromium`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @classmethod
    @asynccontextmanager
    async def started(cls, program: str) -> AsyncGenerator[Self]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=program, args=list(QUIET))
            try:
                yield cls(browser)
            finally:
                await browser.close()

    async def windows(
        self, url: str, count: int, width: int = 1024, height: int = 768, **how: Any
    ) -> list[Window]:
        """Those of several people, as `window` makes them."""
        return [await self.window(url, width, height, **how) for _ in range(count)]

    async def window(
        self,
        url: str,
        width: int = 1024,
        height: int = 768,
        *,
        locale: str = "en",
        phone: bool = False,
        settings: Mapping[str, object] | None = None,
    ) -> Window:
        """Another person's window on the server whose WebSocket is at `url`, with what they have chosen before."""
        context = await self._browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, has_touch=phone, is_mobile=phone
        )
        context.set_default_timeout(WITHIN_MS)
        if settings:
            kept = json.dumps(json.dumps(settings))
            await context.add_init_script(f"localStorage.cellrace ??= {kept}")
        page = await context.new_page()
        return Window(context, page, url.replace("ws://", "http://").removesuffix("/ws"))
