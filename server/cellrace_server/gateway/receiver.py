"""A connection, as those who send to it need it."""

from typing import TYPE_CHECKING, Protocol

from cellrace_server.gateway.once import ServerCodec

if TYPE_CHECKING:
    from cellrace_server.gateway.channels import Channel


class Receiver(Protocol):
    @property
    def codec(self) -> ServerCodec: ...

    @property
    def session(self) -> str:
        """What the connection is called in races: no other has the same name, on any node."""
        ...

    def write(self, frames: bytes, /) -> None:
        """Send whole frames; nothing happens when the connection is gone."""
        ...

    def detached(self, channel: "Channel", /) -> None:
        """The channel does not send to this receiver any more."""
        ...

    def gather(self, race: str, seated: bool, /) -> None:
        """Everybody meets again in the race named: take a seat there (`seated`), or watch."""
        ...
