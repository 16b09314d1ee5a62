"""What people call a deal. Pure."""

from cellrace_engine import DealCode, DealError


def deal_text(code: str) -> str:
    """A deal by its number, which people know, with the code, which says all, behind it: `617 (FC1-C4-AAAAATJ)`. What
    is no code of a deal is left as it is."""
    try:
        return f"{DealCode.parse(code).number} ({code})"
    except DealError:
        return code
