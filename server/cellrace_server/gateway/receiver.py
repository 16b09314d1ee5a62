"""A connection, as those who send to it need it."""

from typing import Protocol

from cellrace_server.gateway.once import ServerCodec


class Receiver(Protocol):
    @property
    def codec(self) -> ServerCodec: ...

    @property
    def session(self) -> str:
        """What the connection is called in races: no other has the same name, on any node."""
        ...

    @property
    def player(self) -> str:
        """The id of whoever receives; empty before they have said who they are."""
        ...

    def write(self, frames: bytes, /) -> None:
        """Send whole frames; nothing happens when the connection is gone."""
        ...

    def show(self, frames: bytes, /) -> bool:
        """Send whole frames to one who looks on, unless much waits to be read already; whether that was done. When it
        has been read the receiver asks `Gallery.caught_up` for what it missed."""
        ...

    def detached(self, channel: int, /) -> None:
        """The channel of this number does not send to this receiver any more."""
        ...

    def gather(self, before: str, race: str, seated: bool, /) -> None:
        """Everybody of the race `before` meets again in `race`: take a seat there (`seated`), or watch."""
        ...
