"""What a client says to the server. Each message is an array that starts with its name (the `tag` here).

`r` is the client's own number for a request; the answer carries it. `ch` is the channel of a race, given by `in`.
`n` numbers a player's actions from 1.
"""

import enum

import msgspec

from cellrace_protocol.fields import (
    Channel,
    Count,
    Countdown,
    DayText,
    DealText,
    Delay,
    FactNumber,
    GhostRuns,
    InstanceText,
    Limit,
    MoveText,
    NameText,
    NewAction,
    RaceText,
    Request,
    RulesText,
    RunText,
    SeatCount,
    TokenText,
    Version,
)


class Kind(enum.StrEnum):
    HUMAN = "human"
    BOT = "bot"


class ClientMessage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    pass


class Hello(ClientMessage, tag="hello", frozen=True):
    """First on every connection. Without a token a new identity is made; with one, `name` and `kind` do not matter.
    `instance` is the same on all connections of one run of a client (6.2)."""

    version: Version
    name: NameText = ""
    token: TokenText = ""
    kind: Kind = Kind.HUMAN
    agent: NameText = ""
    instance: InstanceText = ""


class Create(ClientMessage, tag="create", frozen=True):
    """Open a race. An empty `deal` asks for one that nobody has named. Without `play` one only hosts. `delay_ms` is how
    late spectators see it, -1 the usual."""

    r: Request
    deal: DealText = ""
    rules: RulesText = "classic"
    seats: SeatCount = 2
    open_boards: bool = False
    public: bool = True
    countdown_ms: Countdown = 3_000
    limit_ms: Limit = 1_800_000
    play: bool = True
    ranked: bool = False
    bots: bool = True
    delay_ms: Delay = -1
    best_of: Count = 1


class Join(ClientMessage, tag="join", frozen=True):
    """Sit down in the race named, or in the open race on the deal named (one is opened where there is none)."""

    r: Request
    what: RaceText
    rules: RulesText = "classic"


class Quick(ClientMessage, tag="quick", frozen=True):
    """Sit down, ready, in the next race of strangers under these rules. Asked again while waiting, it is the same seat;
    `leave` gives it back. If nobody comes, `house_bot`: a bot of the house may; `ghost`: one races against that run."""

    r: Request
    rules: RulesText = "classic"
    ranked: bool = False
    bots: bool = True
    house_bot: bool = False
    ghost: RunText = ""


class Rematch(ClientMessage, tag="rematch", frozen=True):
    """Meet again after a race: everybody who still receives it is brought to one new race (`in` with `r` 0)."""

    r: Request
    ch: Channel


class Watch(ClientMessage, tag="watch", frozen=True):
    """Receive a race as a spectator, or on one's seat if one has one."""

    r: Request
    race: RaceText


class Resume(ClientMessage, tag="resume", frozen=True):
    """Come back to a race after fact `after`: on one's seat, or as a spectator without one."""

    r: Request
    race: RaceText
    after: FactNumber


class Part(ClientMessage, tag="part", frozen=True):
    """No more messages about this race. A seat stays taken."""

    ch: Channel


class Look(ClientMessage, tag="look", frozen=True):
    """Ask for a snapshot."""

    ch: Channel


class Leave(ClientMessage, tag="leave", frozen=True):
    """Give the seat back before the start."""

    ch: Channel


class Ready(ClientMessage, tag="ready", frozen=True):
    """Ready to start, or not any more."""

    ch: Channel
    ready: bool = True


class Start(ClientMessage, tag="start", frozen=True):
    """As the host, begin the countdown without waiting for the rest."""

    ch: Channel


class Move(ClientMessage, tag="m", frozen=True):
    """Make a move (5.5)."""

    ch: Channel
    n: NewAction
    move: MoveText


class Undo(ClientMessage, tag="u", frozen=True):
    """Take the last move back, with its automatic moves."""

    ch: Channel
    n: NewAction


class Restart(ClientMessage, tag="restart", frozen=True):
    """Go back to the deal; the clock goes on."""

    ch: Channel
    n: NewAction


class Finish(ClientMessage, tag="finish", frozen=True):
    """All cards home, each an action of its own: `n`, `n + 1` …"""

    ch: Channel
    n: NewAction


class GiveUp(ClientMessage, tag="giveup", frozen=True):
    """Be done with the race."""

    ch: Channel
    n: NewAction


class Order(enum.StrEnum):
    """What comes first in the list of races."""

    NEWEST = "newest"
    WATCHED = "watched"


class GetRaces(ClientMessage, tag="races", frozen=True):
    """Ask for the public races that are open or running: the newest or the most watched first."""

    r: Request
    order: Order = Order.NEWEST


