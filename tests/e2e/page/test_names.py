"""What one is called: chosen before the first race, and changed where nothing is left behind."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.page.test_own_races import another_tab
from tests.e2e.page.test_races import meet
from tests.e2e.page.window import Chromium, Window
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import wire_client

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WITHIN = 300
_NO_CLIPBOARD = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }"
_NARROW = (
    "() => [...document.querySelectorAll('.screen, .screen *')].every((one) => one.scrollWidth <= innerWidth)"
)


async def _choose(window: Window, name: str) -> None:
    await window.sees("You race as ")
    await window.press("Change")
    await window.page.locator("#naming").fill(name)
    await window.press("Save")


async def test_a_name_is_offered_before_the_first_race(server: ServerProcess, chromium: Chromium) -> None:
    """On the form of who invites, and in the lobby of who follows the link; who is alone there comes back to nobody."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        await ada.go("/#friend")
        await _choose(ada, "Ada L")
        await ada.press("Get the link")
        await ada.stage("lobby")
        await ada.page.locator(".racer.mine").filter(has_text="Ada L").wait_for()
        assert await ada.page.locator(".naming").count() == 0
        link = await ada.page.locator("input.link").input_value()
        await grace.go(link.removeprefix(grace.url))
        await grace.stage("lobby")
        await _choose(grace, "Grace H")
        await grace.page.locator(".racer.mine").filter(has_text="Grace H").wait_for()
        await ada.page.locator(".racer").filter(has_text="Grace H").wait_for()
        await grace.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")
            assert window.faults == []


@pytest.mark.parametrize(("where", "begin"), [("/#friend", "Get the link"), ("/#daily", "Play today's deal")])
async def test_a_name_that_is_typed_and_not_saved_counts(
    server: ServerProcess, chromium: Chromium, where: str, begin: str
) -> None:
    """Where it is refused nothing begins, and it is said beside the name."""
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go(where)
        await ada.sees("You race as ")
        await ada.press("Change")
        await ada.page.keyboard.type("***")
        await ada.press(begin)
        await ada.sees("A name has letters, digits")
        await ada.page.locator("#naming").fill("Ada S")
        await ada.press(begin)
        await ada.page.locator(".race[data-stage]").wait_for()
        await ada.go("/#profile")
        await ada.until("() => document.querySelector('#name')?.value === 'Ada S'")
        assert ada.faults == []


