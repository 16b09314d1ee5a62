"""How a race is asked for in words, by flags and on the form."""

import asyncio
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cellrace_client.cli import EXIT_USAGE, main
from cellrace_client.errors import OptionOutOfRange, OptionsClash, OptionUnclear
from cellrace_client.faults import told
from cellrace_client.languages import LANGUAGES, Catalogue
from cellrace_client.openings import Challenge, board_of, challenges, strangers
from cellrace_client.race_options import RaceOptions, race_options
from cellrace_engine import DealError
from cellrace_protocol import commands as c
from cellrace_protocol.commands import Kind, Measure, Scope, Sight
from tests.client.test_client import Said, scripted

WITHIN = 60


@given(
    st.builds(
        RaceOptions,
        deal=st.sampled_from(["", "FC1-C4-AAAAATJ"]),
        rules=st.sampled_from(["classic", "relaxed"]),
        seats=st.integers(1, 16),
        open_boards=st.booleans(),
        public=st.booleans(),
        countdown_ms=st.integers(0, 60).map(lambda s: 1_000 * s),
        limit_ms=st.integers(1, 1_440).map(lambda m: 60_000 * m),
        ranked=st.booleans(),
        bots=st.booleans(),
        delay_ms=st.just(-1) | st.integers(0, 600).map(lambda s: 1_000 * s),
        best_of=st.sampled_from([1, 3, 5]),
    )
)
def test_what_is_said_of_options_is_understood(options: RaceOptions) -> None:
    assume(not (options.deal and options.ranked))
    assert race_options(options.text) == options


def test_options_come_in_any_order_and_words() -> None:
    said = race_options("friendly 617 best of 3 relaxed limit 0.5 Seats 4 nobots open public delay 10")
    assert said == RaceOptions(
        "FC1-C4-AAAAATJ",
        "relaxed",
        seats=4,
        open_boards=True,
        public=True,
        limit_ms=30_000,
        ranked=False,
        bots=False,
        delay_ms=10_000,
        best_of=3,
    )
    assert race_options("") == RaceOptions()


@pytest.mark.parametrize("text", ["seats", "seats four", "limit x", "best of", "617 delay inf"])
def test_an_option_without_its_number_is_named_in_every_language(text: str) -> None:
    with pytest.raises(OptionUnclear) as unclear:
        race_options(text)
    for language in LANGUAGES:
        assert unclear.value.what in told(Catalogue(language), unclear.value)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("seats 99", "1", "16"),
        ("seats 0", "1", "16"),
        ("limit 1441", "0.017", "1440"),
        ("limit 0", "0.017", "1440"),
        ("countdown 61", "0", "60"),
        ("delay 601", "0", "600"),
        ("best 101", "1", "99"),
    ],
)
def test_a_number_that_no_server_takes_is_told_with_what_it_may_be(text: str, low: str, high: str) -> None:
    with pytest.raises(OptionOutOfRange) as wrong:
        race_options(text)
    for language in LANGUAGES:
        words = told(Catalogue(language), wrong.value)
        assert all(part in words for part in (text.split(maxsplit=1)[0], low, high))


@pytest.mark.parametrize("text", ["ranked 617", "best 4"])
def test_what_does_not_go_together_is_told_in_every_language(text: str) -> None:
    with pytest.raises(OptionsClash) as clash:
        race_options(text)
    assert told(Catalogue("en"), clash.value)[:8] == str(clash.value)[:8]
    assert len({told(Catalogue(language), clash.value) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["race", "--seats", "99"], "--seats wants a number from 1 to 16"),
        (["race", "--limit", "1441"], "--limit wants a number from 0.017 to 1440"),
        (["race", "--best-of", "101"], "--best-of wants a number from 1 to 99"),
        (["race", "617", "--ranked"], "a ranked race draws its deal"),
    ],
)
def test_what_no_server_takes_is_told_by_its_flag(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == EXIT_USAGE
    assert said in capsys.readouterr().err


def test_what_is_no_option_and_no_deal_is_refused() -> None:
    with pytest.raises(DealError):
        race_options("617 chairs 4")


def test_several_runs_are_named_on_one_deal() -> None:
    deal = "FC1-C4-AAAAATJ"
    assert challenges("best; mine; Ada Lovelace 617 relaxed") == [
        Challenge("", "best", deal, "relaxed"),
        Challenge("", "mine", deal, "relaxed"),
        Challenge("", "Ada Lovelace", deal, "relaxed"),
    ]
    assert challenges("abcdefg-1; abcdefg-2") == [Challenge("abcdefg-1"), Challenge("abcdefg-2")]
    assert challenges("abcdefg-1; mine 617")[0] == Challenge("abcdefg-1")


def test_strangers_are_met_as_one_says() -> None:
    assert [strangers(text) for text in ("", "ranked", "ghost run-1")] == [
        (False, ""),
        (True, ""),
        (False, "run-1"),
    ]


def test_a_board_is_named_by_its_words() -> None:
    asked = board_of("moves first bots week relaxed 2026-11-30")
    assert (asked.by, asked.sight, asked.kind) == (Measure.MOVES, Sight.FIRST, Kind.BOT)
    assert (asked.scope, asked.rules, asked.day) == (Scope.WEEK, "relaxed", "2026-11-30")
    assert board_of("617 score").scope is Scope.DEAL
    assert board_of("ever").scope is Scope.EVER


def test_a_flag_that_is_wrong_is_told_before_anything_is_begun(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["race", "--seats", "none"])
    assert ended.value.code == EXIT_USAGE
    assert "--seats" in capsys.readouterr().err


FLAGS = "--seats 4 --best-of 3 --limit 10 --countdown 5 --delay 20 --public --ranked --no-bots --open-boards"
WORDS = "seats 4 best 3 limit 10 countdown 5 delay 20 public ranked nobots open"
SAID = ("", "relaxed", 4, True, True, 5_000, 600_000)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("line", "play"),
    [
        (f"race --rules relaxed {FLAGS} --plain", True),
        (f"race --rules relaxed {FLAGS} --json", False),
        (f"race relaxed {WORDS} --plain", True),
    ],
)
async def test_every_option_of_a_race_is_a_flag_and_a_word(line: str, play: bool) -> None:
    heard: list[c.ClientMessage] = []

    async def server(said: Said) -> None:
        await said.greet()
        heard.append(await said.enter())
        await said.socket.wait_closed()

    async def look(said: Said) -> None:  # whether a server answers at all
        await said.socket.wait_closed()

    scripts = (look, server) if play else (server,)
    async with scripted(*scripts) as url:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cellrace_client", *line.split(), "--anonymous", "--url", url),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(WITHIN):
            _, said = await process.communicate()
    assert [type(message) for message in heard] == [c.Create], said.decode()
    assert heard == [c.Create(1, *SAID, play, True, False, 20_000, 3)]
