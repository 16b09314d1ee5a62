"""What a browser's trace says of the page's main thread: how long each move kept it, and with what."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Event = Mapping[str, Any]

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"]
KINDS = {
    "script": ("EventDispatch", "FireAnimationFrame", "TimerFire", "FunctionCall"),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
}
"""What the work is: names of events. Those of one kind that lie in each other count once."""


class Work(NamedTuple):
    """Of one move, in ms of the main thread: what it did until the frame that shows the move was handed on, which is
    the first of the cards' way, of that by kind; the longest of the frames, and of all tasks, until the next move."""

    frame: float
    kinds: Mapping[str, float]
    later: float
    longest: float


def works(events: Sequence[Event], keys: int) -> list[Work]:
    """The work of every move, each of so many keys. `events` are those of a trace with `CATEGORIES`."""
    main = _main_thread(events)
    spans = [event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) == main]
    tasks = sorted((one for one in spans if one["name"] == "RunTask"), key=_begin)
    commits = sorted(map(_end, (one for one in spans if one["name"] == "Commit")))
    pressed = sorted(_begin(one) for one in spans if _is_key(one))[keys - 1 :: keys]
    return [
        _work(spans, tasks, begun, [at for at in commits if begun < at < until], until)
        for begun, until in zip(pressed, [*pressed[1:], float("inf")], strict=True)
    ]


def _work(
    spans: Sequence[Event], tasks: Sequence[Event], begun: float, commits: Sequence[float], until: float
) -> Work:
    shown = commits[0] if commits else begun
    within = [one for one in tasks if _end(one) > begun and _begin(one) < shown]
    first = min(map(_begin, within), default=begun)
    inner = [one for one in spans if first <= _begin(one) < shown]
    kinds = {kind: _outermost(one for one in inner if one["name"] in names) for kind, names in KINDS.items()}
    after = [one for one in tasks if _end(one) > begun and _begin(one) < until]
    frames = [_length(one) for one in after if any(_begin(one) < at <= _end(one) for at in commits[1:])]
    longest = max(map(_length, after), default=0.0)
    return Work(sum(map(_length, within)), kinds, max(frames, default=0.0), longest)


def _outermost(events: Iterable[Event]) -> float:
    """The time in these, each moment counted once."""
    total, reached = 0.0, float("-inf")
    for event in sorted(events, key=_begin):
        if _begin(event) >= reached:
            total += _length(event)
            reached = _end(event)
    return total


def _main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """The main thread of the process in which keys were pressed."""
    pressed = next(event for event in events if _is_key(event))
    return pressed["pid"], pressed["tid"]


def _is_key(event: Event) -> bool:
    return bool(event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "keydown")


def _begin(event: Event) -> float:
    return float(event["ts"])


def _end(event: Event) -> float:
    return float(event["ts"]) + float(event.get("dur", 0))


def _length(event: Event) -> float:
    """In ms of CPU, so that what else the machine does hardly counts; a slowed-down browser burns it too."""
    return float(event.get("tdur", event.get("dur", 0))) / 1_000
