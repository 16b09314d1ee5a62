"""Deals against an independent dealer, deal codes both ways, and errors that name the wrong part."""

from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given

from cellrace_engine import LAST_DEAL, NO_CARD, DealCode, DealError, Position, card_name, deal
from tests.engine.strategies import deal_numbers, steady

BORDERS = (1, 2, 32000, 32001, 10**6, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**33 - 1)


# The package has no types: it is asked by name.
PYSOL_GAME: Any = import_module("pysol_cards.deal_game").Game
PYSOL_RENDERER: Any = import_module("pysol_cards.cards").CardRenderer(True)
PYSOL_MICROSOFT: Any = import_module("pysol_cards.random_base").RandomBase.DEALS_MS


def dealt_by_pysol(number: int) -> list[str]:
    layout: str = PYSOL_GAME("freecell", number, PYSOL_MICROSOFT).calc_layout_string(PYSOL_RENDERER)
    return [line.replace(" ", "") for line in layout.splitlines()]


def columns_of(position: Position) -> list[str]:
    return ["".join(card_name(card) for card in column) for column in position.columns]


def test_borders_equal_an_independent_dealer() -> None:
    for number in BORDERS:
        assert columns_of(deal(number)) == dealt_by_pysol(number), number


def test_two_thousand_deals_over_all_three_ranges_equal_an_independent_dealer() -> None:
    chance = Random(617)
    ranges = ((1, 2**31 - 1), (2**31, 2**32 - 1), (2**32, 2**33 - 1))
    for low, high in ranges:
        for number in (chance.randint(low, high) for _ in range(667)):
            assert columns_of(deal(number)) == dealt_by_pysol(number), number


@steady
@given(deal_numbers)
def test_a_deal_is_fifty_two_distinct_cards_and_its_code_rebuilds_it(number: int) -> None:
    for cells in (4, 2, 1):
        position = deal(number, cells)
        position.check()
        assert position.cells == bytes([NO_CARD] * cells)
        code = DealCode.of(number, cells)
        assert DealCode.parse(str(code)) == code
        assert code.deal() == position


def test_published_codes() -> None:
    assert str(DealCode.of(327)) == "FC1-C4-AAAAAKH"
    assert DealCode.parse("FC1-C4-AAAAAKH") == DealCode(4, 327)
    assert str(DealCode.of(LAST_DEAL, 2)) == "FC1-C2-H777777"


@pytest.mark.parametrize(
    "typed",
    [
        "FC1-C4-AAAAATJ",
        "fc1-c4-aaaaatj",
        " FC1 C4 AAAAATJ ",
        "fc1c4aaaaatj",
        "617",
        "#617",
        "# 617",
        " 617 ",
        "0" * 30 + "617",
        "FC1-C4-AAAA-ATJ",
        "FC1C4-AAAAATJ",
        "FC1-C4AAAAATJ",
        "FC1\u2013C4\u2013AAAAATJ",
    ],
)
def test_typed_codes_are_read_leniently(typed: str) -> None:
    assert str(DealCode.parse(typed)) == "FC1-C4-AAAAATJ"


def test_a_bare_number_takes_the_cells_asked_for() -> None:
    assert str(DealCode.parse("617", cells=2)) == "FC1-C2-AAAAATJ"


