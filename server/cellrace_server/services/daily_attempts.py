"""Playing the deal of the day: one attempt an identity, practice after it."""

import enum
from collections.abc import Collection
from typing import NamedTuple

from cellrace_engine import Rules, parse_rules, rules_text
from cellrace_server.core.commands import Ready
from cellrace_server.core.dailies import ATTEMPT_DAYS, DAILY_RULES, Daily, attempt_name, terms
from cellrace_server.core.days import DAY_MS, begins, day_number
from cellrace_server.core.options import USUAL, Options, waiting_as
from cellrace_server.core.outcome import Reason, Rejected
from cellrace_server.core.race import Phase, Race
from cellrace_server.core.streaks import Streak, streak
from cellrace_server.ports.chance import Chance
from cellrace_server.ports.clock import Clock
from cellrace_server.ports.dailies import Dailies
from cellrace_server.ports.directory import Directory
from cellrace_server.services.daily_deals import DailyDeals
from cellrace_server.services.hall import Hall
from cellrace_server.services.lobby import CREATING_MS, LOOK_AGAIN_MS, TRIES, Lobby, Terms, Visitor
from cellrace_server.services.room import Room

KEPT_MS = ATTEMPT_DAYS * DAY_MS
"""How long it is known who has attempted which day. A day can be attempted on that day only."""

PATIENCE_MS = 5_000
LOOK_FOR_DEAL_MS = 100
RETRY_AFTER_MS = 3_000


class Stage(enum.StrEnum):
    """How far a player is with an attempt."""

    OPEN = "open"
    UNDER_WAY = "under_way"
    DONE = "done"


class Attempt(NamedTuple):
    """One player's attempt at one deal. `time` is its result in ms, -1 without one; `race` is empty before it."""

    stage: Stage
    race: str = ""
    time: int = -1


class Today(NamedTuple):
    """One rule set's daily, as one player has it. `next` and `last` are the deals of tomorrow and yesterday, where
    there are any."""

    daily: Daily
    attempt: Attempt
    streak: Streak
    next: Daily | None
    last: Daily | None


