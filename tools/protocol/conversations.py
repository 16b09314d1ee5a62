"""The conversations, written down as steps. `record.py` has a real server lead them and keeps what it said."""

from cellrace_client.conformance.conversation import ANY, Conversation
from cellrace_engine import CLASSIC, Line, deal, parse_move, parse_rules, rules_text
from cellrace_protocol.codecs import JSON
from cellrace_protocol.transfers import pack_transfer
from tools.protocol.examples import DEAL, START
from tools.protocol.lines import WINNING, by_hand
from tools.protocol.meetings import meetings
from tools.protocol.players import about_players
from tools.protocol.script import Script


def scripts() -> list[Conversation]:
    """All conversations."""
    return [
        _two_players(),
        _a_win(),
        _late_spectator(),
        _resume(),
        _takeover(),
        _rubbish(),
        _refusals(),
        _requests(),
        _lobby(),
        _open_boards(),
        _finish(),
        _spectator_returns(),
        _by_deal(),
        _renew(),
        *meetings(),
        *about_players(),
    ]


def _two_players() -> Conversation:
    s = Script(
        "two-players", "A race of two: moves, undo, restart, progress of a hidden board, giving up, the end."
    )
    s.hello("ada")
    s.hello("grace", JSON)
    s.lobby("ada", "grace")
    k = s.start(3, "ada", "grace")
    to_cell = 1 << 4 | 8
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 1, ANY, 1, [to_cell])
    s.told("grace", "4.5", "p", "{grace_ch}", k + 1, ANY, 0, 0, 1)
    s.send("ada", "u", "{ada_ch}", 2)
    s.told("ada", "4.3", "a", "{ada_ch}", k + 2, ANY, 2, [8 << 4 | 1], 1)
    s.told("grace", "4.5", "p", "{grace_ch}", k + 2, ANY, 0, 0, 0)
    s.send("grace", "m", "{grace_ch}", 1, "2a")
    s.told("grace", "5.2", "a", "{grace_ch}", k + 3, ANY, 1, [to_cell])
    s.told("ada", "4.5", "p", "{ada_ch}", k + 3, ANY, 1, 0, 1)
    s.send("grace", "restart", "{grace_ch}", 2)
    s.told("grace", "4.3", "a", "{grace_ch}", k + 4, ANY, 2, [], 2)
    s.told("ada", "4.5", "p", "{ada_ch}", k + 4, ANY, 1, 0, 0)
    s.send("ada", "giveup", "{ada_ch}", 3)
    s.all_told("ada grace", "5.2", "gaveup", k + 5, ANY, 0)
    s.send("grace", "giveup", "{grace_ch}", 3)
    s.all_told("ada grace", "5.2", "gaveup", k + 6, ANY, 1)
    places = [[1, 0, 0, 0, -1, 0, 0], [1, 1, 0, 0, -1, 0, 0]]
    s.all_told("ada grace", "4.6", "end", k + 7, ANY, "all_done", places, DEAL, "{salt}")
    return s.done()


def _a_win() -> Conversation:
    s = Script("a-win", "A race alone: a whole game, thirty moves sent at a time, won.")
    s.hello("ada")
    s.lobby("ada")
    k = s.start(2, "ada")
    numbered = list(enumerate(WINNING, 1))
    for first in range(0, len(numbered), 30):
        for n, move in numbered[first : first + 30]:
            s.send("ada", "m", "{ada_ch}", n, move)
        for n, _ in numbered[first : first + 30]:
            s.told("ada", "5.1", "a", "{ada_ch}", k + n, ANY, n)
    k += len(WINNING)
    s.told("ada", "4.1", "done", "{ada_ch}", k + 1, ANY, 0, "{time}", ANY, ANY)
    s.told(
        "ada",
        "4.6",
        "end",
        "{ada_ch}",
        k + 2,
        ANY,
        "all_done",
        [[1, 0, 52, len(WINNING), "{time}"]],
        DEAL,
        ANY,
    )
    s.send("ada", "m", "{ada_ch}", len(WINNING) + 1, "12")
    s.told("ada", "5.4", "no", "{ada_ch}", len(WINNING) + 1, "race_over")
    return s.done()


