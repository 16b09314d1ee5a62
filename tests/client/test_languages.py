"""Every language says all there is to say, with the same values in it."""

import dataclasses
import re
from pathlib import Path
from string import Formatter

import pytest

import cellrace_client
from cellrace_client.errors import ActionRefused, Disconnected, RequestFailed
from cellrace_client.faults import explained, noticed, told
from cellrace_client.languages import COUNTED, DEFAULT, LANGUAGES, Catalogue, chosen
from cellrace_client.languages.plurals import PLURALS
from cellrace_client.tables import Covered
from cellrace_engine import CLASSIC, DealCode, DealError, Line, Reason, Refusal, deal, parse_move
from cellrace_protocol import events as e
from cellrace_server.core import names

FORMS = {"en": 2, "fr": 2, "it": 2, "nl": 2, "uk": 3}
OTHERS = [language for language in LANGUAGES if language != DEFAULT]
ENGLISH = Catalogue(DEFAULT)
PROGRAM = [*Path(cellrace_client.__file__).parent.rglob("*.py")]
IN_CATALOGUE = {*COUNTED.values(), "said.pair", "said.either"}
"""What the catalogue itself says of numbers."""


def fields(text: str | tuple[str, ...]) -> set[str]:
    forms = (text,) if isinstance(text, str) else text
    return {field for form in forms for _, field, _, _ in Formatter().parse(form) if field} - {"n"}


@pytest.mark.parametrize("language", OTHERS)
def test_no_key_is_missing_and_each_takes_the_same_values(language: str) -> None:
    texts = Catalogue(language).texts
    assert set(texts) == set(ENGLISH.texts)
    own = {key for key in texts if not key.startswith(("why.", "bare."))}
    assert {key for key in own if fields(texts[key]) != fields(ENGLISH.texts[key])} == set()
    assert {key for key in own if isinstance(texts[key], str) != isinstance(ENGLISH.texts[key], str)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_as_many_forms_as_the_language(language: str) -> None:
    forms = [text for text in Catalogue(language).texts.values() if isinstance(text, tuple)]
    assert {len(text) for text in forms} == {FORMS[language]}
    assert {PLURALS[language](n) for n in range(200)} == set(range(FORMS[language]))


@pytest.mark.parametrize("language", LANGUAGES)
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
    assert words["fr"] == "3 cartes demandées, au plus 2\u202f: 1 cellule libre vide, 0 colonne vide"
    assert words["nl"] == "3 kaarten gevraagd, hoogstens 2: 1 lege vrije cel, 0 lege kolommen"
    assert Catalogue("fr").why("odd", "in English") == "in English"
    assert Catalogue("fr").why("wrong_colour_or_rank", "no card named") == "cette carte ne va pas là"


def test_a_refused_card_is_told_with_what_goes_there_in_every_language() -> None:
    line = Line.begin(CLASSIC, deal(617))
    refusal = line.reason_against(parse_move("12", line))
    assert refusal is not None
    said = Catalogue("fr").why(str(refusal.reason), refusal.text, refusal)
    assert said == "JD ne va pas sur KS\u202f: il y faut QD ou QH"
    on_ace = dataclasses.replace(refusal, onto="AH")
    assert Catalogue("fr").why(str(refusal.reason), "text", on_ace) == "cette carte ne va pas là"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["0", "x", "FC1-C3-AAAAAKH"])
def test_what_is_no_deal_is_told_in_every_language(language: str, text: str) -> None:
    with pytest.raises(DealError) as wrong:
        DealCode.parse(text)
    assert (str(wrong.value) in told(Catalogue(language), wrong.value)) == (language == DEFAULT)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "QD or QH"), ("fr", "QD ou QH"), ("it", "QD o QH"), ("nl", "QD of QH"), ("uk", "QD або QH")],  # noqa: RUF001
)
def test_a_refused_card_names_both_that_go_there(language: str, said: str) -> None:
    line = Line.begin(CLASSIC, deal(617))
    refusal = line.reason_against(parse_move("12", line))
    assert refusal is not None
    assert said in Catalogue(language).why(str(refusal.reason), refusal.text, refusal)


def test_french_has_a_narrow_space_before_its_marks_that_no_line_breaks_at() -> None:
    texts = Catalogue("fr").texts.values()
    forms = [form for text in texts for form in ((text,) if isinstance(text, str) else text)]
    bare = [form for form in forms if re.search(r"(?<!\u202f)[:;?!»](?=\s|$)", form)]
    assert bare == []
    assert [form for form in forms if re.search(r"«(?!\u202f)|'|\.\.\.", form)] == []


