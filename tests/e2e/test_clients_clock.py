"""Clocks and calendars of clients: set an hour forward or back while a race runs, or in another part of the world, they
change no time and no day anywhere."""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cellrace_client.identities import HOME
from cellrace_protocol.api import ROOT
from tests.support.lines import winning_line
from tests.support.server_process import ServerProcess, server_process
from tests.support.waiting import eventually

pytestmark = pytest.mark.asyncio

WITHIN = 60
HOUR_S = 3_600
RACE_TIME = re.compile(r"(\d+):(\d\d)\.(\d\d\d)")


class WallClock:
    """The time of day as a process sees it, set from outside. What goes on steadily is left alone, as it is when
    somebody sets a clock."""

    def __init__(self, folder: Path) -> None:
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        self._file = folder / "clock"
        self.set(0)
        self.environment = os.environ | {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, by_s: int) -> None:
        self._file.write_text(f"{by_s:+d}\n")


class Program:
    """`cellrace play --plain` as a process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[str] = []

    def type(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(line + "\n" for line in lines).encode())

    async def listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said.append(line.decode().rstrip())

    async def hears(self, what: str) -> str:
        """The first line with these words, when it is there."""
        await eventually(lambda: any(what in line for line in self.said), WITHIN)
        return next(line for line in self.said if what in line)

    async def race_ms(self) -> int:
        """The race's time as it is told when asked for."""
        before = len(self.said)

        def told() -> list[re.Match[str]]:
            return [found for line in self.said[before:] if (found := RACE_TIME.fullmatch(line))]

        self.type("players")
        await eventually(lambda: bool(told()), WITHIN)
        return milliseconds(told()[0])


def milliseconds(told: re.Match[str]) -> int:
    minutes, seconds, thousandths = map(int, told.groups())
    return 60_000 * minutes + 1_000 * seconds + thousandths


@asynccontextmanager
async def program(url: str, name: str, environment: dict[str, str]) -> AsyncGenerator[Program]:
    words = ("play", "--plain", "--url", url, "--name", name)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", "cellrace_client", *words),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    running = Program(process)
    listening = asyncio.create_task(running.listen())
    try:
        yield running
    finally:
        process.kill()
        await process.wait()
        await listening


async def time_of_day(environment: dict[str, str]) -> float:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "import time; print(time.time())"),
        stdout=asyncio.subprocess.PIPE,
        env=environment,
    )
    said, _ = await process.communicate()
    return float(said)


@pytest.mark.tool("faketime")
async def test_a_clock_that_is_set_during_a_race_changes_no_time(
    tmp_path: Path, server: ServerProcess
) -> None:
    wall = WallClock(tmp_path)
    steady = asyncio.get_running_loop().time
    async with (
        asyncio.timeout(WITHIN),
        program(server.url, "Ada", wall.environment | {HOME: str(tmp_path / "Ada")}) as ada,
        program(server.url, "Grace", os.environ | {HOME: str(tmp_path / "Grace")}) as grace,
    ):
        ada.type("race 617")
        race = (await ada.hears("cellrace join")).split("cellrace join ")[1].split()[0]
        grace.type(f"join {race}")
        await ada.hears("Grace")
        began = steady()
        ada.type("ready")
        grace.type("ready")
        wall.set(HOUR_S)
        assert abs(await time_of_day(wall.environment) - time.time() - HOUR_S) < WITHIN
        await ada.hears("go!")
        await grace.hears("go!")
        forward = await ada.race_ms()
        wall.set(-HOUR_S)
        back = await ada.race_ms()
        theirs = await grace.race_ms()
        assert 0 <= forward <= back <= theirs + 1_000
        assert theirs <= 1_000 * (steady() - began)
        ada.type(*winning_line())
        await grace.hears("Ada, 52 cards home")
        grace.type("give up")
        results = [await ada.hears("1. Ada (you): "), await grace.hears("1. Ada: ")]
        assert back <= 1_000 * (steady() - began)
        (result,) = {found.group() for line in results if (found := RACE_TIME.search(line))}
        (run,) = await booked(server, "Ada")
    told = RACE_TIME.fullmatch(result)
    assert told is not None
    assert back <= run["time"] == milliseconds(told) <= 1_000 * (steady() - began)
    assert abs(run["at"] / 1_000 - time.time()) < WITHIN


async def booked(server: ServerProcess, player: str) -> list[dict[str, int]]:
    """The player's runs, when there are some."""
    while not (rows := (await server.get(f"{ROOT}/players/{player}/runs")).json.get("rows")):  # noqa: ASYNC110 - in a moment
        await asyncio.sleep(0.02)
    found: list[dict[str, int]] = rows
    return found


FAR_AWAY = ("Etc/GMT+8", "Etc/GMT-13", "Etc/GMT+12", "Etc/GMT-14")
"""West and east, as such names go: in one at least it is always another day than in UTC."""


async def test_the_daily_is_of_the_utc_day_wherever_server_and_player_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", FAR_AWAY[1])
    async with asyncio.timeout(WITHIN), server_process(tmp_path) as server:
        await server.dailies_chosen()
        before = datetime.now(UTC)
        said = await asyncio.gather(*(daily(server.url, zone) for zone in FAR_AWAY))
        after = datetime.now(UTC)
    for words in said:
        found = re.match(r"(\S+): the next daily comes in (\d+) h (\d+) min", words)
        assert found is not None, words
        day, hours, minutes = found.groups()
        assert day in {f"{before:%Y-%m-%d}", f"{after:%Y-%m-%d}"}
        left = 60 * int(hours) + int(minutes)
        assert (24 * 60 - left - (60 * before.hour + before.minute)) % (24 * 60) <= 2


async def daily(url: str, zone: str) -> str:
    """What `cellrace daily` says there."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cellrace_client", "daily", "--url", url),
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"TZ": zone},
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    return said.decode()
