"""Winning lines of deal 617, as the demo plays them and as they are without automatic moves."""

import functools
from importlib import resources

from cellrace_engine import CLASSIC, Line, Rules, deal, format_move, parse_move

DEAL = 617


@functools.cache
def _demo_line() -> tuple[str, ...]:
    return tuple(resources.files("cellrace_client").joinpath("demo", "ada.txt").read_text().split())


@functools.cache
def _without_automatic_moves() -> tuple[str, ...]:
    """The demo's line with every automatic move made by hand."""
    rules = Rules()
    line, by_hand, texts = Line.begin(CLASSIC, deal(DEAL)), Line.begin(rules, deal(DEAL)), list[str]()
    for text in _demo_line():
        after = line.play(parse_move(text, line))
        assert after.step is not None, "a move was made"
        for move in after.step.transfers:
            texts.append(format_move(move, by_hand.position, rules))
            by_hand = by_hand.play(move)
        line = after
    assert by_hand.won, "the line wins"
    return tuple(texts)


def winning_line(rules: Rules = CLASSIC) -> list[str]:
    """A line that wins deal 617 under the classic rules, or under any rules without automatic moves."""
    return list(_demo_line() if rules.automatic_moves else _without_automatic_moves())
