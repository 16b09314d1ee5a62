"""The page in Chromium: `python -m bench page`. What the first visit loads, how long until there is a board, what a
move costs the main thread, and how smoothly eight boards move at once; as the machine is, and slowed down four times.
"""

import argparse
import contextlib
import json
import shutil
import statistics
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright
from tools.protocol.lines import DEAL

from bench.contenders import cellrace
from bench.contest import circumstances, percentile, table
from bench.load.peers import Crowd, Peer
from bench.load.racers import LINE, SUBPROTOCOL
from bench.load.trace import CATEGORIES, KINDS, Work, works

SLOWER = (1, 4)
WITHIN_MS = 60_000
SETTLE_MS = 3_000
"""Before a visit: a new window loads hundreds of files of the browser's own at first."""
PAUSE_MS = 350
"""Between moves: longer than a card travels."""
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
VISITS = 5
DESK: ViewportSize = {"width": 1440, "height": 900}
BOARDS = 8
STILL_MS = 3_000
"""No longer: players who answer nothing meanwhile are taken for gone."""
PACE_S = 0.25
"""Each of eight racers makes a move as often as that."""

_SEEN = "board at "
_BOARD_AT = f"""{{
  let painted = 0, there = 0;
  const tell = () => painted && there && console.log(`{_SEEN}${{Math.max(painted, there)}}`);
  new PerformanceObserver((list) => {{
    for (const {{ name, startTime }} of list.getEntries()) if (name === 'first-contentful-paint') painted = startTime;
    tell();
  }}).observe({{ type: 'paint', buffered: true }});
  const look = () => document.querySelector('card-table .card')
    ? setTimeout(() => ((there = performance.now()), tell()))
    : requestAnimationFrame(look);
  requestAnimationFrame(look);
}}"""
"""When the first frame with cards is on the screen; said by the page: to be asked would run scripts in between."""
_LEAST = """<div id="one" style="position: absolute; width: 90px; height: 126px; background: red"></div><script>
  let at = 0;
  addEventListener('keydown', () => {
    const [from, to] = [`translate(${at}px)`, `translate(${(at += 10)}px)`];
    one.style.transform = to;
    one.animate([{ transform: from }, { transform: to }], 130);
  });
</script>"""
_FRAMES = """(ms) => new Promise((done) => {
  const begun = performance.now();
  const gaps = [];
  let before = begun;
  const frame = (now) => {
    gaps.push(now - before);
    before = now;
    if (now - begun < ms) requestAnimationFrame(frame);
    else done(gaps.slice(1));
  };
  requestAnimationFrame(frame);
})"""


def _slowed(context: BrowserContext, page: Page, times: int) -> Any:
    """The page's session of the DevTools protocol, whose types are not all known."""
    session: Any = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})
    return session


@contextlib.contextmanager
def _window(browser: Browser, times: int = 1) -> Generator[tuple[Page, Any]]:
    context = browser.new_context(viewport={"width": 1024, "height": 768}, locale="en")
    context.set_default_timeout(WITHIN_MS)
    page = context.new_page()
    try:
        session = _slowed(context, page, times)
        page.wait_for_timeout(SETTLE_MS)
        yield page, session
    finally:
        context.close()


def _first_visit(browser: Browser, url: str, times: int) -> dict[str, float]:
    with _window(browser, times) as (page, session):
        sizes: list[float] = []
        session.send("Network.enable")

        def loaded(event: dict[str, float]) -> None:
            sizes.append(event["encodedDataLength"])

        session.on("Network.loadingFinished", loaded)
        page.add_init_script(_BOARD_AT)
        with page.expect_console_message(lambda said: said.text.startswith(_SEEN)) as seen:
            page.goto(url, wait_until="commit")
        page.wait_for_load_state("networkidle")
        return {
            "board": float(seen.value.text.removeprefix(_SEEN)),
            "requests": len(sizes),
            "KiB": sum(sizes) / 1024,
        }


def _traced(browser: Browser, page: Page, act: Callable[[], None]) -> list[dict[str, Any]]:
    browser.start_tracing(page=page, categories=CATEGORIES)
    act()
    return cast("list[dict[str, Any]]", json.loads(browser.stop_tracing())["traceEvents"])


def _moves(browser: Browser, page: Page, count: int) -> list[Work]:
    """Make moves by keys, each of two."""

    def act() -> None:
        for move in LINE[:count]:
            for letter in move:
                page.keyboard.press(letter)
            page.wait_for_timeout(PAUSE_MS)

    return works(_traced(browser, page, act), keys=2)


def _practice(browser: Browser, url: str, times: int, count: int) -> list[Work]:
    with _window(browser, times) as (page, _):
        page.goto(f"{url}/#deal={DEAL}")
        page.locator("card-table .card").first.wait_for()
        page.wait_for_timeout(1_000)
        return _moves(browser, page, count)


def _race(browser: Browser, url: str, times: int, count: int) -> list[Work]:
    """In a race with another, who does not move."""
    with _window(browser, times) as (page, _):
        page.goto(f"{url}/#friend")
        page.locator("summary").click()
        page.locator("#with-deal").fill(str(DEAL))
        page.locator("button.main").first.click()
        page.locator(".race[data-stage=lobby]").wait_for()
        name = page.evaluate("location.pathname.split('/').pop()")
        other = Peer(int(url.rpartition(":")[2]), SUBPROTOCOL)
        other.ask("hello", 1, "Ada", until="welcome")
        entered = other.ask("join", 1, name, until="in")
        other.say("ready", entered[2])
        page.locator(".race[data-stage=play]").wait_for()
        page.wait_for_timeout(1_000)
        try:
            return _moves(browser, page, count)
        finally:
            other.close()


