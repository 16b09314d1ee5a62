"""Which columns of a table there is room for. Pure."""

from collections.abc import Sequence

from rich.cells import cell_len

Rows = Sequence[tuple[str, Sequence[str]]]
"""Each with its key."""

SCROLLBAR = 2


def fitting(columns: Sequence[str], rows: Rows, spare: Sequence[int], width: int) -> Sequence[int]:
    """The columns of a table that there is room for in `width` characters: of those that can be `spare`d, the first
    named go first."""
    widths = [
        2 + max(cell_len(cell) for cell in (title, *(row[number] for _, row in rows)))
        for number, title in enumerate(columns)
    ]
    kept = list(range(len(columns)))
    for number in spare:
        if sum(widths[each] for each in kept) <= width:
            break
        kept.remove(number)
    return kept
