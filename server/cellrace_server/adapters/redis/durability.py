"""Whether the store keeps what it answers for, as far as it lets us see."""

from typing import cast

from cellrace_server.adapters.redis.connection import Links
from cellrace_server.ports.errors import StoreUnavailable

NEEDED = {"appendonly": "yes", "appendfsync": "always"}


async def shortcoming(links: Links) -> str | None:
    """What is wrong with the store's settings, in words for the host: what it answers may not survive its end.

    `None` when they are right, or when they cannot be read (hosted stores often forbid it).
    """
    wrong: list[str] = []
    for name, needed in NEEDED.items():
        try:
            answer = cast("list[bytes]", await links.ask("CONFIG", "GET", name))
        except StoreUnavailable:
            return None
        found = answer[1].decode() if len(answer) == 2 else ""
        if found and found != needed:
            wrong.append(f"{name} is {found!r}, not {needed!r}")
    if not wrong:
        return None
    return f"acknowledged moves may be lost when the store ends: {', '.join(wrong)}"
