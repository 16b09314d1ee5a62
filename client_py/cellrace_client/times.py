"""Time for people."""


def clock(ms: int) -> str:
    """Race time: `1:07.312`."""
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes}:{rest // 1_000:02d}.{rest % 1_000:03d}"


def running(ms: int) -> str:
    """Race time as it runs, to the second: `1:07`."""
    return clock(ms).partition(".")[0]


def parse_time(text: str) -> int | None:
    """Milliseconds of a time as people write it, `75`, `75.5` or `1:15.5`; `None` for what is none."""
    minutes, colon, seconds = text.rpartition(":")
    try:
        total = (int(minutes) if colon else 0) * 60 + float(seconds)
    except ValueError:
        return None
    return round(total * 1_000) if 0 <= total < 1e9 else None
