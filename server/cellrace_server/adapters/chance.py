"""Chance from the operating system."""

import secrets

from cellrace_server.core.race_names import LENGTH, LETTERS
from cellrace_server.core.secrecy import SALT_BYTES

_MOODS = [
    "Brisk",
    "Calm",
    "Clever",
    "Daring",
    "Eager",
    "Gentle",
    "Jolly",
    "Keen",
    "Lucky",
    "Mellow",
    "Nimble",
    "Patient",
    "Quiet",
    "Sly",
    "Swift",
    "Witty",
]
_ANIMALS = [
    "Badger",
    "Crane",
    "Dormouse",
    "Egret",
    "Falcon",
    "Gecko",
    "Heron",
    "Ibis",
    "Lynx",
    "Marten",
    "Newt",
    "Otter",
    "Puffin",
    "Raven",
    "Stoat",
    "Wren",
]


class SystemChance:
    """Implements `ports.chance.Chance` with the operating system's generator."""

    def race_id(self) -> str:
        return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))

    def token(self) -> str:
        return secrets.token_urlsafe(24)

    def salt(self) -> bytes:
        return secrets.token_bytes(SALT_BYTES)

    def deal_number(self, first: int, last: int, /) -> int:
        return first + secrets.randbelow(last - first + 1)

    def guest_name(self) -> str:
        return f"{secrets.choice(_MOODS)} {secrets.choice(_ANIMALS)} {secrets.randbelow(90) + 10}"