def codes_of_the_specification() -> set[str]:
    """Every code of `error` (the table of 8.1) and of `no` (8.2)."""
    text = (Path(__file__).parents[2] / "protocol/SPEC.md").read_text(encoding="utf-8")
    clause = text.partition("## 8. Errors")[2].partition("## 9. ")[0]
    table, _, refusals = clause.partition("**8.2** Codes of `no`: ")
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`(\w+)`", " ".join([*cells, refusals])))


def test_the_specification_has_the_codes_that_one_knows() -> None:
    codes = codes_of_the_specification()
    assert {"bad_frame", "hello_twice", "day_not_over", "not_seated", "no_channel", "game_over"} <= codes
    assert {str(reason) for reason in Reason} - codes <= {"nothing_to_redo"}
    assert len(codes) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_specification_is_told_in_every_language(language: str) -> None:
    words = Catalogue(language)
    own = "the server's own words"
    assert {code for code in codes_of_the_specification() if f"why.{code}" not in words.texts} == set()
    said = {code: words.why(code, own) for code in codes_of_the_specification()}
    assert [code for code, text in said.items() if not text or "{" in text] == []
    if language != DEFAULT:
        assert [code for code, text in said.items() if text == own] == []


def reasons_of_the_specification() -> dict[str, set[str]]:
    """The facts beside each reason (the second table of 8.1), by the code and the reason as catalogues name them."""
    text = (Path(__file__).parents[2] / "protocol/SPEC.md").read_text(encoding="utf-8")
    table = text.partition("| code | `reason` | other facts |")[2].partition("\n\n")[0]
    rows = [
        [re.findall(r"`(\w+)`", cell) for cell in line.split("|")[1:4]] for line in table.splitlines()[2:]
    ]
    return {f"{code}_{reason}": set(facts) for [code], [reason], facts in rows}


def test_the_specification_has_the_reasons_that_one_knows() -> None:
    reasons = reasons_of_the_specification()
    assert {f"bad_name_{reason}" for reason in names.Reason} == {
        key for key in reasons if key.startswith("bad_name")
    }
    assert reasons["bad_name_length"] == {"most", "length"}
    assert reasons["bad_name_letter"] == set()
    assert {"bad_deal_format", "bad_deal_cells", "bad_deal_number", "bad_deal_other_cells"} <= set(reasons)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_the_specification_is_told_in_every_language_with_all_its_facts(
    language: str,
) -> None:
    texts = Catalogue(language).texts
    told = {key.partition(".")[2]: fields(text) for key, text in texts.items() if key.startswith("because.")}
    deals = {f"bad_deal_{key.partition('_')[2]}" for key in texts if key.startswith("why.deal_")}
    assert told == {
        reason: facts for reason, facts in reasons_of_the_specification().items() if reason not in deals
    }
    assert deals < set(reasons_of_the_specification())
    alike = [key for key in told if texts[f"because.{key}"] == ENGLISH.texts[f"because.{key}"]]
    assert language == DEFAULT or alike == []


REFUSED_NAMES = ("x" * 31, "Ada!", "Ada\u202e", "{most}", "...", "A\u0301\u0302\u0303", "\u0410da", "admin")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REFUSED_NAMES)
def test_why_a_name_is_refused_is_told_by_what_the_server_says_to_programs(language: str, name: str) -> None:
    fault = names.fault(names.tidy(name), ("admin",))
    assert fault is not None
    words = Catalogue(language)
    error = RequestFailed("bad_name", "in English", facts=fault.facts)
    said = told(words, error)
    assert "in English" not in said
    values = [value for key, value in fault.facts.items() if key != "reason"]
    assert [value for value in values if str(value) not in said] == []
    assert noticed(words, e.Notice("bad_name", "in English", facts=dict(fault.facts))) == said
    assert explained(words, error) == f"{said} (bad_name)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ["format", "cells", "number", "other_cells"])
def test_what_a_server_finds_wrong_with_a_deal_is_told_as_what_is_found_here(
    language: str, reason: str
) -> None:
    words = Catalogue(language)
    said = told(words, RequestFailed("bad_deal", "in English", facts={"reason": reason, "cells": 2}))
    assert ("in English" in said) == (language == DEFAULT)
    if reason != "other_cells":
        assert said == told(words, DealError(reason, "in English"))


