"""Who looks on when a race starts sees its deal."""

from cellrace_server.core.facts import AnyFact, Started
from cellrace_server.core.race import Race
from cellrace_server.gateway.channels import Channels
from cellrace_server.services.room import Room
from cellrace_server.services.sights import Sights, watched


class Onlookers:
    """Hears of every race. Those who come later are put down before they are shown anything (`requests.watch`)."""

    def __init__(self, channels: Channels, sights: Sights) -> None:
        self._channels = channels
        self._sights = sights

    def happened(self, room: Room, _before: Race | None, fact: AnyFact, after: Race, /) -> None:
        channel = self._channels.of(room) if type(fact) is Started else None
        if channel is not None:
            for player in dict.fromkeys(watcher.player for watcher in channel.gallery.watchers):
                if player:
                    self._sights.later(player, after.deal, watched(room.id))

    def settled(self, room: Room, /) -> None:
        pass

    def restored(self, room: Room, /) -> None:
        pass