def _late_spectator() -> Conversation:
    s = Script("late-spectator", "A spectator who comes in the middle sees all boards, and can do nothing.")
    s.hello("ada")
    s.hello("grace")
    s.lobby("ada", "grace")
    k = s.start(3, "ada", "grace")
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 1, ANY, 1)
    s.hello("mary", JSON)
    s.send("mary", "watch", 5, "{race}")
    s.told("mary", "3.2", "in", 5, "{mary_ch}", "{race}", -1, 0)
    seats = [
        ["{ada}", "{ada_name}", "human", True, False, -1, 0, 1, 0, 0, "{ada_board}"],
        ["{grace}", "{grace_name}", "human", True, False, -1, 0, 0, 0, 0, START],
    ]
    s.told(
        "mary", "4.4", "snap", "{mary_ch}", k + 1, "{race}", "running", ANY, ANY, ANY, "{ada}", "classic", False, False,
        0, 600_000, "{commitment}", DEAL, START, -1, 0, seats,
    )  # fmt: skip
    s.send("grace", "m", "{grace_ch}", 1, "2b")
    s.told("mary", "4.3", "d", "{mary_ch}", k + 2, ANY, 1, [1 << 4 | 9])
    for message, reason in (
        (("m", "{mary_ch}", 1, "2a"), "not_seated"),
        (("ready", "{mary_ch}"), "not_seated"),
        (("leave", "{mary_ch}"), "not_seated"),
        (("start", "{mary_ch}"), "not_host"),
    ):
        s.send("mary", *message)
        s.told("mary", "5.4", "no", "{mary_ch}", ANY, reason)
    s.send("mary", "part", "{mary_ch}")
    s.send("mary", "look", "{mary_ch}")
    s.told("mary", "5.7", "no", "{mary_ch}", 0, "no_channel")
    return s.done()


def _resume() -> Conversation:
    s = Script("resume", "A player's connection is lost; the new one gets exactly what was missed.")
    s.hello("ada")
    s.hello("grace")
    s.lobby("ada", "grace")
    k = s.start(3, "ada", "grace")
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 1, ANY, 1)
    s.told("grace", "4.5", "p", "{grace_ch}", k + 1, ANY, 0, 0, 1)
    s.close("ada")
    s.told("grace", "6.4", "away", "{grace_ch}", k + 2, ANY, 0)
    s.send("grace", "m", "{grace_ch}", 1, "2a")
    s.told("grace", "5.2", "a", "{grace_ch}", k + 3, ANY, 1)
    s.back("ada", "ada")
    s.send("ada", "resume", 9, "{race}", k)
    s.told("ada", "6.1", "in", 9, "{ada_ch}", "{race}", 0, 2)
    s.told("ada", "6.1", "a", "{ada_ch}", k + 1, ANY, 1, [1 << 4 | 8])
    s.told("ada", "6.1", "away", "{ada_ch}", k + 2, ANY, 0)
    s.told("ada", "6.1", "p", "{ada_ch}", k + 3, ANY, 1, 0, 1)
    s.all_told("ada grace", "6.4", "here", k + 4, ANY, 0)
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.3", "a", "{ada_ch}", k + 1, ANY, 1, [1 << 4 | 8])
    s.send("ada", "m", "{ada_ch}", 1, "2b")
    s.told("ada", "5.3", "no", "{ada_ch}", 1, "number_used", ANY, 2)
    s.send("ada", "m", "{ada_ch}", 2, "2b")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 5, ANY, 2)
    s.send("ada", "resume", 10, "{race}", 1_000)
    s.told("ada", "6.1", "in", 10, "{ada_ch}", "{race}", 0, 3)
    s.told("ada", "6.1", "snap", "{ada_ch}", k + 5, "{race}", "running")
    return s.done()


