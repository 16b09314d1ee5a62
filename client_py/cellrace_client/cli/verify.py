"""`cellrace verify`."""

import argparse
import json
import sys
from pathlib import Path

from cellrace_client.cli import EXIT_DATA
from cellrace_client.cli.amounts import cards, counted
from cellrace_client.cli.online import failed
from cellrace_client.deal_names import deal_text
from cellrace_client.files import text_of, typed_in
from cellrace_client.times import clock
from cellrace_engine import ReplayError
from cellrace_engine.replay import Replay, Verification, from_json, verify


def run(arguments: argparse.Namespace) -> int:
    """Re-run a replay and say whether it is true. Returns the exit status."""
    try:
        text = typed_in() if arguments.file == "-" else text_of(Path(arguments.file))
    except OSError as error:
        return failed(error)
    try:
        replay = from_json(text)
    except ReplayError as error:
        if arguments.json:
            return _false(f"it is no replay: {error}", as_json=True)
        print(f"cellrace: {arguments.file} is no replay: {error}", file=sys.stderr)
        return EXIT_DATA
    if not replay.players:
        return _false("nobody plays in it", arguments.json)
    verification = verify(replay)
    if verification.failure is not None:
        return _false(verification.failure.text, arguments.json)
    if arguments.json:
        print(
            json.dumps(
                {"true": True, "deal": str(replay.deal or ""), "players": _players(replay, verification)}
            )
        )
    else:
        _report(replay, verification)
    return 0


def _false(why: str, as_json: bool) -> int:
    print(json.dumps({"true": False, "why": why}, ensure_ascii=False) if as_json else f"FALSE: {why}")
    return EXIT_DATA


def _players(replay: Replay, verification: Verification) -> list[dict[str, object]]:
    return [
        {
            "name": player.name,
            "won": line.won,
            "home": line.cards_home,
            "moves": line.moves,
            "time": player.result.time_ms if player.result is not None else -1,
            "position": line.position.text,
        }
        for player, line in zip(replay.players, verification.lines, strict=True)
    ]


def _report(replay: Replay, verification: Verification) -> None:
    for player, line in zip(replay.players, verification.lines, strict=True):
        result = player.result
        time = clock(result.time_ms) if result is not None else "no time claimed"
        state = "won" if line.won else f"{cards(line.cards_home)} home"
        who, where = player.name or "(no name)", deal_text(str(replay.deal or "custom layout"))
        print(f"TRUE: {who}, {where}: {state}, {time}, {counted(line.moves, 'move')}")
        print(f"final position: {line.position.text}")
