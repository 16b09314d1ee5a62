"""Conversations about players: who one is, what is kept of one, and how to have it erased."""

from cellrace_client.conformance.conversation import ANY, Conversation
from cellrace_protocol.codecs import JSON
from tools.protocol.script import Script

RARE = "pocket+cells=2+undo_depth=77"
"""Rules under which nobody is rated."""


def about_players() -> list[Conversation]:
    """All of them."""
    return [_players(), _erased()]


def _players() -> Conversation:
    s = Script("players", "A guest of whom nothing is kept, and then a player: profile, ratings, export.")
    s.hello("ada")
    s.hello("grace", JSON)
    s.send("ada", "profile", 1)
    s.told("ada", "3.12", "error", "not_found", ANY, 1)
    s.send("ada", "export", 2)
    s.told("ada", "2.7", "error", "not_found", ANY, 2)
    s.send("ada", "profile", 3, "nobody is called so")
    s.told("ada", "3.12", "error", "not_found", ANY, 3)
    s.send("ada", "ratings", 4, RARE, "bot", 10, 0, True)
    s.told("ada", "3.12", "ratings", 4, ANY, "bot", [], 0, 0, [], 0, 0)
    s.send("ada", "ratings", 5, "klondike")
    s.told("ada", "3.12", "error", "bad_options", ANY, 5)
    s.lobby("ada")
    s.send("grace", "profile", 6, "{ada}", 10)
    s.told(
        "grace", "3.12", "profile", 6, "{ada}", "{ada_name}", "human", ANY, 0, 0, 0, [], [], [], []
    )  # fmt: skip
    s.send("ada", "export", 7)
    s.told("ada", "2.7", "exported", 7, 0, 1, ANY)
    s.send("ada", "export", 8, 1)
    s.told("ada", "2.7", "error", "not_found", ANY, 8)
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "4.2", "left", "{ada_ch}", 3, ANY, 0, "{ada}")
    s.told("ada", "4.2", "end", "{ada_ch}", 4, ANY, "empty", [], "", "")
    return s.done()


def _erased() -> Conversation:
    s = Script("erased", "A player who is erased: not by mistake, not out of a race, and then for good.")
    s.hello("ada")
    s.hello("grace", JSON)
    s.lobby("ada")
    s.send("ada", "erase", 1, "{grace_token}")
    s.told("ada", "2.8", "error", "bad_token", ANY, 1)
    s.send("ada", "erase", 2, "{ada_token}")
    s.told("ada", "2.8", "error", "not_over", ANY, 2)
    s.send("ada", "leave", "{ada_ch}")
    s.told("ada", "4.2", "left", "{ada_ch}", 3, ANY, 0, "{ada}")
    s.told("ada", "4.2", "end", "{ada_ch}", 4, ANY, "empty", [], "", "")
    s.back("phone", "ada")
    s.send("ada", "erase", 3, "{ada_token}")
    s.told("ada", "2.8", "erased", 3)
    for by in ("ada", "phone"):
        s.told(by, "2.8", "notice", "revoked", ANY, 0)
        s.closed(by, 4403, "2.8")
    s.connect("thief")
    s.send("thief", "hello", 1, "", "{ada_token}")
    s.told("thief", "2.8", "error", "revoked", ANY)
    s.send("grace", "profile", 4, "{ada}")
    s.told("grace", "2.8", "error", "not_found", ANY, 4)
    return s.done()
