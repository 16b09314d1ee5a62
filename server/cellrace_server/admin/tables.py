"""Answers of a server as people read them."""

from collections.abc import Iterator, Sequence

import msgspec

from cellrace_server.admin import messages as m

GAP = "  "
RACES = ("RACE", "PHASE", "AGE", "PLAYERS", "SPECTATORS", "RULES", "")
CONNECTIONS = ("CONNECTION", "PLAYER", "NAME", "KIND", "ADDRESS", "AGE", "RACES", "WAITING", "AGENT")
SEATS = ("SEAT", "PLAYER", "NAME", "KIND", "CONNECTION", "MOVES", "HOME", "TIME", "PLACE", "")


def shown(answer: m.AnyAnswer) -> Iterator[str]:
    """Line by line; nothing in it moves the cursor or colours the terminal."""
    match answer:
        case m.Races(rows=rows):
            yield from _table(RACES, [_race(row) for row in rows])
            yield _counted(len(rows), "race")
        case m.Connected(rows=rows):
            yield from _table(CONNECTIONS, [_connection(row) for row in rows])
            yield _counted(len(rows), "connection")
        case m.Details():
            yield from _details(answer)
        case m.Done(text=text):
            yield text
        case m.Failed(code=code, text=text):
            yield f"{text} ({code})"


def _race(row: m.RaceRow) -> tuple[str, ...]:
    names = ", ".join(row.players) or "-"
    marks = " ".join(word for word, holds in (("ranked", row.ranked), ("private", not row.public)) if holds)
    players = f"{len(row.players)}/{row.seats} {names}"
    return row.race, row.phase, _age(row.age_s), players, str(row.spectators), row.rules, marks


def _connection(row: m.ConnectionRow) -> tuple[str, ...]:
    return (
        *(row.connection, row.player or "-", row.name or "-", row.kind or "-", row.address),
        *(_age(row.age_s), str(row.races), f"{row.output_bytes} B", row.agent),
    )


def _details(race: m.Details) -> Iterator[str]:
    for name, value in msgspec.structs.asdict(race).items():
        if name not in ("players", "age_s"):
            yield f"{name + ':':<14}{_plain(value)}"
    yield f"{'age:':<14}{_age(race.age_s)}"
    yield from _table(SEATS, [_seat(row) for row in race.players])


def _seat(row: m.SeatRow) -> tuple[str, ...]:
    marks = " ".join(
        word for word, holds in (("ready", row.ready), ("away", row.away), ("gave up", row.gave_up)) if holds
    )
    time = f"{row.time_ms / 1_000:.3f} s" if row.time_ms >= 0 else "-"
    return (
        *(str(row.seat), row.player, row.name, row.kind, row.connection or "-"),
        *(str(row.moves), str(row.home), time, str(row.place or "-"), marks),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    cells = [head, *([_printable(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        yield GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _age(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7_200:
        return f"{seconds // 60} min"
    return f"{seconds // 3_600} h"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _printable(str(value)) or "-"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
