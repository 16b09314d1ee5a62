"""What a player's hand is doing: keys and clicks on their way to a move. Pure.

Two keys make a move: from where and to where. `v` and a hexadecimal digit between them name a count. From the
foundations a suit may come between, as in the notation: `hd5`. Where nothing can be taken from, nothing is taken up:
the keys that follow would all be read one off.
"""

from typing import NamedTuple

from cellrace_client.tui.layout import FIRST_CELL, FIRST_FOUNDATION, Place, depth_of
from cellrace_engine import Position

PILES = "12345678abcd"
SUITS = "cdhs"
COUNTS = "123456789abcd"
BY_POSITION = {
    # The row of digits of a French keyboard, and where it differs of a Belgian one.
    **dict(zip("&é\"'(-è_ç", "123456789", strict=True)),
    **dict(zip("§!", "68", strict=True)),
    # Ukrainian (and other Cyrillic) keyboards: the key where the letter is on a Latin one.
    **dict(zip("фисврйгкаомпщцьзі", "abcdhqurfjvgowmps", strict=True)),
    **dict(zip("ыК", "sR", strict=True)),
}
"""Characters that stand on other keyboards where these keys are; none of them means anything else here. A table, as
Textual neither asks terminals where a key is nor can read what they would say."""


def by_position(character: str) -> str:
    """The key that is meant by a character."""
    return BY_POSITION.get(character, character)


def everywhere(key: str) -> str:
    """A key, and the characters that stand where it is on other keyboards, as Textual's bindings list them."""
    return ",".join([key, *(character for character, meant in BY_POSITION.items() if meant == key)])


class Intent(NamedTuple):
    """What the player wants: a move in notation, or a tap on a pile (-1: none) at a depth. `nothing` is a pile that
    gives nothing (-1: none), which was to be taken up."""

    move: str = ""
    tap: int = -1
    depth: int = 1
    nothing: int = -1


class Held(NamedTuple):
    """What is in hand: of which pile (`FIRST_FOUNDATION` or more: of the foundations), how many cards where that was
    said (else 0), and whether a number of them is awaited."""

    pile: int
    cards: int
    counting: bool


def pile_text(pile: int) -> str:
    """A pile as a move begins with it."""
    return PILES[pile] if pile < FIRST_FOUNDATION else "h" + SUITS[pile - FIRST_FOUNDATION]


class Hand:
    """`source` is where the cards in hand come from, `cursor` where the arrows have led."""

    def __init__(self, takes_back: bool = False) -> None:
        """`takes_back`: the rules let cards come back from the foundations."""
        self.takes_back = takes_back
        self.source: Place | None = None
        self.cursor: Place | None = None
        self.typed = ""
        self._count = ""
        self._counting = False

    def drop(self) -> bool:
        """Let go of everything; whether there was anything."""
        had = bool(self.typed or self.source or self._counting)
        self.source = None
        self.typed = self._count = ""
        self._counting = False
        return had

    @property
    def held(self) -> Held | None:
        """What is in hand; `None` where nothing is."""
        if self.source is None and not self.typed:
            return None
        pile = self.source.pile if self.source is not None else FIRST_FOUNDATION
        return Held(pile, int(self._count[1:] or "0", 16), self._counting)

    # Keys

    def press(self, key: str, position: Position) -> Intent | None:
        """A key of the notation, or `v`. Other keys are not for the hand: `takes` tells."""
        if self._counting:
            self._counting = False
            if key in COUNTS:
                self._count = f"v{key}"
                return None
        if key == "v":
            self._counting = True
            return None
        if self.source is not None and not self.typed:
            self.typed = pile_text(self.source.pile)
        if not self.typed:
            return self._take_up(key, position)
        if self.typed == "h" and key in SUITS:
            self.typed += key
            return None
        return self._complete(key)

    def _take_up(self, key: str, position: Position) -> Intent | None:
        pile = PILES.find(key)
        if pile < 0 and not (self.takes_back and any(position.foundations)):
            return Intent(nothing=FIRST_FOUNDATION)
        if pile >= 0 and not depth_of(pile, position):
            return Intent(nothing=pile)
        self.typed = key
        self.source = Place(pile, 1) if pile >= 0 else None
        return None

    def takes(self, key: str) -> bool:
        """Whether `press` wants this key now: a count only between the two keys of a move."""
        return (
            (self._counting and key in COUNTS)
            or key in PILES
            or key == "h"
            or (key == "v" and self.held is not None)
            or (self.typed == "h" and key in SUITS)
        )

    def enter(self, position: Position) -> Intent | None:
        """Enter: ends what was typed where it could go on (`hc`), else takes up or puts down at the cursor."""
        if len(self.typed) == 2 and self.typed[0] == "h" and self.source is None:
            intent = Intent(self.typed)
            self.drop()
            return intent
        if self.cursor is None:
            return None
        return self.point(self.cursor, position)

    def _complete(self, key: str) -> Intent:
        typed, count = self.typed, self._count
        depth = self.source.depth if self.source is not None else 1
        self.drop()
        if typed == key and key in PILES:
            return Intent(tap=PILES.find(key), depth=depth)
        return Intent(typed + key + count)

    # Clicks and the cursor

    def point(self, place: Place, position: Position) -> Intent | None:
        """Take up what lies there, or put down there what is in hand."""
        if self.source is None:
            self.drop()
            if place.pile >= FIRST_FOUNDATION and not self.takes_back:
                return Intent(nothing=place.pile)
            if depth_of(place.pile, position):
                self.source = place
            return None
        source = self.source
        self.drop()
        return None if source.pile == place.pile else carried(source, place.pile, position)

    # Arrows

    def go(self, dx: int, dy: int, position: Position) -> None:
        """Move the cursor: along the piles, and in a column from card to card."""
        if self.cursor is None:
            self.cursor = Place(0, min(1, depth_of(0, position)))
            return
        pile, depth = self.cursor
        if dx:
            row = [*range(FIRST_CELL)] if pile < FIRST_CELL else _top(position)
            pile = row[(row.index(pile) + dx) % len(row)]
            self.cursor = Place(pile, min(1, depth_of(pile, position)))
        elif pile < FIRST_CELL:
            deeper = depth - dy
            if deeper > depth_of(pile, position) or (deeper < 1 and dy < 0):
                above = _top(position)
                pile = above[min(pile, len(above) - 1)]
                self.cursor = Place(pile, min(1, depth_of(pile, position)))
            else:
                self.cursor = Place(pile, max(min(1, depth_of(pile, position)), deeper))
        elif dy > 0:
            slot = _top(position).index(pile)
            self.cursor = Place(slot, min(1, depth_of(slot, position)))


def _top(position: Position) -> list[int]:
    return [
        *range(FIRST_CELL, FIRST_CELL + len(position.cells)),
        *range(FIRST_FOUNDATION, FIRST_FOUNDATION + 4),
    ]


def carried(source: Place, destination: int, position: Position) -> Intent:
    """The move of cards taken up at a place of a pile to another pile. Into an empty column go as many as were taken;
    onto a card, as many as fit."""
    target = "h" if destination >= FIRST_FOUNDATION else PILES[destination]
    move = pile_text(source.pile) + target
    empty = destination < FIRST_CELL and not position.columns[destination]
    if empty and source.pile < FIRST_CELL:
        move += f"v{min(13, max(1, source.depth)):x}"
    return Intent(move)
