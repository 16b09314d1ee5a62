"""Racing against stored runs on a real server."""

import asyncio
import sys

import pytest

from cellrace_client import Client, Race, RequestFailed, connect
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

WITHIN = 60


async def win(client: Client) -> str:
    """Win a race of one on deal 617; returns the run's name."""
    race = await client.create("617", seats=1, countdown_ms=0)
    race.ready()
    await race.until(lambda model: model.phase == "running")
    for move in winning_line():
        await race.move(move)
    await race.until(lambda model: model.phase == "ended")
    while not await client.top("617"):  # noqa: ASYNC110 - booked in a moment
        await asyncio.sleep(0.02)
    return f"{race.id}-0"


async def with_ghost(race: Race) -> Race:
    await eventually(lambda: bool(race.ghosts))
    return race


@pytest.mark.spec("4.9")
async def test_a_ghost_goes_beside_the_race_as_the_run_did(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
        connect(server.url, name="Alan") as alan,
    ):
        run = await win(ada)
        race = await with_ghost(await grace.ghosts.race(ada.ghosts.link(run)))
        ghost, moves = race.ghosts[0], len(winning_line())
        assert (ghost.run, ghost.name, len(race.ghosts)) == (run, "Ada", 1)
        assert ghost.at(-1) == (0, 0)
        assert ghost.at(ghost.time + 60_000) == (52, moves)
        progress = [ghost.at(t) for t in range(ghost.time + 200)]
        assert progress == sorted(progress)
        race.ready()
        model = await race.until(lambda model: model.phase == "running")
        assert (model.deal, len(model.seats)) == ("FC1-C4-AAAAATJ", 1)
        watching = await with_ghost(await alan.watch(race.id))
        assert watching.ghosts[0].at(ghost.time + 60_000) == (52, moves)
        await race.give_up()
        model = await race.until(lambda model: model.phase == "ended")
        assert [row.seat for row in model.standings] == [0], "ghosts are in no standings"
        with pytest.raises(RequestFailed) as unknown:
            await grace.ghosts.race("nosuchr-0")
        assert unknown.value.code == "not_found"
        page = await server.get(f"/g/{run}")
        assert (page.status, run in page.body) == (200, True)
        assert (await server.get("/g/<script>")).status == 404


async def test_a_race_with_a_ghost_comes_back_with_it_on_another_connection(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        run = await win(ada)
        race = await with_ghost(await ada.ghosts.race(run, seats=2))
        async with connect(server.url, token=ada.token) as again, connect(server.url, name="Grace") as grace:
            assert (await with_ghost(await again.watch(race.id))).seat == 0
            assert (await with_ghost(await grace.join(race.id))).seat == 1


@pytest.mark.spec("4.9")
async def test_who_meets_nobody_races_the_ghost_that_was_named(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        with pytest.raises(RequestFailed) as unknown:
            await grace.quick(ghost="nosuchr-0")
        assert unknown.value.code == "not_found"
        run = await win(ada)
        with pytest.raises(RequestFailed) as others:
            await grace.quick(rules="linear", ghost=run)
        assert others.value.code == "bad_options"
        waiting = await grace.quick(ghost=ada.ghosts.link(run))
        race = await with_ghost(await grace.gathered())
        model = await waiting.until(lambda model: model.phase == "ended")
        assert (model.end, model.deal, model.rematch) == ("ghost", "", race.id), "its deal stays a secret"
        assert (race.seat, race.ghosts[0].run) == (0, run)
        model = await race.until(lambda model: model.phase == "running")
        assert (model.deal, len(model.seats)) == ("FC1-C4-AAAAATJ", 1)


async def test_the_commands_show_the_ghost(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        run = await win(ada)
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", "ghost", ada.ghosts.link(run)),
            *("--speed", "100", "--bot", "hard", "--name", "Robot"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert command.stdout is not None
        race = (await command.stdout.readline()).decode().split()[2].rstrip(",")
        watcher = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", "watch", race, "--lines", "--url", server.url),
            stdout=asyncio.subprocess.PIPE,
        )
        results, lines = [(await process.communicate())[0].decode() for process in (command, watcher)]
        replay = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", "replay", "--plain", ada.ghosts.link(run)),
            stdout=asyncio.subprocess.PIPE,
        )
        assert "52" in (await replay.communicate())[0].decode()
        assert replay.returncode == 0
        for said in (results, lines):
            assert "Ada (ghost)" in said
            assert "Robot" in said
        assert "the ghost of Ada" in lines
        assert (command.returncode, watcher.returncode) == (0, 0)


async def test_the_run_to_race_is_found_by_whose_it_is(server: ServerProcess) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace") as grace,
    ):
        run = await win(ada)
        for client, whose in ((ada, "best"), (ada, "mine"), (grace, "best"), (grace, "Ada")):
            assert await client.ghosts.of("617", whose=whose) == run
        assert await with_ghost(await grace.ghosts.race(await grace.ghosts.of("fc1-c4-aaaaatj")))
        for deal, rules, whose in (
            ("617", "classic", "mine"),
            ("617", "linear", "best"),
            ("618", "classic", "Ada"),
            ("617", "classic", "Nobody"),
        ):
            with pytest.raises(RequestFailed) as unknown:
                await grace.ghosts.of(deal, rules, whose=whose)
            assert unknown.value.code == "not_found"


async def test_a_race_against_the_best_run_begins_from_the_command_line(server: ServerProcess) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        await win(ada)
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", "race", "--against", "best", "617"),
            *("--plain", "--anonymous", "--language", "en", "--url", server.url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert command.stdin is not None
        assert command.stdout is not None
        command.stdin.write(b"ready\n")
        said = ""
        while "the deal is 617 (FC1-C4-AAAAATJ)" not in said:
            line = await command.stdout.readline()
            assert line, said
            said += line.decode()
        command.stdin.write(b"quit\n")
        await command.communicate()
        assert command.returncode == 0
