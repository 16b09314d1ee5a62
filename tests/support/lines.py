"""Winning lines of deal 617, as the demo plays them and as they are without automatic moves."""

from tools.protocol.lines import DEAL, WINNING, by_hand

__all__ = ["DEAL", "winning_line"]

from cellrace_engine import CLASSIC, Rules


def winning_line(rules: Rules = CLASSIC) -> list[str]:
    """A line that wins deal 617 under the classic rules, or under any rules without automatic moves."""
    return list(WINNING) if rules.automatic_moves else by_hand()
