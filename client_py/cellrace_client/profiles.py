"""A player in lines, and where one stands, for whoever shows it. Pure."""

from collections.abc import Iterator
from datetime import UTC, datetime

from cellrace_client.languages import Catalogue
from cellrace_client.times import clock
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind

HISTORY = 10
"""Steps of each rating that are shown."""


def day_of(at_ms: int, time_ms: int = 0) -> str:
    """The UTC day on which a run began that was finished at an instant after so long: that is its day on all boards."""
    return str(datetime.fromtimestamp((at_ms - time_ms) / 1_000, UTC).date())


def profile_lines(words: Catalogue, profile: e.Profile) -> Iterator[str]:
    """A profile for people."""
    bot = f" ({words('race.bot')})" if profile.kind is Kind.BOT else ""
    yield f"{profile.name}{bot}, {words('profile.since', day=day_of(profile.since))}"
    races, runs = words("n.races", profile.races), words("n.runs", profile.runs)
    yield words("profile.races", races=races, wins=words("n.won", profile.wins), runs=runs)
    for rating in profile.ratings:
        yield from _rating_lines(words, profile, rating)
    for best in profile.bests:
        results = {
            "time": clock(best.run.time),
            "moves": words("n.moves", best.run.moves),
            "score": best.run.score,
        }
        place = words("profile.place", place=best.place, total=best.total)
        by = words.named("measure", best.by)
        what = words("profile.best", by=by, rules=best.run.rules)
        yield words.pair(what, f"{results.get(best.by, '')}, {place}")
    for streak in profile.streaks:
        days = words("n.streak", streak.streak)
        yield words("profile.streak", rules=streak.rules, days=days, longest=streak.longest)


def _rating_lines(words: Catalogue, profile: e.Profile, rating: e.RatingRow) -> Iterator[str]:
    if rating.provisional or not rating.place:
        standing = words("profile.provisional")
    else:
        standing = words("profile.place", place=rating.place, total=rating.total)
    value = f"{rating.rating} ± {rating.deviation}"
    races = words("n.races", rating.races)
    yield words.pair(words("profile.rating", rules=rating.rules), f"{value}, {standing}, {races}")
    steps = [str(step.rating) for step in profile.steps if step.rules == rating.rules]
    if steps:
        yield words.pair(words("profile.history", rules=rating.rules), " ".join(steps))


def standing_line(words: Catalogue, board: e.Top | e.Ratings) -> str:
    """Where one's own row is, and how many of the others are behind it; empty where there is none."""
    if not board.mine:
        return ""
    place = words("boards.mine", place=board.mine[0].place, total=board.total)
    others = board.total - 1
    if others < 1:
        return place
    return f"{place}, {words('boards.better', percent=100 * board.worse // others)}"


def network_text(words: Catalogue, row: e.BoardRow | e.RunRow) -> tuple[str, str]:
    """What was given back for the network, and how exact a time is."""
    return words("state.back", ms=row.compensation), f"± {words('state.delay', ms=row.error)}"
