"""Numbers as they are typed for an option. Raises what `argparse` tells of."""

import argparse
import math


def positive(text: str) -> float:
    """A finite number above 0."""
    number = not_negative(text)
    if number == 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def not_negative(text: str) -> float:
    """A finite number, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no number") from None
    if not math.isfinite(number) or number < 0:
        raise argparse.ArgumentTypeError(f"{text} is no finite number of 0 or more")
    return number
