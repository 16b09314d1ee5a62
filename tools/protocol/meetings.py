"""Conversations about who is there, who meets whom, and what spectators see when."""

from cellrace_client.conformance.conversation import ANY, Conversation
from cellrace_protocol.codecs import JSON
from tools.protocol.examples import DEAL, START
from tools.protocol.script import Script

RARE = "linear+undo_depth=7"
"""Rules under which nobody else looks for a race."""


def meetings() -> list[Conversation]:
    """All conversations of this kind."""
    return [_presence(), _hosting(), _quick(), _rematch(), _delay(), _lists(), _house_bot(), _daily()]


def _presence() -> Conversation:
    s = Script(
        "presence",
        "A player's connection is lost before the start; the race waits until it is back.",
    )
    s.hello("ada")
    s.hello("grace", JSON)
    s.lobby("ada", "grace")
    s.send("grace", "ready", "{grace_ch}")
    s.all_told("ada grace", "5.6", "readied", 4, ANY, 1, True)
    s.close("grace")
    s.told("ada", "6.4", "away", "{ada_ch}", 5, ANY, 1)
    s.send("ada", "ready", "{ada_ch}")
    s.told("ada", "4.2", "readied", "{ada_ch}", 6, ANY, 0, True)
    s.back("grace", "grace")
    s.send("grace", "resume", 2, "{race}", 4)
    s.told("grace", "6.1", "in", 2, "{grace_ch}", "{race}", 1, 1)
    s.told("grace", "6.1", "away", "{grace_ch}", 5, ANY, 1)
    s.told("grace", "6.1", "readied", "{grace_ch}", 6, ANY, 0, True)
    s.all_told("ada grace", "6.4", "here", 7, ANY, 1)
    s.all_told("ada grace", "4.2", "countdown", 8, 0, 0)
    s.all_told("ada grace", "4.2", "go", 9, ANY, DEAL, START)
    s.send("ada", "part", "{ada_ch}")
    s.told("grace", "6.4", "away", "{grace_ch}", 10, ANY, 0)
    s.send("ada", "watch", 3, "{race}")
    s.told("ada", "3.1", "in", 3, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 10)
    s.all_told("ada grace", "6.4", "here", 11, ANY, 0)
    return s.done()


def _hosting() -> Conversation:
    s = Script(
        "hosting", "A host who only hosts comes and goes, and leaves; somebody who sits hosts instead."
    )
    s.hello("ada")
    s.hello("grace", JSON)
    s.send("ada", "create", 1, "617", "classic", 3, False, False, 0, 600_000, False)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", -1, 0)
    s.told("ada", "4.4", "snap", "{ada_ch}", 1, "{race}", "lobby")
    s.send("grace", "join", 1, "{race}")
    s.told("ada", "4.1", "joined", "{ada_ch}", 2, ANY, 0, "{grace}", "{grace_name}", "human")
    s.told("grace", "3.2", "in", 1, "{grace_ch}", "{race}", 0, 1)
    s.told("grace", "4.4", "snap", "{grace_ch}", 2, "{race}", "lobby", ANY, ANY, ANY, "{ada}")
    s.close("ada")
    s.told("grace", "6.5", "hosts", "{grace_ch}", 3, ANY, "{ada}", True)
    s.back("ada", "ada")
    s.send("ada", "resume", 2, "{race}", 2)
    s.told("ada", "6.1", "in", 2, "{ada_ch}", "{race}", -1, 0)
    s.told("ada", "6.1", "hosts", "{ada_ch}", 3, ANY, "{ada}", True)
    s.all_told("ada grace", "6.5", "hosts", 4, ANY, "{ada}")
    s.send("ada", "part", "{ada_ch}")
    s.told("grace", "6.5", "hosts", "{grace_ch}", 5, ANY, "{ada}", True)
    s.send("ada", "watch", 3, "{race}")
    s.told("ada", "3.1", "in", 3, "{ada_ch}", "{race}", -1, 0)
    s.told("ada", "4.4", "snap", "{ada_ch}", 5)
    s.all_told("ada grace", "6.5", "hosts", 6, ANY, "{ada}")
    s.send("grace", "start", "{grace_ch}")
    s.told("grace", "5.4", "no", "{grace_ch}", 0, "not_host")
    s.hello("mary")
    s.send("mary", "join", 1, "{race}")
    s.all_told("ada grace", "4.1", "joined", 7, ANY, 1, "{mary}", "{mary_name}", "human")
    s.told("mary", "3.2", "in", 1, "{mary_ch}", "{race}", 1, 1)
    s.told("mary", "4.4", "snap", "{mary_ch}", 7)
    s.send("ada", "leave", "{ada_ch}")
    s.all_told("ada grace mary", "4.2", "hosts", 8, ANY, "{grace}")
    s.send("ada", "start", "{ada_ch}")
    s.told("ada", "5.4", "no", "{ada_ch}", 0, "not_host")
    s.send("grace", "start", "{grace_ch}")
    s.all_told("ada grace mary", "4.2", "countdown", 9, ANY, 0)
    s.all_told("ada grace mary", "4.2", "go", 10, ANY, DEAL, START)
    return s.done()


