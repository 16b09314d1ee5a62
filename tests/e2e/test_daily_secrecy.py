"""Every byte that others than its player get of a race on the deal of the day, while the day lasts: nothing in it tells
the deal."""

import asyncio
from pathlib import Path

import pytest

from cellrace_engine import DealCode, Line, format_move, parse_rules
from cellrace_engine.solver import solve
from tests.e2e.test_secrecy import Recorder, traces
from tests.support.server_process import ServerProcess, server_process
from tests.support.wire_client import JSON, MSGPACK, Message, wire_client

pytestmark = pytest.mark.asyncio

WITHIN = 90


class Keeper(Recorder):
    """Keeps what comes after the start, too."""

    async def hear(self) -> Message:
        self.go = []
        return await super().hear()


async def everything_asked(eve: Recorder, player: str, race: str, ch: int) -> None:
    """All that somebody curious can try."""
    run = f"{race}-0"
    await eve.say(
        *(
            ["look", ch],
            ["m", ch, 1, "2a"],
            ["finish", ch, 1],
            ["giveup", ch, 1],
            ["ready", ch],
            ["leave", ch],
        ),
        *(["rematch", 9, ch], ["start", ch], ["daily", 8], ["m", ch]),
    )
    for what in (race, race.upper(), f"/r/{race}"):
        for name, *more in (("watch",), ("join",), ("resume", 0), ("resume", 3)):
            await eve.ask(name, what, *more)
    assert (await eve.ask("race_ghosts", [run], 2))[0] == "error"
    assert (await eve.ask("quick", "classic", False, True, False, run))[0] == "error"
    assert (await eve.ask("replay", run))[0] == "error"
    await eve.ask("runs", player)
    await eve.ask("races", "newest")
    await eve.ask("races", "watched")
    await eve.ask("follow")
    for practice in (False, True):
        await eve.ask("daily_top", "", "classic", "human", 100, practice)
    for scope in ("day", "week", "ever"):
        for by in ("time", "moves"):
            await eve.ask("top", "", "classic", "human", 100, by, "any", 0, False, scope)
    await eve.silence()


async def begun(ada: Recorder) -> tuple[str, int, DealCode]:
    """A run of the daily: its race, its channel, and what only its player may know."""
    _, _, ch, race, *_ = await ada.ask("play_daily", "classic")
    go = await ada.hear_until("go")
    return race, ch, DealCode.parse(go[4])


async def won(ada: Recorder, ch: int, code: DealCode) -> None:
    line = Line.begin(parse_rules("classic"), code.deal())
    moves: list[str] = []
    for move in solve(line.position, line.rules).line:
        moves.append(format_move(move, line.position, line.rules))
        line = line.play(move)
        if line.won:
            break
    await ada.play(ch, moves)
    await ada.hear_until("end")
    while not (await ada.ask("daily_top"))[4]:  # noqa: ASYNC110 - booked in a moment
        await asyncio.sleep(0.02)


async def pages(server: ServerProcess, race: str) -> bytes:
    paths = (
        "/",
        "/metrics",
        "/version",
        f"/r/{race}",
        f"/g/{race}-0",
        f"/{race}",
        *(f"/api/v1/replays/{race}-0", "/api/v1/dailies", "/api/v1/races"),
    )
    return "".join([(await server.get(path)).body for path in paths]).encode()


@pytest.mark.spec("4.5")
@pytest.mark.parametrize("codec", [MSGPACK, JSON])
async def test_nobody_else_is_told_the_deal_while_the_day_lasts(tmp_path: Path, codec: str) -> None:
    """In the countdown, while it is played, when it is over and booked, and in practice after it."""
    async with (
        asyncio.timeout(WITHIN),
        server_process(tmp_path, "--log-level", "debug", "--limits", "off") as server,
        wire_client(server.url, codec, "Ada") as raw_ada,
        wire_client(server.url, codec, "Eve") as raw_eve,
    ):
        await server.dailies_chosen()
        ada, eve = Keeper(raw_ada.socket), Keeper(raw_eve.socket)
        ada.player = raw_ada.player
        _, _, ch, race, *_ = await ada.ask("play_daily", "classic")
        await everything_asked(eve, ada.player, race, ch)
        go = await ada.hear_until("go")
        code = DealCode.parse(go[4])
        secret_before = bytes(ada.heard)  # which ends with the start
        await everything_asked(eve, ada.player, race, ch)
        await won(ada, ch, code)
        await everything_asked(eve, ada.player, race, ch)
        own = f"{race}-0"
        assert (await ada.ask("race_ghosts", [own], 2))[:2] == ["error", "day_not_over"]
        assert (await ada.ask("quick", "classic", False, True, False, own))[:2] == ["error", "day_not_over"]
        practice, again, same = await begun(ada)
        assert (practice == race, same) == (False, code)
        await everything_asked(eve, ada.player, practice, again)
        await won(ada, again, code)
        await everything_asked(eve, ada.player, practice, again)
        said = (bytes(eve.heard), secret_before, await pages(server, race), server.log.encode())
        for text in said:
            assert [trace for trace in traces(code) if trace in text] == []
        assert str(code).encode() in (await own_rows(ada)), (
            "its player is told, so there was something to find"
        )


async def own_rows(ada: Recorder) -> bytes:
    before = len(ada.heard)
    await ada.ask("runs")
    return bytes(ada.heard[before:])
