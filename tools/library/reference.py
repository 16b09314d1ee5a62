"""The reference of the Python library: its public names, with their signatures and what their docstrings promise."""

import ast
import enum
import re
import typing
from collections.abc import Iterable, Iterator

import msgspec

import cellrace_client
from cellrace_client import client, errors, model, race, sync
from cellrace_client.dailies import Dailies
from cellrace_client.ghosts import Ghosts
from cellrace_client.players import Players
from cellrace_client.records import Records
from cellrace_protocol import events as e
from tools.library import messages, sources
from tools.library.preface import EVENTS, PREFACE, SYNC, VALUES

NOT_FOR_CALLERS = {
    "Client": {"open", "close", "send", "later", "parted", "keep_token"},
    "Race": {"hear", "told", "resume", "channel_lost", "entered_again", "close"},
    "RaceList": {"begin", "hear", "close"},
    "RaceModel": {"apply"},
    "Board": {"transfer"},
}
"""What the parts of the library tell each other."""
PARTS = (
    ("client.dailies", Dailies),
    ("client.players", Players),
    ("client.ghosts", Ghosts),
)
BELOW = {name: f"[{name}](#{name.replace('.', '')})" for name, _ in PARTS}
"""Where attributes are described, by how a reader gets at them."""
STANDS = (model.SeatState, model.Board, model.GhostRun)
ERRORS = (
    errors.CellraceError,
    errors.CannotConnect,
    errors.RequestFailed,
    errors.ActionRefused,
    errors.Disconnected,
)
WORD = re.compile(r"\w+")


def reference() -> str:
    """The page."""
    lines = [PREFACE]
    lines += _connecting()
    lines += ["## Client", ""]
    lines += _class("client", client.Client, Records)
    for name, part in PARTS:
        lines += [f"## {name}", "", *_class(name, part)]
    lines += ["## Race", "", *_class("race", race.Race)]
    lines += ["## RaceModel", "", *_class("model", model.RaceModel)]
    for kind in STANDS:
        lines += [f"### {kind.__name__}", "", *_class(kind.__name__, kind)]
    lines += ["## Events", "", EVENTS]
    lines += _messages((e.Snapshot, *typing.get_args(e.AnyRaceMessage)))
    lines += ["## RaceList", "", *_class("races", cellrace_client.RaceList)]
    lines += ["## Identities", "", *_class("identities", cellrace_client.Identities)]
    lines += _errors()
    lines += _without_await()
    lines += ["## Values", "", VALUES, *_messages(_named_in("\n".join(lines)))]
    return "\n".join(lines).rstrip() + "\n"


def described() -> set[str]:
    """The public names of the package that the page is about, by hand: a test holds them against `__all__`."""
    classes = {
        client.Client,
        race.Race,
        model.RaceModel,
        cellrace_client.RaceList,
        cellrace_client.Identities,
        *ERRORS,
    }
    return {"connect", "DEFAULT_URL", "Kind", "Event", "BoardQuery"} | {what.__name__ for what in classes}


def _connecting() -> Iterator[str]:
    function = sources.function_of(client.connect)
    yield from ("## connect", "", *_code(f"async with {_connect(function)} as client:"))
    yield from (sources.says(function), "")
    yield f"`DEFAULT_URL` is `{client.DEFAULT_URL}`, `RECONNECT_S` is {client.RECONNECT_S:g} seconds. `codec` is"
    yield "`MSGPACK` or `JSON` of `cellrace_protocol.codecs`: what goes over the wire means the same."
    yield ""


def _connect(function: sources.Function) -> str:
    return sources.signature(function, returns=False).replace("OnNotice", "Callable[[Notice], None]")