@pytest.mark.parametrize(
    ("typed", "part", "says"),
    [
        ("0", "number", "no deal 0"),
        ("-1", "number", "no deal -1"),
        (str(2**33), "number", "2**33 - 1"),
        ("9" * 5000, "number", "2**33 - 1"),
        ("6l7", "number", "'l' is not a digit"),
        ("FC1-C3-AAAAAKH", "cells", "4, 2 or 1 cells, not '3'"),
        ("FC1-C4-AAAAAK", "number", "7 letters are expected for the deal's number, not 6"),
        ("FC1-C4-AAAAAK1", "number", "'1' is not a letter of the code"),
        ("FC1-C4-AAAAAKHA", "number", "not 8"),
        ("FC1-C4-AAAAAAA", "number", "AAAAAAA is 0"),
        ("FC1-C4-IAAAAAA", "number", f"is {2**33}"),
        ("FC1-AAAAAKH", "cells", "number of cells is expected (C4, C2 or C1), not 'AAAAAKH'"),
        ("FC1-4-AAAAAKH", "cells", "(C4, C2 or C1), not '4'"),
        ("FC1-C-AAAAAKH", "cells", "(C4, C2 or C1), not 'C'"),
        ("FC1-C10-AAAAAKH", "cells", "4, 2 or 1 cells, not '10'"),
        ("fc1 c10 aaaaakh", "cells", "4, 2 or 1 cells, not '10'"),
        ("FC1-C44-AAAAAH", "cells", "4, 2 or 1 cells, not '44'"),
        ("FC12-C4-AAAAAKH", "format", "starts with FC12: only"),
        ("FC10-C4-AAAAAKH", "format", "starts with FC10: only"),
        ("FC-C4-AAAAAKH", "format", "'FC-C4-AAAAAKH' starts with FC: only"),
        ("FC1-C4-AAAAAK\u017f", "number", "'\u017f' is not a letter"),
        ("FC1-C4-AAAAAK\u0131", "number", "'\u0131' is not a letter"),
        ("FC1-C4-AAAAA\u212aH", "number", "'\u212a' is not a letter"),
        ("F\u00dfC1", "format", "no deal code"),
        ("FC" + "1" * 10**5, "format", "..."),
        ("FC1-" + "X" * 10**5, "cells", "..."),
        ("FC1-C4-" + "A" * 10**5, "number", "..."),
        ("6" + "x" * 10**5, "number", "..."),
        ("x" * 10**5, "format", "..."),
        ("FC2-C4-AAAAAKH", "format", "FC2"),
        ("FC1", "cells", "number of cells is expected"),
        ("hello", "format", "no deal code"),
        ("", "format", "nothing there"),
        ("#", "format", "no deal code"),
        ("-", "format", "nothing there"),
        ("²", "format", "no deal code"),
    ],
)
def test_a_code_that_cannot_be_right_names_the_wrong_part(typed: str, part: str, says: str) -> None:
    with pytest.raises(DealError) as caught:
        DealCode.parse(typed)
    assert caught.value.part == part
    assert says in str(caught.value)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("number", [0, -1, 2**33])
def test_there_is_no_deal_outside_the_range(number: int) -> None:
    with pytest.raises(DealError, match="numbered from 1"):
        deal(number)
    with pytest.raises(DealError, match="numbered from 1"):
        DealCode.of(number)


def test_there_is_no_deal_with_three_cells() -> None:
    with pytest.raises(DealError, match="4, 2 or 1 cells"):
        deal(1, 3)


@pytest.mark.parametrize("number", [True, 1.0, "1", None, 10**5000, -(10**5000)], ids=range(6))
def test_what_is_no_number_of_a_deal_is_refused_in_few_words(number: Any) -> None:
    for make in (deal, DealCode.of):
        with pytest.raises(DealError) as caught:
            make(number)
        assert caught.value.part == "number"
        assert len(str(caught.value)) < 150


@pytest.mark.parametrize("cells", [True, 4.0, "4", None, 10**5000], ids=range(5))
def test_what_is_no_number_of_cells_is_refused_in_few_words(cells: Any) -> None:
    for make in (deal, DealCode.of):
        with pytest.raises(DealError) as caught:
            make(617, cells)
        assert caught.value.part == "cells"
        assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    "code", [DealCode(4, 0), DealCode(4, 2**40), DealCode(3, 1), DealCode(4, 10**5000)], ids=range(4)
)
def test_of_no_deal_there_is_no_code(code: DealCode) -> None:
    with pytest.raises(DealError):
        str(code)
    with pytest.raises(DealError):
        code.deal()
