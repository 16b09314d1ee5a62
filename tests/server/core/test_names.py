"""Names that people may have, and those that they may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellrace_protocol.codecs import CLIENT_CODECS
from cellrace_protocol.events import Error
from cellrace_server.core.names import NAME_MOST, Reason, fault, fold, tidy, variation


@pytest.mark.parametrize(
    "name",
    ["A", "Ada", "ada_99", "Jean-Luc O'Neill", "Łukasz", "Ünal", "Nguyễn", "Дарина", "Ольга 2", "Γιώργος", "שרה",
     "محمد", "अनिता", "さくら", "山田太郎", "田中A", "김철수", "กานดา", "4711", "D’Artagnan", "Ada Ольга"],
)  # fmt: skip
def test_names_of_people_everywhere_will_do(name: str) -> None:
    assert fault(tidy(name)) is None


@pytest.mark.parametrize(
    ("name", "words", "facts"),
    [
        ("", "1 to 24", {"reason": "length", "most": 24, "length": 0}),
        ("x" * 25, "this one has 25", {"reason": "length", "most": 24, "length": 25}),
        ("Ada\tLovelace", "U+0009", {"reason": "sign", "sign": "U+0009"}),
        ("Ada\n", "U+000A", {"reason": "sign", "sign": "U+000A"}),
        ("Ada\x00", "U+0000", {"reason": "sign", "sign": "U+0000"}),
        ("A\u200bda", "U+200B", {"reason": "sign", "sign": "U+200B"}),
        ("A\u200dda", "U+200D", {"reason": "sign", "sign": "U+200D"}),
        ("\u202eada", "U+202E", {"reason": "sign", "sign": "U+202E"}),
        ("ada\u2066", "U+2066", {"reason": "sign", "sign": "U+2066"}),
        ("A\ufe0f", "variation selector", {"reason": "sign", "sign": "U+FE0F"}),
        ("Ada\u20dd", "enclosing circle", {"reason": "sign", "sign": "U+20DD"}),
        ("Ada\u3164", "hangul filler", {"reason": "sign", "sign": "U+3164"}),
        ("\ufeffAda", "U+FEFF", {"reason": "sign", "sign": "U+FEFF"}),
        ("Ada\u3000", "ideographic space", {"reason": "sign", "sign": "U+3000"}),
        ("A\u00a0da", "no-break space", {"reason": "sign", "sign": "U+00A0"}),
        ("<b>Ada</b>", "'<'", {"reason": "sign", "sign": "<"}),
        ("Ada😀", "grinning", {"reason": "sign", "sign": "😀"}),
        ("...", "at least one letter", {"reason": "letter"}),
        ("A\u0301\u0302\u0303", "marks", {"reason": "marks", "most": 2}),
        ("Аda", "mixes", {"reason": "scripts", "word": "Аda"}),
        ("Ada pаypal", "mixes", {"reason": "scripts", "word": "pаypal"}),
        ("Adα", "mixes", {"reason": "scripts", "word": "Adα"}),
        ("\ud800", "U+D800", {"reason": "sign", "sign": "U+D800"}),
    ],
)
def test_other_names_are_told_why(name: str, words: str, facts: dict[str, str | int]) -> None:
    why = fault(tidy(name))
    assert why is not None
    assert words in why.text
    assert (why.facts, why.reason) == (facts, facts["reason"])


def test_a_host_can_block_names_however_they_are_spelled() -> None:
    blocked = {fold("admin")}
    for name in ("admin", "A.D.M.I.N", "The Admin 2", "ad-min"):
        why = fault(name, blocked)
        assert why is not None
        assert (why.text, why.facts) == ("this name is not wanted here", {"reason": "unwanted"})
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
    assert why is None or (why.text and why.facts["reason"] == why.reason)
    if why is None:
        assert fold(name)


LONG = st.sampled_from(["\ufb2c", "\u0958", "\u1100\u1161\u11a8", "\U0001d160", "x", "\u0430"])
"""Letters that get longer when they are composed, and two of another script."""


@given(st.text(max_size=64) | st.lists(LONG, max_size=64).map(lambda parts: "".join(parts)[:64]))
def test_why_a_name_that_can_be_sent_will_not_do_can_be_sent(name: str) -> None:
    why = fault(tidy(name))
    if why is None:
        return
    message = Error("bad_name", why.text, facts=dict(why.facts))
    for codec in CLIENT_CODECS.values():
        encoded = codec.encode(message)
        assert codec.decode(encoded if codec.binary else encoded.decode()) == message


def test_the_longest_word_of_two_scripts_can_be_sent() -> None:
    word = "x" + "\ufb2c" * (NAME_MOST - 1)
    why = fault(tidy(word))
    assert why is not None
    assert why.reason is Reason.SCRIPTS
    assert len(str(why.facts["word"])) == 1 + 3 * (NAME_MOST - 1)


@given(st.text(st.characters(categories=["L"]), min_size=1, max_size=NAME_MOST), st.integers(2, 9_999))
def test_a_variation_of_a_name_fits(name: str, number: int) -> None:
    if fault(tidy(name)) is None:
        assert fault(variation(tidy(name), number)) is None
