"""Facts as messages: the same whether live, missed or asked for again; and only what each may see."""

import pytest

from cellrace_engine import format_move
from cellrace_protocol import events as e
from cellrace_protocol.codecs import CLIENT_CODECS, MSGPACK
from cellrace_server.core.commands import (
    Finish,
    GiveUp,
    Join,
    Leave,
    Play,
    Ready,
    Restart,
    Start,
    StoreReturned,
    Tick,
    Undo,
)
from cellrace_server.core.evolve import evolve
from cellrace_server.core.facts import AnyFact, GaveUp, Moved, Restarted, Undone
from cellrace_server.core.history import History
from cellrace_server.core.options import Options
from cellrace_server.core.outcome import Repeated
from cellrace_server.core.race import Race
from cellrace_server.core.secrecy import commitment
from cellrace_server.gateway.translate import SUM_EVERY, gap, message_for, repeated, snapshot
from tests.server.core.playbook import ADA, ALAN, GRACE, Script, play
from tests.support.lines import winning_line

CH = 5
AUDIENCES = [-1, 0, 1, 2]

decode = CLIENT_CODECS[MSGPACK].decode
encode = CLIENT_CODECS[MSGPACK].encode


@pytest.fixture(scope="module")
def script() -> Script:
    """A race in which everything happens that can."""
    script = Script(Options(seats=3))
    for command in (
        Join(GRACE),
        Ready("ada"),
        Ready("ada", ready=False),
        Join(ALAN),
        Leave("alan"),
        Join(ALAN),
    ):
        script.do(command, after_ms=7)
    script.do(Start("ada"))
    script.do(Leave("alan"))
    script.do(Leave("grace"))
    script.do(Join(GRACE))
    script.do(Join(ALAN))
    for player in ("ada", "grace", "alan"):
        script.do(Ready(player))
    script.do(Tick(), after_ms=3_000)
    play(script, GRACE, ["2a", "2b"])
    script.do(Undo("grace", 3))
    script.do(Restart("grace", 4))
    script.do(StoreReturned(script.now), after_ms=500)
    play(script, ADA, winning_line())
    script.do(GiveUp("grace", 5))
    script.do(GiveUp("alan", 1))
    assert script.state.phase == "ended"
    return script


def steps(facts: list[AnyFact]) -> list[tuple[Race | None, AnyFact, Race]]:
    """Each fact with the race around it."""
    race: Race | None = None
    found: list[tuple[Race | None, AnyFact, Race]] = []
    for fact in facts:
        before, race = race, evolve(race, fact)
        found.append((before, fact, race))
    return found


def live(script: Script, seat: int) -> list[object]:
    return [message_for(CH, seat, *step) for step in steps(script.facts)]


@pytest.mark.parametrize("seat", AUDIENCES)
def test_every_fact_is_one_message_with_its_number(script: Script, seat: int) -> None:
    read = [decode(encode(message)) for message in live(script, seat)]
    assert [getattr(message, "k", 0) for message in read] == list(range(1, len(script.facts) + 1))
    assert all(getattr(message, "ch", 0) == CH for message in read)
    at = script.facts[0].at
    for message, fact in zip(read, script.facts, strict=True):
        at += getattr(message, "dt", 0)
        assert at == fact.at


@pytest.mark.parametrize("seat", AUDIENCES)
def test_a_gap_is_what_was_sent_live(script: Script, seat: int) -> None:
    sent = live(script, seat)
    for after in range(0, len(sent) + 1, 5):
        assert list(gap(CH, seat, History(script.facts), after)) == sent[after:]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_an_acknowledgement_asked_for_again_is_the_one_that_was_sent(script: Script, seat: int) -> None:
    acknowledged = [
        message
        for message in live(script, seat)
        if getattr(message, "n", 0) or (isinstance(message, e.GaveUp) and message.seat == seat)
    ]
    taken = script.state.seats[seat]
    assert taken is not None
    again = [
        repeated(CH, History(script.facts), Repeated(seat, n), command)
        for n, command in enumerate(commands_of(script, seat), 1)
    ]
    assert len(again) == taken.n
    assert again == acknowledged


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_number_that_was_used_for_something_else_is_not_acknowledged(script: Script, seat: int) -> None:
    for n, command in enumerate(commands_of(script, seat), 1):
        for other in (Play("", n, "88"), Undo("", n), Restart("", n), GiveUp("", n), Finish("", n)):
            if type(other) is not type(command):
                assert repeated(CH, History(script.facts), Repeated(seat, n), other) is None


OTHERS: dict[type, type[Undo | Restart | GiveUp]] = {Undone: Undo, Restarted: Restart, GaveUp: GiveUp}


def commands_of(script: Script, seat: int) -> list[Play | Undo | Restart | GiveUp]:
    """What the player asked for, read off the facts."""
    commands: list[Play | Undo | Restart | GiveUp] = []
    race: Race | None = None
    for fact in script.facts:
        before, race = race, evolve(race, fact)
        if isinstance(fact, Moved) and fact.seat == seat:
            taken = before.seats[seat] if before is not None else None
            assert taken is not None
            assert taken.line is not None
            text = format_move(fact.move, taken.line.position, taken.line.rules)
            commands.append(Play("", fact.n, text))
        elif isinstance(fact, Undone | Restarted | GaveUp) and fact.seat == seat:
            commands.append(OTHERS[type(fact)]("", fact.n))
    return commands


def test_players_see_progress_of_others_and_spectators_see_boards(script: Script) -> None:
    read = {seat: [decode(encode(message)) for message in live(script, seat)] for seat in AUDIENCES}
    assert not any(isinstance(message, e.Progress | e.Applied) for message in read[-1])
    for seat in (0, 1, 2):
        assert not any(isinstance(message, e.Diff) for message in read[seat])
        for message in read[seat]:
            if isinstance(message, e.Progress):
                assert message.seat != seat


def test_now_and_then_a_change_carries_the_boards_checksum(script: Script) -> None:
    sums = [message for message in live(script, -1) if getattr(message, "sum", 0)]
    assert sums
    assert len(sums) >= sum(taken.n // SUM_EVERY for _, taken in script.state.seated()) - 3


def test_what_was_promised_is_revealed_in_the_end(script: Script) -> None:
    end = live(script, 1)[-1]
    assert isinstance(end, e.End)
    assert (end.deal, end.salt) == (str(script.state.code), script.state.salt.hex())
    first = steps(script.facts)[0][2]
    assert snapshot(CH, first, -1, first.at).commitment == commitment(script.state).hex()


def test_a_race_that_never_ran_keeps_its_secret() -> None:
    script = Script()
    script.do(Leave("ada"))
    end = live(script, -1)[-1]
    assert isinstance(end, e.End)
    shown = snapshot(CH, script.state, -1, script.now)
    assert (end.deal, end.salt, shown.deal, shown.salt, shown.start) == ("",) * 5
