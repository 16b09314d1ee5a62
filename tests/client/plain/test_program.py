"""The line mode without a server, and with one that says exactly what a test has written down."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from cellrace_client.advice import Advice
from cellrace_client.languages import Catalogue
from cellrace_client.plain.words import step_line
from cellrace_engine import CLASSIC, RELAXED, Line, deal, parse_move
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.board import pack
from cellrace_protocol.commands import Kind
from tests.client.plain.people import Person
from tests.client.test_client import Said, scripted, snapshot
from tests.support.lines import winning_line
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio


MOVED = "2a. KS to free cell a; column 2 ends with TS. 0 cards home"


async def test_commands_are_no_moves_while_one_plays() -> None:
    ada = Person()
    ada.type("practice 617", "help", "quick", "races", "2a", "?", "leave", "board", "quit")
    await ada.ends()
    assert [line for line in ada.said if "no move" in line or "square" in line] == []
    assert ada.said.count("Races:") == 1
    assert sum(line.startswith("without a server, as --local said") for line in ada.said) == 2
    assert MOVED in ada.said
    assert "back in the lobby" in ada.said
    assert ada.said[-1] == "board is for a game: quick, race or practice begins one"


async def test_a_hint_does_not_stop_the_game_and_is_for_the_board_that_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Line] = []
    answers: list[asyncio.Future[Advice]] = []

    async def advise(line: Line) -> Advice:
        asked.append(line)
        answers.append(asyncio.get_running_loop().create_future())
        return await answers[-1]

    monkeypatch.setattr("cellrace_client.plain.seat.advise", advise)
    ada = Person()
    ada.type("practice 617", "hint")
    await eventually(lambda: len(asked) == 1)
    ada.type("2a")
    await ada.hears(MOVED)
    ada.type("hint")
    await eventually(lambda: len(asked) == 2)
    assert answers[0].cancelled()
    answers[1].set_result(Advice("26"))
    await ada.hears("Hint: 26")
    ada.type("hint", "end")
    await eventually(lambda: len(asked) == 3)
    answers[2].set_result(Advice("", lost=True))
    await ada.ends()
    assert ada.said[-1] == "from here the game is lost: take back"


async def a_race(said: Said, channel: int, request: type = c.Watch) -> None:
    asked = await said.hear()
    assert isinstance(asked, request)
    await said.say(e.Entered(getattr(asked, "r", 0), channel, f"race{channel}", 0, 1), running(channel))


def running(channel: int) -> e.Snapshot:
    return structs.replace(snapshot(5), ch=channel, race=f"race{channel}")


def dealt(channel: int) -> e.Snapshot:
    """A race that runs on deal 617."""
    empty, start = running(channel), Line.begin(CLASSIC, deal(617)).position
    board = pack(start.columns, start.cells, start.foundations)
    return structs.replace(empty, start=board, seats=[structs.replace(empty.seats[0], board=board)])


def over(channel: int) -> e.End:
    return e.End(channel, 6, 0, "all_done", [], "deal", "")


async def test_a_race_that_is_over_is_parted_from_so_that_no_rematch_of_others_leads_away() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await a_race(said, 2)
        await said.say(over(2))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2")
        await ada.hears("The race is over")
        ada.type("leave")
        await ada.hears("back in the lobby")
        ada.type("end")
        await ada.ends()


@pytest.mark.parametrize("own", [e.Done(2, 6, 0, 0, 61_000, 0, 0), e.GaveUp(2, 6, 0, 0)])
async def test_whoever_is_done_first_is_told_when_the_result_comes(own: e.ServerMessage) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        race = dealt(2)
        other = structs.replace(race.seats[0], player="ada", name="Ada", board="")
        both = structs.replace(race, seats=[*race.seats, other])
        await said.say(e.Entered(watch.r, 2, "race2", 0, 1), both, own, e.Done(2, 7, 0, 1, 62_000, 0, 0))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        me = Person(url)
        me.type("watch race2")
        await me.hears("Ada, 0 cards home, 0 moves, home in 1:02.000")
        assert me.said.count("The result comes when 1 other is done") == 1
        me.type("end")
        await me.ends()


async def test_who_comes_is_told_of_races_that_another_program_was_in() -> None:
    async def server(said: Said) -> None:
        await said.greet(races=["race2"])
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        await ada.hears("your race race2 goes on")
        ada.type("end")
        await ada.ends()


async def test_a_daily_whose_deal_is_being_chosen_says_so() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.GetDaily)
        await said.say(e.Dailies(asked.r, "2026-11-30", 60_000, [], ["classic"]))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url, language="uk")
        ada.type("daily")
        await ada.hears("classic: розклад обирається")
        ada.type("end")
        await ada.ends()


async def test_a_daily_has_no_rematch() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        of_a_day = structs.replace(running(2), daily="2026-11-30")
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), of_a_day, over(2))
        assert await said.hear() == c.Part(2)
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2")
        await ada.hears("The race is over")
        ada.type("rematch")
        await ada.hears("It has no rematch: play it again for practice")
        ada.type("end")
        await ada.ends()


async def test_a_rematch_leads_on_also_while_something_else_is_typed_and_after_one_that_fails() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await a_race(said, 2)
        await said.say(over(2), e.Entered(0, 3, "race3", 0, 1))  # its snapshot is slow
        asked = await said.hear()
        parted = asked if isinstance(asked, c.Part) else await said.hear()
        assert parted == c.Part(2)
        watch = asked if isinstance(asked, c.Watch) else await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(watch.r, 4, "race4", 0, 1), running(4), running(3))
        assert await said.hear() == c.Part(3)
        await said.say(e.Entered(0, 5, "race5", 0, 1), running(5))
        assert await said.hear() == c.Part(4)
        await said.say(e.Entered(0, 6, "race6", 0, 1))
        assert await said.hear() == c.Part(5)
        await said.say(e.Notice("taken_over", "elsewhere", 6), e.Entered(0, 7, "race7", 0, 1), running(7))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race2", "watch race4")
        await eventually(lambda: in_race(ada) == "race7")
        ada.type("end")
        await ada.ends()


async def test_what_the_server_refuses_is_told_in_the_players_language() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Join)
        await said.say(e.Error("full", "all 2 seats are taken", asked.r))
        asked = await said.hear()
        assert isinstance(asked, c.Join)
        await said.say(e.Error("slow_down", "too often", asked.r, 1_500))
        asked = await said.hear()
        assert isinstance(asked, c.Join)
        await said.say(e.Error("of_tomorrow", "a code of tomorrow", asked.r))
        watch = await said.hear()
        assert isinstance(watch, c.Watch)
        await said.say(e.Entered(watch.r, 2, "race2", 0, 1), dealt(2))
        assert await said.hear() == c.Ready(2)
        await said.say(e.Refused(2, 0, "started", "the race has started"))
        move = await said.hear()
        assert isinstance(move, c.Move)
        await said.say(e.Refused(2, move.n, "cell_occupied", "a holds the ace of spades", 1))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url, language="fr")
        ada.type("join race2", "join race2", "join race2", "watch race2")
        await ada.hears("toutes les places sont prises")
        await ada.hears("trop de demandes, trop vite\u202f: de nouveau dans 2 s")
        await ada.hears("a code of tomorrow")
        await eventually(lambda: in_race(ada) == "race2")
        ada.type("ready")
        await ada.hears("la course a commencé")
        ada.type("2a")
        await ada.hears("cette cellule libre est prise")
        ada.type("end")
        await ada.ends()
        assert [line for line in ada.said if "taken" in line or "holds" in line] == []


def in_race(person: Person) -> str:
    seat = person.program.seat
    return seat.race.id if seat is not None and seat.race is not None else ""


async def test_what_becomes_of_a_race_is_said_in_lines() -> None:
    """Also who leaves, who is back, a countdown that is off, an outage, a ghost, and the clock."""
    two = structs.replace(
        snapshot(5),
        phase="lobby",
        start="",
        seats=[
            structs.replace(snapshot(5).seats[0], board=""),
            structs.replace(snapshot(5).seats[0], player="bob", name="Bob", board=""),
        ],
    )
    start = Line.begin(CLASSIC, deal(617)).position
    board = pack(start.columns, start.cells, start.foundations)

    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race", 0, 1), two)
        await said.say(e.Ghost(2, 0, "abc-0", "Anna", Kind.HUMAN, 60_000, [e.GhostStep(0, 3, 4)]))
        await said.say(e.Countdown(2, 6, 0, 3_000), e.Left(2, 7, 0, 1, "me"), e.Halted(2, 8, 0))
        await said.say(e.Away(2, 9, 0, 0), e.Here(2, 10, 0, 0), e.Go(2, 11, 0, "FC1-C4-AAAAATJ", board))
        await said.say(e.Outage(2, 12, 1_500, 1_500))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("watch race")
        await ada.hears("the server was away for 1.5 s")
        assert "Bob leaves" in ada.said
        assert "the countdown is off: nobody is ready any more" in ada.said
        away = ada.said.index("Me, 0 cards home, 0 moves, away")
        assert "Me, 0 cards home, 0 moves" in ada.said[away:]
        ada.type("players")
        await ada.hears("Anna (ghost), 3 cards home, 4 moves, home in 1:00.000")
        await ada.hears("0:0")
        ada.type("save x", "leave", "rematch", "practice 617", "ready", "give up", "save", "end")
        await ada.ends()
        assert "save is for practice" in ada.said
        assert [f"{what} is for races" in ada.said for what in ("rematch", "ready", "give up")] == [True] * 3
        assert "name a file: save FILE" in ada.said


async def test_a_connection_that_is_lost_and_one_that_is_gone_are_said() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        assert isinstance(await said.hear(), c.GetRaces)
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        await said.say(e.Races(asked.r, []), e.Notice("revoked", "another token is in force"))
        await said.socket.close(4403)

    async def third(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("revoked", "the token is dead"))
        await said.socket.wait_closed()

    async with scripted(first, second, third) as url:
        ada = Person(url)
        ada.type("races")
        await ada.hears("the connection is gone for good: ")
        assert "connection lost: coming back" in ada.said
        assert "connected" in ada.said
        ada.type("races", "end")
        await ada.ends()
        assert len([line for line in ada.said if line.startswith("the connection is gone for good: ")]) == 2


async def test_a_name_that_is_not_taken_any_more_is_said_with_the_reason_in_the_players_language() -> None:
    async def first(said: Said) -> None:
        await said.greet()
        said.socket.transport.abort()

    async def second(said: Said) -> None:
        await said.hear()
        await said.say(e.Error("bad_name", "this name is not wanted here", facts={"reason": "unwanted"}))
        await said.socket.wait_closed()

    async with scripted(first, second) as url:
        ada = Person(url, language="fr")
        ada.type("races")
        await ada.hears("ce nom n’est pas souhaité ici")
        ada.type("end")
        await ada.ends()


async def test_boards_are_named_by_a_deal_or_by_rules_alone() -> None:
    asked: list[c.GetTop] = []

    async def server(said: Said) -> None:
        await said.greet()
        for _ in range(3):
            top = await said.hear()
            assert isinstance(top, c.GetTop)
            asked.append(top)
            await said.say(e.Error("bad_options", "none here", top.r))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        ada = Person(url)
        ada.type("boards", "boards relaxed", "boards 617 relaxed", "end")
        await ada.ends()
    assert [(top.scope, top.deal, top.rules) for top in asked] == [
        (c.Scope.DAY, "", "classic"),
        (c.Scope.DAY, "", "relaxed"),
        (c.Scope.DEAL, "FC1-C4-AAAAATJ", "relaxed"),
    ]


async def test_a_data_directory_that_cannot_be_written_keeps_nobody_from_playing(tmp_path: Path) -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await said.socket.wait_closed()

    (tmp_path / "file").write_text("")
    async with scripted(server) as url:
        ada = Person(url, folder=tmp_path / "file")
        ada.type("practice 617", "2a", "end")
        await ada.ends()
    assert any("file" in line and "exists" in line.lower() for line in ada.said), ada.said
    assert MOVED in ada.said


async def test_an_own_race_that_goes_on_is_told_and_marked() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        await a_race(said, 2)
        assert await said.hear() == c.Part(2)
        asked = await said.hear()
        assert isinstance(asked, c.GetRaces)
        rows = [
            e.RaceRow(name, "running", "classic", 1, [who]) for name, who in (("race2", "Me"), ("b", "Ada"))
        ]
        await said.say(e.Races(asked.r, rows))
        await said.socket.wait_closed()

    async with scripted(server) as url:
        me = Person(url)
        me.type("watch race2")
        await me.hears("Me, 0 cards home")
        me.type("leave", "races", "quit")
        await me.ends()
    assert "your race race2 goes on: join race2 goes back to it" in me.said
    assert me.said[-2:] == ["race2, running, yours, classic: Me", "b, running, classic: Ada"]


async def test_a_move_says_what_went_where_and_what_lies_open_now() -> None:
    line, said = Line.begin(CLASSIC, deal(617)), list[str]()
    for text in winning_line()[:23]:
        before, line = line, line.play(parse_move(text, line))
        said.append(step_line(Catalogue("en"), line, text, before))
    assert "26. 5H 4S to column 6; column 2 ends with QC. 0 cards home" in said
    assert "b7. TS to column 7. 0 cards home" in said
    assert "71. 3D to column 1; by themselves home: AS, 2S; column 7 ends with 2D. 2 cards home" in said
    assert said[-1] == "74. 2D to column 4; column 7: empty. 2 cards home"
    taken_back = line.undo()
    assert isinstance(taken_back, Line)
    assert step_line(Catalogue("en"), taken_back, "undo", line) == "undo. 2 cards home"


@pytest.mark.parametrize("word", ["help", "aide", "aiuto", "hulp", "допомога"])
async def test_help_is_named_at_the_beginning_and_is_understood_in_every_language(word: str) -> None:
    ada = Person()
    ada.type(word, "quit")
    await ada.ends()
    assert ada.said[0] == "Type help for what you can do here."
    assert ada.said[1] == "Races:"


async def test_the_move_that_wins_offers_nothing_more_to_finish() -> None:
    ada = Person()
    ada.type("practice 617 relaxed", *winning_line(RELAXED), "quit")
    await ada.ends()
    assert ada.said[-1].startswith("All cards are home")
    assert len([line for line in ada.said if line.endswith("finish sends everything home")]) == 1
