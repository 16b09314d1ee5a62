"""Deals that no race should be run on."""

KNOWN_LOST = frozenset({11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948})
"""The numbers up to 1,000,000 whose deals cannot be won with four cells. Found by exhaustive search
and published by the Internet FreeCell Project (1 to 32,000) and by those who continued it."""
