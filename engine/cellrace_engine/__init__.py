"""The rules of FreeCell: positions, deals, moves, points, notation, replays. Plain Python, pure.

Start with `Game` to play, `Line` to fold over moves without exceptions, `deal` and `DealCode` for deals. The
solver is `cellrace_engine.solver`; nothing here imports it.
"""

from cellrace_engine.cards import (
    NO_CARD,
    RANKS,
    SUITS,
    card_name,
    is_red,
    parse_card,
    rank,
    suit,
)
from cellrace_engine.deals import FIRST_DEAL, LAST_DEAL, DealCode, deal
from cellrace_engine.errors import (
    CardError,
    DealError,
    EngineError,
    IllegalMove,
    NotationError,
    PositionError,
    ReplayError,
    RulesError,
)
from cellrace_engine.game import Game
from cellrace_engine.generate import legal_moves
from cellrace_engine.line import Line
from cellrace_engine.moves import CELLS, COLUMNS, FOUNDATIONS, PILE_NAMES, PILES, Move, Step
from cellrace_engine.notation import format_move, parse_move, read_move
from cellrace_engine.position import Position
from cellrace_engine.reasons import reason_against
from cellrace_engine.refusal import Reason, Refusal
from cellrace_engine.replay import (
    Action,
    Failure,
    PlayerKind,
    PlayerRun,
    Replay,
    Result,
    Verification,
    from_json,
    to_json,
    verify,
)
from cellrace_engine.rules import (
    CLASSIC,
    LINEAR,
    POCKET,
    PRESETS,
    RELAXED,
    Rules,
    RunCapacity,
    TakeBack,
)
from cellrace_engine.rules_text import parse_rules, rules_text

__all__ = [
    "CELLS",
    "CLASSIC",
    "COLUMNS",
    "FIRST_DEAL",
    "FOUNDATIONS",
    "LAST_DEAL",
    "LINEAR",
    "NO_CARD",
    "PILES",
    "PILE_NAMES",
    "POCKET",
    "PRESETS",
    "RANKS",
    "RELAXED",
    "SUITS",
    "Action",
    "CardError",
    "DealCode",
    "DealError",
    "EngineError",
    "Failure",
    "Game",
    "IllegalMove",
    "Line",
    "Move",
    "NotationError",
    "PlayerKind",
    "PlayerRun",
    "Position",
    "PositionError",
    "Reason",
    "Refusal",
    "Replay",
    "ReplayError",
    "Result",
    "Rules",
    "RulesError",
    "RunCapacity",
    "Step",
    "TakeBack",
    "Verification",
    "card_name",
    "deal",
    "format_move",
    "from_json",
    "is_red",
    "legal_moves",
    "parse_card",
    "parse_move",
    "parse_rules",
    "rank",
    "read_move",
    "reason_against",
    "rules_text",
    "suit",
    "to_json",
    "verify",
]