class Follow(ClientMessage, tag="follow", frozen=True):
    """Ask for the newest public races, and to be told what changes in that list."""

    r: Request


class Unfollow(ClientMessage, tag="unfollow", frozen=True):
    """No more news of the list."""


class Scope(enum.StrEnum):
    """Which runs a board has: all of a deal, or the ranked ones of a UTC day, of a week, or of all times."""

    DEAL = "deal"
    DAY = "day"
    WEEK = "week"
    EVER = "ever"


class Measure(enum.StrEnum):
    """What a board ranks by: the least time, the fewest moves or the highest score (11.5)."""

    TIME = "time"
    MOVES = "moves"
    SCORE = "score"


class Sight(enum.StrEnum):
    """Runs of all players, of those who saw the deal for the first time, or of the others."""

    ANY = "any"
    FIRST = "first"
    PRACTISED = "practised"


class GetTop(ClientMessage, tag="top", frozen=True):
    """Ask for a board (3.10), `count` rows at most, from row `offset` on (0 is the first) or `around` one's own. `deal`
    matters where the scope is a deal; `day` for days and weeks, empty for today."""

    r: Request
    deal: DealText
    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    count: Count = 10
    by: Measure = Measure.TIME
    sight: Sight = Sight.ANY
    offset: Count = 0
    around: bool = False
    scope: Scope = Scope.DEAL
    day: DayText = ""


class GetRuns(ClientMessage, tag="runs", frozen=True):
    """Ask for the finished runs of a player, the newest first; an empty `player` is oneself."""

    r: Request
    player: RunText = ""
    count: Count = 10
    offset: Count = 0


class GetReplay(ClientMessage, tag="replay", frozen=True):
    """Ask for the replay of a run."""

    r: Request
    run: RunText


class Renew(ClientMessage, tag="renew", frozen=True):
    """Prove this identity by another token from now on, the one given or one that the server draws; the old one is
    dead."""

    r: Request
    token: TokenText = ""


class GetDaily(ClientMessage, tag="daily", frozen=True):
    """Ask for the deals of the day, and how one stands with them."""

    r: Request


class PlayDaily(ClientMessage, tag="play_daily", frozen=True):
    """Sit down, ready, in one's attempt at the deal of the day; when it has been made, in a new race for practice."""

    r: Request
    rules: RulesText = "classic"


class GetDailyTop(ClientMessage, tag="daily_top", frozen=True):
    """Ask for the board of a day, an empty `day` is today; with `practice` for that of the runs after the attempts.
    Rows are asked for as in `top`."""

    r: Request
    day: DayText = ""
    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    count: Count = 10
    practice: bool = False
    by: Measure = Measure.TIME
    offset: Count = 0
    around: bool = False


class RaceGhosts(ClientMessage, tag="race_ghosts", frozen=True, gc=True):
    """Open a friendly race on the deal of stored runs, which go beside it as ghosts, and sit down in it."""

    r: Request
    runs: GhostRuns
    seats: SeatCount = 1


class GetProfile(ClientMessage, tag="profile", frozen=True):
    """Ask about a player, by id or by name; an empty `player` is oneself. Of each rating the last `history` steps."""

    r: Request
    player: NameText = ""
    history: Count = 0


class GetRatings(ClientMessage, tag="ratings", frozen=True):
    """Ask for the board of ratings under a rule set, `count` rows at most, from row `offset` on or `around` one's
    own."""

    r: Request
    rules: RulesText = "classic"
    kind: Kind = Kind.HUMAN
    count: Count = 10
    offset: Count = 0
    around: bool = False


class GetExport(ClientMessage, tag="export", frozen=True):
    """Ask for all that is kept of oneself (2.7), of which this is page `page`, from 0 on."""

    r: Request
    page: Count = 0


class Erase(ClientMessage, tag="erase", frozen=True):
    """Erase oneself for good (2.8). `token` is one's token, once more."""

    r: Request
    token: TokenText


AnyClientMessage = (
    Hello
    | Create
    | Join
    | Quick
    | Rematch
    | Watch
    | Resume
    | Part
    | Look
    | Leave
    | Ready
    | Start
    | Move
    | Undo
    | Restart
    | Finish
    | GiveUp
    | GetRaces
    | GetTop
    | GetReplay
    | Follow
    | Unfollow
    | Renew
    | GetRuns
    | GetDaily
    | PlayDaily
    | GetDailyTop
    | RaceGhosts
    | GetProfile
    | GetRatings
    | GetExport
    | Erase
)
