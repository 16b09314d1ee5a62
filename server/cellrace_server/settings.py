"""What a host can set: flags first, then the environment, then defaults."""

import argparse
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec
from platformdirs import user_data_path

PORT = 8617


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """`redis` is the URL of a Redis or Valkey server; without one the server runs its own in `data_dir`.

    `replicas`: how many replicas of that server must have a fact before it is acknowledged.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    redis: str = ""
    replicas: int = 0
    data_dir: Path = msgspec.field(default_factory=lambda: user_data_path("cellrace", appauthor=False))
    origins: tuple[str, ...] = ()
    connections_most: int = 10_000
    log_level: str = "info"


def read(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from the command line and the environment. Exits with status 2 and a word where they are wrong, as
    argparse does."""
    parser = _parser(environment)
    found = parser.parse_args(arguments)
    if not 0 <= found.port <= 65_535:
        parser.error(f"--port is {found.port}, it must be from 0 to 65535")
    if found.redis and not found.redis.startswith(("redis://", "rediss://", "unix://")):
        parser.error("--redis must be a URL that starts with redis://, rediss:// or unix://")
    return Settings(
        host=found.host,
        port=found.port,
        redis=found.redis,
        replicas=found.replicas,
        data_dir=found.data_dir.expanduser().absolute(),
        origins=tuple(found.origin or ()),
        connections_most=found.connections,
        log_level=found.log_level,
    )


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    defaults = Settings()
    parser = argparse.ArgumentParser(
        prog="cellrace-server",
        description="A real-time server for FreeCell races.",
        epilog="Without --redis (or REDIS_URL) the server runs a Valkey of its own in the data directory.",
    )
    add = parser.add_argument
    add("--version", action="version", version=f"cellrace {version('cellrace')}")
    add("--host", default=environment.get("CELLRACE_HOST", defaults.host), help="address to listen on")
    add(
        "--port",
        type=int,
        default=environment.get("CELLRACE_PORT", str(defaults.port)),
        help="port to listen on; 0 takes a free one (default %(default)s)",
    )
    add(
        "--redis",
        metavar="URL",
        default=environment.get("CELLRACE_REDIS") or environment.get("REDIS_URL", ""),
        help="a Redis or Valkey server to keep races in (redis://, rediss:// or unix://)",
    )
    add(
        "--replicas",
        type=int,
        default=environment.get("CELLRACE_REPLICAS", "0"),
        help="replicas of it that must have a move before it counts",
    )
    add(
        "--data-dir",
        type=Path,
        default=environment.get("CELLRACE_DATA_DIR", str(defaults.data_dir)),
        help="where the embedded store keeps its data (default %(default)s)",
    )
    add(
        "--origin",
        action="append",
        default=environment.get("CELLRACE_ORIGINS", "").split() or None,
        help="a web origin that may connect besides the server's own; repeat it for more",
    )
    add(
        "--connections",
        type=int,
        default=environment.get("CELLRACE_CONNECTIONS", str(defaults.connections_most)),
        help="connections at once at the most (default %(default)s)",
    )
    add(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default=environment.get("CELLRACE_LOG_LEVEL", defaults.log_level),
    )
    return parser
