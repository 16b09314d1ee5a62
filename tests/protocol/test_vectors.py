"""The vectors that strangers test their clients with, and what the types promise about them."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools.protocol.__main__ import stale

from cellrace_protocol.catalog import CLIENT_MESSAGES, SERVER_MESSAGES
from cellrace_protocol.codecs import CLIENT_CODECS, JSON, MSGPACK, SERVER_CODECS, Codec
from cellrace_protocol.errors import WireError
from tests.support import witness

ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "tests" / "data" / "protocol-1"
VECTORS = ROOT / "protocol" / "vectors"

Row = dict[str, Any]


def rows(folder: Path, name: str) -> list[Row]:
    found: list[Row] = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


MESSAGES = [(folder, row) for folder in (VECTORS, FROZEN) for row in rows(folder, "messages.json")]
INVALID = [(folder, row) for folder in (VECTORS, FROZEN) for row in rows(folder, "invalid.json")]


def named(case: tuple[Path, Row]) -> str:
    return f"{case[0].name}-{case[1].get('name') or case[1]['note']}"


def test_generated_documents_are_up_to_date() -> None:
    assert stale() == [], "run make generate"


def test_every_message_has_a_vector() -> None:
    for sender, catalog in (("client", CLIENT_MESSAGES), ("server", SERVER_MESSAGES)):
        shown = {row["name"] for row in rows(VECTORS, "messages.json") if row["from"] == sender}
        assert shown == catalog.keys()


def means(value: Any, said: Any) -> bool:
    """Whether a value is what was said, perhaps by an older peer: its rows may lack fields at the end."""
    if isinstance(value, list):
        return len(value) == len(said) and all(map(means, value, said))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, msgspec.Struct):
        fields = [getattr(value, name) for name in value.__struct_fields__]
        defaults = value.__struct_defaults__
        added = fields[len(said) :]
        return all(map(means, fields, said)) and added == list(defaults[len(defaults) - len(added) :])
    return bool(msgspec.to_builtins(value) == said)


@pytest.mark.spec("1.5", "10.1")
@pytest.mark.parametrize("case", MESSAGES, ids=named)
def test_a_vector_means_what_it_says_in_both_codecs(case: tuple[Path, Row]) -> None:
    """The frozen ones of version 1 too: what an old peer says keeps its meaning, new fields at their defaults."""
    _, row = case
    codecs: dict[str, Codec[Any]] = SERVER_CODECS if row["from"] == "client" else CLIENT_CODECS
    packed = bytes.fromhex(row["msgpack"])
    message = codecs[MSGPACK].decode(packed)
    assert codecs[JSON].decode(row["json"]) == message
    for name, value in row["fields"].items():
        assert means(getattr(message, name), value), name
    assert witness.unpack(packed) == json.loads(row["json"])


@pytest.mark.spec("10.1")
@pytest.mark.parametrize("row", rows(VECTORS, "messages.json"), ids=lambda row: row["name"])
def test_an_old_reader_takes_new_messages(row: Row) -> None:
    """Of two that say nothing else new, the one with more at the end is read as the other. Of a short form, what it
    leaves out comes first."""
    codecs: dict[str, Codec[Any]] = SERVER_CODECS if row["from"] == "client" else CLIENT_CODECS
    message = codecs[JSON].decode(row["json"])
    longer = [*json.loads(codecs[JSON].encode(message)), "new", {"er": [1]}]
    assert codecs[JSON].decode(json.dumps(longer)) == message
    assert codecs[MSGPACK].decode(witness.pack(longer)) == message


@pytest.mark.spec("1.6", "8.1")
@pytest.mark.parametrize("case", INVALID, ids=named)
def test_an_invalid_frame_gets_its_error(case: tuple[Path, Row]) -> None:
    _, row = case
    payload = row["text"] if "text" in row else bytes.fromhex(row["hex"])
    with pytest.raises(WireError) as caught:
        SERVER_CODECS[row["subprotocol"]].decode(payload)
    assert caught.value.code == row["error"]