def _class(owner: str, what: type, *bases: type) -> Iterator[str]:
    """What a class says of itself, its attributes, and each public method, the bases' too; `owner` is what a reader
    calls an object of it."""
    trees = [sources.class_of(one) for one in (what, *bases)]
    if sources.says(trees[0]):
        yield from (sources.says(trees[0]), "")
    inner = NOT_FOR_CALLERS.get(what.__name__, set[str]())
    every = [method for tree in trees for method in sources.methods(tree) if method.name not in inner]
    yield from _attributes(owner, trees[0], [method for method in every if sources.is_property(method)])
    for method in every:
        if not sources.is_property(method):
            yield from _method(owner, method)


def _method(owner: str, method: sources.Function) -> Iterator[str]:
    awaited = "await " if isinstance(method, ast.AsyncFunctionDef) else ""
    yield from (f"### {owner}.{method.name}", "")
    yield from _code(awaited + sources.signature(method))
    if sources.says(method):
        yield from (sources.says(method), "")


def _attributes(owner: str, tree: ast.ClassDef, properties: list[sources.Function]) -> Iterator[str]:
    rows = [sources.Attribute(row.name, _resolved(row.kind), row.says) for row in sources.attributes(tree)]
    rows += [
        sources.Attribute(method.name, sources.words(method.returns), " ".join(sources.says(method).split()))
        for method in properties
    ]
    if rows:
        yield from ("| attribute | type | |", "|---|---|---|")
        for row in rows:
            kind = f"`{row.kind}`".replace("|", "\\|") if row.kind else ""
            yield f"| `{row.name}` | {kind} | {row.says or BELOW.get(f'{owner}.{row.name}', '')} |"
        yield ""


def _resolved(kind: str) -> str:
    """`Snapshot.race` is the type of that field."""
    owner, _, field = kind.partition(".")
    message = messages.values().get(owner)
    if field and message is not None and issubclass(message, msgspec.Struct):
        return messages.plain_types(message)[field]
    return "" if field else kind


def _messages(types: Iterable[type]) -> Iterator[str]:
    for kind in types:
        yield from (f"### {kind.__name__}", "")
        tree = sources.class_of(kind)
        if issubclass(kind, msgspec.Struct):
            yield from _code(messages.fields(kind))
        elif issubclass(kind, tuple):
            yield from _code(sources.fields(tree))
        elif issubclass(kind, enum.Enum):
            yield from _code("\n".join(f"{kind.__name__}.{member.name}" for member in kind))
        if sources.says(tree):
            yield from (sources.says(tree), "")


def _named_in(text: str) -> list[type]:
    """The protocol's types that the code on a page names, and those that these name, in the order of their names."""
    known = messages.values()
    shown = {kind.__name__ for kind in (e.Snapshot, *typing.get_args(e.AnyRaceMessage))}
    found: set[str] = set()
    ahead = list(WORD.findall(_code_in(text)))
    for name in ahead:
        if name in known and name not in found | shown:
            found.add(name)
            for kind in messages.named_by(known[name]):
                ahead += WORD.findall(kind)
    return [known[name] for name in sorted(found)]


def _code_in(text: str) -> str:
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    cells = re.findall(r"^\| `\w+` \| `([^`]*)` \|", text, re.MULTILINE)
    return "\n".join([*blocks, *cells])


def _errors() -> Iterator[str]:
    yield from ("## Errors", "", "All are exceptions of `cellrace_client`, below `CellraceError`.", "")
    for error in ERRORS:
        yield from (f"### {error.__name__}", "", *_class("error", error))


def _without_await() -> Iterator[str]:
    yield from ("## Without await", "", SYNC)
    function = sources.function_of(sync.connect)
    yield from _code(f"with {_connect(function)} as client:")
    yield from (sources.says(function), "")
    for kind in (sync.Client, sync.Race, sync.RaceList, sync.Dailies, sync.Players, sync.Ghosts):
        names = ", ".join(f"`{name}`" for name in vars(kind) if not name.startswith("_"))
        yield from (f"**{kind.__name__}**: {' '.join(sources.says(sources.class_of(kind)).split())}", "")
        if names:
            yield from (names + ".", "")


def _code(text: str) -> Iterator[str]:
    yield from ("```python", text, "```", "")
