"""What the server says to a client. Each message is an array that starts with its name (the `tag` here).

Messages about one fact of a race start with `ch`, `k`, `dt`: the channel, the fact's number, and the milliseconds
since fact `k - 1`. Every receiver gets exactly one message for each fact, in order.
"""

import enum

import msgspec

from cellrace_protocol.commands import Kind, Measure, Scope, Sight
from cellrace_protocol.fields import (
    ActionNumber,
    BoardText,
    Channel,
    Checksum,
    CodeText,
    Count,
    DayText,
    DealText,
    FactNumber,
    Facts,
    Milliseconds,
    NameText,
    Points,
    RaceText,
    Request,
    RulesText,
    RunText,
    SeatIndex,
    TokenText,
    Transfer,
    Version,
    Words,
)
from cellrace_protocol.rows import BestRow as BestRow
from cellrace_protocol.rows import BoardRow as BoardRow
from cellrace_protocol.rows import DailyRow as DailyRow
from cellrace_protocol.rows import GhostStep as GhostStep
from cellrace_protocol.rows import Limit as Limit
from cellrace_protocol.rows import Place as Place
from cellrace_protocol.rows import RaceRow as RaceRow
from cellrace_protocol.rows import RankRow as RankRow
from cellrace_protocol.rows import RatingRow as RatingRow
from cellrace_protocol.rows import RatingStep as RatingStep
from cellrace_protocol.rows import RunRow as RunRow
from cellrace_protocol.rows import SeatView as SeatView
from cellrace_protocol.rows import StreakRow as StreakRow


class What(enum.IntEnum):
    """What a player did with a board."""

    MOVE = 0
    UNDO = 1
    RESTART = 2


class ServerMessage(msgspec.Struct, frozen=True, array_like=True):
    pass


class Welcome(ServerMessage, tag="welcome", frozen=True):
    """The answer to `hello`. `token` is the secret that brings this identity back. `compensation_ms` is the most
    that a winner is given back for the network (7.2), `limits` is what may be asked how often (1.10). `races` are those
    that are not over and in which this identity has a seat: `watch` or `resume` leads back to them."""

    version: Version
    player: RunText
    name: NameText
    kind: Kind
    token: TokenText
    server: NameText
    frame_bytes: Count
    compensation_ms: Milliseconds = 0
    limits: list[Limit] = []
    races: list[RaceText] = []


class Error(ServerMessage, tag="error", frozen=True):
    """A request (`r`) failed, or a message could not be read (`r` is 0). `retry_after` in ms, 0: do not repeat it.
    `facts` are what `text` says, for programs (8.1); the field is left out where there are none."""

    code: CodeText
    text: Words
    r: Request = 0
    retry_after: Milliseconds = 0
    facts: Facts = {}


class Refused(ServerMessage, tag="no", frozen=True):
    """A command on a channel was refused and changed nothing. `n` as sent, 0 for commands without a number; `expected`
    is the number that the next action carries. `retry_after` above 0: the same again after so many ms."""

    ch: Channel
    n: ActionNumber
    code: CodeText
    text: Words
    expected: ActionNumber = 0
    retry_after: Milliseconds = 0


class Entered(ServerMessage, tag="in", frozen=True):
    """The answer to `create`, `join`, `watch`, `resume`. `seat` is -1 for a spectator. `n` is the number that the
    player's next action carries. `name` is what one is called (2.4). A snapshot follows, or the facts after the one
    named in `resume`."""

    r: Request
    ch: Channel
    race: RaceText
    seat: SeatIndex
    n: ActionNumber
    name: NameText = ""


CLOSED = "the host of this server closes the race"
SENT_AWAY = "the host of this server closes this connection"
"""What a notice says where the host gives no reason."""


class Notice(ServerMessage, tag="notice", frozen=True):
    """Something about the connection or the server, such as `draining` or `taken_over` (6.3). `facts` as in `error`."""

    code: CodeText
    text: Words
    ch: Channel = 0
    facts: Facts = {}


class RaceMessage(ServerMessage, frozen=True, gc=False):
    ch: Channel
    k: FactNumber
    dt: Milliseconds


class Created(RaceMessage, tag="created", frozen=True):
    """The race was opened."""


class Joined(RaceMessage, tag="joined", frozen=True):
    """A seat was taken. `bots`: if nobody else comes, the player does not mind a bot of the house."""

    seat: SeatIndex
    player: RunText
    name: NameText
    kind: Kind
    bots: bool = True


class Here(RaceMessage, tag="here", frozen=True):
    """A player has come back, or has a new connection."""

    seat: SeatIndex


