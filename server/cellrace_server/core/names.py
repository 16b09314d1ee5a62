"""Names that players may have: short, readable by everybody, and not to be taken for somebody else's.

Scripts are those that UAX 31 recommends for identifiers (table 5); a word mixes none but those that are written
together (UTS 39, "highly restrictive").
"""

import unicodedata
from collections.abc import Collection

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


def tidy(name: str) -> str:
    """The name as it is kept and shown: composed (NFC), with single spaces between words and none around."""
    return " ".join(word for word in unicodedata.normalize("NFC", name).split(" ") if word)


def fault(name: str, blocked: Collection[str] = ()) -> str | None:
    """Why nobody can have this (tidy) name, in words for who typed it; `None` when it will do.

    `blocked` are folded names (see `fold`) that the host does not want, wherever they stand in a name.
    """
    length = len(_GRAPHEMES.findall(name))
    if not 1 <= length <= NAME_MOST:
        return f"a name has 1 to {NAME_MOST} characters, this one has {length}"
    wrong = _SHOWN.sub("", name)
    if wrong:
        return f"a name has letters, digits, spaces and . _ - ' only, not {_described(wrong[0])}"
    if _LETTER.search(name) is None:
        return "a name has at least one letter or digit"
    if _STACKED.search(unicodedata.normalize("NFD", name)):
        return f"at most {MARKS_MOST} marks stand on one letter"
    for word in name.split(" "):
        if _ONE_SCRIPT.fullmatch(word) is None:
            return f"{word!r} mixes letters of several scripts"
    if any(part in fold(name) for part in blocked):
        return "this name is not wanted here"
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


def _described(character: str) -> str:
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    return f"{shown!r} ({unicodedata.name(character, 'without a name').lower()})"
