"""A judge that knows no shortcuts: is a small position won by any sequence of legal moves?"""

from random import Random

from cellrace_engine import NO_CARD, Line, Position, Rules, deal, legal_moves
from cellrace_engine.automatic import settled
from cellrace_engine.referee import placed

Key = tuple[tuple[bytes, ...], bytes]


def canonical(position: Position) -> Key:
    """Return what positions that differ in the order of columns and cells have in common."""
    held = bytes(sorted(card for card in position.cells if card != NO_CARD))
    return tuple(sorted(position.columns)), held


def can_be_won(position: Position, rules: Rules, most: int) -> bool | None:
    """Return whether a win can be reached, `None` if that takes more positions than `most`.

    Every legal move is tried, automatic moves are made as the rules make them, and nothing is left out.
    """
    waiting = [position]
    seen = {canonical(position)}
    while waiting:
        position = waiting.pop()
        if position.is_won:
            return True
        # Moves to the foundations come last in the list of a pile and are tried first.
        for move in sorted(legal_moves(position, rules), key=lambda move: move.destination):
            after = placed(position, move, rules)
            assert after is not None
            if rules.automatic_moves:
                after = settled(after)[0]
            key = canonical(after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
        if len(seen) > most:
            return None
    return False


def end_game(seed: int, cells: int) -> Position:
    """Return a position with low cards at home and the rest in short columns, none of them empty."""
    chance = Random(seed)
    heights = [chance.randint(6, 10) for _ in range(4)]
    rest = [level * 4 + suit for suit, height in enumerate(heights) for level in range(height, 13)]
    chance.shuffle(rest)
    held = rest[:cells] if chance.random() < 0.5 else []
    rest = rest[len(held) :]
    columns = tuple(bytes(rest[at::8]) for at in range(8))
    position = Position(columns, bytes(held + [NO_CARD] * (cells - len(held))), bytes(heights))
    position.check()
    return position


def cornered(seed: int, rules: Rules) -> Position:
    """Return where play at random has led: mostly few moves are left there."""
    chance = Random(seed)
    line = Line.begin(rules, deal(chance.randint(1, 10**6), rules.cells))
    for _ in range(chance.randint(20, 60)):
        moves = [
            move for move in line.legal_moves() if not (7 < move.source < 12 and 7 < move.destination < 12)
        ]
        if not moves:
            break
        line = line.play(chance.choice(moves))
    return line.position