def _racers(port: int) -> tuple[str, list[Peer], list[int]]:
    """Eight in a race that runs: its name, they, and their channels."""
    peers = [Peer(port, SUBPROTOCOL) for _ in range(BOARDS)]
    for peer in peers:
        peer.ask("hello", 1, "Ada", until="welcome")
    entered = peers[0].ask("create", 1, str(DEAL), "classic", BOARDS, True, False, 0, until="in")
    race, channels = str(entered[3]), [int(str(entered[2]))]
    channels += [int(str(peer.ask("join", 1, race, until="in")[2])) for peer in peers[1:]]
    for peer, channel in zip(peers, channels, strict=True):
        peer.say("ready", channel)
    for peer in peers:
        peer.wait("go")
    return race, peers, channels


def _gallery(browser: Browser, url: str, times: int, seconds: float) -> dict[str, list[float]]:
    """Eight boards, which stand and then all move: the ms from frame to frame."""
    with _window(browser, times) as (page, _), Crowd() as crowd:
        race, peers, channels = _racers(int(url.rpartition(":")[2]))
        crowd.add(peers)
        page.set_viewport_size(DESK)
        page.goto(f"{url}/r/{race}")
        page.locator(".gallery figure").nth(BOARDS - 1).wait_for()
        page.wait_for_timeout(1_000)
        still = cast("list[float]", page.evaluate(f"({_FRAMES})({STILL_MS})"))
        page.evaluate(
            f"window.gaps = null, ({_FRAMES})({1000 * seconds}).then((gaps) => (window.gaps = gaps)), null"
        )
        for n in range(1, int(seconds / PACE_S)):
            for peer, channel in zip(peers, channels, strict=True):
                step = (n - 1) % (len(LINE) + 1)
                peer.say(*(("m", channel, n, LINE[step]) if step < len(LINE) else ("restart", channel, n)))
                page.wait_for_timeout(1000 * PACE_S / BOARDS)
            crowd.rest()
        page.wait_for_function("() => window.gaps")
        return {"boards that stand": still, "boards that move": cast("list[float]", page.evaluate("gaps"))}


def _empty(browser: Browser, times: int, seconds: float) -> list[float]:
    """The ms from frame to frame of a page with nothing on it."""
    with _window(browser, times) as (page, _):
        page.set_viewport_size(DESK)
        return cast("list[float]", page.evaluate(f"({_FRAMES})({1000 * seconds})"))


def _least(browser: Browser, times: int, count: int) -> list[Work]:
    """What a key costs that lets the only thing on a page travel: less than that no move can cost."""
    with _window(browser, times) as (page, _):
        page.set_content(_LEAST)
        return _moves(browser, page, count)


def _move_row(name: str, times: int, moves: Sequence[Work]) -> list[str]:
    frames = [move.frame for move in moves]
    after = [statistics.median(move.later for move in moves), max(move.longest for move in moves)]
    kinds = [statistics.median(move.kinds[kind] for move in moves) for kind in KINDS]
    return [
        f"{name}, {times}x",
        *(f"{value:.1f}" for value in (min(frames), statistics.median(frames), percentile(frames, 0.9))),
        *(f"{value:.1f}" for value in kinds),
        *(f"{value:.1f}" for value in after),
    ]


def _gallery_row(name: str, times: int, gaps: Sequence[float]) -> list[str]:
    fast = 1000 * len(gaps) / sum(gaps)
    return [f"{name}, {times}x", *(f"{value:.1f}" for value in (fast, percentile(gaps, 0.99), max(gaps)))]


def _visit_row(times: int, visits: Sequence[dict[str, float]]) -> list[str]:
    boards = [at["board"] for at in visits]
    last = visits[-1]
    sizes = [f"{last['requests']:.0f}", f"{last['KiB']:.1f}"]
    return [
        f"{times}x",
        *sizes,
        *(f"{value:.0f}" for value in (min(boards), statistics.median(boards), max(boards))),
    ]


def _measured(browser: Browser, url: str, moves: int, seconds: float, visits: int) -> None:
    table(
        ["first visit", "requests", "KiB with headers", "ms until there is a board, least", "median", "most"],
        [_visit_row(times, [_first_visit(browser, url, times) for _ in range(visits)]) for times in SLOWER],
    )
    table(
        [
            "a move, ms of the main thread",
            "frame, least",
            "median",
            "p90",
            *KINDS,
            "longest later frame",
            "longest task",
        ],
        [
            *(
                _move_row("nothing but one thing that travels", times, _least(browser, times, moves))
                for times in SLOWER
            ),
            *(
                _move_row(name, times, act(browser, url, times, moves))
                for name, act in (("alone", _practice), ("in a race", _race))
                for times in SLOWER
            ),
        ],
    )
    rows = [_gallery_row("an empty page", times, _empty(browser, times, seconds)) for times in SLOWER]
    for times in SLOWER:
        rows += [
            _gallery_row(name, times, gaps) for name, gaps in _gallery(browser, url, times, seconds).items()
        ]
    table(["eight boards", "frames a second", "p99 of ms between", "most"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moment", action="store_true", help="whether it works at all")
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=10.0, help="of watching eight boards")
    chosen = parser.parse_args()
    program = shutil.which("chromium")
    if program is None:
        parser.error("chromium is not on PATH: install the Debian package chromium")
    moves, seconds, visits = (2, 1.0, 1) if chosen.moment else (chosen.moves, chosen.seconds, VISITS)
    with cellrace() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        print(circumstances(), f"Chromium {browser.version}", time.strftime("%H:%M"), sep="\n")
        _measured(browser, f"http://127.0.0.1:{server.port}", moves, seconds, visits)
        browser.close()


if __name__ == "__main__":
    main()
