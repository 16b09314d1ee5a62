"""Servers and races by the addresses that people see."""

import pytest

from cellrace_client.links import CHALLENGE, link, place_of, server_url, without_address

USUAL = "ws://127.0.0.1:8617/ws"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:8650/", "ws://127.0.0.1:8650/ws"),
        ("https://races.example", "wss://races.example/ws"),
        ("http://[::1]:8617/r/kbjueza", "ws://[::1]:8617/ws"),
        ("ws://127.0.0.1:8617/ws", "ws://127.0.0.1:8617/ws"),
        ("wss://races.example/behind/ws", "wss://races.example/behind/ws"),
        ("races.example", "races.example"),
    ],
)
def test_the_address_that_a_server_shows_is_the_one_to_connect_to(text: str, url: str) -> None:
    assert server_url(text) == url


@pytest.mark.parametrize(
    ("race", "url", "place"),
    [
        ("kbjueza", USUAL, (USUAL, "kbjueza")),
        ("617", USUAL, (USUAL, "617")),
        ("http://host:8650/r/kbjueza", USUAL, ("ws://host:8650/ws", "kbjueza")),
        ("https://host/r/KBJ-UEZA", USUAL, ("wss://host/ws", "KBJ-UEZA")),
        ("http://host:8650/r/kbjueza", "ws://other/ws", ("ws://other/ws", "kbjueza")),
        ("http://host:8650/", USUAL, (USUAL, "http://host:8650/")),
    ],
)
def test_a_link_says_where_its_race_is(race: str, url: str, place: tuple[str, str]) -> None:
    assert place_of(race, url, USUAL) == place


def test_a_challenge_says_where_its_run_is() -> None:
    challenge = link("wss://host:8650/ws", "kbjueza-0", CHALLENGE)
    assert challenge == "https://host:8650/g/kbjueza-0"
    assert place_of(challenge, USUAL, USUAL, CHALLENGE) == ("wss://host:8650/ws", "kbjueza-0")
    assert place_of("kbjueza-0", USUAL, USUAL, CHALLENGE) == (USUAL, "kbjueza-0")
    assert [without_address(what, CHALLENGE) for what in (challenge, "kbjueza-0")] == ["kbjueza-0"] * 2


def test_the_library_takes_the_name_out_of_a_link() -> None:
    assert without_address("http://host:8650/r/kbjueza") == "kbjueza"
    assert without_address("FC1-C4-AAAAATJ") == "FC1-C4-AAAAATJ"