class DailyAttempts:
    """All methods raise `StoreUnavailable`: what they were asked may have been done then, and can be asked again.

    That there is one attempt rests on names in the directory, which one race holds each: the name of the attempt is
    claimed before its race is created, and whoever finds the race missing creates it under the name that was claimed.
    So no crash loses an attempt, and no two connections or nodes give two. A race that never started frees the name.
    """

    def __init__(
        self,
        deals: DailyDeals,
        dailies: Dailies,
        lobby: Lobby,
        hall: Hall,
        directory: Directory,
        clock: Clock,
        chance: Chance,
        waits: Options = USUAL,
    ) -> None:
        self._deals = deals
        self._dailies = dailies
        self._lobby = lobby
        self._hall = hall
        self._directory = directory
        self._clock = clock
        self._chance = chance
        self._waits = waits

    async def today(self, player: str, day: int) -> list[Today]:
        """The dailies of this day, which should be today's: one for each rule set that has a deal."""
        rows: list[Today] = []
        for rules in DAILY_RULES:
            daily = await self._deals.on(day, rules)
            if daily is not None:
                days = await self._dailies.days(player, daily.rules)
                attempt = await self._attempt(daily, player)
                tomorrow, yesterday = [await self._deals.on(other, rules) for other in (day + 1, day - 1)]
                rows.append(Today(daily, attempt, streak(days, day), tomorrow, yesterday))
        return rows

    def choosing(self, chosen: Collection[str]) -> list[str]:
        """The rule sets beside these whose deals are being chosen here."""
        missing = [rules for rules in DAILY_RULES if rules_text(rules) not in chosen]
        return [rules_text(rules) for rules in missing if self._deals.chooses(rules)]

    async def on(self, day: int) -> list[Daily]:
        """The dailies of a day, one for each rule set that has a deal."""
        found = [await self._deals.on(day, rules) for rules in DAILY_RULES]
        return [daily for daily in found if daily is not None]

    async def play(self, visitor: Visitor, rules: Rules) -> Room | Rejected:
        """A seat, ready, in the player's attempt at today's deal; when it is made, in a new race for practice."""
        if rules not in DAILY_RULES:
            offered = ", ".join(map(rules_text, DAILY_RULES))
            return Rejected(Reason.BAD_OPTIONS, f"there is a daily under these rules only: {offered}")
        daily = await self._todays(rules)
        if daily is None:
            text = "today's deal is not chosen yet, try again in a moment"
            return Rejected(Reason.BUSY, text, 0, RETRY_AFTER_MS)
        room = await self._attempted(visitor, daily)
        if room is None:
            room = await self._practise(visitor, daily)
        if isinstance(room, Room) and room.race is not None and room.race.phase is Phase.LOBBY:
            answer = await self._hall.ask(room, Ready(visitor.player.id))
            if isinstance(answer, Rejected) and answer.retry_after:
                return answer  # asked again, it leads to the same race
        return room

    async def _todays(self, rules: Rules) -> Daily | None:
        """Today's deal, waited for a little where a server has just come up."""
        give_up = self._clock.now() + PATIENCE_MS
        while True:
            daily = await self._deals.on(day_number(self._clock.now()), rules)
            if daily is not None or self._clock.now() >= give_up:
                return daily
            await self._clock.wait_until(self._clock.now() + LOOK_FOR_DEAL_MS)

    async def _attempt(self, daily: Daily, player: str) -> Attempt:
        name = await self._directory.holder(attempt_name(daily.day, daily.rules, player))
        if name is None:
            return Attempt(Stage.OPEN)
        room, gone = await self._look(name)
        race = room.race if room is not None else None
        if race is None or _never_started(race):
            return Attempt(Stage.DONE, name) if gone else Attempt(Stage.OPEN)
        seat = race.seats[0]
        result = seat.result if seat is not None else None
        stage = Stage.DONE if _done(race) else Stage.UNDER_WAY
        return Attempt(stage, race.id, result.time if result is not None else -1)

    async def _attempted(self, visitor: Visitor, daily: Daily) -> Room | Rejected | None:
        """The room of the attempt, opened if there is none; `None` when it has been made."""
        name = attempt_name(daily.day, daily.rules, visitor.player.id)
        give_up = self._clock.now() + CREATING_MS
        while True:
            held = await self._directory.claim(name, self._chance.race_id(), KEPT_MS)
            room = await self._room(held, visitor, daily)
            if room is None or (isinstance(room, Rejected) and room.reason != Reason.RACE_EXISTS):
                return room
            race = room.race if isinstance(room, Room) else None
            if race is not None and (_never_started(race) or not _is_attempt(race, visitor, daily)):
                await self._directory.release(name, held)
            elif race is not None and isinstance(room, Room):
                await self._directory.claim(_mark(held), held, KEPT_MS)
                return None if _done(race) else room
            elif self._clock.now() >= give_up:
                return Rejected(Reason.BUSY, "your attempt is being opened, try again", 0, 100)
            else:  # another connection of theirs is opening it just now
                await self._clock.wait_until(self._clock.now() + LOOK_AGAIN_MS)

    async def _room(self, race: str, visitor: Visitor, daily: Daily) -> Room | Rejected | None:
        """The race that holds the attempt's name; `None` when it is over, and its log is gone."""
        room, gone = await self._look(race)
        return room if room is not None or gone else await self._open(race, visitor, daily, practice=False)

    async def _look(self, race: str) -> tuple[Room | None, bool]:
        """The room of a race, if it was created; and whether there is none because its log is gone again. The mark,
        which comes after the race, is looked at before it: a race that is just being created is not gone."""
        marked = await self._directory.holder(_mark(race)) is not None
        room = await self._hall.open(race)
        return room, marked and room is None

    async def _practise(self, visitor: Visitor, daily: Daily) -> Room | Rejected:
        for _ in range(TRIES):
            race = self._chance.race_id()
            room = await self._open(race, visitor, daily, practice=True)
            if isinstance(room, Room) or room.reason != Reason.RACE_EXISTS:
                return room
        return Rejected(Reason.BUSY, "no free race name was found, try again", 0, 100)

    async def _open(self, race: str, visitor: Visitor, daily: Daily, practice: bool) -> Room | Rejected:
        """Every race on a daily carries the salt, and so the commitment, that was published before."""
        options = waiting_as(self._waits, terms(parse_rules(daily.rules), daily.day, practice))
        return await self._lobby.open(race, visitor, Terms(options, daily.number, salt=daily.salt))


def until_next(now: int) -> int:
    """Milliseconds from the instant `now` to the next daily."""
    return begins(day_number(now) + 1) - now


def not_yet() -> Rejected:
    """What whoever asks too early for what shows a daily's deal is told."""
    return Rejected(Reason.DAY_NOT_OVER, "a daily is shown to others an hour after its day is over")


def _mark(race: str) -> str:
    """The name that is held once the race of an attempt was created."""
    return f"daily:race:{race}"


def _never_started(race: Race) -> bool:
    return race.phase is Phase.ENDED and not race.start


def _done(race: Race) -> bool:
    seat = race.seats[0]
    return race.phase is Phase.ENDED or seat is None or seat.done


def _is_attempt(race: Race, visitor: Visitor, daily: Daily) -> bool:
    """Whether this is the race it should be, and not one that has the same name by chance."""
    options = race.options
    mine = race.host == visitor.player.id and options.daily == daily.day and not options.practice
    return mine and rules_text(options.rules) == daily.rules
