"""What the screen says before something begins: who may come, and that a day has one attempt."""

import pytest
from msgspec import structs

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.rule_names import rules_in_words
from cellrace_client.tui.daily import DailyScreen
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from tests.client.plain.test_all_there_is import BOARD_ROW
from tests.client.plain.test_usage import waiting
from tests.client.test_client import Said, Script, scripted
from tests.client.tui.pilots import press, program, said, screen_of, shown, until
from tests.client.tui.test_races import greeted, in_race

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(
    ("ranked", "notice", "row_ms", "told"),
    [
        (False, False, 600_000, "waiting for one more player: a bot comes in"),
        (False, False, 0, "waiting for one more player: if nobody comes, a bot does in a moment"),
        (False, False, -1, "waiting for one more player"),
        (False, True, 5_000, "waiting for one more player"),
        (True, False, -1, "waiting for one more player: only people come to a ranked race: no bot does"),
    ],
)
async def test_who_waits_for_strangers_is_told_who_may_come(
    ranked: bool, notice: bool, row_ms: int, told: str
) -> None:
    async def server(talk: Said) -> None:
        await greeted(talk)
        asked = await talk.hear()
        assert isinstance(asked, c.Quick)
        await talk.say(e.Entered(asked.r, 2, "race2", 0, 1), waiting(ranked=ranked))
        if notice:
            await talk.say(e.Notice("no_house_bot", "none are kept", 2))
        await talk.say(e.Listing([e.RaceRow("race2", "lobby", "classic", 2, ["Me"], bot_after_ms=row_ms)]))
        await talk.socket.wait_closed()

    async with scripted(server) as url, program("ranked" if ranked else "quick", url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2") and "race2" in pilot.app.lobby.listed)  # type: ignore[attr-defined]
        await until(pilot, lambda: said(pilot).startswith(told))
        assert (said(pilot) == told) == (row_ms < 600_000)
        assert "Enter not ready" in shown(pilot)
        assert screen_of(pilot).foot()[-1].name == "away"


@pytest.mark.parametrize(
    ("first", "text", "title"),
    [
        ("friend", "617", "cellrace race2  617 (FC1-C4-AAAAATJ)"),
        ("join", "617", "cellrace race2  617 (FC1-C4-AAAAATJ)"),
        ("join", "617 pocket+cells=2", "cellrace race2  617 (FC1-C2-AAAAATJ)"),
        ("against", "best 617", "cellrace race2  617 (FC1-C4-AAAAATJ)"),
        ("friend", "", "cellrace race2  the deal is hidden until the start"),
        ("join", "race2", "cellrace race2  the deal is hidden until the start"),
    ],
)
async def test_a_deal_that_one_has_named_is_not_hidden(first: str, text: str, title: str) -> None:
    async def server(talk: Said) -> None:
        await greeted(talk)
        while True:
            asked = await talk.hear()
            match asked:
                case c.GetTop(r=r):
                    run = structs.replace(BOARD_ROW, run="abcdefg-0")
                    await talk.say(e.Top(r, "FC1-C4-AAAAATJ", "classic", Kind.HUMAN, [run]))
                case c.Create(r=r) | c.Join(r=r) | c.RaceGhosts(r=r):
                    await talk.say(e.Entered(r, 2, "race2", 0, 1), waiting())
                    return await talk.socket.wait_closed()
                case _:
                    raise AssertionError(asked)

    async with scripted(server) as url, program(first, text, url=url) as pilot:
        await until(pilot, lambda: in_race(pilot, "race2"))
        await until(pilot, lambda: title in shown(pilot))
        assert "Me (you)" in shown(pilot)


def day(r: int, attempt: str) -> e.Dailies:
    rows = [e.DailyRow("classic", "x", 0, "done"), e.DailyRow("pocket+cells=2", "x", 0, attempt)]
    return e.Dailies(r, "2026-11-30", 60_000_000, rows, [])


def of_a_day(attempt: str, played: list[str]) -> Script:
    """A server with deals of the day, until one of them is `played`; of one an attempt is so far."""

    async def server(talk: Said) -> None:
        await greeted(talk)
        while not played:
            match await talk.hear():
                case c.GetDaily(r=r):
                    await talk.say(day(r, attempt))
                case c.PlayDaily(rules=rules):
                    played.append(rules)
                case c.GetDailyTop(r=r):
                    await talk.say(e.Top(r, "FC1-C4-AAAAATJ", "pocket", Kind.HUMAN, []))
                case other:
                    await talk.say(e.Error("not_found", "no such thing", getattr(other, "r", 0)))
        await talk.socket.wait_closed()

    return server


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("attempt", "presses", "does"),
    [("open", 2, "daily.play"), ("under_way", 1, "daily.back"), ("done", 1, "daily.practise")],
)
async def test_the_one_attempt_of_a_day_is_asked_for_twice(
    language: str, attempt: str, presses: int, does: str
) -> None:
    played: list[str] = []
    server = of_a_day(attempt, played)
    words = Catalogue(language)
    async with scripted(server) as url, program("daily", url=url, language=language) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, DailyScreen))
        screen = pilot.app.screen
        assert isinstance(screen, DailyScreen)
        await until(pilot, lambda: rules_in_words(words, "pocket+cells=2") in shown(pilot))
        press(pilot, "down")
        await until(pilot, lambda: screen.under_cursor == "pocket+cells=2")
        await until(pilot, lambda: words(does) in shown(pilot))
        if presses == 2:
            press(pilot, "enter")
            await until(pilot, lambda: words("daily.sure") in shown(pilot))
            press(pilot, "up")  # something else came between
            await until(pilot, lambda: words("daily.sure") not in shown(pilot))
            press(pilot, "down")
            await until(pilot, lambda: screen.under_cursor == "pocket+cells=2")
            press(pilot, "enter")
            await until(pilot, lambda: words("daily.sure") in shown(pilot))
            assert played == []
        press(pilot, "enter")
        await until(pilot, lambda: played == ["pocket+cells=2"])


@pytest.mark.parametrize("other", ["question_mark", "f1", "t", "x"])
async def test_the_question_is_not_asked_any_more_when_something_else_came_between(other: str) -> None:
    """What is shown and what the next Enter does agree."""
    played: list[str] = []
    server = of_a_day("open", played)
    sure = Catalogue("en")("daily.sure")
    async with scripted(server) as url, program("daily", url=url) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, DailyScreen))
        screen = pilot.app.screen
        assert isinstance(screen, DailyScreen)
        await pilot.press("down")
        await until(pilot, lambda: screen.under_cursor == "pocket+cells=2")
        await pilot.press("enter")
        await until(pilot, lambda: sure in shown(pilot))
        await pilot.press(other)
        if other != "x":
            await until(pilot, lambda: pilot.app.screen is not screen)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is screen)
        await until(pilot, lambda: sure not in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: sure in shown(pilot))
        assert played == []
        await pilot.press("enter")
        await until(pilot, lambda: played == ["pocket+cells=2"])


async def test_rules_are_named_in_words() -> None:
    words = Catalogue("en")
    assert rules_in_words(words, "classic") == "classic"
    assert rules_in_words(words, "pocket+cells=2") == "pocket, 2 cells"
    assert rules_in_words(words, "pocket+cells=1+undo_depth=3") == "pocket, 1 cell, undo_depth=3"
