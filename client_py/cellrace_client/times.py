"""Time for people."""


def clock(ms: int) -> str:
    """Race time: `1:07.312`."""
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes}:{rest // 1_000:02d}.{rest % 1_000:03d}"