def _takeover() -> Conversation:
    s = Script("takeover", "A second connection of one identity takes the seat over.")
    s.hello("ada")
    s.lobby("ada")
    k = s.start(2, "ada")
    s.back("phone", "ada")
    s.send("phone", "resume", 1, "{race}", k)
    s.told("ada", "6.2", "notice", "taken_over", ANY, "{ada_ch}")
    s.told("phone", "6.1", "in", 1, "{phone_ch}", "{race}", 0, 1)
    s.told("phone", "6.4", "here", "{phone_ch}", k + 1, ANY, 0)
    s.send("phone", "m", "{phone_ch}", 1, "2a")
    s.told("phone", "5.2", "a", "{phone_ch}", k + 2, ANY, 1)
    s.send("ada", "look", "{ada_ch}")
    s.told("ada", "6.2", "no", "{ada_ch}", 0, "no_channel")
    return s.done()


def _rubbish() -> Conversation:
    s = Script(
        "rubbish", "What is no message is answered and changes nothing; too much of it ends the connection."
    )
    s.connect("ada")
    s.send("ada", "races", 1)
    s.told("ada", "1.7", "error", "hello_first", ANY)
    s.send("ada", "hello", 2)
    s.told("ada", "2.1", "error", "bad_version", ANY)
    s.send("ada", "hello", 1, "", "too-short-for-a-token")
    s.told("ada", "2.3", "error", "bad_token", ANY)
    s.send("ada", "hello", 1, "tab\there")
    s.told("ada", "2.4", "error", "bad_name", ANY, 0, 0, {"reason": "sign", "sign": "U+0009"})
    s.send("ada", "hello", 1, "Ada")
    s.told("ada", "2.2", "welcome", 1)
    s.send("ada", "hello", 1, "Ada")
    s.told("ada", "2.1", "error", "hello_twice", ANY)
    s.frame("ada", bytes.fromhex("ddffffffff"))
    s.told("ada", "1.6", "error", "bad_frame", ANY)
    s.frame("ada", '["races",1]')
    s.told("ada", "1.2", "error", "bad_frame", ANY)
    s.send("ada", "teleport", 1)
    s.told("ada", "1.6", "error", "unknown_message", ANY)
    s.send("ada", "m", 0)
    s.told("ada", "1.6", "error", "bad_field", ANY)
    s.send("ada", "races", 4, "newest", "a field", ["of a later version"])
    s.told("ada", "1.5", "races", 4)
    for _ in range(32):
        s.frame("ada", b"\xc1")
    s.closed("ada", 4400, "1.6")
    s.hello("grace", JSON)
    s.frame("grace", "x" * 2_049)
    s.closed("grace", 1009, "1.4")
    s.connect("alan")
    s.closed("alan", 4401, "1.7")
    return s.done()


def _refusals() -> Conversation:
    s = Script(
        "refusals", "The referee says no, says why, and which number comes next; nobody else hears of it."
    )
    s.hello("ada")
    s.hello("grace")
    s.lobby("ada", "grace")
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.4", "no", "{ada_ch}", 1, "not_started", ANY, 1)
    k = s.start(3, "ada", "grace")
    for n, move, reason in (
        (1, "zz", "unreadable"),
        (1, "12", "wrong_colour_or_rank"),
        (1, "1h", "not_next_on_foundation"),
        (1, "a1", "empty_source"),
        (1, "11", "same_pile"),
        (2, "2a", "out_of_order"),
    ):
        s.send("ada", "m", "{ada_ch}", n, move)
        s.told("ada", "5.4", "no", "{ada_ch}", n, reason, ANY, 1)
    s.send("ada", "u", "{ada_ch}", 1)
    s.told("ada", "5.4", "no", "{ada_ch}", 1, "nothing_to_undo", ANY, 1)
    s.send("ada", "finish", "{ada_ch}", 1)
    s.told("ada", "5.4", "no", "{ada_ch}", 1, "not_finishable", ANY, 1)
    s.send("ada", "m", "{ada_ch}", 1, "12")
    s.send("ada", "m", "{ada_ch}", 2, "2a")
    s.told("ada", "5.4", "no", "{ada_ch}", 1, "wrong_colour_or_rank", ANY, 1)
    s.told("ada", "5.4", "no", "{ada_ch}", 2, "out_of_order", ANY, 1)
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 1, ANY, 1)
    s.told("grace", "4.5", "p", "{grace_ch}", k + 1, ANY, 0, 0, 1)
    s.send("grace", "m", 2_000_000, 1, "2a")
    s.told("grace", "5.7", "no", 2_000_000, 1, "no_channel")
    return s.done()


