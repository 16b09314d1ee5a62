"""Parameters of pages, and what is said of wrong ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_protocol.api import PAGES, BoardQuery, NoQuery, Page, RacesQuery
from cellrace_server.gateway.api.query import BadQuery, read


def refused(query: str, kind: type = BoardQuery) -> str:
    with pytest.raises(BadQuery) as told:
        read(query, kind)
    return str(told.value)


def test_what_is_given_is_read_and_the_rest_is_as_usual() -> None:
    assert read("", BoardQuery) == BoardQuery()
    assert read("deal=617&limit=5&around=true&player=Ada%20L", BoardQuery) == BoardQuery(
        deal="617", limit=5, around=True, player="Ada L"
    )


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("limit=many", "limit: 'many' is not a whole number from 1 to 100"),
        ("deal=617&limit=0", "limit: '0' is not a whole number from 1 to 100"),
        ("limit=", "limit: '' is not a whole number from 1 to 100"),
        ("by=luck", "by: 'luck' is not one of time, moves, score"),
        ("around=maybe", "around: 'maybe' is not true or false"),
        ("day=2026-11-30x", "day: '2026-11-30x' is not a text of 10 characters at the most"),
        ("deal=617&deal=617", "deal: it is given twice"),
        ("limit", "parameters are written name=value, with & between them"),
    ],
)
def test_what_is_wrong_is_named(query: str, text: str) -> None:
    assert refused(query) == text


def test_a_name_that_is_none_is_told_with_those_that_are() -> None:
    text = "lmit: there is no such parameter here, there are order, limit, offset"
    assert refused("lmit=5", RacesQuery) == text
    assert refused("limit=5", NoQuery) == "limit: there is no such parameter here"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@given(query=st.text(max_size=40) | st.from_regex(r"[a-z]{1,6}=[^&]{0,9}(&[a-z]{1,6}=.{0,9})?"))
def test_anything_is_read_or_refused(page: Page, query: str) -> None:
    try:
        found = read(query, page.query)
    except BadQuery:
        return
    assert isinstance(found, page.query)
