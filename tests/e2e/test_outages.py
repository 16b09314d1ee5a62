"""The network goes away in mid-race, with moves under way: each is applied exactly once, and the boards agree."""

import asyncio

import pytest

from cellrace_client import Race, connect
from cellrace_client import connection as wire
from cellrace_client.session import Do
from cellrace_client.tui.app import CellraceApp
from cellrace_client.tui.race import RaceScreen
from cellrace_protocol.board import pack
from tests.client.tui.pilots import press, program, shown, until
from tests.support.cutting_proxy import CuttingProxy, cutting_proxy
from tests.support.lines import DEAL, winning_line
from tests.support.server_process import ServerProcess
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

WITHIN = 120
OUTAGES = [(kind, seconds) for kind in ("cut", "silent") for seconds in (1, 10, 60)]


def outages(kind: str) -> pytest.MarkDecorator:
    """All outages; those of a second of one kind in every run."""
    always = (kind, 1)
    cases = [
        outage if outage == always else pytest.param(*outage, marks=pytest.mark.slow) for outage in OUTAGES
    ]
    return pytest.mark.parametrize(("kind", "seconds"), cases)


@pytest.fixture(autouse=True)
def noticed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A silence is noticed after two seconds instead of fifteen."""
    monkeypatch.setattr(wire, "PING_S", 0.5)
    monkeypatch.setattr(wire, "PONG_S", 1.5)


def go_away(proxy: CuttingProxy, kind: str) -> None:
    if kind == "silent":
        proxy.silent = True
    else:
        proxy.away = True
        proxy.cut()


def come_back(proxy: CuttingProxy) -> None:
    proxy.away = proxy.silent = False


def own_board(race: Race) -> str:
    position = race.position
    assert position is not None
    return pack(position.columns, position.cells, position.foundations)


async def seen_elsewhere(server: ServerProcess, race: Race) -> tuple[str, int]:
    """The board of a race's first seat, and its moves, as a snapshot shows them that somebody else is sent now."""
    async with connect(server.url, name="Witness") as client:
        model = await (await client.watch(race.id)).until(lambda _: True)
        board = model.seats[race.seat].board
        assert board is not None
        return board.text, model.seats[race.seat].moves


@outages("cut")
async def test_moves_under_way_are_applied_once_when_the_network_is_back(
    server: ServerProcess, kind: str, seconds: int
) -> None:
    """On the screen, where they show at once."""
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        program("friend", str(DEAL), url=proxy.url, name="Ada") as ada,
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
        await until(ada, lambda: line_moves(screen.race) == 8)
        go_away(proxy, kind)
        press(ada, *"".join(moves[8:]), "u")
        await until(ada, lambda: line_moves(screen.race) == 19)
        await asyncio.sleep(seconds)  # the network is away for so long
        await until(ada, lambda: "connection lost" in shown(ada))
        assert screen.race.under_way >= 12
        come_back(proxy)
        await until(ada, lambda: screen.race.under_way == 0)
        await until(grace, lambda: seat.model is not None and seat.model.seats[screen.race.seat].moves == 19)
        assert screen.race.line is not None
        assert screen.race.line.undos == 1
        assert await seen_elsewhere(server, screen.race) == (own_board(screen.race), 19)


@outages("silent")
async def test_a_program_of_the_library_does_not_even_notice(
    server: ServerProcess, kind: str, seconds: int
) -> None:
    """With what `connect` does when it is told nothing."""
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        connect(proxy.url, name="Ada") as client,
    ):
        race = await client.create(str(DEAL), seats=1, countdown_ms=0)
        race.ready()
        await race.until(lambda model: model.phase == "running")
        moves = winning_line()[:20]
        await asyncio.gather(*(race.move(move) for move in moves[:8]))
        go_away(proxy, kind)
        answers = [*(race.begin(move) for move in moves[8:]), race.begin(Do.UNDO)]
        await asyncio.sleep(seconds)  # the network is away for so long
        await eventually(lambda: not client.connected)
        assert (line_moves(race), race.under_way) == (19, 13)
        come_back(proxy)
        await asyncio.gather(*answers)
        assert (line_moves(race), race.under_way) == (19, 0)
        assert await seen_elsewhere(server, race) == (own_board(race), 19)


async def test_who_is_away_for_too_long_keeps_what_was_confirmed_and_nothing_else(
    server: ServerProcess,
) -> None:
    async with (
        asyncio.timeout(WITHIN),
        cutting_proxy(server) as proxy,
        connect(proxy.url, name="Ada", reconnect_s=0.3) as client,
    ):
        race = await client.create(str(DEAL), seats=1, countdown_ms=0)
        race.ready()
        await race.until(lambda model: model.phase == "running")
        moves = winning_line()
        await race.move(moves[0])
        go_away(proxy, "cut")
        answers = [race.begin(move) for move in moves[1:4]]
        assert line_moves(race) == 4
        failures = await asyncio.gather(*answers, return_exceptions=True)
        assert [type(failure).__name__ for failure in failures] == ["Disconnected"] * 3
        assert (line_moves(race), race.under_way) == (1, 0)
        assert await seen_elsewhere(server, race) == (own_board(race), 1)


def line_moves(race: Race) -> int:
    return race.line.moves if race.line is not None else -1