def _requests() -> Conversation:
    s = Script("requests", "Requests that fail say what is wrong; lists and boards are answered.")
    s.hello("ada")
    for message, code, *facts in (
        (("create", 1, "zero"), "bad_deal", 0, {"reason": "format"}),
        (("create", 1, "0"), "bad_deal", 0, {"reason": "number"}),
        (("create", 1, "FC1-C3-AAAAATJ"), "bad_deal", 0, {"reason": "cells"}),
        (
            ("create", 1, "FC1-C2-AAAAATJ"),
            "bad_deal",
            0,
            {"reason": "other_cells", "cells": 2, "expected": 4},
        ),
        (("create", 1, "", "klondike"), "bad_options"),
        (("create", 1, "", "classic", 2, False, False, 3_000, 10), "bad_field"),
        (("top", 1), "bad_field"),
        (("join", 1, "nosuchrace"), "not_found"),
        (("watch", 1, "nosuchrace"), "not_found"),
        (("resume", 1, "nosuchrace", 4), "not_found"),
        (("replay", 1, "nosuchrun"), "not_found"),
    ):
        s.send("ada", *message)
        s.told("ada", "3.3", "error", code, ANY, 1, *facts)
    s.send("ada", "top", 2, "617", "linear", "bot", 3)
    s.told("ada", "3.1", "top", 2, DEAL, "linear", "bot", ANY)
    s.send("ada", "top", 5, "617", "relaxed", "human", 10, "score", "first", 20, False)
    s.told("ada", "3.10", "top", 5, DEAL, "relaxed", "human", ANY, "score", "first", 20, ANY)
    s.send("ada", "top", 6, "", "linear", "bot", 10, "moves", "practised", 0, True, "week", "2026-12-03")
    s.told(
        "ada", "3.10", "top", 6, "", "linear", "bot", [], "moves", "practised", 0, ANY, [], 0, 0, "week", "2026-11-30"
    )  # fmt: skip
    s.send("ada", "top", 7, "", "classic", "human", 10, "time", "any", 0, False, "day", "2026-02-29")
    s.told("ada", "3.10", "error", "bad_options", ANY, 7)
    s.send("ada", "runs", 8)
    s.told("ada", "3.1", "runs", 8, "{ada}", 0, 0, [])
    s.send("ada", "races", 3)
    s.told("ada", "3.1", "races", 3, ANY)
    s.send("ada", "create", 4, "#617", "pocket + cells=4")
    s.told("ada", "3.4", "in", 4, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "3.4", "snap", "{ada_ch}", 2, "{race}", "lobby", 0, ANY, ANY, "{ada}", "pocket")
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "4.2", "left", "{ada_ch}", 3, ANY, 0, "{ada}")
    s.told("ada", "4.2", "end", "{ada_ch}", 4, ANY, "empty", [], "", "")
    return s.done()


