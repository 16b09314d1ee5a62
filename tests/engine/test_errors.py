"""Every exception of the package can be copied and pickled, and goes from one process to another."""

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from cellrace_engine import (
    CardError,
    DealError,
    IllegalMove,
    NotationError,
    PositionError,
    ReplayError,
    Rules,
    RulesError,
    deal,
)
from cellrace_engine.errors import EngineError
from cellrace_engine.refusal import over_capacity
from cellrace_engine.solver import Verdict, solve

EXAMPLES: tuple[EngineError, ...] = (
    EngineError("a fault"),
    CardError("no card"),
    PositionError("no position"),
    RulesError("cells", "3 are not offered"),
    DealError("number", "no such deal"),
    IllegalMove(over_capacity(5, 4, 3, 0)),
    NotationError(over_capacity(5, 4, 3, 0)),
    ReplayError("players[0]", "is missing"),
    ReplayError("", "no JSON"),
)


def kinds(of: type[EngineError] = EngineError) -> Iterator[type[EngineError]]:
    yield of
    for kind in of.__subclasses__():
        yield from kinds(kind)


def pickled(error: EngineError) -> object:
    return pickle.loads(pickle.dumps(error))  # noqa: S301  # our own


def test_there_is_an_example_of_every_exception() -> None:
    assert {type(error) for error in EXAMPLES} == set(kinds())


@pytest.mark.parametrize("error", EXAMPLES, ids=repr)
@pytest.mark.parametrize("duplicate", [pickled, copy.copy, copy.deepcopy])
def test_an_exception_survives(error: EngineError, duplicate: Callable[[EngineError], object]) -> None:
    other = duplicate(error)
    assert type(other) is type(error)
    assert isinstance(other, EngineError)
    assert other is not error
    assert (str(other), other.args, vars(other)) == (str(error), error.args, vars(error))


def test_a_worker_process_reports_the_error_and_lives() -> None:
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(RulesError) as caught:
            pool.submit(solve, deal(1), Rules(cells=2)).result()
        assert caught.value.field == "cells"
        assert pool.submit(solve, deal(1), Rules()).result().verdict is Verdict.SOLVED
