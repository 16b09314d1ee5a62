"""What people type in requests and queries, read: rule sets, deals, days; or why it cannot be."""

from cellrace_engine import DealCode, DealError, Rules, RulesError, parse_rules
from cellrace_server.core.days import parse_day
from cellrace_server.core.outcome import Reason, Rejected


def read_rules(text: str) -> Rules | Rejected:
    """The rule set of a text."""
    try:
        return parse_rules(text)
    except RulesError as error:
        return Rejected(Reason.BAD_OPTIONS, f"rules: {error}")


def read_deal(text: str, rules: Rules) -> DealCode | Rejected:
    """The deal meant; a bare number is dealt with the cells of the rules."""
    try:
        code = DealCode.parse(text, rules.cells)
    except DealError as error:
        return Rejected(Reason.BAD_DEAL, str(error), facts={"reason": error.part})
    if code.cells != rules.cells:
        text = f"{code} has {code.cells} cells, the rules have {rules.cells}"
        return Rejected(
            Reason.BAD_DEAL,
            text,
            facts={"reason": "other_cells", "cells": code.cells, "expected": rules.cells},
        )
    return code


def against_day(text: str) -> Rejected | None:
    """Why a text names no day; `None` when it does."""
    if parse_day(text) is not None:
        return None
    return Rejected(Reason.BAD_OPTIONS, f"{text!r} is no day, one is written like 2026-11-30")