def _quick() -> Conversation:
    s = Script("quick", "Two strangers who do not mind whom they race; asking twice is asking once.")
    s.hello("ada")
    s.hello("grace")
    for r in (1, 2):
        s.send("ada", "quick", r, RARE)
        s.told("ada", "3.1", "in", r, "{ada_ch}", "{race}", 0, 1)
        s.told("ada", "4.4", "snap", "{ada_ch}", 3, "{race}", "lobby")
    s.send("grace", "quick", 1, RARE)
    s.told("ada", "4.1", "joined", "{ada_ch}", 4, ANY, 1, "{grace}", "{grace_name}", "human")
    s.told("ada", "4.1", "readied", "{ada_ch}", 5, ANY, 1, True)
    s.told("ada", "4.2", "countdown", "{ada_ch}", 6, ANY, 3_000)
    s.told("grace", "3.1", "in", 1, "{grace_ch}", "{race}", 1, 1)
    s.told("grace", "4.4", "snap", "{grace_ch}", 6, "{race}", "countdown")
    s.send("ada", "leave", "{ada_ch}")
    s.all_told("ada grace", "4.2", "left", 7, ANY, 0, "{grace}")
    s.all_told("ada grace", "4.2", "halted", 8)
    s.send("grace", "leave", "{grace_ch}")
    s.all_told("ada grace", "4.2", "left", 9)
    s.all_told("ada grace", "4.2", "end", 10, ANY, "empty")
    return s.done()


def _rematch() -> Conversation:
    s = Script("rematch", "After a race its player asks for another; the spectator is brought there too.")
    s.hello("ada")
    s.hello("mary")
    s.lobby("ada")
    s.send("mary", "watch", 1, "{race}")
    s.told("mary", "3.2", "in", 1, "{mary_ch}", "{race}", -1, 0)
    s.told("mary", "4.4", "snap", "{mary_ch}", 2)
    s.send("ada", "rematch", 2, "{ada_ch}")
    s.told("ada", "8.2", "error", "not_over", ANY, 2)
    k = s.start(2, "ada")
    for name in ("readied", "countdown", "go"):
        s.told("mary", "4.1", name, "{mary_ch}")
    s.send("ada", "giveup", "{ada_ch}", 1)
    s.all_told("ada mary", "5.2", "gaveup", k + 1)
    s.all_told("ada mary", "4.6", "end", k + 2)
    s.send("mary", "rematch", 2, "{mary_ch}")
    s.told("mary", "8.2", "error", "not_seated", ANY, 2)
    s.send("ada", "rematch", 3, "{ada_ch}")
    s.all_told("ada mary", "4.7", "rematched", k + 3, ANY, "{next}")
    s.told("ada", "4.7", "in", 3, "{ada_next_ch}", "{next}", 0, 1)
    s.told("ada", "4.7", "snap", "{ada_next_ch}", 2, "{next}", "lobby", 0, ANY, ANY, "{ada}")
    s.told("mary", "4.7", "in", 0, "{mary_next_ch}", "{next}", -1, 0)
    s.told("mary", "4.7", "snap", "{mary_next_ch}", 2, "{next}", "lobby")
    return s.done()


def _delay() -> Conversation:
    s = Script("delay", "A spectator sees a race a second and a half late, whatever is asked meanwhile.")
    s.hello("ada")
    s.hello("mary")
    s.send("ada", "create", 1, "617", "classic", 1, False, False, 0, 600_000, True, False, True, 1_500)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 2)
    s.send("mary", "watch", 1, "{race}")
    s.told("mary", "3.2", "in", 1, "{mary_ch}", "{race}", -1, 0)
    s.told("mary", "4.4", "snap", "{mary_ch}", 2)
    k = s.start(2, "ada")
    s.send("ada", "m", "{ada_ch}", 1, "2a")
    s.told("ada", "5.2", "a", "{ada_ch}", k + 1)
    s.send("ada", "giveup", "{ada_ch}", 2)
    s.told("ada", "5.2", "gaveup", "{ada_ch}", k + 2)
    s.told("ada", "4.6", "end", "{ada_ch}", k + 3, ANY, "all_done", ANY, DEAL)
    s.told("mary", "4.1", "readied", "{mary_ch}", 3)
    s.told("mary", "4.1", "countdown", "{mary_ch}", 4)
    s.send("mary", "look", "{mary_ch}")
    s.told(
        "mary", "4.5", "snap", "{mary_ch}", 4, "{race}", "countdown", 0, ANY, ANY, "{ada}", "classic", False, False,
        0, 600_000, ANY, "", "",
    )  # fmt: skip
    s.told("mary", "4.5", "go", "{mary_ch}", k, ANY, DEAL, START)
    s.told("mary", "4.5", "d", "{mary_ch}", k + 1, ANY, 0, [1 << 4 | 8])
    s.told("mary", "4.5", "gaveup", "{mary_ch}", k + 2)
    s.told("mary", "4.5", "end", "{mary_ch}", k + 3, ANY, "all_done", ANY, DEAL)
    return s.done()


