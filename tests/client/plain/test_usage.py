"""What the line mode says of its commands, and of those that mean nothing where they are typed."""

import asyncio

import pytest
from msgspec import structs

from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.plain.usage import GROUPS, OF_GAMES, OF_RACES, TOLD_WITH, everything, usage
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind
from tests.client.plain.people import Person
from tests.client.plain.test_program import dealt
from tests.client.test_client import Said, scripted, snapshot
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_has_a_line_for_each_command_and_says_each_alone(language: str) -> None:
    words = Catalogue(language)
    lines = list(everything(words))
    ada = Person(language=language)
    commands = {*ada.program.commands} | OF_RACES | OF_GAMES
    assert [name for name in commands if not usage(words, name)] == []
    assert len(lines) == len(set(lines)) == len(GROUPS) + sum(map(len, GROUPS.values()))
    known = {name for names in GROUPS.values() for name in names}
    assert set(TOLD_WITH.values()) <= known
    assert {key for key in words.texts if key.startswith("do.")} == {f"do.{name}" for name in known}
    ada.type("help races", "help create", "help nothing", "quit")
    await ada.ends()
    assert ada.said[-3:] == [words("do.races"), words("do.race"), words("plain.unknown", what="nothing")]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("give up", "give up is for races"),
        ("ready", "ready is for races"),
        ("rematch", "rematch is for races"),
        ("undo", "undo is for a game: quick, race or practice begins one"),
        ("give", "give is no command here; help lists them"),
        ("join", "join wants more. join WHAT: takes a seat"),
        ("watch", "watch wants more. watch RACE: looks on"),
        ("against", "against wants more. against WHOSE"),
        ("replay", "replay wants more. replay [RUN]"),
        ("quick foo", "foo does not go with quick. quick [ranked]"),
        ("quick ghost", "ghost does not go with quick. quick [ranked]"),
        ("play", "play wants more. play daily"),
        ("play chess", "chess does not go with play. play daily"),
    ],
)
async def test_what_means_nothing_here_says_what_it_is_for(typed: str, said: str) -> None:
    ada = Person()
    ada.type(typed, "quit")
    await ada.ends()
    assert ada.said[-1].startswith(said)


async def test_a_daily_that_there_is_not_lists_those_that_there_are() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.PlayDaily)
        await said.say(e.Error("bad_options", "'foo' is no rule set", asked.r))
        for _ in range(2):
            today = await said.hear()
            assert isinstance(today, c.GetDaily)
            await said.say(e.Dailies(today.r, "2026-11-30", 60_000, [], ["classic", "relaxed"]))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("play daily foo", "daily foo", "end")
        await ada.ends()
    which = "no deal of the day is called foo: today there is classic, relaxed"
    assert ada.said[-2:] == [which, which]


def won(channel: int) -> e.End:
    return e.End(channel, 6, 0, "all_done", [e.Place(1, 0, 52, 60, 61_000, 0, 0)], "FC1-C4-AAAAATJ", "")


async def test_after_a_race_one_is_told_what_now_and_its_run_and_board_need_no_name() -> None:
    heard: list[object] = []

    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), dealt(2), won(2))
        for _ in range(3):
            heard.append(await said.hear())
            await said.say(e.Error("busy", "later", getattr(heard[-1], "r", 0)))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2")
        await ada.hears(
            "What now: replay shows the run, boards shows this deal’s board, rematch races once more"
        )
        ada.type("players", "replay from 10", "boards moves", "boards day", "end")
        await ada.ends()
    replay, board, day = heard
    assert isinstance(replay, c.GetReplay)
    assert replay.run == "race2-0"
    assert isinstance(board, c.GetTop)
    assert (board.deal, board.scope) == ("FC1-C4-AAAAATJ", c.Scope.DEAL)
    assert isinstance(day, c.GetTop)
    assert day.scope is c.Scope.DAY
    assert not any("ready" in line for line in ada.said if line.startswith("Me, "))


def waiting(*, ranked: bool = False) -> e.Snapshot:
    """Alone, ready, where there is room for one more."""
    own = structs.replace(snapshot(5).seats[0], board="", ready=True)
    free = e.SeatView("", "", Kind.HUMAN, False, False, -1, 0, 0, 0, 0, "")
    return structs.replace(
        snapshot(5), ch=2, race="race2", phase="lobby", start="", deal="", ranked=ranked, seats=[own, free]
    )


@pytest.mark.parametrize(
    ("typed", "notice", "row_ms", "said"),
    [
        ("quick", False, 4_100, "a bot comes in 5 s if nobody does"),
        ("quick", False, -1, ""),
        ("quick", True, 4_100, "no bot comes here: you wait for a person"),
        ("quick ranked", False, None, "only people come to a ranked race: no bot does"),
        ("quick ghost run-1", False, None, "if nobody comes, it goes on against the ghost"),
    ],
)
async def test_who_waits_for_strangers_is_told_who_may_come(
    typed: str, notice: bool, row_ms: int | None, said: str
) -> None:
    async def server(talk: Said) -> None:
        await talk.greet()
        asked = await talk.hear()
        assert isinstance(asked, c.Quick)
        await talk.say(e.Entered(asked.r, 2, "race2", 0, 1), waiting(ranked=asked.ranked))
        if notice:
            await talk.say(e.Notice("no_house_bot", "none are kept", 2))
        if row_ms is not None:
            listed = await talk.hear()
            assert isinstance(listed, c.GetRaces)
            row = e.RaceRow("race2", "lobby", "classic", 2, ["Me"], bot_after_ms=row_ms)
            await talk.say(e.Races(listed.r, [row]))
        left = await talk.hear()
        assert isinstance(left, c.Leave)
        await talk.say(e.Left(2, 6, 0, 0, ""))
        await talk.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type(typed, "leave", "end")
        await ada.ends()
    told = [line for line in ada.said if " bot " in line or "ghost" in line]
    assert told == ([said] if said else [])


async def test_a_hint_that_was_overtaken_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Event()

    async def advise(_: object) -> None:
        asked.set()
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr("cellrace_client.plain.seat.advise", advise)
    ada = Person()
    ada.type("practice 617", "hint")
    await eventually(asked.is_set)
    ada.type("2a", "end")
    await ada.ends()
    assert "no hint: the board changed before one was found" in ada.said
