"""The clock between two events: a race's time goes on while nothing happens."""

from collections.abc import Callable

from cellrace_client.model import RaceModel
from cellrace_client.race import Event
from cellrace_protocol import events as e


class Timing:
    """When the last event was, and when the deal comes. `now` is in seconds of any clock that does not go back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._heard = now()
        self._starts = self._heard

    def hear(self, event: Event) -> None:
        """Something has happened just now; a snapshot says how long ago its last fact was."""
        self._heard = self._now()
        if isinstance(event, e.Snapshot):
            if event.phase == "countdown" and event.until >= 0:
                self._starts = self._heard + event.until / 1_000
            self._heard -= event.age / 1_000
        elif isinstance(event, e.Countdown):
            self._starts = self._heard + event.ms / 1_000

    def race_ms(self, model: RaceModel) -> int:
        """The race's time now; as it ended, once it is over."""
        if model.phase == "ended":
            return model.length_ms
        since = round(1_000 * (self._now() - self._heard)) if model.phase == "running" else 0
        return model.time + max(0, since)

    def countdown_s(self) -> int:
        """Whole seconds until the deal comes."""
        return max(0, round(self._starts - self._now()))
