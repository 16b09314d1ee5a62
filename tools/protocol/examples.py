"""At least one example of every message: they become vectors, and the examples in the specification."""

from collections.abc import Sequence

import msgspec

from cellrace_engine import Line, deal, parse_move
from cellrace_engine.rules import CLASSIC
from cellrace_protocol import commands as c
from cellrace_protocol import events as e
from cellrace_protocol.board import checksum, pack
from cellrace_protocol.commands import Kind
from cellrace_protocol.events import What
from cellrace_protocol.lean import lean
from cellrace_protocol.transfers import pack_transfer

DEAL = "FC1-C4-AAAAATJ"
TOKEN = "qYyq0UZDkdNWQ0z7mBvT8Hk1c3bA9dEf"  # noqa: S105 - an example, of no server
OTHER_TOKEN = "Zb3kT0xUe5rQ8nV1mYc7Lw2hGd9sJf4a"  # noqa: S105 - the same
ADA, GRACE = "8f14e45fceea167a", "c9f0f895fb98ab91"
COMMITMENT = "9f" * 32
SALT = "00112233445566778899aabbccddeeff"


def _board(*moves: str) -> str:
    line = Line.begin(CLASSIC, deal(617))
    for move in moves:
        line = line.play(parse_move(move, line))
    position = line.position
    return pack(position.columns, position.cells, position.foundations)


START = _board()
PLAYED = _board("2a", "2b")
_PLACES = [e.Place(1, 0, 52, 69, 81_250, 14, 9), e.Place(2, 1, 31, 44, -1, 0, 0)]
_RUN = e.RunRow("kbjueza-0", "kbjueza", DEAL, "classic", 81_250, 69, 0, 1_795_989_848_484, True, True, 9)
_SCORED = e.BoardRow(40, ADA, "Ada", 81_250, 69, 1_795_989_848_484, "kbjueza-0", 730, True, 9, DEAL)
_SEATS = [
    e.SeatView(ADA, "Ada", Kind.HUMAN, True, False, -1, 0, 2, 1, 0, PLAYED),
    e.SeatView(GRACE, "Grace", Kind.BOT, True, False, -1, 3, 7, 0, 0, ""),
]


def client_examples() -> Sequence[msgspec.Struct]:
    """In the order of the specification."""
    return (
        c.Hello(1, "Ada"),
        c.Hello(1, "", TOKEN, Kind.HUMAN, "my-client 1.0"),
        c.Create(1),
        c.Create(2, "617", "pocket+cells=2", 4, True, False, 5_000, 600_000, False),
        c.Join(3, "kbjueza"),
        c.Join(4, "FC1-C4-AAAAATJ", "classic"),
        c.Create(2, seats=2, ranked=True, bots=False, best_of=3),
        c.Quick(3),
        c.Quick(4, "classic", True, False),
        c.Quick(4, house_bot=True),
        c.Quick(4, ghost="kbjueza-0"),
        c.Rematch(5, 0),
        c.Watch(5, "kbjueza"),
        c.Resume(6, "kbjueza", 17),
        c.Part(0),
        c.Look(0),
        c.Leave(0),
        c.Ready(0),
        c.Ready(0, False),
        c.Start(0),
        c.Move(0, 1, "2a"),
        c.Move(300, 131, "26v3"),
        c.Undo(0, 2),
        c.Restart(0, 3),
        c.Finish(0, 60),
        c.GiveUp(0, 4),
        c.GetRaces(7),
        c.GetRaces(7, c.Order.WATCHED),
        c.GetTop(8, "617"),
        c.GetTop(9, DEAL, "classic", Kind.BOT, 3),
        c.GetReplay(10, "kbjueza-0"),
        c.Follow(11),
        c.Unfollow(),
        c.Renew(11),
        c.Renew(12, OTHER_TOKEN),
        c.GetTop(13, "", "pocket", by=c.Measure.SCORE, sight=c.Sight.FIRST, around=True, scope=c.Scope.WEEK),
        c.GetTop(14, count=50, deal="617", offset=100),
        c.GetRuns(15),
        c.GetRuns(16, GRACE, 100, 200),
        c.GetDaily(13),
        c.PlayDaily(14),
        c.PlayDaily(15, "pocket+cells=2"),
        c.RaceGhosts(18, ["kbjueza-0"]),
        *_questions_about_players(),
        c.GetDailyTop(16),
        c.GetDailyTop(17, "2026-11-30", "classic", Kind.BOT, 3),
    )