class Away(RaceMessage, tag="away", frozen=True):
    """A player's connection is lost. The seat stays taken; before the start for a while only."""

    seat: SeatIndex


class Left(RaceMessage, tag="left", frozen=True):
    """A seat was given back. `host` is who hosts the race now (a player's id)."""

    seat: SeatIndex
    host: RunText


class Hosts(RaceMessage, tag="hosts", frozen=True):
    """Who hosts the race now (a player's id). `away`: they have no seat, and their connection is lost."""

    host: RunText
    away: bool = False


class Readied(RaceMessage, tag="readied", frozen=True):
    """A player is ready to start, or not any more."""

    seat: SeatIndex
    ready: bool


class Bots(RaceMessage, tag="bots", frozen=True):
    """A player who waits does not mind a bot of the house, or does now."""

    seat: SeatIndex
    welcome: bool


class Countdown(RaceMessage, tag="countdown", frozen=True):
    """The deal is turned over in `ms` milliseconds."""

    ms: Milliseconds


class Halted(RaceMessage, tag="halted", frozen=True):
    """The countdown was called off; nobody is ready any more."""


class Go(RaceMessage, tag="go", frozen=True, gc=True):
    """The deal, and the board that everybody has now. Race time starts at 0."""

    deal: DealText
    board: BoardText


class Applied(RaceMessage, tag="a", frozen=True, gc=True):
    """The receiver's own action `n` was applied; the rest as in `d`."""

    n: ActionNumber
    transfers: list[Transfer]
    what: What = What.MOVE
    points: Points = 0
    sum: Checksum = 0


class Diff(RaceMessage, tag="d", frozen=True, gc=True):
    """Cards went from pile to pile on the board of `seat`, in this order. `points` is the total after it.
    `sum`, where it is not 0, is the CRC-32 of the board text after it."""

    seat: SeatIndex
    transfers: list[Transfer]
    what: What = What.MOVE
    points: Points = 0
    sum: Checksum = 0


class Progress(RaceMessage, tag="p", frozen=True):
    """Something happened on a board that the receiver does not see."""

    seat: SeatIndex
    home: Count
    moves: Count


class Done(RaceMessage, tag="done", frozen=True):
    """All cards of `seat` are home. `time` is after `compensation`, exact to `error` either way (ms)."""

    seat: SeatIndex
    time: Milliseconds
    compensation: Milliseconds
    error: Milliseconds


class GaveUp(RaceMessage, tag="gaveup", frozen=True):
    """A player is done without having finished; to that player it acknowledges the action."""

    seat: SeatIndex


class Outage(RaceMessage, tag="outage", frozen=True):
    """The store was away: `ms` milliseconds are taken off everybody's race time."""

    ms: Milliseconds


class End(RaceMessage, tag="end", frozen=True, gc=True):
    """The race is over. `deal` and `salt` (hexadecimal) are empty when it never started."""

    reason: CodeText
    standings: list[Place]
    deal: DealText
    salt: CodeText


class Rematched(RaceMessage, tag="rematched", frozen=True):
    """Everybody meets again in `race`. The one fact that may follow `end`."""

    race: RaceText


class Snapshot(ServerMessage, tag="snap", frozen=True):
    """Everything about a race after fact `k`. `time` is race time at that fact; `age` the ms since it.
    `until` is the ms from now to the race's deadline (-1: none). `you` is the receiver's seat, -1 without one;
    `n` the number that its next action carries. `daily` is the day whose deal this is a run of, `practice` says that it
    is not the one attempt at it. `ghosts` are the runs beside the race (4.9). `host_away`: the host has no seat, and
    their connection is lost."""

    ch: Channel
    k: FactNumber
    race: RaceText
    phase: CodeText
    time: Milliseconds
    age: Milliseconds
    until: int
    host: RunText
    rules: RulesText
    open_boards: bool
    public: bool
    countdown_ms: Milliseconds
    limit_ms: Milliseconds
    commitment: CodeText
    deal: DealText
    start: BoardText
    you: SeatIndex
    n: ActionNumber
    seats: list[SeatView]
    end: CodeText = ""
    standings: list[Place] = []
    salt: CodeText = ""
    ranked: bool = False
    bots: bool = True
    delay_ms: Milliseconds = 0
    best_of: Count = 1
    game: Count = 1
    wins: list[Count] = []
    rematch: RaceText = ""
    spectators: Count = 0
    daily: DayText = ""
    practice: bool = False
    ghosts: list[RunText] = []
    host_away: bool = False


