"""The page's pure modules, tested in Node.js by its own test runner; `tests/web/node` has the tests."""

import os
import subprocess
import typing
from pathlib import Path

import msgspec
import pytest

from cellrace_protocol import commands, events, rows
from tests.web import vectors
from tests.web.tools import node

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "client_web" / "cellrace_web"
ROWS = {
    "seat": events.SeatView,
    "place": events.Place,
    "step": events.GhostStep,
    "limit": events.Limit,
    "race": rows.RaceRow,
    "best": rows.BoardRow,
    "run": rows.RunRow,
    "rating": rows.RatingRow,
    "measured": rows.BestRow,
    "streak": rows.StreakRow,
    "rated": rows.RatingStep,
    "rank": rows.RankRow,
    "daily": rows.DailyRow,
}


def test_the_modules_agree_with_engine_and_protocol(tmp_path: Path) -> None:
    program = node()
    said = tmp_path / "engine.json"
    vectors.write(said)
    done = subprocess.run(
        [str(program), "--test", *sorted(map(str, (HERE / "node").glob("*.test.mjs")))],
        env={**os.environ, "CELLRACE_ENGINE_VECTORS": str(said)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-8_000:]}{done.stderr[-2_000:]}"


def test_the_page_knows_what_the_server_says_for_a_silent_host() -> None:
    words = (PAGE / "words.js").read_text()
    assert f'"{events.CLOSED}"' in words
    assert f'"{events.SENT_AWAY}"' in words


@pytest.mark.parametrize(
    ("table", "types"),
    [
        ("CLIENT", {str(t.__struct_config__.tag): t for t in typing.get_args(commands.AnyClientMessage)}),
        ("SERVER", {str(t.__struct_config__.tag): t for t in typing.get_args(events.AnyServerMessage)}),
        ("ROWS", ROWS),
    ],
)
def test_the_page_knows_every_message(table: str, types: dict[str, type[msgspec.Struct]]) -> None:
    source = (PAGE / "wire" / "messages.js").read_text()
    said = source.partition(f"export const {table} = {{\n")[2].partition("};")[0]
    assert said.splitlines() == [f"  {tag}: {_quoted(fields_of(type_))}," for tag, type_ in types.items()]


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def fields_of(type_: type[msgspec.Struct]) -> str:
    """The fields of a message as `messages.js` lists them."""
    return " ".join(_field(field) for field in msgspec.structs.fields(type_))


def _field(field: msgspec.structs.FieldInfo) -> str:
    made = field.default_factory
    if field.default is msgspec.NODEFAULT and made is msgspec.NODEFAULT:
        return field.encode_name
    usual: object = made() if made is not msgspec.NODEFAULT else field.default
    return f"{field.encode_name}={msgspec.json.encode(usual).decode()}"