def _questions_about_players() -> Sequence[msgspec.Struct]:
    return (
        c.GetProfile(19),
        c.GetProfile(20, "Grace", 20),
        c.GetRatings(21),
        c.GetRatings(22, "pocket", Kind.BOT, 5, 100, True),
        c.GetExport(23),
        c.GetExport(24, 1),
        c.Erase(25, TOKEN),
    )


def server_examples() -> Sequence[msgspec.Struct]:
    """In the order of the specification; board changes in their short and their full form."""
    return (*_answers(), *_facts(), *_news(), *_of_players())


def _answers() -> Sequence[msgspec.Struct]:
    return (
        *_greetings(),
        e.Entered(4, 0, "kbjueza", 1, 1, "Ada 2"),
        lean(e.Notice("draining", "the server is going down: reconnect and resume in a moment")),
        lean(e.Notice("taken_over", "another connection has taken this seat over", 3)),
        e.Notice("of_tomorrow", "what a later version says", 0, {"reason": "later", "version": 2}),
        _snapshot(),
        e.Races(
            7, [e.RaceRow("kbjueza", "lobby", "classic", 2, ["Ada"], False, True, 4_100, 9_350, 1, 0, 900)]
        ),
        e.Top(
            8,
            DEAL,
            "classic",
            Kind.HUMAN,
            [e.BoardRow(1, ADA, "Ada", 81_250, 69, 1_795_989_848_484, "kbjueza-0")],
        ),
        e.Replay(10, "kbjueza-0", '{"format":"cellrace-replay","version":1}'),
    )


def _facts() -> Sequence[msgspec.Struct]:
    to_cell = [pack_transfer(1, 8)]
    run_home = [pack_transfer(2, 5, 3), pack_transfer(2, 12)]
    return (
        e.Created(0, 1, 0),
        e.Joined(0, 3, 2_713, 1, GRACE, "Grace", Kind.BOT),
        e.Here(0, 14, 2_300, 1),
        e.Away(0, 13, 5_100, 1),
        e.Left(0, 4, 900, 1, ADA),
        e.Readied(0, 5, 412, 0, True),
        e.Bots(0, 6, 9_000, 0, True),
        e.Hosts(0, 7, 150_000, GRACE),
        e.Countdown(0, 7, 0, 3_000),
        e.Halted(0, 8, 1_200),
        e.Go(0, 8, 3_000, DEAL, START),
        lean(e.Applied(0, 9, 1_532, 1, to_cell)),
        e.Applied(0, 12, 800, 4, run_home, What.MOVE, 10, checksum(PLAYED)),
        lean(e.Diff(0, 9, 1_532, 0, to_cell)),
        lean(e.Diff(3, 200, 40_000, 1, run_home)),
        e.Diff(0, 10, 640, 0, [pack_transfer(8, 1)], What.UNDO),
        e.Diff(0, 11, 2_000, 0, [], What.RESTART),
        e.Diff(0, 16, 640, 0, to_cell, What.MOVE, 0, checksum(PLAYED)),
        e.Progress(0, 13, 95, 1, 13, 40),
        e.Done(0, 90, 450, 0, 81_250, 14, 9),
        e.GaveUp(0, 91, 3_000, 1),
        e.Outage(0, 50, 10_250, 10_200),
        e.End(0, 92, 0, "all_done", _PLACES, DEAL, SALT),
        e.End(0, 6, 600_000, "lobby_idle", [], "", ""),
        e.Rematched(0, 93, 4_200, "mnpqrst"),
        e.Renewed(11, OTHER_TOKEN),
    )


