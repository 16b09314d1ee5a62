"""What commands there are, and what each is for: all of them a line each, or one."""

from collections.abc import Iterator, Mapping, Sequence

from cellrace_client.languages import Catalogue

GROUPS: Mapping[str, Sequence[str]] = {
    "races": ("quick", "race", "join", "against", "watch", "races", "play", "practice"),
    "game": (
        "ready", "move", "undo", "hint", "finish", "board", "players", "give", "rematch", "save", "leave",
    ),
    "after": ("replay", "boards", "daily", "runs", "profile", "ratings", "help", "quit"),
}  # fmt: skip
"""In the order in which one meets them. What a command is for has its name in the catalogue."""

TOLD_WITH: Mapping[str, str] = {
    "create": "race", "start": "ready", "redo": "undo", "restart": "undo", "u": "undo", "r": "undo", "f": "finish",
    "?": "hint", "give up": "give", "q": "quit",
    **dict.fromkeys(("aide", "aiuto", "hulp", "допомога"), "help"),
}  # fmt: skip
"""Commands that are told of with another."""

OF_RACES = frozenset({"ready", "start", "give up", "rematch"})
OF_GAMES = frozenset({"undo", "u", "redo", "r", "restart", "hint", "finish", "f", "board", "players", "save"})
"""Commands that mean nothing where nothing is played."""


def everything(words: Catalogue) -> Iterator[str]:
    """All commands, by what one is at."""
    for group, names in GROUPS.items():
        yield words(f"section.{group}")
        for name in names:
            yield usage(words, name)


def usage(words: Catalogue, command: str) -> str:
    """How a command is called, and what it is for. Raises `KeyError` for one that there is not."""
    return words(f"do.{TOLD_WITH.get(command, command)}")


def misplaced(words: Catalogue, command: str, looks_on: bool) -> str:
    """Why a command means nothing here: it is for a race, or a game, or it is none."""
    if command in OF_RACES and not looks_on:
        return words("plain.only_race", what=command)
    asked = command if command in OF_RACES else command.partition(" ")[0]
    if asked in OF_RACES | OF_GAMES:
        return words("plain.only_player" if looks_on else "plain.only_game", what=asked)
    return words("plain.unknown", what=asked)
