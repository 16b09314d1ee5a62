"""Names that people may have, and those that they may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_server.core.names import NAME_MOST, fault, fold, tidy, variation


@pytest.mark.parametrize(
    "name",
    ["A", "Ada", "ada_99", "Jean-Luc O'Neill", "Łukasz", "Ünal", "Nguyễn", "Дарина", "Ольга 2", "Γιώργος", "שרה",
     "محمد", "अनिता", "さくら", "山田太郎", "田中A", "김철수", "กานดา", "4711", "D’Artagnan", "Ada Ольга"],
)  # fmt: skip
def test_names_of_people_everywhere_will_do(name: str) -> None:
    assert fault(tidy(name)) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "1 to 24"),
        ("x" * 25, "this one has 25"),
        ("Ada\tLovelace", "U+0009"),
        ("Ada\n", "U+000A"),
        ("Ada\x00", "U+0000"),
        ("A\u200bda", "U+200B"),
        ("A\u200dda", "U+200D"),
        ("\u202eada", "U+202E"),
        ("ada\u2066", "U+2066"),
        ("A\ufe0f", "variation selector"),
        ("Ada\u3164", "hangul filler"),
        ("\ufeffAda", "U+FEFF"),
        ("Ada\u3000", "ideographic space"),
        ("A\u00a0da", "no-break space"),
        ("<b>Ada</b>", "'<'"),
        ("Ada😀", "grinning"),
        ("...", "at least one letter"),
        ("A\u0301\u0302\u0303", "marks"),
        ("Аda", "mixes"),
        ("pаypal", "mixes"),
        ("Adα", "mixes"),
        ("\ud800", "U+D800"),
    ],
)
def test_other_names_are_told_why(name: str, words: str) -> None:
    why = fault(tidy(name))
    assert why is not None
    assert words in why


def test_a_host_can_block_names_however_they_are_spelled() -> None:
    blocked = {fold("admin")}
    for name in ("admin", "A.D.M.I.N", "The Admin 2", "ad-min"):
        assert fault(name, blocked) == "this name is not wanted here"
    assert fault("Adam", blocked) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "aDA"),
        ("Ada Lovelace", "ada.lovelace"),
        ("Straße", "STRASSE"),
        ("Ａｄａ", "Ada"),
        ("é", "e\u0301"),
        ("שָׁלוֹם", "שלום"),
        ("A\u0335da", "Ada"),
    ],
)
def test_names_that_look_alike_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("किरण", "करण"), ("กิน", "กน"), ("Ạda", "Ada"), ("Ada 2", "Ada")])
def test_names_that_are_read_otherwise_fold_otherwise(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text(max_size=40))
def test_what_is_tidy_stays_so_and_every_name_gets_an_answer(name: str) -> None:
    assert tidy(tidy(name)) == tidy(name)
    why = fault(tidy(name))
    assert why is None or why
    if why is None:
        assert fold(name)


@given(st.text(st.characters(categories=["L"]), min_size=1, max_size=NAME_MOST), st.integers(2, 9_999))
def test_a_variation_of_a_name_fits(name: str, number: int) -> None:
    if fault(tidy(name)) is None:
        assert fault(variation(tidy(name), number)) is None
