"""How many of something, in words."""


def counted(number: int, what: str) -> str:
    """So many of it."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def cards(number: int) -> str:
    return counted(number, "card")
