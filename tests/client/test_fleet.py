"""Bots of a fleet without a server: what they choose, and how their races are counted."""

import random
import re

import pytest
from msgspec import structs

from cellrace_client.bots.fleet import Outcome, Tally
from cellrace_client.bots.kinds import by_chance
from cellrace_client.cli import EXIT_USAGE, bot, main
from cellrace_client.client import connect
from cellrace_engine import Line, deal, parse_rules
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from tests.client.test_client import Said, scripted, snapshot

NOWHERE = "ws://127.0.0.1:9/ws"


@pytest.mark.parametrize("seed", range(10))
def test_chance_makes_legal_moves_and_does_not_just_go_back(seed: int) -> None:
    chance = random.Random(seed)
    line = Line.begin(parse_rules("classic"), deal(617))
    before = None
    for _ in range(100):
        move = by_chance(line, before, chance)
        if move is None:
            break
        after = line.play(move)
        if after.position == before:
            assert all(line.play(other).position == before for other in line.legal_moves())
        before, line = line.position, after
    assert line.stuck or line.moves == 100


def test_chance_leaves_out_what_leads_back_and_nothing_else() -> None:
    line = Line.begin(parse_rules("classic"), deal(617))
    back = line.legal_moves()[0]
    chosen = {by_chance(line, line.play(back).position, random.Random(seed)) for seed in range(40)}
    assert back not in chosen
    assert len(chosen) > 10


def test_a_race_of_two_bots_is_one_race() -> None:
    tally = Tally()
    for outcome in (
        Outcome("Ada", "r", "617", "classic", "home", 1, 5_000, 52, 90),
        Outcome("Grace", "r", "617", "classic", "gave_up", 2, -1, 3, 20),
        Outcome("Alan", "s", "617", "classic", "gave_up", 1, -1, 3, 20),
        Outcome("Edsger", "t", end="alone"),
        Outcome("Barbara", "u", "617", "classic", "fault", 2, fault="a move was refused"),
        Outcome("Tony", fault="no such race"),
    ):
        tally.count(outcome)
    assert (tally.races, tally.wins, tally.alone, tally.faults) == (3, 1, 1, 2)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--moves", "FILE"],
        ["617", "--moves", "FILE", "--kind", "solver"],
        ["617", "--kind", "ghost"],
        ["617", "--kind", "random", "--ghost", "run"],
        ["617", "--moves", "FILE", "--ghost", "run"],
        ["--count", "2", "--token-file", "FILE"],
        ["--count", "0"],
        ["--races", "many"],
        ["--patience", "0"],
    ],
    ids=" ".join,
)
def test_what_does_not_go_together_is_told_before_anything_is_begun(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["bot", *wrong, "--url", NOWHERE]))
    assert ended.value.code == EXIT_USAGE


def test_helps_name_the_speed_that_is_usual(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("bot", "ghost", "daily", "replay"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        told = " ".join(capsys.readouterr().out.split())
        assert re.search(r"--speed X how many times as fast as [a-z ]+ \(default 1\)", told), command


@pytest.mark.asyncio
async def test_how_far_bots_are_is_told_while_their_races_run() -> None:
    async def server(said: Said) -> None:
        await said.greet()
        asked = await said.hear()
        assert isinstance(asked, c.Watch)
        await said.say(e.Entered(asked.r, 2, "race2", 0, 1), structs.replace(snapshot(5), ch=2, race="race2"))
        await said.socket.wait_closed()

    async with scripted(server) as url, connect(url) as client:
        race = await client.watch("race2")
        await race.until(lambda _: True)
        under_way = bot.UnderWay()
        under_way.begin(race)
        assert under_way.text == "Me 0/52"
        under_way.done("race2")
        assert under_way.text == ""
