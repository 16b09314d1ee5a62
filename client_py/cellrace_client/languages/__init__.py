"""What the programs say, in the player's language: one catalogue a language, all with the same keys."""

import importlib
import os
from collections.abc import Mapping
from string import Formatter

from cellrace_client.languages.plurals import PLURALS

LANGUAGES = tuple(PLURALS)
DEFAULT = "en"

Texts = Mapping[str, str | tuple[str, ...]]


class Catalogue:
    """The texts of one language. `catalogue("key", name=…)` is the text of a key, with values put in; `n` chooses among
    plural forms. Raises `KeyError` for a key that is none."""

    def __init__(self, language: str) -> None:
        """Raises `KeyError` for a language that is not one of `LANGUAGES`."""
        self.language = language
        self._form = PLURALS[language]
        self.texts: Texts = importlib.import_module(f"{__name__}.{language}").TEXTS

    def __call__(self, key: str, n: int = 0, **values: object) -> str:
        text = self.texts[key]
        if isinstance(text, tuple):
            text = text[self._form(n)]
        return text.format(n=n, **values)

    def pair(self, what: object, value: object) -> str:
        """What it is, and behind a colon how it is."""
        return self("said.pair", what=what, value=value)

    def named(self, group: str, code: str) -> str:
        """What a code of the protocol's, in a group such as `phase`, is called; itself where it is not known."""
        key = f"{group}.{code}"
        return self(key) if key in self.texts else code

    def why(self, code: str, text: str, facts: object = None) -> str:
        """Why something was refused, in this language; `text`, which is English, where its catalogue has not the code.
        Numbers and cards are the fields of `facts`: without all that its words need, it is said without them."""
        for group in ("why", "bare"):
            known = self.texts.get(f"{group}.{code}")
            if isinstance(known, str) and (said := self._filled(known, text, facts)) is not None:
                return said
        return text

    def because(self, code: str, facts: Mapping[str, str | int]) -> str | None:
        """Why a server refuses something, by the facts that it gives under the code (SPEC 8.1); `None` for a reason
        that the catalogue does not know, and where a fact is missing that its words need."""
        known = self.texts.get(f"because.{code}_{facts.get('reason')}")
        try:
            return known.format_map(facts) if isinstance(known, str) else None
        except KeyError:
            return None

    def _filled(self, known: str, text: str, facts: object) -> str | None:
        values: dict[str, object] = {"text": text}
        for _, field, _, _ in Formatter().parse(known):
            if field and field != "text":
                value = self._fitting(facts) if field == "wanted" else getattr(facts, field, None)
                if value is None:
                    return None
                values[field] = self._counted(field, value)
        return known.format(**values)

    def _fitting(self, facts: object) -> str | None:
        """The two cards that go on the one that a refusal names; `None` where none does."""
        onto = getattr(facts, "onto", None)
        at = RANKS.find(onto[0]) if isinstance(onto, str) else 0
        if at <= 0 or not isinstance(onto, str):
            return None
        one, other = (RANKS[at - 1] + suit for suit in ("CS" if onto[1] in "DH" else "DH"))
        return self("said.either", one=one, other=other)

    def _counted(self, field: str, value: object) -> object:
        key = COUNTED.get(field)
        return self(key, value) if key is not None and isinstance(value, int) else value


RANKS = "A23456789TJQK"

COUNTED = {"asked": "n.cards", "empty_cells": "n.empty_cells", "empty_columns": "n.empty_columns"}
"""Numbers of a refusal that are shown with what they count."""


def code_of(locale: str) -> str:
    """The language of a locale: that of `fr_BE.UTF-8` is `fr`."""
    return locale.replace("-", "_").split("_")[0].split(".")[0].lower()


def chosen(wanted: str = "", environment: Mapping[str, str] | None = None) -> str:
    """The language to speak: the one that is wanted, else the first of the environment's locales that there is, else
    English."""
    found = os.environ if environment is None else environment
    named = next((found[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if found.get(name)), "")
    preferred = found.get("LANGUAGE", "").split(":") if named not in ("", "C", "POSIX", "C.UTF-8") else []
    for locale in (wanted, *preferred, named):
        language = code_of(locale)
        if language in PLURALS:
            return language
    return DEFAULT
