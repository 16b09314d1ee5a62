"""Card transfers as small integers."""


def pack_transfer(source: int, destination: int, count: int = 1) -> int:
    """`(count - 1) * 256 + source * 16 + destination`: below 256 for a single card. Ranges are not checked."""
    return (count - 1) << 8 | source << 4 | destination


def unpack_transfer(value: int) -> tuple[int, int, int]:
    """Source pile, destination pile, count."""
    return value >> 4 & 15, value & 15, (value >> 8) + 1
