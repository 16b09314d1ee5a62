"""Playing alone: a board at once, by mouse, by keys, by touch, and without a network."""

import asyncio
from pathlib import Path

import pytest

from cellrace_engine import RELAXED
from tests.e2e.page.window import Chromium, Window
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio

WITHIN = 300
WON = "dialog[open] .big"


async def test_a_whole_game_by_keys_alone(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        for number, move in enumerate(winning_line(), 1):
            await window.type(move)
            assert await window.moves() == number, move
        await window.page.locator(WON).wait_for()
        assert window.faults == []


# Which cards were laid elsewhere or let travel since, in `touched`.
_TOUCHED = """() => {
  const of = (element) => Number(element.dataset.card ?? -1);
  window.touched = new Set();
  new MutationObserver((all) => all.forEach(({ target }) => touched.add(of(target))))
    .observe(document.querySelector('card-table'), { subtree: true, attributeFilter: ['style', 'class', 'hidden'] });
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    touched.add(of(this));
    return animate.apply(this, how);
  };
}"""


async def test_a_move_touches_the_cards_that_move_and_those_it_uncovers(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Whatever else is touched makes every move slow."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.page.evaluate(_TOUCHED)
        column = await window.page.evaluate("document.querySelector('card-table').board.columns[1]")
        for keys in ("2a", "u"):
            for key in keys:
                await window.page.keyboard.press(key)
            await window.until(f"() => touched.has({column[-1]})")
            await window.lies_still()
            assert set(await window.page.evaluate("[...touched]")) - {-1} == set(column[-2:])
            await window.page.evaluate("touched.clear()")


# Of the cards that may be taken up: those over which another lies, and those that are not where the table has them.
_COVERED = """() => {
  const table = document.querySelector('card-table');
  const frame = table.getBoundingClientRect();
  const { piles, fan } = table.laid;
  return table.board.columns.flatMap((cards, pile) => {
    if (!cards.length) return [];
    const card = table.cards[cards.at(-1)];
    const { x, y, width, height } = card.getBoundingClientRect();
    const right = Math.abs(x - frame.x - piles[pile].x);
    const down = Math.abs(y - frame.y - piles[pile].y - fan[pile] * (cards.length - 1));
    const isOnTop = card.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    return right < 1 && down < 1 && isOnTop ? [] : [cards.at(-1)];
  });
}"""


@pytest.mark.slow
async def test_what_has_travelled_lies_where_it_belongs_and_on_top(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Also what goes back onto a card that it does not fit, what is dropped, and after another size."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        line = list(winning_line())[:12]
        await window.plays(line)
        for key in "uuuuyyyy":
            await window.page.keyboard.press(key)
            await window.lies_still()
            assert await window.page.evaluate(_COVERED) == []
        await window.drag(list(winning_line())[12])
        await window.lies_still()
        assert await window.page.evaluate(_COVERED) == []
        await window.page.set_viewport_size({"width": 700, "height": 500})
        await window.until(f"() => !({_COVERED})().length")
        for key in "uu":
            await window.page.keyboard.press(key)  # the second while the first travels
        await window.lies_still()
        assert await window.page.evaluate(_COVERED) == []
        assert (
            await window.page.evaluate(
                "document.getAnimations().filter((one) => one.playState === 'finished').length"
            )
            == 0
        )


# What two keys change in the document before the browser can draw a frame, and what begins to travel.
_CHANGED = """(keys) => {
  const before = new Set(document.getAnimations());
  const all = new MutationObserver(() => undefined);
  all.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const seen = all.takeRecords().map(({ type, target, attributeName }) => {
    const [kind] = target.classList;
    const what = { card: `card ${target.dataset.card}`, pile: 'pile' }[kind] ?? target.nodeName;
    return `${what} ${attributeName ?? type}`;
  });
  const begun = document.getAnimations().filter((one) => !before.has(one));
  return [[...new Set(seen)].sort(), begun.map(({ effect }) => Number(effect.target.dataset.card))];
}"""


# Where the cards are as soon as they are in the document, before any frame.
_CAME = """{
  const watch = new MutationObserver(() => {
    const cards = [...document.querySelectorAll('.pile > .card')];
    if (!cards.length) return;
    watch.disconnect();
    window.came = cards.filter(({ style }) => style.transform.startsWith('translate(')).length;
  });
  watch.observe(document, { childList: true, subtree: true });
}"""


async def test_the_cards_of_a_first_board_come_to_their_places(
    server: ServerProcess, chromium: Chromium
) -> None:
    """And are not put there in the first frame, for which all would be styled and laid out twice."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.add_init_script(_CAME)
        await window.deals(617)
        assert await window.page.evaluate("came") == 52
        await window.page.locator(".card[aria-label='jack of diamonds, column 1']").wait_for()
        assert window.faults == []


async def test_a_move_s_own_frame_changes_nothing_but_lets_the_card_travel(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Not even where the card lies: its layer travels, and the document is brought behind."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.go("/#deal=617")
        await window.sees("#617")
        card = await window.page.evaluate("document.querySelector('card-table').board.columns[1].at(-1)")
        await window.page.locator(".tool-undo[disabled]").wait_for()
        assert await window.page.evaluate(_CHANGED, ["2", "a"]) == [[], [card]]
        await window.hears("Moved 2a")
        await window.sees("1 move")
        await window.page.locator(".tool-undo:not([disabled])").wait_for()
        await window.page.locator(f".pile[aria-label='cell a'] > [data-card='{card}']").wait_for()
        assert "cell a" in str(await window.page.locator(f"[data-card='{card}']").get_attribute("aria-label"))


@pytest.mark.slow
async def test_a_whole_game_by_one_finger_on_a_phone(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, 390, 844, phone=True)
        await window.deals(617)
        for number, move in enumerate(winning_line(), 1):
            await window.touch(move)
            await window.made(number)
        await window.page.locator(WON).wait_for()
        assert await window.page.evaluate("[scrollX, scrollY]") == [0, 0]
        assert window.faults == []


async def test_what_is_no_move_is_said_in_one_line_and_undo_goes_back(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        start = await window.board()
        await window.type("18")
        await window.sees("jack of diamonds does not go on queen of hearts: it needs a black queen")
        await window.drag("2a")
        moved = await window.board()
        assert moved != start
        await window.page.keyboard.press("u")
        assert await window.board() == start
        await window.page.keyboard.press("y")
        assert await window.board() == moved
        await window.page.keyboard.press("Control+z")
        assert await window.board() == start
        await _click(window, 1)
        await window.page.locator(".card.selected").wait_for()
        await window.page.locator(".slot.cell").first.click()
        assert await window.board() == moved


async def _click(window: Window, column: int) -> None:
    """Click on the last card of a column."""
    card = await window.page.evaluate(f"document.querySelector('card-table').board.columns[{column}].at(-1)")
    await window.page.locator(f"[data-card='{card}']").click()


async def test_a_drag_that_is_broken_off_changes_nothing(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        start = await window.board()
        for end in ("Escape", "outside"):
            await window.page.mouse.move(*await _last(window, 1))
            await window.page.mouse.down()
            await window.page.mouse.move(500, 300)
            await window.page.locator(".card.dragged").wait_for()
            if end == "Escape":
                await window.page.keyboard.press("Escape")
            else:
                await window.page.mouse.move(5, 5)
            await window.page.mouse.up()
            assert await window.page.locator(".card.dragged").count() == 0
            assert await window.board() == start, end


async def _last(window: Window, column: int) -> tuple[float, float]:
    card = await window.page.evaluate(f"document.querySelector('card-table').board.columns[{column}].at(-1)")
    box = await window.page.locator(f"[data-card='{card}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.slow
async def test_the_game_is_still_there_after_a_reload_and_without_a_network(
    tmp_path: Path, server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.type("2a")
        moved = await window.board()
        await window.until("() => navigator.serviceWorker.controller !== null")
        await window.context.set_offline(True)
        await window.go("/")
        await window.sees("#617")
        assert await window.board() == moved
        await window.sees("Practice")


@pytest.mark.slow
@pytest.mark.parametrize("place", ["/#deal=hello", "/#%", "/#deal=1.5"])
async def test_an_address_that_means_nothing_shows_a_game(
    server: ServerProcess, chromium: Chromium, place: str
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.go(place)
        await window.sees("Practice")
        assert await window.moves() == 0
        assert window.faults == []


@pytest.mark.slow
async def test_a_deal_code_brings_its_cells(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.go("/#deal=FC1-C2-AAAAATJ")
        await window.sees("#617")
        assert (await window.board()).split("|")[1] == "--"


@pytest.mark.slow
async def test_what_can_go_home_by_itself_is_said_and_goes(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.page.add_init_script("localStorage.setItem('cellrace', '{\"rules\": \"relaxed\"}')")
        await window.deals(617)
        finish = window.page.locator(".tool-finish")
        for move in winning_line(RELAXED):
            if not await finish.is_disabled():
                break
            await window.type(move)
        await window.hears("All cards can go home now")
        await window.page.keyboard.press("f")
        await window.page.locator(WON).wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "said"), [("fr", "Course"), ("it", "Sfida"), ("nl", "Race"), ("uk", "Змагання")]
)
async def test_the_page_speaks_the_readers_language(
    server: ServerProcess, chromium: Chromium, locale: str, said: str
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url, locale=locale)
        await window.deals(617)
        assert await window.page.locator("html").get_attribute("lang") == locale
        assert said in await window.page.locator("header.top").inner_text()


async def test_cards_have_names_for_those_who_hear_them(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        said = await window.page.locator("card-table").aria_snapshot()
        golden = Path(__file__).with_name("board.aria.yml")
        assert said.splitlines() == golden.read_text().splitlines()


_FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? ''"
_STOPS = """() => {
  const stops = document.querySelectorAll('card-table [tabindex="0"]');
  return [...stops].map((one) => one.getAttribute('aria-label'));
}"""


async def test_the_table_is_gone_through_by_keys_alone(server: ServerProcess, chromium: Chromium) -> None:
    """Tab enters it at one card, arrows go on from there through all cards, and the focus follows what is moved."""
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        await window.lies_still()
        keys = window.page.keyboard
        focused: list[str] = []

        async def press(*names: str) -> None:
            for name in names:
                await keys.press(name)
            focused.append(await window.page.evaluate(_FOCUSED))

        assert await window.page.evaluate(_STOPS) == ["jack of diamonds, column 1"]
        while not (focused and "column" in focused[-1]):
            await press("Tab")
        assert focused[-1] == "jack of diamonds, column 1"
        await press("Home")
        await press("ArrowRight", "ArrowUp", "ArrowUp")
        assert focused[-2:] == [
            "7 of diamonds, column 1, 6 cards above it",
            "queen of spades, column 2, 2 cards above it",
        ]
        await press("Enter")
        await window.sees("on top of it")
        await press("Tab")
        await press("Shift+Tab")
        assert focused[-1] == "queen of spades, column 2, 2 cards above it"
        await press("End", "Enter")
        await window.page.locator(".card.selected").wait_for()
        await press("ArrowLeft", "ArrowLeft")
        assert focused[-1] == "cell a, empty"  # which is beside the columns here
        await press("Enter")
        await window.made(1)
        await window.lies_still()
        await press()
        assert focused[-1] == "king of spades, cell a"
        assert await window.page.evaluate(_STOPS) == [focused[-1]]
        await keys.press("u")
        await window.made(0)
        await window.lies_still()
        await press("ArrowUp")
        assert focused[-1] == "10 of spades, column 2, 1 card above it"
        assert len(await window.page.evaluate(_STOPS)) == 1
        assert window.faults == []


@pytest.mark.slow
async def test_what_goes_home_out_of_sight_leaves_a_way_to_the_cards(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        window = await chromium.window(server.url)
        await window.deals(617)
        for move in winning_line()[:-1]:
            await window.type(move)
            await window.lies_still()
            stops = await window.page.evaluate(_STOPS)
            assert len(stops) == 1
            assert await window.page.locator('card-table [tabindex="0"]:visible').count() == 1
        assert window.faults == []
