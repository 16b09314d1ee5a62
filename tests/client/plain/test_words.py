"""Moves in words."""

from hypothesis import given

from cellrace_client.languages import Catalogue
from cellrace_client.plain.words import step_line
from cellrace_engine import CLASSIC, Line, card_name, deal, parse_move
from tests.engine.strategies import lines, steady


@steady
@given(lines)
def test_of_any_move_it_is_told_which_cards_went_where(line: Line) -> None:
    """A card put on a free cell may go home by itself at once."""
    words = Catalogue("en")
    while (before := line.previous) is not None:
        said, step = step_line(words, line, "move", before), line.step
        assert step is not None
        _, told, by_themselves = said.partition("by themselves home: ")
        assert bool(told) is bool(step.automatic)
        home = {
            card_name(level * 4 + suit)
            for suit, height in enumerate(line.position.foundations)
            for level in range(height)
        }
        named = by_themselves.partition(";")[0].partition(". ")[0].split(", ") if told else []
        assert set(named) <= home
        assert len(named) == len(set(named)) == len(step.automatic)
        line = before


def test_a_card_on_a_free_cell_that_goes_home_at_once_is_named() -> None:
    before = Line.begin(CLASSIC, deal(19))
    line = before.play(parse_move("8a", before))
    assert step_line(Catalogue("en"), line, "8a", before) == (
        "8a. 2C to free cell a; by themselves home: AC, 2C; column 8 ends with TS. 2 cards home"
    )
