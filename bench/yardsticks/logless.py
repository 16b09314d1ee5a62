"""Our complete server, but for one thing: what it appends is called durable at once and stored nowhere. The difference
to the real one is what the log costs."""

import sys
from collections.abc import Sequence

from cellrace_server.adapters.redis.race_log import RedisRaceLog
from cellrace_server.cli import main
from cellrace_server.ports.race_log import Append


async def _nowhere(_log: RedisRaceLog, batch: Sequence[Append], /) -> Sequence[int | None]:
    return [None] * len(batch)


if __name__ == "__main__":
    RedisRaceLog.append = _nowhere  # type: ignore[method-assign]
    sys.exit(main())
