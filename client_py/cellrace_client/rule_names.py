"""Rule sets as people call them."""

from cellrace_client.languages import Catalogue

CELLS = "cells="


def rules_in_words(words: Catalogue, rules: str) -> str:
    """`pocket+cells=2` is `pocket, 2 cells`; other changes to a rule set are as they are written."""
    name, *changes = rules.split("+")
    return ", ".join([name, *(_change(words, change) for change in changes)])


def _change(words: Catalogue, change: str) -> str:
    number = change.removeprefix(CELLS)
    is_cells = change.startswith(CELLS) and number.isdecimal()
    return words("n.cells", int(number)) if is_cells else change