async def test_who_waits_for_strangers_may_choose_a_name(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/#ranked")
        await ada.stage("lobby")
        before = await ada.page.evaluate("location.pathname")
        await _choose(ada, "Ada M")
        await ada.page.locator(".racer.mine").filter(has_text="Ada M").wait_for()
        assert await ada.page.evaluate("location.pathname") != before
        await ada.press("Leave")


async def test_the_profile_knows_the_name_and_warns_of_nothing_where_nothing_is_kept(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/#profile")
        name = ada.page.locator("#name")
        await ada.until("() => document.querySelector('#name')?.value")
        await ada.sees("Nothing is kept of you yet")
        await name.fill("  ")
        await ada.press("Save")
        await ada.sees("Type a name first.")
        await name.fill("Ada N")
        await ada.press("Save")
        await ada.sees("Saved")
        assert await ada.page.get_by_text("stay behind").count() == 0
        await ada.page.reload()
        await ada.until("() => document.querySelector('#name')?.value === 'Ada N'")
        assert ada.faults == []


async def test_a_name_that_is_being_typed_is_not_lost_to_the_start(
    server: ServerProcess, chromium: Chromium
) -> None:
    """Who types one is not ready meanwhile, and takes what stands there by the word that one is."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2, 390, 844)
        link = await ada.invites()
        await grace.go(link.removeprefix(grace.url))
        await grace.stage("lobby")
        await ada.press("Change")
        await ada.page.locator(".racer.mine").filter(has_text="not ready").wait_for()
        await ada.press("Cancel")
        await ada.page.locator(".racer.mine").filter(has_not_text="not ready").wait_for()
        await ada.press("Change")
        await ada.page.keyboard.type("Ada T")
        await grace.press("I'm ready")
        await grace.page.locator(".racer.mine").filter(has_not_text="not ready").wait_for()
        assert await ada.page.locator("#naming").input_value() == "Ada T"
        await ada.press("I'm ready")
        for window in (ada, grace):
            await window.stage("play")
            await window.page.locator(".racer").filter(has_text="Ada T").wait_for()
            assert window.faults == []


async def test_a_made_up_name_stays_until_one_races(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/#profile")
        await ada.until("() => document.querySelector('#name')?.value")
        name = await ada.page.locator("#name").input_value()
        await ada.page.reload()
        await ada.until("() => document.querySelector('#name')?.value")
        assert await ada.page.locator("#name").input_value() == name
        await ada.go("/#friend")
        await ada.sees(f"You race as {name}")
        await ada.press("Get the link")
        await ada.page.locator(".racer.mine").filter(has_text=name).wait_for()


async def test_a_name_that_is_refused_is_kept_in_its_field_with_the_reason(
    tmp_path: Path, chromium: Chromium
) -> None:
    """In the lobby one keeps one's seat meanwhile; in the profile one is asked about a new player no sooner."""
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--blocked-names", "admin") as server,
    ):
        ada = await chromium.window(server.url, 390, 844)
        await ada.go("/#ranked")
        await ada.stage("lobby")
        where = await ada.page.evaluate("location.pathname")
        name = ada.page.locator("#naming")
        await _choose(ada, "The Admin")
        await ada.sees("This name is not wanted here")
        assert await name.input_value() == "The Admin"
        assert await name.evaluate("(one) => one === document.activeElement")
        assert await ada.page.evaluate("location.pathname") == where
        await name.fill("Konstantin Wladimir Ziolkowski")
        await ada.press("Save")
        await ada.sees("A name has 1 to 24 characters; this one has 30.")
        await name.fill("\u0410da")
        await ada.press("Save")
        await ada.sees("mixes letters of several scripts")
        await name.fill("Ada O")
        await ada.press("Save")
        await ada.page.locator(".racer.mine").filter(has_text="Ada O").wait_for()
        token = await ada.page.evaluate("JSON.parse(localStorage.cellrace).token")
        await ada.go("/#profile")
        await ada.page.locator("#name").fill("Ada!")
        await ada.press("Save")
        await ada.sees("not '!'")
        assert await ada.page.locator("#name").input_value() == "Ada!"
        assert await ada.page.get_by_text("stay behind").count() == 0
        assert await ada.page.evaluate("JSON.parse(localStorage.cellrace).token") == token
        assert ada.faults == []


async def test_why_a_name_is_refused_is_told_in_french(tmp_path: Path, chromium: Chromium) -> None:
    """Where it is typed, and where one that was chosen before is not wanted any more."""
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--blocked-names", "admin") as server,
    ):
        ada = await chromium.window(server.url, 320, 640, locale="fr")
        await ada.go("/#friend")
        await ada.presses("changeName")
        for name, words in (
            ("Konstantin Wladimir Ziolkowski", "Un nom a de 1 à 24 caractères\u00a0; celui-ci en a 30."),
            ("Ada!", "pas de «\u00a0!\u00a0»."),
            ("Ada\u202e", "pas de «\u00a0U+202E\u00a0»."),
            ("...", "Un nom a au moins une lettre ou un chiffre."),
            ("A\u0301\u0302\u0303da", "Une lettre porte au plus 2 signes."),
            ("\u0410da", "«\u00a0\u0410da\u00a0» mélange les lettres de plusieurs écritures."),
            ("The Admin", "Ce nom n’est pas souhaité ici\u00a0: choisissez-en un autre."),
        ):
            await ada.page.locator("#naming").fill(name)
            await ada.presses("save")
            await ada.page.locator("#naming-fault").filter(has_text=words).wait_for()
        assert ada.faults == []
        grace = await chromium.window(server.url, 390, 844, locale="fr", settings={"name": "Admin"})
        await grace.go("/#watch")
        await grace.sees("Ce nom n’est pas souhaité ici")
        assert grace.faults == []