def _news() -> Sequence[msgspec.Struct]:
    return (
        e.Listing(
            [e.RaceRow("kbjueza", "running", "classic", 2, ["Ada", "Grace"], age_ms=15_000)], ["mnpqrst"]
        ),
        e.Watching(0, 12),
        e.Top(
            13,
            "",
            "pocket",
            Kind.HUMAN,
            [_SCORED],
            c.Measure.SCORE,
            c.Sight.FIRST,
            41,
            1_203,
            [_SCORED],
            41,
            1_150,
            c.Scope.WEEK,
            "2026-11-30",
        ),
        e.Runs(
            15,
            ADA,
            1,
            0,
            [_RUN],
        ),
        e.Ghost(
            0, 0, "kbjueza-0", "Ada", Kind.HUMAN, 81_250, [e.GhostStep(1_532, 0, 1), e.GhostStep(2_300, 2, 2)]
        ),
        e.Dailies(
            13,
            "2026-11-30",
            43_200_000,
            [
                e.DailyRow(
                    *("classic", COMMITMENT, 1_795_910_400_125, "done", "kbjueza", 81_250, 3, 12),
                    *("a7" * 32, DEAL, SALT, "5c" * 32),
                )
            ],
            ["pocket+cells=2"],
        ),
    )


def _of_players() -> Sequence[msgspec.Struct]:
    ada = e.RankRow(3, ADA, "Ada", 1_712, 64, 31, 1_795_989_848_484)
    return (
        e.Profile(
            *(19, ADA, "Ada", Kind.HUMAN, 1_795_900_000_000, 40, 12, 35),
            [e.RatingRow("classic", 1_712, 64, 31, False, 3, 118)],
            [e.BestRow("time", 5, 240, _RUN)],
            [e.StreakRow("classic", 3, 12)],
            [e.RatingStep("classic", 1_795_989_848_484, 1, 2, 1_712, 64)],
        ),
        e.Ratings(21, "classic", Kind.HUMAN, [ada]),
        e.Ratings(22, "classic", Kind.HUMAN, [ada], 2, 118, [ada], 2, 115),
        e.Exported(23, 0, 1, '{"format":"cellrace-export","version":1}'),
        e.Erased(25),
    )


def _greetings() -> Sequence[msgspec.Struct]:
    """The welcome, and what refusals look like."""
    return (
        e.Welcome(1, ADA, "Ada", Kind.HUMAN, TOKEN, "cellrace", 2_048, 150),
        e.Welcome(
            1,
            ADA,
            "Ada",
            Kind.HUMAN,
            TOKEN,
            "cellrace",
            2_048,
            150,
            [e.Limit("messages", "connection", 1_000, 30_000), e.Limit("creations", "address", 200, 300)],
            ["kqnwzwp"],
        ),
        lean(e.Error("bad_field", "Expected `int` >= 0 - at `$[2]`")),
        lean(e.Error("unavailable", "the store is away: try again", 7, 500)),
        lean(
            e.Error(
                "slow_down",
                "too many creations: 30 at once and then 60 a minute are the most of one connection",
                9,
                840,
            )
        ),
        e.Error(
            "bad_name",
            "a name has 1 to 24 characters, this one has 31",
            facts={"reason": "length", "most": 24, "length": 31},
        ),
        e.Error(
            "bad_name",
            "'\u0410da' mixes letters of several scripts",
            facts={"reason": "scripts", "word": "\u0410da"},
        ),
        e.Refused(0, 3, "over_capacity", "3 cards asked, 2 can move: 1 empty cell, 0 empty columns", 3),
        e.Refused(0, 0, "not_host", "only the host starts a race"),
        e.Refused(0, 3, "unavailable", "the store is away: nothing was done, try again", 0, 500),
    )


def _snapshot() -> e.Snapshot:
    return e.Snapshot(
        ch=0,
        k=12,
        race="kbjueza",
        phase="running",
        time=12_410,
        age=83,
        until=1_787_507,
        host=ADA,
        rules="classic",
        open_boards=False,
        public=True,
        countdown_ms=3_000,
        limit_ms=1_800_000,
        commitment=COMMITMENT,
        deal=DEAL,
        start=START,
        you=0,
        n=4,
        seats=_SEATS,
        best_of=3,
        game=2,
        wins=[1, 0],
        spectators=3,
    )
