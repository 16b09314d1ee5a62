"""How many of something, in words."""


def counted(number: int, what: str) -> str:
    """So many of it."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def column(number: int, what: str, width: int) -> str:
    """So many of it in a table, where numbers end and words begin below one another."""
    return f"{number:>{width}} {what + ('' if number == 1 else 's'):<{len(what) + 1}}"


def cards(number: int) -> str:
    return counted(number, "card")