class Races(ServerMessage, tag="races", frozen=True):
    """Public races that are open or running, in the order asked for."""

    r: Request
    rows: list[RaceRow]


class Listing(ServerMessage, tag="listing", frozen=True):
    """What has changed in the list that is followed: rows that are new or not what they were, and races that are not
    on it any more."""

    rows: list[RaceRow]
    gone: list[RaceText] = []


class Watching(ServerMessage, tag="watching", frozen=True):
    """So many connections watch the race now. Not a fact: it has no number."""

    ch: Channel
    spectators: Count


class Top(ServerMessage, tag="top", frozen=True):
    """The best runs under a rule set, one a player; equals share a place. `rows` are those from row `offset` on of
    `total`. `mine` is one's own row, if there is one: `ahead` rows stand before it, `worse` count less. `day` is the
    day meant, for a week its Monday."""

    r: Request
    deal: DealText
    rules: RulesText
    kind: Kind
    rows: list[BoardRow]
    by: Measure = Measure.TIME
    sight: Sight = Sight.ANY
    offset: Count = 0
    total: Count = 0
    mine: list[BoardRow] = []
    ahead: Count = 0
    worse: Count = 0
    scope: Scope = Scope.DEAL
    day: DayText = ""


class Runs(ServerMessage, tag="runs", frozen=True):
    """Finished runs of a player, the newest first: those from row `offset` on of `total`."""

    r: Request
    player: RunText
    total: Count
    offset: Count
    rows: list[RunRow]


class Replay(ServerMessage, tag="replay", frozen=True):
    """A replay document as JSON text."""

    r: Request
    run: RunText
    document: str


class Renewed(ServerMessage, tag="renewed", frozen=True):
    """The answer to `renew`: `token` proves the identity from now on, and no other does."""

    r: Request
    token: TokenText


class Ghost(ServerMessage, tag="ghost", frozen=True):
    """Ghost number `index` of a race: the run `run` of the player `name`, whose result was `time` ms. Not a fact: it
    has no number."""

    ch: Channel
    index: Count
    run: RunText
    name: NameText
    kind: Kind
    time: Milliseconds
    steps: list[GhostStep]


class Dailies(ServerMessage, tag="dailies", frozen=True):
    """The deals of the day `day`, a UTC day; the next come in `next_ms`. `choosing` has the rule sets whose deal is
    being chosen: ask again in a few seconds."""

    r: Request
    day: DayText
    next_ms: Milliseconds
    rows: list[DailyRow]
    choosing: list[RulesText] = []


class Profile(ServerMessage, tag="profile", frozen=True):
    """What there is to know of a player, first kept at `since` (ms since the Unix epoch): in `races` races, of which
    `wins` were won, with `runs` finished. `ratings`, `bests` and `streaks` have a row for each rule set, where there is
    one; `steps` are the last of each rating, the oldest first."""

    r: Request
    player: RunText
    name: NameText
    kind: Kind
    since: Milliseconds
    races: Count
    wins: Count
    runs: Count
    ratings: list[RatingRow]
    bests: list[BestRow]
    streaks: list[StreakRow]
    steps: list[RatingStep] = []


class Ratings(ServerMessage, tag="ratings", frozen=True):
    """The best ratings under a rule set, but for provisional ones; equals share a place. `rows` are those from row
    `offset` on of `total`. `mine` is one's own row, if there is one: `ahead` rows stand before it, `worse` count
    less."""

    r: Request
    rules: RulesText
    kind: Kind
    rows: list[RankRow]
    offset: Count = 0
    total: Count = 0
    mine: list[RankRow] = []
    ahead: Count = 0
    worse: Count = 0


class Exported(ServerMessage, tag="exported", frozen=True):
    """One of `pages` pages of all that is kept of oneself, as JSON text (2.7)."""

    r: Request
    page: Count
    pages: Count
    document: str


class Erased(ServerMessage, tag="erased", frozen=True):
    """The player is erased (2.8). The connection ends."""

    r: Request


AnyRaceMessage = (
    Created
    | Joined
    | Here
    | Away
    | Left
    | Readied
    | Countdown
    | Halted
    | Go
    | Applied
    | Diff
    | Progress
    | Done
    | GaveUp
    | Outage
    | End
    | Rematched
    | Bots
    | Hosts
)
AnyServerMessage = (
    Welcome
    | Error
    | Refused
    | Entered
    | Notice
    | Snapshot
    | Races
    | Top
    | Replay
    | AnyRaceMessage
    | Listing
    | Watching
    | Renewed
    | Runs
    | Dailies
    | Ghost
    | Profile
    | Ratings
    | Exported
    | Erased
)