def test_a_reason_that_one_does_not_know_is_told_in_the_servers_words() -> None:
    french = Catalogue("fr")
    unknown: tuple[dict[str, str | int], ...] = (
        {},
        {"reason": "of_tomorrow"},
        {"reason": "length", "most": 24},
        {"reason": 7},
        {"length": 7},
    )
    for facts in unknown:
        error = RequestFailed("bad_name", "too odd", facts=facts)
        assert told(french, error) == "le serveur n’accepte pas ce nom\u202f: too odd"
        assert explained(french, error) == "too odd (bad_name)"
        assert noticed(french, e.Notice("bad_name", "too odd", facts=facts)) == "too odd"
        no_deal = told(french, RequestFailed("bad_deal", "too odd", facts=facts))
        assert no_deal == "on ne peut pas jouer cette donne\u202f: too odd"


def test_a_name_that_is_refused_on_the_way_back_is_told_with_its_reason() -> None:
    gone = Disconnected("the connection is gone: not wanted (bad_name)")
    gone.__cause__ = RequestFailed("bad_name", "not wanted", facts={"reason": "unwanted"})
    french = Catalogue("fr")
    assert french("because.bad_name_unwanted") in told(french, gone)
    assert explained(french, gone) == f"{told(french, gone)} (bad_name)"
    assert explained(french, Disconnected("gone")) == "gone"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_needs_no_more_than_it_has(language: str) -> None:
    texts = Catalogue(language).texts
    having = {field.name for field in dataclasses.fields(Refusal)} | set(Covered._fields) | {"wanted"}
    groups = [(key, fields(text)) for key, text in texts.items() if key.startswith(("why.", "bare."))]
    assert [key for key, needs in groups if needs - having] == []
    assert [key for key, needs in groups if key.startswith("bare.") and needs - {"text"}] == []
    counted = {key.partition(".")[2] for key, needs in groups if needs - {"text"}}
    assert [code for code in counted if f"bare.{code}" not in texts] == []


def test_an_error_is_told_in_the_players_language() -> None:
    french = Catalogue("fr")
    assert told(french, RequestFailed("not_host", "only the host may")) == "seul l’hôte peut le faire"
    assert told(french, ActionRefused("seat_done", "you are done")) == "vous avez fini cette course"
    assert (
        told(french, RequestFailed("bad_deal", "no deal 0"))
        == "on ne peut pas jouer cette donne\u202f: no deal 0"
    )
    late = RequestFailed("slow_down", "too often", retry_after=2_001)
    assert told(french, late) == "trop de demandes, trop vite\u202f: de nouveau dans 3 s"
    assert told(french, RequestFailed("of_tomorrow", "a new code")) == "a new code"
    assert told(french, OSError("no such file")) == "no such file"


def test_a_notice_is_told_in_the_players_language_and_the_hosts_words_as_they_are() -> None:
    french = Catalogue("fr")
    assert noticed(french, e.Notice("closed", e.CLOSED)) == "l’hôte a fermé la course"
    assert (
        noticed(french, e.Notice("sent_away", "too late")) == "l’hôte a fermé cette connexion\u202f: too late"
    )
    assert noticed(french, e.Notice("announcement", "tea is ready")) == "tea is ready"
    assert noticed(french, e.Notice("of_tomorrow", "in English")) == "in English"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_but_the_hosts_own_is_told_in_every_language(language: str) -> None:
    text = (Path(__file__).parents[2] / "protocol/SPEC.md").read_text(encoding="utf-8")
    codes = re.findall(r"^\| `(\w+)` \|", text.partition("**6.3**")[2].partition("**6.4**")[0], re.MULTILINE)
    assert "draining" in codes
    known = Catalogue(language).texts
    assert [code for code in codes if f"notice.{code}" not in known] == ["announcement"]


def over_capacity() -> Refusal:
    return Refusal(Reason.OVER_CAPACITY, "3 cards asked, 2 can move", 3, 2, 1, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_in_one_line_fits_the_smallest_terminal(language: str) -> None:
    texts = Catalogue(language).texts
    lines = [
        text
        for key, text in texts.items()
        if key.startswith(("help.", "game.", "ask.", "why.", "bare.", "because.")) and isinstance(text, str)
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
    own = ("why.", "bare.", "because.")  # the catalogue says them
    by_code = {key for key in unsaid if key.startswith(own)}
    assert unsaid - IN_CATALOGUE - by_code == set()
