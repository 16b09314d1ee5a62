"""Both codecs: the same messages, and nothing but `WireError` for anything else."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellrace_protocol.codecs import CLIENT_CODECS, JSON, MSGPACK, SERVER_CODECS, Codec
from cellrace_protocol.commands import Move
from cellrace_protocol.errors import ErrorCode, WireError
from cellrace_protocol.events import Applied, Diff, Error, Notice, What
from cellrace_protocol.lean import lean
from tests.protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES, instances, name_of
from tests.support import witness

CODECS: list[Codec[Any]] = [*SERVER_CODECS.values(), *CLIENT_CODECS.values()]
PACKED: list[Codec[Any]] = [SERVER_CODECS[MSGPACK], CLIENT_CODECS[MSGPACK]]
WRITTEN: list[Codec[Any]] = [SERVER_CODECS[JSON], CLIENT_CODECS[JSON]]

FEW = settings(max_examples=15)
"""There are many messages, and their fields are alike."""


def payload(codec: Codec[Any], encoded: bytes) -> bytes | str:
    """As the frame of the codec carries it."""
    return encoded if codec.binary else encoded.decode()


@pytest.mark.parametrize("struct", [*CLIENT_MESSAGES, *SERVER_MESSAGES], ids=lambda struct: struct.__name__)
@FEW
@given(data=st.data())
def test_every_message_comes_back_from_both_codecs(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    message = data.draw(instances(struct))
    codecs: dict[str, Codec[Any]] = SERVER_CODECS if struct in CLIENT_MESSAGES else CLIENT_CODECS
    for codec in codecs.values():
        assert codec.decode(payload(codec, codec.encode(message))) == message


@pytest.mark.parametrize("struct", [*CLIENT_MESSAGES, *SERVER_MESSAGES], ids=lambda struct: struct.__name__)
@FEW
@given(data=st.data())
def test_an_independent_reader_sees_the_same_in_both(
    struct: type[msgspec.Struct], data: st.DataObject
) -> None:
    message = data.draw(instances(struct))
    expected = [name_of(struct), *msgspec.to_builtins(message)[1:]]
    assert witness.unpack(SERVER_CODECS[MSGPACK].encode(message)) == expected
    assert json.loads(SERVER_CODECS[JSON].encode(message)) == expected


@given(instances(Diff) | instances(Applied) | instances(Error) | instances(Notice))
def test_short_forms_are_read_as_the_full_messages(message: msgspec.Struct) -> None:
    for codec in CLIENT_CODECS.values():
        assert codec.decode(payload(codec, codec.encode(lean(message)))) == message


def test_only_defaults_are_left_out() -> None:
    full = Diff(0, 1, 2, 0, [1], What.UNDO)
    assert lean(full) is full
    assert len(CLIENT_CODECS[MSGPACK].encode(lean(Diff(0, 1, 2, 0, [1])))) == 9


@pytest.mark.parametrize(
    ("bare", "more"),
    [
        (Error("busy", "wait", 3, 250), Error("busy", "wait", 3, 250, {"reason": "crowd", "most": 8})),
        (Notice("draining", "soon", 3), Notice("draining", "soon", 3, {"reason": "update"})),
    ],
)
def test_facts_are_sent_where_there_are_any(bare: msgspec.Struct, more: msgspec.Struct) -> None:
    """What has none takes no byte more than before there were any."""
    for codec in CLIENT_CODECS.values():
        for message in (bare, more):
            assert codec.decode(payload(codec, codec.encode(lean(message)))) == message
    assert json.loads(SERVER_CODECS[JSON].encode(lean(bare))) == msgspec.to_builtins(bare)[:-1]
    assert lean(more) is more


NO_FACTS: dict[str, object] = {
    "a list": ["reason", "length"],
    "nil": None,
    "a text": "reason",
    "a number for a name": {1: "length"},
    "a name without letters": {"": "length"},
    "a long name": {"r" * 17: "length"},
    "a long text": {"reason": "x" * 193},
    "a number above the highest": {"most": 2**53},
    "a number below the lowest": {"most": -(2**53)},
    "half a number": {"most": 1.5},
    "a flag": {"most": True},
    "nothing": {"most": None},
    "a list of numbers": {"most": [1]},
    "facts in facts": {"most": {"most": 1}},
    "nine of them": {f"fact {n}": n for n in range(9)},
}


@pytest.mark.spec("8.1")
@pytest.mark.parametrize("case", NO_FACTS)
def test_facts_are_few_and_short(case: str) -> None:
    for name, fields in (("error", ["busy", "wait", 3, 250]), ("notice", ["draining", "soon", 3])):
        with pytest.raises(WireError) as caught:
            CLIENT_CODECS[MSGPACK].decode(packed(name, *fields, NO_FACTS[case]))
        assert (caught.value.code, "facts" in caught.value.text) == (ErrorCode.BAD_FIELD, True)


@pytest.mark.parametrize("struct", CLIENT_MESSAGES, ids=lambda struct: struct.__name__)
@FEW
@given(data=st.data())
def test_fields_of_later_versions_are_passed_over(struct: type[msgspec.Struct], data: st.DataObject) -> None:
    message = data.draw(instances(struct))
    fields = [*msgspec.to_builtins(message), {"new": [1, 2]}, None]
    assert SERVER_CODECS[MSGPACK].decode(witness.pack(fields)) == message
    assert SERVER_CODECS[JSON].decode(json.dumps(fields)) == message


def packed(*fields: object) -> bytes:
    return witness.pack(list(fields))


HOSTILE = {
    "nothing": b"",
    "array of four thousand million": bytes.fromhex("ddffffffff"),
    "map of four thousand million": bytes.fromhex("dfffffffff"),
    "binary of four thousand million": bytes.fromhex("c6ffffffff"),
    "text of four thousand million": bytes.fromhex("dbffffffff"),
    "extension of four thousand million": bytes.fromhex("c9ffffffff01"),
    "a thousand arrays": b"\x91" * 1_000 + b"\x90",
    "a thousand arrays in a move": b"\x94\xa1m\x00\x01" + b"\x91" * 1_000 + b"\x90",
    "a hundred thousand arrays": b"\x91" * 100_000,
    "a hundred thousand maps": b"\x81" * 100_000,
    "the byte that is never used": b"\xc1",
    "bytes after the end": packed("m", 0, 1, "26") + b"\x00",
    "two messages": packed("m", 0, 1, "26") * 2,
    "cut short": packed("m", 0, 1, "26")[:-1],
    "no array": packed("m")[1:],
    "a map": witness.pack({"m": 1}),
    "a number": witness.pack(7),
    "nil": b"\xc0",
    "an empty array": b"\x90",
    "invalid UTF-8 in a text": b"\x94\xa1m\x00\x01\xa2\xff\xfe",
    "invalid UTF-8 in the name": b"\x94\xa1\xff\x00\x01\xa226",
    "binary for a text": packed("m", 0, 1, b"26"),
    "not a number": packed("m", 0, float("nan"), "26"),
    "infinity": packed("m", 0, float("inf"), "26"),
    "half an action": packed("m", 0, 1.5, "26"),
    "2**63": packed("m", 0, 2**63, "26"),
    "2**64 - 1": packed("m", 0, 2**64 - 1, "26"),
    "-2**63": packed("m", 0, -(2**63), "26"),
    "a negative channel": packed("m", -1, 1, "26"),
    "a channel above the highest": packed("m", 2**31, 1, "26"),
    "a move of one letter": packed("m", 0, 1, "2"),
    "a move of nine letters": packed("m", 0, 1, "123456789"),
    "a number for a text": packed("m", 0, 1, 26),
    "a text for a number": packed("m", "0", 1, "26"),
    "true for a number": packed("m", True, 1, "26"),
    "nil for a number": packed("m", None, 1, "26"),
    "a number for a flag": packed("ready", 0, 1),
    "a list for a text": packed("m", 0, 1, ["26"]),
    "an extension type": packed("m", 0, 1, witness.extension(5, b"26")),
    "a time stamp": packed("m", 0, 1, witness.time_stamp(1)),
    "a broken time stamp": b"\x94\xa1m\x00\x01\xc7\x03\xff123",
    "too few fields": packed("m", 0, 1),
    "an unknown name": packed("castle", 0, 1),
    "a server's message": packed("welcome", 1),
    "an empty name": packed(""),
    "a number for a name": packed(1, 0, 1, "26"),
    "an unknown kind": packed("hello", 1, "Ada", "", "alien"),
    "a name of a thousand letters": packed("hello", 1, "x" * 1_000),
    "version 0": packed("hello", 0),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("codec", PACKED, ids=["server", "client"])
def test_hostile_bytes_are_a_wire_error(codec: Codec[Any], case: str) -> None:
    with pytest.raises(WireError) as caught:
        codec.decode(HOSTILE[case])
    assert caught.value.text
    assert len(caught.value.text) <= 200


@pytest.mark.spec("1.9")
def test_what_is_nested_too_deep_in_a_field_of_later_versions_is_ignored_or_refused() -> None:
    """How deep a reader goes depends on the Python that runs it."""
    packed_deep = b"\x95\xa1m\x00\x01\xa22a" + b"\x91" * 1_000 + b"\x90"
    written_deep = '["m",0,1,"2a",' + "[" * 1_000 + "]" * 1_000 + "]"
    for subprotocol, frame in ((MSGPACK, packed_deep), (JSON, written_deep)):
        try:
            assert SERVER_CODECS[subprotocol].decode(frame) == Move(0, 1, "2a")
        except WireError as error:
            assert error.code is ErrorCode.BAD_FIELD  # noqa: PT017 - either will do


HOSTILE_TEXTS = {
    "nothing": "",
    "blank": "  \n",
    "no JSON": "hello",
    "a thousand arrays": "[" * 1_000 + "]" * 1_000,
    "a hundred thousand arrays": "[" * 100_000,
    "text after the end": '["m",0,1,"26"] x',
    "two messages": '["m",0,1,"26"]["m",0,2,"26"]',
    "cut short": '["m",0,1,"26"',
    "a comma too many": '["m",0,1,"26",]',
    "an object": '{"m":1}',
    "a number": "1",
    "null": "null",
    "an empty array": "[]",
    "not a number": '["m",0,NaN,"26"]',
    "infinity": '["m",0,Infinity,"26"]',
    "a huge exponent": '["m",0,1e999999,"26"]',
    "a number of a thousand digits": '["m",0,' + "9" * 1_000 + ',"26"]',
    "half an action": '["m",0,1.5,"26"]',
    "a lone surrogate": '["m",0,1,"\ud800a"]',
    "a lone surrogate, escaped": '["m",0,1,"\\ud800"]',
    "a control character": '["m",0,1,"2\n6"]',
    "a text for a number": '["m","0",1,"26"]',
    "an unknown name": '["castle",0]',
    "a wide unknown name": '["\U0001f98a"]',
    "too few fields": '["m",0]',
    "a byte order mark": '\ufeff["m",0,1,"26"]',
}


@pytest.mark.parametrize("case", HOSTILE_TEXTS)
@pytest.mark.parametrize("codec", WRITTEN, ids=["server", "client"])
def test_hostile_texts_are_a_wire_error(codec: Codec[Any], case: str) -> None:
    with pytest.raises(WireError) as caught:
        codec.decode(HOSTILE_TEXTS[case])
    assert len(caught.value.text) <= 200


@given(
    st.binary(max_size=64) | st.lists(st.binary(max_size=8)).map(lambda parts: b"\x94\xa1m" + b"".join(parts))
)
def test_random_bytes_are_a_message_or_a_wire_error(rubbish: bytes) -> None:
    for codec in PACKED:
        try:
            codec.decode(rubbish)
        except WireError as error:
            assert error.code in ErrorCode  # noqa: PT017 - any of them will do


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([name_of(struct) for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES)])


@given(st.tuples(NAMES, st.lists(JSON_VALUES, max_size=10)))
def test_any_values_in_a_message_are_a_message_or_a_wire_error(message: tuple[str, list[object]]) -> None:
    name, fields = message
    for codec in WRITTEN:
        try:
            codec.decode(json.dumps([name, *fields]))
        except WireError as error:
            assert error.code in ErrorCode  # noqa: PT017 - any of them will do


@given(st.text(max_size=80))
def test_random_texts_are_a_message_or_a_wire_error(rubbish: str) -> None:
    for codec in WRITTEN:
        try:
            codec.decode(rubbish)
        except WireError as error:
            assert error.code in ErrorCode  # noqa: PT017 - any of them will do


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: codec.subprotocol)
def test_the_other_kind_of_frame_is_a_bad_frame(codec: Codec[Any]) -> None:
    with pytest.raises(WireError) as caught:
        codec.decode('["hello",1]' if codec.binary else b'["hello",1]')
    assert caught.value.code is ErrorCode.BAD_FRAME


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        (("castle", 1), ErrorCode.UNKNOWN_MESSAGE),
        (("", 1), ErrorCode.UNKNOWN_MESSAGE),
        (("welcome", 1), ErrorCode.UNKNOWN_MESSAGE),
        (("m", 0, 1), ErrorCode.BAD_FIELD),
        (("m", 0, 1, 2), ErrorCode.BAD_FIELD),
        (("hello", 1, "", "", "alien"), ErrorCode.BAD_FIELD),
    ],
)
def test_errors_tell_unknown_messages_from_bad_fields(fields: tuple[object, ...], code: ErrorCode) -> None:
    for encoded, codec in (
        (packed(*fields), SERVER_CODECS[MSGPACK]),
        (json.dumps(fields), SERVER_CODECS[JSON]),
    ):
        with pytest.raises(WireError) as caught:
            codec.decode(encoded)
        assert caught.value.code is code


def test_an_unknown_name_is_named_in_the_error() -> None:
    with pytest.raises(WireError, match="castle"):
        SERVER_CODECS[MSGPACK].decode(packed("castle"))
