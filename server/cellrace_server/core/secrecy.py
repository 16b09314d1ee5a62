"""The promise about the deal, made before anybody can know it and checked by everybody afterwards."""

import hashlib

from cellrace_server.core.race import Phase, Race

SALT_BYTES = 16


def commitment(race: Race) -> bytes:
    """SHA-256 over the salt followed by the deal's code in ASCII, e.g. `FC1-C4-AAAAAKH`: 32 bytes, public from the
    race's creation. With 16 random bytes of salt, nobody can find the deal by trying all numbers."""
    return hashlib.sha256(race.salt + str(race.code).encode("ascii")).digest()


def deal_is_public(race: Race) -> bool:
    """Whether anything that identifies the deal may leave the server."""
    return race.phase is Phase.RUNNING or salt_is_public(race)


def salt_is_public(race: Race) -> bool:
    """Whether the salt may be shown: the race was run and is over. A race that never started keeps its secret."""
    return race.phase is Phase.ENDED and race.start > 0
