"""The programs the store runs for us: each is one atomic step."""

import hashlib
from importlib.resources import files


class Script:
    """A Lua program by its name in this folder. `digest` is what the store knows it by once it has seen
    it."""

    def __init__(self, name: str, *, writes: bool = True) -> None:
        self.name = name
        self.writes = writes
        self.text = files(__name__).joinpath(f"{name}.lua").read_bytes()
        self.digest = hashlib.sha1(self.text, usedforsecurity=False).hexdigest().encode()


APPEND = Script("append")
BOOK = Script("book")
PAGE = Script("page", writes=False)
SEE = Script("see")
SETTLE = Script("settle")
CLAIM = Script("claim")
RELEASE = Script("release")
CHANGE_TOKEN = Script("change_token")
REVOKE = Script("revoke")
KEEP = Script("keep")
RATE = Script("rate")
CAREER = Script("career")
REWRITE = Script("rewrite")
ERASE = Script("erase")
FORGET_RUN = Script("forget_run")
FORGET_RATING = Script("forget_rating")
