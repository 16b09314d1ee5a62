"""What races are called: short, for people to read out and to type."""

LETTERS = "abcdefghjkmnpqrstuvwxyz"
"""No digits, so that a race is never taken for a deal; no i, l, o, which look like digits."""

LENGTH = 7
"""23**7 is 3.4 thousand million: a race that is not listed is not found by guessing."""

_SMALL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", " -_.")
_MEANT = str.maketrans("0o1il2568", "qqjjjzsgb")
"""What is in no name is read as the letter that it looks like, in capitals."""


def read_race_name(text: str) -> str | None:
    """The race that is meant by what somebody typed; `None` for what cannot be a race's name, such as a deal.

    Case, spaces, hyphens, underscores and dots do not count; in a text of the length of a name, what looks like one of
    its letters is that letter. Whether there is such a race is not checked.
    """
    typed = text.translate(_SMALL)
    if not typed.isascii() or not any(letter.isalpha() for letter in typed):
        return None
    meant = typed.translate(_MEANT)
    if len(typed) == LENGTH and all(letter in LETTERS for letter in meant):
        return meant
    return typed if typed.isalpha() else None
