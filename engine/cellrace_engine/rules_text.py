"""Rule sets as short texts: a preset's name, then the fields that differ: `classic`, `pocket+cells=2`."""

from dataclasses import fields, replace
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase

from cellrace_engine.errors import RulesError
from cellrace_engine.rules import PRESETS, Rules, RunCapacity, TakeBack

# Only these: `str.lower` would make letters from some that are none, such as the sign of kelvin.
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_FIELDS = tuple(field.name for field in fields(Rules))
_CHOICES: dict[str, type[StrEnum]] = {"run_capacity": RunCapacity, "take_back": TakeBack}
_WORDS: dict[str, object] = {"yes": True, "no": False, "all": None}


def rules_text(rules: Rules) -> str:
    """Return the text of a rule set: that of the preset with the fewest fields that differ (the first of several),
    and those fields in the order of `Rules`. `parse_rules` gives the same rules back; equal rules have equal texts."""
    name = min(PRESETS, key=lambda preset: len(_differing(rules, PRESETS[preset])))
    changes = [f"{field}={_value_text(getattr(rules, field))}" for field in _differing(rules, PRESETS[name])]
    return "+".join([name, *changes])


def parse_rules(text: str) -> Rules:
    """Return the rule set that a text names; raise `RulesError`, which names the field that is wrong.

    Fields may come in any order; upper case and spaces around the parts do not matter. `yes` and `no` stand for
    switches, `all` for an undo depth without end.
    """
    name, *changes = (part.strip() for part in text.translate(_SMALL).split("+"))
    if name not in PRESETS:
        raise RulesError("preset", f"{name[:32]!r} is none of {', '.join(PRESETS)}")
    values: dict[str, object] = {}
    for change in changes:
        field, equals, value = (part.strip() for part in change.partition("="))
        if not equals:
            raise RulesError(field[:32], "a value is missing, as in 'cells=2'")
        if field not in _FIELDS:
            raise RulesError(field[:32], f"there is no such field; there are {', '.join(_FIELDS)}")
        if field in values:
            raise RulesError(field, "is given twice")
        values[field] = _value(field, value)
    return replace(PRESETS[name], **values)  # type: ignore[arg-type]  # Rules checks every value


def _differing(rules: Rules, preset: Rules) -> list[str]:
    return [field for field in _FIELDS if getattr(rules, field) != getattr(preset, field)]


def _value_text(value: object) -> str:
    if isinstance(value, StrEnum):
        return value.value
    return next((word for word, meaning in _WORDS.items() if meaning is value), str(value))


def _value(field: str, text: str) -> object:
    if field in _CHOICES:
        try:
            return _CHOICES[field](text)
        except ValueError:
            choices = ", ".join(_CHOICES[field])
            raise RulesError(field, f"{text[:32]!r} is none of {choices}") from None
    if text in _WORDS:
        return _WORDS[text]
    digits = text.removeprefix("-")
    if len(digits) > 9 or not (digits.isascii() and digits.isdigit()):
        raise RulesError(field, f"a whole number, yes, no or all is expected, not {text[:32]!r}")
    return int(text)
