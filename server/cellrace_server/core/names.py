"""Names that players may have: short, readable by everybody, and not to be taken for somebody else's.

Scripts are those that UAX 31 recommends for identifiers (table 5); a word mixes none but those that are written
together (UTS 39, "highly restrictive").
"""

import enum
import unicodedata
from collections.abc import Collection, Mapping

import msgspec
import regex

NAME_MOST = 24
"""Characters in a name, as people count them (extended grapheme clusters, UAX 29)."""

MARKS_MOST = 2
"""Combining marks on one character: Vietnamese and pointed Hebrew need two."""

_SCRIPTS = (
    ["Latin"], ["Greek"], ["Cyrillic"], ["Armenian"], ["Hebrew"], ["Arabic"], ["Thaana"], ["Devanagari"],
    ["Bengali"], ["Gurmukhi"], ["Gujarati"], ["Oriya"], ["Tamil"], ["Telugu"], ["Kannada"], ["Malayalam"],
    ["Sinhala"], ["Thai"], ["Lao"], ["Tibetan"], ["Myanmar"], ["Georgian"], ["Ethiopic"], ["Khmer"],
    ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Hangul"], ["Latin", "Han", "Bopomofo"],
)  # fmt: skip


def _word_of(scripts: Collection[str]) -> str:
    return "[" + "".join(rf"\p{{scx={script}}}" for script in [*scripts, "Common", "Inherited"]) + "]+"


_GRAPHEMES = regex.compile(r"\X")
_ONE_SCRIPT = regex.compile("|".join(f"(?:{_word_of(scripts)})" for scripts in _SCRIPTS))
_SHOWN = regex.compile(r"(?V1)[[\p{L}\p{N}\p{Mn}\p{Mc} '’._\-]--\p{Default_Ignorable_Code_Point}]+")
_STACKED = regex.compile(rf"\p{{M}}{{{MARKS_MOST + 1}}}")
_LETTER = regex.compile(r"[\p{L}\p{N}]")
_VOWELS = r"[\p{M}--[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Cyrillic}]]"
"""Marks that are letters to who reads them, as in Devanagari and Thai; others are accents and points."""

_SIGNS = regex.compile(rf"(?V1)[^\p{{L}}\p{{N}}{_VOWELS}]+")
_UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{M}]")


class Reason(enum.StrEnum):
    """Why a name will not do. Stable: they go on the wire."""

    LENGTH = "length"
    SIGN = "sign"
    LETTER = "letter"
    MARKS = "marks"
    SCRIPTS = "scripts"
    UNWANTED = "unwanted"


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a name: `text` says it to a person, `facts` to programs, with the reason among them."""

    reason: Reason
    text: str
    facts: Mapping[str, str | int]


def _fault(reason: Reason, text: str, **facts: str | int) -> Fault:
    return Fault(reason, text, {"reason": reason.value, **facts})


def tidy(name: str) -> str:
    """The name as it is kept and shown: composed (NFC), with single spaces between words and none around."""
    return " ".join(word for word in unicodedata.normalize("NFC", name).split(" ") if word)


def fault(name: str, blocked: Collection[str] = ()) -> Fault | None:
    """Why nobody can have this (tidy) name; `None` when it will do.

    `blocked` are folded names (see `fold`) that the host does not want, wherever they stand in a name.
    """
    length = len(_GRAPHEMES.findall(name))
    if not 1 <= length <= NAME_MOST:
        text = f"a name has 1 to {NAME_MOST} characters, this one has {length}"
        return _fault(Reason.LENGTH, text, most=NAME_MOST, length=length)
    wrong = _SHOWN.sub("", name)
    if wrong:
        text = f"a name has letters, digits, spaces and . _ - ' only, not {_described(wrong[0])}"
        return _fault(Reason.SIGN, text, sign=_seen(wrong[0]))
    if _LETTER.search(name) is None:
        return _fault(Reason.LETTER, "a name has at least one letter or digit")
    if _STACKED.search(unicodedata.normalize("NFD", name)):
        return _fault(Reason.MARKS, f"at most {MARKS_MOST} marks stand on one letter", most=MARKS_MOST)
    for word in name.split(" "):
        if _ONE_SCRIPT.fullmatch(word) is None:
            return _fault(Reason.SCRIPTS, f"{word!r} mixes letters of several scripts", word=word)
    if any(part in fold(name) for part in blocked):
        return _fault(Reason.UNWANTED, "this name is not wanted here")
    return None


def fold(name: str) -> str:
    """What two names have in common that people would take for one another: case, width, accents' encoding, spaces,
    points and signs do not count. Not shown to anybody."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()))


def variation(name: str, number: int) -> str:
    """The name with a number behind it, cut to the length that names have: `Ada 2`."""
    tail = f" {number}"
    kept = _GRAPHEMES.findall(name)[: NAME_MOST - len(tail)]
    return "".join(kept).rstrip(" ") + tail


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _seen(character: str) -> str:
    """The character itself, or its number where there would be nothing to see, or only something on another."""
    return character if character.isprintable() and not _UNSEEN.match(character) else _code(character)


def _described(character: str) -> str:
    shown = character if character.isprintable() else _code(character)
    return f"{shown!r} ({unicodedata.name(character, 'without a name').lower()})"
