"""A line of moves as a person would play it: pauses, hesitations, mistakes that are taken back. Pure but for chance,
which is passed in."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cellrace_client.bots.strength import Strength
from cellrace_engine import Line, Move, Refusal, format_move

SPREAD = 0.45
"""Of the pauses around their mean (the deviation of their logarithm)."""

HOME = "h"
UNDO = "undo"
FINISH = "finish"
QUICKLY = 0.4
"""What is obvious, such as sending a card home, takes this part of the time."""

HESITATION = (2.0, 5.0)
"""How many times as long one thinks that hesitates."""


class Action(NamedTuple):
    """After `pause_s` seconds do `what`: a move in notation, `UNDO`, or `FINISH`."""

    pause_s: float
    what: str


def played(start: Line, line: Sequence[Move], strength: Strength, chance: random.Random) -> Iterator[Action]:
    """What a player of this strength does to get from `start` home by `line`, which must win from there (not checked:
    `IllegalMove` is raised at a move that is not legal)."""
    first = _pause(strength.look_s, chance)
    here = start
    for move in line:
        if here.finishable:
            yield Action(first + _pause(strength.move_s, chance), FINISH)
            return
        if chance.random() < strength.errs:
            for action in _mistake(here, move, strength, chance):
                yield action._replace(pause_s=first + action.pause_s)
                first = 0.0
        text = format_move(move, here.position, here.rules)
        yield Action(first + _thought(text, strength, chance), text)
        first = 0.0
        here = here.play(move)


def _thought(text: str, strength: Strength, chance: random.Random) -> float:
    pause = _pause(strength.move_s, chance)
    if text[1] == HOME:
        return pause * QUICKLY
    return pause * chance.uniform(*HESITATION) if chance.random() < strength.hesitates else pause


def _mistake(here: Line, right: Move, strength: Strength, chance: random.Random) -> Iterator[Action]:
    """Another move, and back. None where there is no other, or it could not be taken back."""
    others = [move for move in here.legal_moves() if move != right]
    if not others:
        return
    wrong = chance.choice(others)
    after = here.try_play(wrong)
    if isinstance(after, Refusal) or after.won or isinstance(after.undo(), Refusal):
        return
    yield Action(_pause(strength.move_s, chance), format_move(wrong, here.position, here.rules))
    yield Action(_pause(strength.move_s, chance), UNDO)


def _pause(mean_s: float, chance: random.Random) -> float:
    return mean_s * min(4.0, chance.lognormvariate(-SPREAD * SPREAD / 2, SPREAD))