def _lists() -> Conversation:
    s = Script("lists", "The list of races is followed; players and spectators are told how many watch.")
    s.hello("ada")
    s.hello("mary", JSON)
    s.send("mary", "races", 1, "watched")
    s.told("mary", "3.1", "races", 1, ANY)
    s.send("mary", "follow", 2)
    s.told("mary", "3.6", "races", 2, ANY)
    s.send("ada", "create", 1, "", RARE, 2, False, True)
    s.told("ada", "3.2", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 2, "{race}", "lobby")
    s.told("mary", "3.6", "listing", ANY, ANY)
    s.send("mary", "unfollow")
    s.send("mary", "watch", 3, "{race}")
    s.told("mary", "3.2", "in", 3, "{mary_ch}", "{race}", -1, 0)
    s.told("mary", "4.4", "snap", "{mary_ch}", 2, "{race}", "lobby")
    s.all_told("ada mary", "4.8", "watching", 1)
    s.send("mary", "part", "{mary_ch}")
    s.told("ada", "4.8", "watching", "{ada_ch}", 0)
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "4.2", "left", "{ada_ch}", 3)
    s.told("ada", "4.2", "end", "{ada_ch}", 4, ANY, "empty")
    return s.done()


def _house_bot() -> Conversation:
    s = Script(
        "house-bot",
        "A stranger comes to terms with a bot of the house; for rank none comes, and that is said.",
    )
    s.hello("ada")
    s.send("ada", "quick", 1, RARE, True)
    s.told("ada", "3.1", "in", 1, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 3, "{race}", "lobby")
    s.send("ada", "quick", 2, RARE, True, True, True)
    s.told("ada", "3.8", "bots", "{ada_ch}", 4, ANY, 0, True)
    s.told("ada", "3.1", "in", 2, "{ada_ch}", "{race}", 0, 1)
    s.told("ada", "4.4", "snap", "{ada_ch}", 4, "{race}", "lobby")
    s.told("ada", "3.8", "notice", "no_house_bot", ANY, "{ada_ch}")
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "4.2", "left", "{ada_ch}", 5)
    s.told("ada", "4.2", "end", "{ada_ch}", 6, ANY, "empty")
    return s.done()


def _daily() -> Conversation:
    s = Script(
        "daily", "The deal of the day: its own player alone sees it, and an attempt not begun is not spent."
    )
    s.hello("ada")
    s.hello("grace", JSON)
    s.send("ada", "play_daily", 1, RARE)
    s.told("ada", "3.11", "error", "bad_options", ANY, 1)
    for r in (2, 3):
        s.send("ada", "play_daily", r)
        s.told("ada", "3.11", "in", r, "{ada_ch}", "{race}", 0, 1)
        s.told("ada", "4.4", "snap", "{ada_ch}", 4, "{race}", "countdown")
    s.send("ada", "daily", 4)
    s.told("ada", "3.11", "dailies", 4, ANY, ANY, ANY)
    s.send("grace", "watch", 1, "{race}")
    s.told("grace", "4.5", "error", "day_not_over", ANY, 1)
    s.send("grace", "daily_top", 2, "2000-02-29")
    s.told(
        "grace",
        "3.11",
        "top",
        2,
        "",
        "classic",
        "human",
        [],
        "time",
        "any",
        0,
        0,
        [],
        0,
        0,
        "day",
        "2000-02-29",
    )
    s.send("grace", "daily_top", 3, "1999-02-29")
    s.told("grace", "3.11", "error", "bad_options", ANY, 3)
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "5.6", "left", "{ada_ch}", 5, ANY, 0, "{ada}")
    s.told("ada", "4.2", "halted", "{ada_ch}", 6, ANY)
    s.told("ada", "4.2", "end", "{ada_ch}", 7, ANY, "empty", [], "", "")
    return s.done()
