"""Values from outside as error texts show them: always short, whatever they are."""

_LENGTH = 60
_DIGITS = 10**30  # a longer number is shown in hexadecimal: that takes any length, and no time


def shown(value: object) -> str:
    """Return a text, number or other plain value as it is written in Python, cut to about sixty characters."""
    if isinstance(value, str | bytes):
        return repr(value[:_LENGTH]) + ("..." if len(value) > _LENGTH else "")
    if isinstance(value, int) and not -_DIGITS < value < _DIGITS:
        return hex(value)[:20] + "..."
    if value is None or isinstance(value, int | float):
        return str(value)
    return f"a {type(value).__name__}"


def encodable(text: str) -> bool:
    """Tell whether a text has an encoding: not so with half of a surrogate pair in it."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
