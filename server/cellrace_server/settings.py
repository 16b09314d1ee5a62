"""What a host can set: flags before the environment, before a TOML file, before defaults."""

import argparse
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NoReturn

import msgspec
from msgspec import Meta
from platformdirs import user_data_path

from cellrace_server.core import names
from cellrace_server.gateway.addresses import Networks
from cellrace_server.gateway.credits import Endpoint, Limits, Rate
from cellrace_server.urls import public

EXIT_USAGE = 64
"""As in sysexits.h."""

ADMIN_SOCKET = "admin.sock"
PREFIX = "CELLRACE_"
ALSO_READ = {"redis": "REDIS_URL"}
"""Variables that others have made customary; ours come first."""

COUNT_MOST = 100_000_000
"""More than there can be of anything."""

SECRETS = frozenset({"redis"})
"""Settings that may hold a password: shown without it."""


def _rated(about: str) -> Meta:
    """For settings that say how often: `CAPACITY/PER_MINUTE`, or `off`."""
    return Meta(
        pattern=r"^(off|[1-9][0-9]{0,8}/[1-9][0-9]{0,8})$",
        description=f"{about}: so many at once/so many more a minute, or off",
    )


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings with their defaults. The description of each is its help text."""

    host: Annotated[str, Meta(min_length=1, description="address to listen on")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="port to listen on; 0 takes a free one")] = 8617
    redis: Annotated[
        str,
        Meta(
            pattern=r"^((redis|rediss|unix)://.+)?$",
            description="URL of a Redis or Valkey to keep races in (redis://, rediss://, unix://)",
        ),
    ] = ""
    replicas: Annotated[
        int, Meta(ge=0, le=16, description="replicas of it that must have a move before it counts")
    ] = 0
    data_dir: Annotated[str, Meta(min_length=1, description="where the embedded store keeps its data")] = ""
    admin_socket: Annotated[
        str, Meta(description="socket for cellrace-admin, in the data directory unless absolute; '' for none")
    ] = ADMIN_SOCKET
    origins: Annotated[
        tuple[str, ...], Meta(description="web origins that may connect besides the server's own; * for all")
    ] = ()
    connections_most: Annotated[
        int, Meta(ge=1, le=COUNT_MOST, description="connections at once at the most")
    ] = 10_000
    trusted_proxies: Annotated[
        tuple[str, ...],
        Meta(description="addresses or networks of proxies whose X-Forwarded-For is believed"),
    ] = ()
    limits: Annotated[
        Literal["on", "off"], Meta(description="whether anything is limited by how often it is asked")
    ] = "on"
    limits_exempt: Annotated[
        tuple[str, ...], Meta(description="addresses or networks of clients that are under no limits")
    ] = ("127.0.0.0/8", "::1")
    connections_per_address: Annotated[
        int,
        Meta(
            ge=1,
            le=COUNT_MOST,
            description="connections of one address (IPv6: of one /64) at once at the most",
        ),
    ] = 200
    connection_messages: Annotated[str, _rated("messages of one connection")] = "1000/30000"
    connection_hellos: Annotated[str, _rated("hellos of one connection")] = "10/60"
    connection_creations: Annotated[str, _rated("requests of one connection that may open a race")] = "30/60"
    connection_joins: Annotated[str, _rated("joins, watches, resumes and looks of one connection")] = (
        "128/600"
    )
    connection_queries: Annotated[str, _rated("lists, boards and replays asked for on one connection")] = (
        "60/300"
    )
    address_messages: Annotated[str, _rated("messages of one address")] = "20000/300000"
    address_hellos: Annotated[str, _rated("hellos of one address")] = "500/1200"
    address_creations: Annotated[str, _rated("requests of one address that may open a race")] = "200/300"
    address_joins: Annotated[str, _rated("joins, watches, resumes and looks of one address")] = "2000/3000"
    address_queries: Annotated[str, _rated("lists, boards and replays asked for by one address")] = "600/3000"
    address_connections: Annotated[str, _rated("connections and pages asked for by one address")] = "500/1200"
    open_races_most: Annotated[
        int,
        Meta(
            ge=1,
            le=COUNT_MOST,
            description="races of one player that wait for their start at the most",
        ),
    ] = 8
    seats_most: Annotated[
        int,
        Meta(
            ge=1,
            le=COUNT_MOST,
            description="seats of one player in races that are not over at the most",
        ),
    ] = 16
    spectators_most: Annotated[
        int, Meta(ge=0, le=COUNT_MOST, description="spectators of a race on this node at the most")
    ] = 10_000
    keep_races_s: Annotated[
        int,
        Meta(ge=1, le=3_153_600_000, description="seconds for which the log of a race that is over is kept"),
    ] = 604_800
    keep_replays_days: Annotated[
        int,
        Meta(
            ge=0,
            le=36_500,
            description="days after which replays without a row on any board are dropped; 0 keeps all for good",
        ),
    ] = 0
    lobby_idle_s: Annotated[
        int,
        Meta(ge=1, le=86_400, description="seconds without an event after which a race not begun is closed"),
    ] = 600
    keep_seats_s: Annotated[
        int,
        Meta(
            ge=1,
            le=86_400,
            description="seconds for which a seat, or hosting, is kept before the start for one who is away",
        ),
    ] = 150
    compensation_ms_most: Annotated[
        int, Meta(ge=0, le=1_000, description="network delay in ms that is given back to winners at the most")
    ] = 150
    receive: Annotated[
        Literal["fast", "library"],
        Meta(description="who reads messages: a short way of our own, or the WebSocket library alone"),
    ] = "fast"
    solver_workers: Annotated[
        int,
        Meta(
            ge=0,
            le=64,
            description="processes that look for deals with few cells that can be won; 0 for none",
        ),
    ] = 1
    house_bots: Annotated[
        int, Meta(ge=0, le=64, description="bots that race people who are alone, in a process of their own")
    ] = 0
    house_bots_speed: Annotated[
        int, Meta(ge=10, le=100_000, description="how fast they are, in percent of a human pace")
    ] = 100
    blocked_names: Annotated[
        tuple[str, ...], Meta(description="words that no player's name may contain, in any spelling")
    ] = ()
    log_level: Annotated[Literal["debug", "info", "warning", "error"], Meta(description="what to log")] = (
        "info"
    )
    log_format: Annotated[
        Literal["auto", "text", "json"], Meta(description="auto: text on a terminal, else JSON")
    ] = "auto"

    @property
    def data_path(self) -> Path:
        """The data directory; without one set, the platform's place for this user's data."""
        if self.data_dir:
            return Path(self.data_dir).expanduser().absolute()
        return user_data_path("cellrace", appauthor=False)

    @property
    def admin_path(self) -> Path | None:
        """Where the admin socket is; `None`: there is none."""
        if not self.admin_socket:
            return None
        return self.data_path / Path(self.admin_socket).expanduser()

    @property
    def rates(self) -> Limits:
        """How often what may be asked."""
        scopes = (
            {
                endpoint: rate
                for endpoint in Endpoint
                if (rate := Rate.parse(getattr(self, f"{scope}_{endpoint}", "off"))) is not None
            }
            for scope in ("connection", "address")
        )
        return Limits(*scopes)


FIELDS = {field.name: field for field in msgspec.structs.fields(Settings)}


def _host(text: str) -> None:
    try:
        text.encode("idna")
    except UnicodeError:
        raise ValueError("an address or the name of a host is expected") from None
    _path(text)


def _path(text: str) -> None:
    if "\0" in text:
        raise ValueError("a text without zero characters is expected")


def _wanted_names(words: Sequence[str]) -> None:
    for word in words:
        if not names.fold(word):
            raise ValueError(f"{word!r} has no letter or digit: it would refuse every name")


CHECKS: Mapping[str, Callable[[Any], object]] = {
    "trusted_proxies": Networks,
    "limits_exempt": Networks,
    "host": _host,
    "data_dir": _path,
    "admin_socket": _path,
    "blocked_names": _wanted_names,
}
"""What types do not say: each raises `ValueError`."""


class Faults(Exception):
    """Everything that is wrong with the settings, one sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class Resolved(NamedTuple):
    """The settings, and where each value comes from: `flag`, a variable's name, a file's path, `default`."""

    settings: Settings
    origins: Mapping[str, str]

    def shown(self) -> Iterator[str]:
        """One line a setting: what `--print-config` prints, valid TOML."""
        for name, origin in self.origins.items():
            value = str(self.settings.data_path) if name == "data_dir" else getattr(self.settings, name)
            text = msgspec.json.encode(public(value) if name in SECRETS else value).decode()
            yield f"{name} = {text}  # {origin}"


