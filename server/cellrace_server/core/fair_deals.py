"""Deals that a race should be run on, and those that none should be run on."""

from cellrace_engine import Rules

KNOWN_LOST = frozenset({11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948})
"""The numbers up to 1,000,000 whose deals cannot be won with four cells. Found by exhaustive search
and published by the Internet FreeCell Project (1 to 32,000) and by those who continued it."""

DEALS = (1, 1_000_000)
"""Random deals are drawn from the first million: of these it is known which cannot be won with four cells."""


def needs_proof(cells: int) -> bool:
    """Whether many deals with so many cells are lost, so that one may be raced only once somebody has solved it."""
    return cells < 4


def proving_rules(cells: int) -> Rules:
    """Rules under which a deal that is won can be won under all rules with as many cells: nothing is taken back from
    the foundations, nothing goes there by itself, and how many cards move at once only shortens what single ones do."""
    return Rules(cells=cells)
