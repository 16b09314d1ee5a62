"""How well a house bot plays: how fast, how steadily, with how many mistakes."""

from typing import NamedTuple


class Strength(NamedTuple):
    """`look_s`: seconds spent looking at a new deal. `move_s`: seconds a move takes on the average. `hesitates` and
    `errs`: how often, of all moves, one is thought over for some time, or another one is made and taken back."""

    name: str
    look_s: float
    move_s: float
    hesitates: float
    errs: float


STRENGTHS = (
    Strength("easy", 8.0, 4.0, 0.10, 0.12),
    Strength("medium", 5.0, 2.2, 0.05, 0.05),
    Strength("hard", 3.0, 1.1, 0.02, 0.02),
)

BIRDS = (
    "Robin", "Heron", "Falcon", "Wren", "Magpie", "Kestrel", "Finch", "Plover", "Merlin", "Linnet", "Curlew", "Goshawk",
)  # fmt: skip


class Character(NamedTuple):
    """A bot of the house. The name says that it is one, and how strong."""

    name: str
    strength: Strength


def character(number: int) -> Character:
    """The bot of a number, from 0: always the same; strengths take turns."""
    strength = STRENGTHS[number % len(STRENGTHS)]
    bird = BIRDS[number % len(BIRDS)]
    again = number // len(BIRDS)
    shown = f"{bird} {again + 1}" if again else bird
    return Character(f"{shown} - {strength.name} bot", strength)