class Wanted(NamedTuple):
    """What the command line asks for."""

    resolved: Resolved
    print_config: bool


def read(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Wanted:
    """Settings from everywhere. Raises `Faults` with all that is wrong; for `--help`, `--version` and flags that do not
    exist, `SystemExit` as argparse does, but with `EXIT_USAGE`."""
    found = vars(_parser().parse_args(arguments))
    print_config = bool(found.pop("print_config"))
    config = found.pop("config") or environment.get(f"{PREFIX}CONFIG", "")
    faults: list[str] = []
    sources = [
        *_file(config, faults),
        *_environment(environment, faults),
        *((name, "flag", value) for name, value in found.items() if value is not None),
    ]
    values: dict[str, Any] = {}
    origins = dict.fromkeys(FIELDS, "default")
    for name, origin, raw in sources:
        try:
            value = msgspec.convert(raw, FIELDS[name].type, strict=False)
            CHECKS.get(name, bool)(value)
            values[name] = value
        except ValueError as error:
            shown = public(str(raw)) if name in SECRETS else raw
            faults.append(f"{name} = {shown!r} ({origin}): {_wanted(name, str(error))}")
        origins[name] = origin
    if values.get("replicas") and not values.get("redis"):
        text = "the embedded store has none: name another store with redis"
        faults.append(f"replicas = {values['replicas']} ({origins['replicas']}): {text}")
    if faults:
        raise Faults(faults)
    return Wanted(Resolved(Settings(**values), origins), print_config)


_Source = tuple[str, str, object]


def _file(path: str, faults: list[str]) -> Iterator[_Source]:
    if not path:
        return
    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        faults.append(f"{path}: {error.strerror}")
        return
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(f"{path} is not TOML: {error}")
        return
    for written, value in found.items():
        name = written.replace("-", "_")
        if name in FIELDS:
            yield name, path, value
        else:
            faults.append(f"{path}: there is no setting {written!r}")


def _environment(environment: Mapping[str, str], faults: list[str]) -> Iterator[_Source]:
    known = {f"{PREFIX}{name.upper()}": name for name in FIELDS}
    unknown = {name for name in environment if name.startswith(PREFIX)} - known.keys() - {f"{PREFIX}CONFIG"}
    faults.extend(f"there is no setting for the variable {variable}" for variable in sorted(unknown))
    for variable, name in [*((also, name) for name, also in ALSO_READ.items()), *known.items()]:
        text = environment.get(variable)
        if text is not None and not (variable in ALSO_READ.values() and not text):
            yield name, variable, _listed(text) if _is_list(name) else text


def _listed(text: str) -> list[str]:
    """The values of a list in a variable: separated by spaces or commas."""
    return text.replace(",", " ").split()


def _wanted(name: str, text: str) -> str:
    """What a value should have been, in words for the host."""
    if name == "redis":
        return "a URL that starts with redis://, rediss:// or unix:// is expected"
    if name.startswith(("connection_", "address_")):
        return "two numbers above 0 like 100/60 (so many at once, so many more a minute) or off are expected"
    choices = getattr(FIELDS[name].type.__origin__, "__args__", ())
    if choices and not _is_list(name):
        return f"one of {', '.join(choices)} is expected"
    return text.replace("Expected `int`, got `str`", "a whole number is expected").replace("`", "")


def _is_list(name: str) -> bool:
    return isinstance(FIELDS[name].default, tuple)


class _Parser(argparse.ArgumentParser):
    """Repeats no password of a URL that stands where it should not, and ends with `EXIT_USAGE`."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        text = _URL.sub(lambda found: public(found[0]), message)
        self.exit(EXIT_USAGE, f"{self.prog}: error: {text}\n")


_URL = re.compile(r"\w+://\S*")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cellrace-server",
        description="A real-time server for FreeCell races.",
        epilog="Every setting can also be given as a variable (CELLRACE_PORT=8617) or in a TOML file (port = 8617). "
        "Without --redis (or REDIS_URL) the server runs a Valkey of its own in the data directory.",
    )
    parser.add_argument("--version", action="version", version=f"cellrace {version('cellrace')}")
    parser.add_argument("--config", metavar="FILE", help="TOML file with settings")
    parser.add_argument(
        "--print-config", action="store_true", help="print all settings and their origins, and end"
    )
    for name, field in FIELDS.items():
        flag = f"--{name.replace('_', '-')}"
        text = f"{_description(field.type)} ({_default(name)})"
        if _is_list(name):
            parser.add_argument(flag, dest=name, nargs="*", metavar="TEXT", help=text)
        else:
            parser.add_argument(flag, dest=name, metavar=_metavar(field.type), help=text)
    return parser


def _default(name: str) -> str:
    default: Any = Settings().data_path if name == "data_dir" else getattr(Settings(), name)
    shown = " ".join(default) if _is_list(name) else str(default)
    return f"default {shown}" if shown else "none by default"


def _description(annotated: Any) -> str:
    return str(annotated.__metadata__[0].description)


def _metavar(annotated: Any) -> str:
    kind = annotated.__origin__
    choices = getattr(kind, "__args__", ())
    return "{" + ",".join(choices) + "}" if choices else kind.__name__.upper()
