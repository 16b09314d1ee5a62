"""What messages weigh on the wire: the figures that the design promises."""

import pytest

from cellrace_engine import deal
from cellrace_protocol.board import pack
from cellrace_protocol.codecs import CLIENT_CODECS, MSGPACK, SERVER_CODECS
from cellrace_protocol.commands import Kind, Move
from cellrace_protocol.events import Applied, Diff, SeatView
from cellrace_protocol.lean import lean
from cellrace_protocol.transfers import pack_transfer

HEADER, MASK = 2, 4


@pytest.mark.parametrize(("ch", "n"), [(0, 1), (0, 127), (127, 127), (127, 255)])
def test_a_move_of_one_card_takes_17_bytes_at_most(ch: int, n: int) -> None:
    assert HEADER + MASK + len(SERVER_CODECS[MSGPACK].encode(Move(ch, n, "26"))) <= 17


@pytest.mark.parametrize(("k", "dt"), [(1, 0), (127, 127), (255, 255), (400, 1_500), (60_000, 60_000)])
def test_what_others_see_of_it_takes_17_bytes_at_most(k: int, dt: int) -> None:
    for message in (Diff(0, k, dt, 1, [pack_transfer(1, 5)]), Applied(0, k, dt, 90, [pack_transfer(7, 15)])):
        assert HEADER + len(CLIENT_CODECS[MSGPACK].encode(lean(message))) <= 17


@pytest.mark.parametrize("number", [1, 617, 11_982, 999_999])
def test_a_board_in_a_snapshot_takes_100_bytes_at_most(number: int) -> None:
    position = deal(number)
    board = pack(position.columns, position.cells, position.foundations)
    empty = SeatView("p", "n", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, "")
    full = SeatView("p", "n", Kind.HUMAN, True, False, -1, 0, 0, 0, 0, board)
    encode = CLIENT_CODECS[MSGPACK].encode
    assert len(encode(full)) - len(encode(empty)) <= 100
