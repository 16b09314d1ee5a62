"""What the library raises."""


class CellraceError(Exception):
    """The base of all exceptions of this package."""


class CannotConnect(CellraceError):
    """No server answers at `url`, or it does not speak this protocol, or it wants nobody for now: then it said after
    how many seconds to come again (`retry_after_s`, else 0)."""

    def __init__(self, url: str, why: str, retry_after_s: float = 0) -> None:
        super().__init__(f"cannot connect to {url}: {why}")
        self.url = url
        self.why = why
        self.retry_after_s = retry_after_s


class ServerNotStarted(CellraceError):
    """A server of our own does not listen; `why` is its last word, where it had one."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the server did not start: {why}")
        self.why = why


class Disconnected(CellraceError):
    """The connection is closed for good, by `Client.close` or because the server will not have it back."""


class NotUnderstood(CellraceError):
    """Something that was typed means nothing where it was typed."""


class RequestFailed(CellraceError):
    """The server turned a request down. `code` is one of the protocol's; with a `retry_after` (ms) of 0, for good."""

    def __init__(self, code: str, text: str, retry_after: int = 0) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code
        self.text = text
        self.retry_after = retry_after


class ActionRefused(CellraceError):
    """The referee refused a move or another action in a race; nothing changed."""

    def __init__(self, code: str, text: str, expected: int = 0) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code
        self.text = text
        self.expected = expected
