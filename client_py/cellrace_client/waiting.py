"""What may come where one waits for strangers: no more than is known of it."""

import math
from collections.abc import Iterable

from cellrace_client.languages import Catalogue
from cellrace_client.model import RaceModel
from cellrace_protocol import events as e


def waits_alone(model: RaceModel) -> bool:
    """Whether one sits alone in a race that has not begun, and others could come."""
    others = [seat for number, seat in enumerate(model.seats) if number != model.you]
    is_waiting = model.phase == "lobby" and model.you >= 0 and model.seats[model.you].ready
    return is_waiting and bool(others) and not any(seat.taken for seat in others)


def has_no_bot(notices: Iterable[e.Notice], channel: int | None) -> bool:
    """Whether the server has said that no bot of the house can come to the race on this channel."""
    return any(notice.code == "no_house_bot" and notice.ch == channel for notice in notices)


def stand_in(words: Catalogue, model: RaceModel, bot_after_s: float | None) -> str:
    """Who else may come: a bot of the house after so many seconds, or people alone; empty where that is not known."""
    if not waits_alone(model):
        return ""
    if model.ranked:
        return words("wait.people")
    if bot_after_s is None or not model.seats[model.you].bots:
        return ""
    seconds = math.ceil(bot_after_s)
    return words("wait.bot", seconds=seconds) if seconds > 0 else words("wait.bot_soon")
