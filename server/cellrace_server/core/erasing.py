"""What a player is called who does not want to be known any more, and logs in which nobody finds the name. Pure."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from cellrace_server.core.facts import AnyFact, Created, Joined
from cellrace_server.core.people import Player

NOBODY = "deleted player"


def nameless(player: Player) -> Player:
    """The player under the name that all have who were erased. The id, which says nothing, stays: others raced it."""
    return replace(player, name=NOBODY)


def named_in(facts: Sequence[AnyFact]) -> list[str]:
    """The ids of those whose names a log says, each once."""
    said: dict[str, None] = {}
    for fact in facts:
        if isinstance(fact, Created):
            said[fact.host.id] = None
        elif isinstance(fact, Joined):
            said[fact.player.id] = None
    return list(said)


def without_names(facts: Sequence[AnyFact], players: Collection[str]) -> Mapping[int, AnyFact]:
    """By number, what stands in place of the facts of a log that say the names of these players."""
    others: dict[int, AnyFact] = {}
    for number, fact in enumerate(facts, 1):
        if isinstance(fact, Created) and fact.host.id in players:
            others[number] = replace(fact, host=nameless(fact.host))
        elif isinstance(fact, Joined) and fact.player.id in players:
            others[number] = replace(fact, player=nameless(fact.player))
    return {number: other for number, other in others.items() if other != facts[number - 1]}
