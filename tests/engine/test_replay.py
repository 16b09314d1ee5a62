"""Replay documents: read strictly, written the same way each time, and re-run action by action."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import (
    CLASSIC,
    POCKET,
    RELAXED,
    Action,
    DealCode,
    Game,
    Line,
    PlayerKind,
    PlayerRun,
    Reason,
    Replay,
    ReplayError,
    Result,
    deal,
    format_move,
    from_json,
    to_json,
    verify,
)
from tests.engine.strategies import lines, steady
from tests.engine.vectors import DATA, move_of, read

SAMPLE = DATA / "replay-v1.json"


def sample() -> Replay:
    """A race on deal 1: one player wins after a restart and an undo, the other gives up."""
    solution = next(read("solutions.jsonl"))
    winner, loser = Game(1, RELAXED), Game(1, RELAXED)
    actions = [Action(900, "1a"), Action(1500, "restart"), Action(2000, "5a"), Action(2600, "undo")]
    for text in ("5a",):
        winner.push(text)
    winner.undo()
    for number, triple in enumerate(solution["moves"]):
        text = winner.text_of(move_of(triple))
        actions.append(Action(3000 + 700 * number, text))
        winner.push(text)
    loser.push("1a")
    result = Result(actions[-1].t_ms - 40, winner.moves, 52, winner.score, 40)
    return Replay(
        RELAXED,
        (
            PlayerRun("Ann", PlayerKind.HUMAN, tuple(actions), result),
            PlayerRun("botvinnik", PlayerKind.BOT, (Action(1000, "1a"),), Result(1000, 1, 0, 0)),
        ),
        DealCode.of(1),
    )


def test_the_sample_of_version_1_is_read_and_holds() -> None:
    text = SAMPLE.read_text(encoding="utf-8").strip()
    replay = from_json(text)
    assert replay == sample()
    assert to_json(replay) == text
    verification = verify(replay)
    assert verification.holds
    assert [line.won for line in verification.lines] == [True, False]
    assert verification.lines[0].undos == 1


@steady
@given(lines)
def test_any_line_can_be_written_read_and_verified(line: Line) -> None:
    at = Line.begin(line.rules, line.start)
    actions: list[Action] = []
    for number, step in enumerate(line.steps()):
        actions.append(Action(number * 250, format_move(step.move, at.position, at.rules)))
        at = at.play(step.move)
    last_ms = actions[-1].t_ms if actions else 0
    result = Result(last_ms // 3, line.moves, line.cards_home, at.score, last_ms - last_ms // 3)
    replay = Replay(
        line.rules, (PlayerRun("A", PlayerKind.HUMAN, tuple(actions), result),), layout=line.start.text
    )
    assert from_json(to_json(replay)) == replay
    assert verify(replay).holds


def changed(path: list[str | int], value: object) -> str:
    document: Any = json.loads(SAMPLE.read_text(encoding="utf-8"))
    at = document
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "where", "says"),
    [
        (["format"], "other", "format", "'cellrace-replay' expected"),
        (["format"], None, "format", "expected"),
        (["version"], 2, "version", "2 is not known"),
        (["version"], "1", "version", "a whole number expected, not a text"),
        (["version"], True, "version", "not true or false"),
        (["rules"], None, "", "'rules' is missing"),
        (["extra"], 1, "", "'extra' is not known"),
        (["rules", "cells"], 3, "rules.cells", "3 cells are not offered"),
        (["rules", "cells"], 2, "rules.cells", "the deal has 4, the rules have 2"),
        (["rules", "take_back"], "often", "rules.take_back", "one of never, column, column_or_cell"),
        (["rules", "automatic_moves"], 1, "rules.automatic_moves", "true or false expected"),
        (["rules", "undo_depth"], None, "rules", "'undo_depth' is missing"),
        (["deal"], None, "deal", "either a deal code or a layout"),
        (["deal"], "fc1-c4-aaaaaab", "deal", "the canonical code FC1-C4-AAAAAAB"),
        (["deal"], "FC1-C3-AAAAAAB", "deal", "4, 2 or 1 cells"),
        (["layout"], "x", "deal", "either a deal code or a layout"),
        (["players"], {}, "players", "a list expected, not an object"),
        (["players", 0], 7, "players[0]", "an object expected, not a whole number"),
        (["players", 0, "name"], 7, "players[0].name", "a text expected"),
        (["players", 1, "kind"], "dog", "players[1].kind", "one of human, bot"),
        (["players", 0, "actions", 3], [2600], "players[0].actions[3]", "a time and what was done"),
        (["players", 0, "actions", 3], [2600.5, "undo"], "players[0].actions[3][0]", "not a fraction"),
        (["players", 0, "actions", 3], [1999, "undo"], "players[0].actions[3]", "never decrease"),
        (["players", 0, "actions", 0], [-1, "1a"], "players[0].actions[0]", "never decrease"),
        (["players", 1, "result", "score"], None, "players[1].result", "'score' is missing"),
        (["players", 1, "result", "score"], "0", "players[1].result.score", "a whole number expected"),
    ],
)
def test_a_malformed_document_names_the_field(
    path: list[str | int], value: object, where: str, says: str
) -> None:
    with pytest.raises(ReplayError) as caught:
        from_json(changed(path, value))
    assert caught.value.where == where
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"a":1,"a":2}', "[" * 100_000, "9" * 5000, b"\xff\xfe\xfa"]
)
def test_what_is_no_document_is_refused(text: str | bytes) -> None:
    with pytest.raises(ReplayError):
        from_json(text)


def test_a_layout_that_cannot_be_is_refused() -> None:
    document = json.loads(SAMPLE.read_text(encoding="utf-8"))
    del document["deal"]
    document["layout"] = deal(1).text.replace("JD", "2D", 1)
    with pytest.raises(ReplayError, match=r"layout: .*2D is there twice"):
        from_json(json.dumps(document))


@steady
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_other_json_is_refused_without_a_crash(document: object) -> None:
    with pytest.raises(ReplayError):
        from_json(json.dumps(document))


def test_verification_names_player_action_and_reason() -> None:
    verification = verify(from_json(changed(["players", 0, "actions", 5, 1], "5a")))
    failure = verification.failure
    assert failure is not None
    assert (failure.player, failure.action) == (0, 5)
    assert failure.refusal is not None
    assert failure.refusal.reason is Reason.CELL_OCCUPIED
    assert failure.text == "players[0].actions[5]: '5a' is refused: cell a is taken by 6C"
    assert not verification.holds


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (["players", 0, "actions", 4, 1], "zz", "is no move"),
        (["players", 0, "actions", 0, 1], "undo", "no move to take back"),
        (["players", 0, "result", "moves"], 5, "moves: 5 claimed, "),
        (["players", 0, "result", "score"], 999_999, "score: 999999 claimed"),
        (["players", 1, "result", "cards_home"], 1, "cards home: 1 claimed, 0 found"),
        (["players", 0, "result", "time_ms"], 10**9, "after 40 ms of compensation, the last action came at"),
        (["players", 0, "result", "time_ms"], 0, "0 ms claimed after 40 ms of compensation, the last"),
        (["players", 0, "result", "compensation_ms"], 0, "after 0 ms of compensation, the last action"),
        (["players", 0, "result", "compensation_ms"], -40, "after -40 ms of compensation"),
        (["players", 1, "result", "time_ms"], 1, "1 ms claimed after 0 ms of compensation, the last action"),
        (["players", 1, "result", "time_ms"], 60_000, "the last action came at 1000 ms"),
        (["players", 1, "result", "compensation_ms"], 1000, "after 1000 ms of compensation"),
        (["players", 0, "result", "time_ms"], -1, "-1 ms claimed"),
    ],
)
def test_a_false_claim_is_found(path: list[str | int], value: object, says: str) -> None:
    failure = verify(from_json(changed(path, value))).failure
    assert failure is not None
    assert says in failure.text


def test_compensation_takes_a_time_to_zero_but_not_below() -> None:
    for time, compensation, holds in ((0, 900, True), (1000, -100, False), (-100, 1000, False)):
        result = Result(time, 1, 0, 0, compensation)
        run = PlayerRun("A", PlayerKind.HUMAN, (Action(900, "1a"),), result)
        assert verify(Replay(RELAXED, (run,), DealCode.of(1))).holds is holds
    for time, holds in ((0, True), (1, False)):
        run = PlayerRun("A", PlayerKind.HUMAN, (), Result(time, 0, 0, 0))
        assert verify(Replay(RELAXED, (run,), DealCode.of(1))).holds is holds


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ('"cells":4', '"cells":4,"cells":4', "rules", "'cells' is there twice"),
        ('"score":', '"score":1,"score":', "players[0].result", "'score' is there twice"),
        ('"name":"Ann"', '"name":"A","name":"Ann"', "players[0]", "'name' is there twice"),
        ('"version":1', '"version":1,"version":1', "", "'version' is there twice"),
        ('"players"', '"layout":null,"players"', "layout", "a text expected, not null"),
        ('"Ann"', '"\\ud800"', "players[0].name", "cannot be shown"),
        ('"Ann"', '"Ann: won\\nTRUE: Eve"', "players[0].name", "cannot be shown"),
        ('"Ann"', '"\\u001b[2JAnn"', "players[0].name", "cannot be shown"),
        ('"Ann"', '"Ann\\u202e"', "players[0].name", "cannot be shown"),
        ('"Ann"', f'"{"A" * 101}"', "players[0].name", "100 characters"),
        ('"1a"', '"1a\\udfff"', "players[0].actions[0]", "surrogate"),
        ('"human"', '"' + "x" * 10**6 + '"', "players[0].kind", "x'..."),
        ('"human"', "[" * 500 + "]" * 500, "players[0].kind", "not a list"),
        ('"format"', '"' + "y" * 10**6 + '":1,"format"', "", "y'..."),
        ('"cells":4', '"cells":' + "9" * 4000, "rules.cells", "0x"),
        ('"version":1', '"version":' + "9" * 4000, "version", "0x"),
        ("[900,", "[" + "9" * 4000 + ",", "players[0].actions[0]", "2**53 - 1"),
        ("[1500,", "[-" + "9" * 4000 + ",", "players[0].actions[1]", "never decrease"),
        ('"score":', '"score":' + "9" * 4000, "players[0].result.score", "2**53 - 1"),
    ],
    ids=range(19),
)
def test_a_doctored_document_is_refused_in_few_words(old: str, new: str, where: str, says: str) -> None:
    with pytest.raises(ReplayError) as caught:
        from_json(SAMPLE.read_text(encoding="utf-8").replace(old, new, 1))
    assert caught.value.where == where
    assert says in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_repeated_field_among_many_is_found_at_once() -> None:
    text = "{" + ",".join(f'"k{number}":0' for number in range(200_000)) + ',"k199999":0}'
    with pytest.raises(ReplayError, match="'k199999' is there twice"):
        from_json(text)


@pytest.mark.parametrize(
    "code", [DealCode(4, 0), DealCode(4, 2**40), DealCode(3, 1), DealCode(4, 10**5000)], ids=range(4)
)
def test_a_replay_of_no_deal_cannot_be_made(code: DealCode) -> None:
    with pytest.raises(ReplayError) as caught:
        Replay(RELAXED, (), code)
    assert caught.value.where == "deal"


@pytest.mark.parametrize("time", [10**5000, -(10**5000)], ids=["high", "low"])
def test_times_beyond_measure_are_refused(time: int) -> None:
    for actions in ((Action(time, "1a"),), (Action(5, "1a"), Action(time, "1a"), Action(0, "1a"))):
        with pytest.raises(ReplayError) as caught:
            PlayerRun("A", PlayerKind.HUMAN, actions)
        assert len(str(caught.value)) < 200
    for values in ((time, 0, 0, 0, 0), (0, time, 0, 0, 0), (0, 0, time, 0, 0), (0, 0, 0, 0, time)):
        with pytest.raises(ReplayError):
            Result(*values)


def test_a_failure_is_told_in_few_words() -> None:
    failure = verify(from_json(changed(["players", 0, "actions", 0, 1], "x" * 10**6))).failure
    assert failure is not None
    assert len(failure.text) < 300


def test_a_run_without_actions_or_claims_holds() -> None:
    run = PlayerRun("A", PlayerKind.HUMAN, ())
    assert verify(Replay(CLASSIC, (run,), DealCode.of(5))).holds
    assert verify(Replay(POCKET, (), DealCode.of(5))).holds


def test_an_unknown_version_cannot_be_made() -> None:
    with pytest.raises(ReplayError, match="version"):
        Replay(CLASSIC, (), DealCode.of(5), version=2)
