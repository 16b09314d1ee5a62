"""The network goes away in mid-race, with moves under way: each is applied exactly once, and the boards agree."""

import asyncio

import pytest

from cellrace_client.tui.app import CellraceApp
from cellrace_client.tui.race import RaceScreen
from cellrace_protocol.board import checksum, pack
from tests.client.tui.pilots import press, program, shown, until
from tests.e2e.test_resume import cutting_proxy
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("seconds", [1, *(pytest.param(long, marks=pytest.mark.slow) for long in (10, 60))])
async def test_moves_under_way_are_applied_once_when_the_network_is_back(
    server: ServerProcess, seconds: int
) -> None:
    async with (
        cutting_proxy(server) as proxy,
        program("friend", "617", url=proxy.url, name="Ada") as ada,
        program(url=server.url, name="Grace") as grace,
    ):
        await until(ada, lambda: isinstance(ada.app.screen, RaceScreen))
        screen = ada.app.screen
        assert isinstance(screen, RaceScreen)
        await until(ada, lambda: screen.race.model is not None)
        app = grace.app
        assert isinstance(app, CellraceApp)
        await until(grace, lambda: app.client is not None)
        assert app.client is not None
        seat = await app.client.join(screen.race.id)
        seat.ready()
        press(ada, "enter")
        await until(ada, lambda: screen.race.line is not None)
        moves = winning_line()[:20]
        press(ada, *"".join(moves[:8]))
        await until(ada, lambda: line_moves(screen) == 8)
        proxy.away = True
        proxy.cut()
        press(ada, *"".join(moves[8:]), "u")
        await until(ada, lambda: line_moves(screen) == 19)
        await until(ada, lambda: "connection lost" in shown(ada))
        assert screen.race.under_way >= 12
        await asyncio.sleep(seconds)  # the network is away for so long
        proxy.away = False
        await until(ada, lambda: screen.race.under_way == 0)
        await until(grace, lambda: seat.model is not None and seat.model.seats[screen.race.seat].moves == 19)
        line, model = screen.race.line, screen.race.model
        assert line is not None
        assert model is not None
        board = model.seats[model.you].board
        assert board is not None
        own = pack(line.position.columns, line.position.cells, line.position.foundations)
        assert checksum(own) == checksum(board.text)
        assert line.undos == 1


def line_moves(screen: RaceScreen) -> int:
    return screen.race.line.moves if screen.race.line is not None else -1
