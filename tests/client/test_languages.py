"""Every language says all there is to say, with the same values in it."""

import re
from pathlib import Path
from string import Formatter

import pytest

import cellrace_client
from cellrace_client.languages import COUNTED, DEFAULT, LANGUAGES, Catalogue, chosen
from cellrace_client.languages.plurals import PLURALS
from cellrace_engine import Reason, Refusal

FORMS = {"en": 2, "fr": 2, "it": 2, "nl": 2, "uk": 3}
OTHERS = [language for language in LANGUAGES if language != DEFAULT]
ENGLISH = Catalogue(DEFAULT)
PROGRAM = [*Path(cellrace_client.__file__).parent.rglob("*.py")]
IN_CATALOGUE = set(COUNTED.values())
"""What the catalogue itself says of numbers."""


def fields(text: str | tuple[str, ...]) -> set[str]:
    forms = (text,) if isinstance(text, str) else text
    return {field for form in forms for _, field, _, _ in Formatter().parse(form) if field} - {"n"}


@pytest.mark.parametrize("language", OTHERS)
def test_no_key_is_missing_and_each_takes_the_same_values(language: str) -> None:
    texts = Catalogue(language).texts
    own = {key for key in texts if not key.startswith("why.")}
    assert own == set(ENGLISH.texts)
    assert {key for key in own if fields(texts[key]) != fields(ENGLISH.texts[key])} == set()
    assert {key for key in own if isinstance(texts[key], str) != isinstance(ENGLISH.texts[key], str)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_as_many_forms_as_the_language(language: str) -> None:
    forms = [text for text in Catalogue(language).texts.values() if isinstance(text, tuple)]
    assert {len(text) for text in forms} == {FORMS[language]}
    assert {PLURALS[language](n) for n in range(200)} == set(range(FORMS[language]))


@pytest.mark.parametrize("language", OTHERS)
def test_every_reason_of_the_rules_is_translated(language: str) -> None:
    texts = Catalogue(language).texts
    assert [reason for reason in Reason if f"why.{reason}" not in texts] == []


@pytest.mark.parametrize(
    ("n", "form"), [(1, 0), (21, 0), (2, 1), (24, 1), (5, 2), (11, 2), (12, 2), (111, 2), (0, 2)]
)
def test_ukrainian_counts(n: int, form: int) -> None:
    assert PLURALS["uk"](n) == form


@pytest.mark.parametrize(
    ("wanted", "environment", "language"),
    [
        ("nl", {"LANG": "fr_FR.UTF-8"}, "nl"),
        ("", {"LANG": "fr_FR.UTF-8"}, "fr"),
        ("", {"LC_ALL": "uk_UA", "LANG": "fr_FR"}, "uk"),
        ("", {"LANG": "de_DE.UTF-8", "LANGUAGE": "de:it"}, "it"),
        ("", {"LANG": "C", "LANGUAGE": "it"}, "en"),
        ("xx", {}, "en"),
        ("", {}, "en"),
    ],
)
def test_the_language_is_the_wanted_one_or_the_locales(
    wanted: str, environment: dict[str, str], language: str
) -> None:
    assert chosen(wanted, environment) == language


def test_a_refusal_is_told_with_its_numbers() -> None:
    said = [(c, Catalogue(c)) for c in LANGUAGES]
    facts = over_capacity()
    words = {language: catalogue.why("over_capacity", facts.text, facts) for language, catalogue in said}
    assert words["en"] == facts.text
    assert words["fr"] == "3 cartes demandées, 2 possibles : 1 cellule libre vide, 0 colonne vide"
    assert words["nl"] == "3 kaarten gevraagd, 2 kunnen: 1 lege vrije cel, 0 lege kolommen"
    assert Catalogue("fr").why("odd", "in English") == "in English"
    assert Catalogue("fr").why("wrong_colour_or_rank", "no card named") == "no card named"


def over_capacity() -> Refusal:
    return Refusal(Reason.OVER_CAPACITY, "3 cards asked, 2 can move", 3, 2, 1, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_in_one_line_fits_the_smallest_terminal(language: str) -> None:
    texts = Catalogue(language).texts
    lines = [
        text
        for key, text in texts.items()
        if key.startswith(("help.", "game.", "ask.")) and isinstance(text, str)
    ]
    assert [text for text in lines if len(text) > 80] == []


def test_a_code_that_no_catalogue_knows_is_its_own_name() -> None:
    assert Catalogue("fr").named("phase", "lobby") == Catalogue("fr")("phase.lobby")
    assert Catalogue("fr").named("phase", "adjourned") == "adjourned"


def test_every_text_is_said_somewhere() -> None:
    program = "".join(path.read_text(encoding="utf-8") for path in PROGRAM if path.parent.name != "languages")
    named = set(re.findall(r"""["'](\w+\.\w+)["']""", program))
    by_group = set(re.findall(r"""f["'](\w+)\.\{""", program)) | set(
        re.findall(r"""named\(["'](\w+)""", program)
    )
    unsaid = {key for key in ENGLISH.texts if key not in named and key.partition(".")[0] not in by_group}
    assert unsaid - IN_CATALOGUE == set()
