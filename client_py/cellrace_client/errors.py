"""What the library raises."""

from __future__ import annotations

from types import MappingProxyType

TYPE_CHECKING = False  # as type checkers know it: the command line begins without the engine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cellrace_engine import Refusal

NO_FACTS: Mapping[str, str | int] = MappingProxyType({})


class CellraceError(Exception):
    """The base of all exceptions of this package. `code` is stable, for programs: one of the protocol's where a server
    has said it, else one of this package, as each class says."""

    code = "error"


class CannotConnect(CellraceError):
    """No server answers at `url`, or it does not speak this protocol, or it wants nobody for now: then it said after
    how many seconds to come again (`retry_after_s`, else 0). `code` is `cannot_connect`; where it wants nobody,
    `try_again`."""

    def __init__(self, url: str, why: str, retry_after_s: float = 0) -> None:
        super().__init__(f"cannot connect to {url}: {why}")
        self.url = url
        self.why = why
        self.retry_after_s = retry_after_s
        self.code = "try_again" if retry_after_s else "cannot_connect"


class ServerNotStarted(CellraceError):
    """A server of our own does not listen; `why` is its last word, where it had one."""

    code = "server_not_started"

    def __init__(self, why: str) -> None:
        super().__init__(f"the server did not start: {why}")
        self.why = why


class Disconnected(CellraceError):
    """The connection is closed for good, by `Client.close` or because the server will not have it back; or a race is
    received no more. `code` and `facts` are those of the `RequestFailed` it was caused by, else `disconnected` and
    empty; `close_code` is that of the WebSocket where the server has closed it, else 0."""

    def __init__(
        self,
        why: str,
        *,
        code: str = "disconnected",
        close_code: int = 0,
        facts: Mapping[str, str | int] = NO_FACTS,
    ) -> None:
        super().__init__(why)
        self.code = code
        self.close_code = close_code
        self.facts: Mapping[str, str | int] = MappingProxyType(dict(facts))


class NotUnderstood(CellraceError):
    """Something that was typed means nothing where it was typed."""

    code = "not_understood"


class OptionUnclear(NotUnderstood):
    """An option of a race wants a number and has none; `what` is the word for it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} wants a number")
        self.what = what


class OptionOutOfRange(NotUnderstood):
    """A number is too small or too large; `what` is the word for it, `low` and `high` are as one types them."""

    def __init__(self, what: str, low: str, high: str) -> None:
        super().__init__(f"{what} wants a number from {low} to {high}")
        self.what, self.low, self.high = what, low, high


class OptionsClash(NotUnderstood):
    """A race cannot be all that was asked for; `clash` says which does not go with which: `even`, `ranked_deal`."""

    def __init__(self, clash: str, text: str) -> None:
        super().__init__(text)
        self.clash = clash


class RequestFailed(CellraceError):
    """The server turned a request down. `code` is one of the protocol's; with a `retry_after` (ms) of 0, for good.

    `text` says why in English. `facts` say it to programs, where the server gives any: `facts["reason"]` is a word of
    SPEC 8.1 under the code, what else there is follows from it, as `most` and `length` for a name that is too long;
    read only, and mostly empty."""

    def __init__(
        self, code: str, text: str, retry_after: int = 0, facts: Mapping[str, str | int] = NO_FACTS
    ) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code
        self.text = text
        self.retry_after = retry_after
        self.facts: Mapping[str, str | int] = MappingProxyType(dict(facts))


class ActionRefused(CellraceError):
    """The referee refused a move or another action in a race; nothing changed.

    `expected` is the number that the player's next action was to carry, 0 where the server has not said it, and
    `retry_after` (ms) when the same may be done, 0: not at all. `refusal` has the numbers and cards of the rules for a
    move that they refuse, as `Race.reason_against` would: `refusal.asked`, `refusal.possible`, `refusal.empty_cells`;
    `None` where the server's reason is another than the rules' on our board."""

    def __init__(
        self, code: str, text: str, expected: int = 0, *, retry_after: int = 0, refusal: Refusal | None = None
    ) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code
        self.text = text
        self.expected = expected
        self.retry_after = retry_after
        self.refusal = refusal
