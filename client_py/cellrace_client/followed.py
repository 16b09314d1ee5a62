"""What happened in a race, and how the race stood then."""

from collections.abc import AsyncIterator

from cellrace_client.model import RaceModel
from cellrace_client.race import Event, Race
from cellrace_protocol import events as e


async def followed(race: Race) -> AsyncIterator[tuple[RaceModel, Event]]:
    """Each event with the race just after it; `race.model` may be further already."""
    model: RaceModel | None = None
    async for event in race:
        if isinstance(event, e.Snapshot):
            model = RaceModel(event, race.ghosts)
        elif model is not None:
            model.apply(event)
        if model is not None:
            yield model, event
