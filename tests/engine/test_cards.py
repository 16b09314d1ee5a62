"""Cards as numbers and names."""

import pytest

from cellrace_engine import CardError, card_name, is_red, parse_card, rank, suit


def test_numbers_are_rank_times_four_plus_suit() -> None:
    assert [card_name(card) for card in (0, 1, 2, 3, 4, 51)] == ["AC", "AD", "AH", "AS", "2C", "KS"]
    assert (rank(parse_card("TH")), suit(parse_card("TH"))) == (10, 2)
    assert [is_red(parse_card(name)) for name in ("5C", "5D", "5H", "5S")] == [False, True, True, False]


def test_names_round_trip_and_are_read_leniently() -> None:
    assert [parse_card(card_name(card)) for card in range(52)] == list(range(52))
    assert parse_card("10h") == parse_card(" th ") == parse_card("TH")


@pytest.mark.parametrize("text", ["", "T", "1C", "TX", "TTH", "🂡"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="is no card"):
        parse_card(text)
