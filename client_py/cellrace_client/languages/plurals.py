"""Which form of a word goes with a number, by language: the index among the forms that its catalogue has."""

from collections.abc import Callable, Mapping


def _one_or_more(n: int) -> int:
    return 0 if n == 1 else 1


def _up_to_one_or_more(n: int) -> int:
    return 0 if n < 2 else 1


def _slavic(n: int) -> int:
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURALS: Mapping[str, Callable[[int], int]] = {
    "en": _one_or_more,
    "fr": _up_to_one_or_more,
    "it": _one_or_more,
    "nl": _one_or_more,
    "uk": _slavic,
}