def _lobby() -> Conversation:
    s = Script("lobby", "Before the start: a third seat, the host starts, a countdown that is called off.")
    s.hello("ada")
    s.hello("grace")
    s.send("ada", "create", 1, "617", "classic", 3, True, False, 60_000, 600_000)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 2)
    s.send("ada", "start", "{ada_ch}")
    s.told("ada", "5.4", "no", "{ada_ch}", 0, "too_few")
    s.send("grace", "join", 1, "{race}")
    s.told("ada", "4.1", "joined", "{ada_ch}", 3, ANY, 1, "{grace}", "{grace_name}", "human")
    s.told("grace", "3.2", "in", 1, "{grace_ch}", "{race}", 1, 1)
    s.told(
        "grace", "4.5", "snap", "{grace_ch}", 3, "{race}", "lobby", 0, ANY, ANY, "{ada}", "classic", True, False,
        60_000, 600_000, "{commitment}", "", "", 1, 1,
    )  # fmt: skip
    s.send("grace", "start", "{grace_ch}")
    s.told("grace", "5.4", "no", "{grace_ch}", 0, "not_host")
    s.send("ada", "start", "{ada_ch}")
    s.all_told("ada grace", "4.2", "countdown", 4, ANY, 60_000)
    s.send("grace", "leave", "{grace_ch}")
    s.all_told("ada grace", "5.6", "left", 5, ANY, 1, "{ada}")
    s.all_told("ada grace", "4.2", "halted", 6, ANY)
    return s.done()


def _open_boards() -> Conversation:
    s = Script(
        "open-boards",
        "Players who see each other's boards; automatic moves, and an undo that takes them back.",
    )
    s.hello("ada")
    s.hello("grace")
    s.send("ada", "create", 1, "617", "classic", 2, True, False, 0, 600_000)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 2)
    s.send("grace", "join", 1, "{race}")
    s.told("ada", "4.1", "joined", "{ada_ch}", 3)
    s.told("grace", "3.2", "in", 1, "{grace_ch}", "{race}", 1, 1)
    s.told("grace", "4.4", "snap", "{grace_ch}", 3)
    k = s.start(3, "ada", "grace")
    line = Line.begin(CLASSIC, deal(617))
    for n, text in enumerate(WINNING, 1):
        line = line.play(parse_move(text, line))
        assert line.step is not None, "a move was made"
        transfers = [pack_transfer(*transfer) for transfer in line.step.transfers]
        s.send("ada", "m", "{ada_ch}", n, text)
        s.told("ada", "4.3", "a", "{ada_ch}", k + n, ANY, n, transfers)
        s.told("grace", "4.5", "d", "{grace_ch}", k + n, ANY, 0, transfers)
        if len(transfers) > 1:
            back = [pack_transfer(*transfer) for transfer in line.step.reversed_transfers]
            s.send("ada", "u", "{ada_ch}", n + 1)
            s.told("ada", "4.3", "a", "{ada_ch}", k + n + 1, ANY, n + 1, back, 1)
            s.told("grace", "4.5", "d", "{grace_ch}", k + n + 1, ANY, 0, back, 1)
            return s.done()
    raise AssertionError("the line has automatic moves")


def _finish() -> Conversation:
    s = Script(
        "finish", "Without automatic moves: `finish` sends home what is left, each card an action of its own."
    )
    rules = parse_rules("classic+automatic_moves=no")
    s.hello("ada")
    s.send("ada", "create", 1, "617", rules_text(rules), 1, False, False, 0, 600_000)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "3.4", "snap", "{ada_ch}", 2)
    k = s.start(2, "ada")
    line = Line.begin(rules, deal(617))
    for n, text in enumerate(by_hand(), 1):
        if line.finishable:
            left = line.finish_moves()
            s.send("ada", "finish", "{ada_ch}", n)
            for offset, move in enumerate(left):
                s.told("ada", "5.2", "a", "{ada_ch}", k + n + offset, ANY, n + offset, [pack_transfer(*move)])
            s.told("ada", "4.1", "done", "{ada_ch}", k + n + len(left), ANY, 0)
            return s.done()
        line = line.play(parse_move(text, line))
        s.send("ada", "m", "{ada_ch}", n, text)
        s.told("ada", "5.2", "a", "{ada_ch}", k + n, ANY, n)
    raise AssertionError("the line comes to where it can be finished")


