"""Boards as text, transfers as integers."""

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_engine import DealCode, deal
from cellrace_protocol.board import NO_CARD, checksum, pack, unpack
from cellrace_protocol.transfers import pack_transfer, unpack_transfer

columns = st.lists(st.lists(st.integers(0, 51), max_size=19).map(bytes), min_size=8, max_size=8)
cells = st.lists(st.integers(0, NO_CARD), max_size=4).map(bytes)
foundations = st.lists(st.integers(0, 13), min_size=4, max_size=4).map(bytes)


@given(columns, cells, foundations)
def test_piles_come_back_from_their_text(columns: list[bytes], cells: bytes, foundations: bytes) -> None:
    piles = unpack(pack(columns, cells, foundations))
    assert (list(piles.columns), piles.cells, piles.foundations) == (columns, cells, foundations)


def test_a_dealt_board_reads_like_this() -> None:
    position = deal(DealCode.parse("1", 4).number, 4)
    text = pack(position.columns, position.cells, position.foundations)
    assert text.endswith("|----|0000")
    first = text.split("/")[0]
    assert [
        ord(letter) - ord("A") if letter <= "Z" else ord(letter) - ord("a") + 26 for letter in first
    ] == list(position.columns[0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|",
        "||",
        "/////// |----|0000",
        "///////|----|000",
        "///////|----|00000",
        "///////|----|000e",
        "///////|----|000D",
        "//////|----|0000",
        "////////|----|0000",
        "-///////|----|0000",
        "é///////|----|0000",
        "///////|--?-|0000",
        "///////|----|0000|",
        "A" * 10_000,
    ],
)
def test_what_is_no_board_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        unpack(text)


@given(st.text(max_size=100))
def test_any_text_is_a_board_or_a_value_error(text: str) -> None:
    try:
        piles = unpack(text)
    except ValueError:
        return
    assert pack(piles.columns, piles.cells, piles.foundations) == text


def test_the_checksum_is_the_crc_everybody_has() -> None:
    assert checksum("123456789") == 0xCBF43926
    assert checksum("///////|----|0000") == zlib.crc32(b"///////|----|0000")


@given(st.integers(0, 15), st.integers(0, 15), st.integers(1, 13))
def test_transfers_come_back_from_their_integers(source: int, destination: int, count: int) -> None:
    packed = pack_transfer(source, destination, count)
    assert unpack_transfer(packed) == (source, destination, count)
    assert packed == (count - 1) * 256 + source * 16 + destination
    assert (packed < 256) == (count == 1)
