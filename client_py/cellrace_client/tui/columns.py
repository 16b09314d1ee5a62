"""Which columns of a table there is room for. Pure."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

Rows = Sequence[tuple[str, Sequence[str]]]
"""Each with its key."""

SCROLLBAR = 2
PADDING = 2
"""Of a column, on both sides together."""


def _width(columns: Sequence[str], rows: Rows, number: int) -> int:
    return PADDING + max(cell_len(cell) for cell in (columns[number], *(row[number] for _, row in rows)))


def fitting(columns: Sequence[str], rows: Rows, spare: Sequence[int], width: int) -> Sequence[int]:
    """The columns of a table that there is room for in `width` characters: of those that can be `spare`d, the first
    named go first."""
    widths = [_width(columns, rows, number) for number in range(len(columns))]
    kept = list(range(len(columns)))
    for number in spare:
        if sum(widths[each] for each in kept) <= width:
            break
        kept.remove(number)
    return kept


def spare_width(columns: Sequence[str], rows: Rows, number: int, kept: Sequence[int], width: int) -> int:
    """What the others that are `kept` leave of `width` characters to column `number`."""
    return width - sum(_width(columns, rows, other) for other in kept if other != number) - PADDING


def listed(names: Sequence[str], last: Sequence[str], width: int) -> str:
    """Names in one line, as many as there is room for, the first cut short where it must be; of the others it is told
    how many they are. What comes `last` is always there."""
    line = _line(names, last, len(names))
    for count in range(len(names) - 1, 0, -1):
        if cell_len(line) <= width:
            return line
        line = _line(names, last, count)
    over = cell_len(line) - width
    if not names or over <= 0:
        return line
    short = set_cell_size(names[0], max(1, cell_len(names[0]) - over - 1)).rstrip()
    return f"{short}…{line[len(names[0]) :]}"


def _line(names: Sequence[str], last: Sequence[str], count: int) -> str:
    more = [f"+{len(names) - count}"] if count < len(names) else []
    return ", ".join([*names[:count], *more, *last])