async def test_whose_name_somebody_has_is_told_the_number_behind_it(
    server: ServerProcess, chromium: Chromium
) -> None:
    async with asyncio.timeout(WITHIN), wire_client(server.url, name="Ada") as other:
        await other.ask("create")
        ada = await chromium.window(server.url, 390, 844, settings={"name": "Ada"})
        await ada.go("/#friend")
        await ada.press("Get the link")
        await ada.stage("lobby")
        await ada.sees("Ada is taken: you race as Ada 2.")
        await ada.page.reload()
        await ada.stage("lobby")
        assert await ada.page.get_by_text("is taken").count() == 0, "once is enough"
        assert ada.faults == []


async def test_a_name_may_be_mended_before_the_first_race(server: ServerProcess, chromium: Chromium) -> None:
    async with asyncio.timeout(WITHIN):
        ada = await chromium.window(server.url, 320, 568)
        await ada.go("/#friend")
        await _choose(ada, "A" * 60)
        await ada.sees("this one has 60")
        await ada.page.locator("#naming").fill(" ")
        await ada.press("Save")
        await ada.sees("Type a name first.")
        await ada.page.locator("#naming").fill("Adda")
        await ada.press("Save")
        await ada.sees("You race as Adda")
        await _choose(ada, "W" * 24)
        await ada.sees("You race as WWWW")
        assert await ada.page.evaluate(_NARROW)


async def test_one_key_makes_one_player_on_two_devices(server: ServerProcess, chromium: Chromium) -> None:
    """A key that nobody has changes nothing, and what stays behind is told first."""
    async with asyncio.timeout(WITHIN):
        laptop, grace = await chromium.windows(server.url, 2)
        path = await meet(laptop, grace)
        token = await laptop.page.evaluate("JSON.parse(localStorage.cellrace).token")
        name = await laptop.page.evaluate("JSON.parse(localStorage.cellrace).guest")
        phone = await chromium.window(server.url, 390, 844)
        await phone.go("/")
        await _opens_key(phone)
        for wrong, said in (("x" * 48, "Nobody is known by this key."), (token, f"You are {name} here now.")):
            await phone.page.locator("#key").fill(wrong)
            await phone.page.locator("dialog button").filter(has_text="Go").click()
            await phone.sees(said)
        await phone.go(path)
        await phone.stage("play")
        await laptop.stage("taken")
        await _opens_key(grace)
        await grace.page.locator("#key").fill(token)
        await grace.page.locator("dialog button").filter(has_text="Go").click()
        await grace.sees("stay behind")
        await grace.page.locator("dialog button").filter(has_text="No").click()
        await _opens_key(laptop)
        await laptop.page.evaluate(_NO_CLIPBOARD)
        await laptop.press("Copy the key")
        assert await laptop.page.locator("dialog textarea").input_value() == token


async def _opens_key(window: Window) -> None:
    await window.page.locator(".menu").click()
    await window.press("Settings")
    await window.page.locator("summary").filter(has_text="Secret key").press("Enter")


async def test_another_name_is_asked_about_where_another_tab_races(
    server: ServerProcess, chromium: Chromium
) -> None:
    """The seat would stay behind, though nothing else is kept yet."""
    async with asyncio.timeout(WITHIN):
        ada, grace = await chromium.windows(server.url, 2)
        await meet(ada, grace)
        tab = await another_tab(ada, "/#profile")
        await tab.until("() => document.querySelector('#name')?.value")
        await tab.sees("Another name begins as a new player.")
        await tab.page.locator("#name").fill("Grace H")
        await tab.press("Save")
        await tab.sees("stay behind")
