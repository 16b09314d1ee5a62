"""A line that wins deal 617: the demo's, and the same with every automatic move made by hand."""

from importlib import resources

from cellrace_engine import CLASSIC, Line, Rules, deal, format_move, parse_move

DEAL = 617
WINNING = resources.files("cellrace_client").joinpath("demo", "ada.txt").read_text(encoding="utf-8").split()


def by_hand() -> list[str]:
    """The line for rules that have no automatic moves."""
    rules = Rules()
    line, own, texts = Line.begin(CLASSIC, deal(DEAL)), Line.begin(rules, deal(DEAL)), list[str]()
    for text in WINNING:
        line = line.play(parse_move(text, line))
        assert line.step is not None, "a move was made"
        for move in line.step.transfers:
            texts.append(format_move(move, own.position, rules))
            own = own.play(move)
    assert own.won, "the line wins"
    return texts