def _spectator_returns() -> Conversation:
    s = Script(
        "spectator-returns", "A spectator's connection is lost; the token brings the same spectator back."
    )
    s.hello("ada")
    s.lobby("ada")
    s.hello("mary")
    s.send("mary", "watch", 1, "{race}")
    s.told("mary", "3.2", "in", 1, "{mary_ch}", "{race}", -1, 0)
    s.told("mary", "4.4", "snap", "{mary_ch}", 2)
    s.close("mary")
    k = s.start(2, "ada")
    s.connect("mary")
    s.send("mary", "hello", 1, "Mary", "{mary_token}")
    s.told("mary", "2.3", "welcome", 1, "{mary}", "Mary", "human", "{mary_token}")
    s.send("mary", "resume", 1, "{race}", 2)
    s.told("mary", "6.1", "in", 1, "{mary_ch}", "{race}", -1, 0)
    s.told("mary", "6.1", "readied", "{mary_ch}", 3, ANY, 0, True)
    s.told("mary", "6.1", "countdown", "{mary_ch}", 4)
    s.told("mary", "6.1", "go", "{mary_ch}", k, ANY, DEAL, START)
    s.send("mary", "resume", 2, "{race}", k)
    s.told("mary", "6.1", "in", 2, "{mary_ch}", "{race}", -1, 0)
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("mary", "4.3", "d", "{mary_ch}", k + 1, ANY, 0, [1 << 4 | 8])
    return s.done()


def _renew() -> Conversation:
    s = Script("renew", "A player changes the token: the old one is dead, and whoever came with it is out.")
    s.hello("ada")
    s.back("phone", "ada")
    s.send("ada", "renew", 1, "too-short-for-a-token")
    s.told("ada", "2.3", "error", "bad_token", ANY, 1)
    s.send("ada", "renew", 2)
    s.told("ada", "2.6", "renewed", 2, "{new_token}")
    s.told("phone", "2.6", "notice", "revoked")
    s.closed("phone", 4403, "2.6")
    s.connect("thief")
    s.send("thief", "hello", 1, "", "{ada_token}")
    s.told("thief", "2.6", "error", "revoked", ANY, 0, 0)
    s.send("thief", "hello", 1, "", "{new_token}")
    s.told("thief", "2.6", "welcome", 1, "{ada}", ANY, "human", "{new_token}")
    s.send("ada", "races", 3)
    s.told("ada", "2.6", "races", 3)
    return s.done()


def _by_deal() -> Conversation:
    s = Script("by-deal", "Two who name the same deal meet in one race; the host leaves, the other hosts on.")
    s.hello("ada")
    s.hello("grace")
    s.send("ada", "join", 1, "7654321", "linear")
    s.told("ada", "3.4", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 2)
    s.send("grace", "join", 1, "fc1 c4 aahjs5r", "linear")
    s.told("ada", "4.1", "joined", "{ada_ch}", 3)
    s.told("grace", "3.4", "in", 1, "{grace_ch}", "{race}", 1, 1)
    s.told("grace", "4.4", "snap", "{grace_ch}", 3)
    s.send("ada", "leave", "{ada_ch}")
    s.all_told("ada grace", "5.6", "left", 4, ANY, 0, "{grace}")
    s.send("ada", "look", "{ada_ch}")
    s.told("ada", "5.6", "snap", "{ada_ch}", 4, "{race}", "lobby", 0, ANY, ANY, "{grace}")
    s.send("grace", "leave", "{grace_ch}")
    s.all_told("ada grace", "4.2", "left", 5, ANY, 1)
    s.all_told("ada grace", "4.2", "end", 6, ANY, "empty")
    s.send("grace", "ready", "{grace_ch}")
    s.told("grace", "5.4", "no", "{grace_ch}", 0, "not_seated")
    return s.done()
