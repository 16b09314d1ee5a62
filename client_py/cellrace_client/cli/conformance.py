"""`cellrace conformance URL`."""

import argparse
import json
import sys
from collections.abc import Sequence

from cellrace_client.cli import EXIT_DATA, EXIT_USAGE
from cellrace_client.cli.online import run_online
from cellrace_client.cli.progress import Progress
from cellrace_client.conformance import Verdict, conversations
from cellrace_client.conformance import run as lead
from cellrace_client.conformance.conversation import Conversation


def run(arguments: argparse.Namespace) -> int:
    """Check a server or a client against the protocol. Returns the exit status."""
    chosen = [talk for talk in conversations() if arguments.only in (None, talk.name)]
    if not chosen:
        names = ", ".join(talk.name for talk in conversations())
        print(f"cellrace: no conversation {arguments.only}; there are {names}", file=sys.stderr)
        return EXIT_USAGE
    return run_online(_lead_all(arguments.url, chosen, arguments.json))


async def _lead_all(url: str, talks: Sequence[Conversation], as_json: bool) -> int:
    """On a terminal it is told how far it is, elsewhere each conversation by a line."""
    verdicts: list[Verdict] = []
    with Progress() as progress:
        for number, talk in enumerate(talks, 1):
            if sys.stderr.isatty():
                progress.tell(f"{number} of {len(talks)}: {talk.name}")
            else:
                print(f"{talk.name}: {talk.about}", file=sys.stderr)
            verdicts.append(await lead(url, talk))
    return report_json(verdicts) if as_json else report(verdicts)


def report_json(verdicts: list[Verdict]) -> int:
    """One line a conversation: what it has shown, and what was wrong."""
    for verdict in verdicts:
        print(json.dumps({**verdict._asdict(), "ok": not verdict.fault}, ensure_ascii=False))
    return EXIT_DATA if any(verdict.fault for verdict in verdicts) else 0


def report(verdicts: list[Verdict]) -> int:
    """One line a clause, the failed ones with what was wrong, each time."""
    failed: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.fault:
            failed.setdefault(verdict.clause, []).append(verdict)
    shown = {clause for verdict in verdicts for clause in verdict.clauses} - failed.keys()
    for clause in sorted(shown | failed.keys(), key=_order):
        if clause in shown:
            print(f"{clause:>5}  ok")
        for verdict in failed.get(clause, []):
            print(f"{clause:>5}  FAILED in {verdict.conversation}, step {verdict.step}: {verdict.fault}")
    print(f"{len(shown)} clauses hold, {len(failed)} do not")
    return EXIT_DATA if failed else 0


def _order(clause: str) -> tuple[int, ...]:
    return tuple(int(part) for part in clause.split(".") if part)
