"""Boards, moves and races in words, a line at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cellrace_client.deal_names import deal_text
from cellrace_client.languages import Catalogue
from cellrace_client.model import FIRST_CELL, FIRST_FOUNDATION, GhostRun, RaceModel, SeatState
from cellrace_client.standings import awaited_line, headline, line_of, results, series_line
from cellrace_client.times import clock
from cellrace_engine import NO_CARD, Line, Move, Position, Rules, card_name
from cellrace_engine.referee import placed
from cellrace_protocol import events as e


def board_lines(words: Catalogue, position: Position) -> Iterator[str]:
    """The board, a pile a line: cards from the top to the exposed one."""
    empty = words("pile.empty")
    cells = [
        f"{name} {empty if card == NO_CARD else card_name(card)}"
        for name, card in zip("abcd", position.cells, strict=False)
    ]
    yield words.pair(words("pile.cells"), ", ".join(cells))
    homes = [card_name((height - 1) * 4 + suit) for suit, height in enumerate(position.foundations) if height]
    yield words.pair(words("pile.foundations"), ", ".join(homes) or words("pile.none"))
    for number, column in enumerate(position.columns, 1):
        cards = " ".join(map(card_name, column)) or empty
        yield words.pair(words("pile.column", name=number), cards)


def step_line(words: Catalogue, line: Line, text: str, before: Line | None = None) -> str:
    """What a move has done, and how far one is. Of a move made `before` which the line was another, also which cards
    went where, and what lies open there now: who listens need not ask for the board."""
    home = words("n.home", line.cards_home)
    step, previous = line.step, line.previous
    if step is None or previous is None or before is None or previous != before:
        return words("plain.moved", move=text, home=home)
    own, *others = _cards(previous.position, step.transfers, line.rules)
    parts = [words("plain.carried", cards=own, pile=_pile(words, step.move.destination))]
    if others:
        parts.append(words("plain.automatic", cards=", ".join(others)))
    left = dict.fromkeys(move.source for move in step.transfers if move.source < FIRST_CELL)
    for number in left:
        column = line.position.columns[number]
        pile = words("pile.column", name=number + 1)
        is_left = words("plain.open", pile=pile, card=card_name(column[-1])) if column else ""
        parts.append(is_left or words.pair(pile, words("pile.empty")))
    return words("plain.moved", move=text, home=f"{'; '.join(parts)}. {home}")


def _cards(position: Position, moves: Iterable[Move], rules: Rules) -> Iterator[str]:
    """The cards that each of these moves carries, one behind the other from this position on."""
    after: Position | None = position
    for move in moves:
        assert after is not None, "what a line has played is legal"
        yield " ".join(map(card_name, _carried(after, move)))
        after = placed(after, move, rules)


def _carried(position: Position, move: Move) -> Sequence[int]:
    if move.source < FIRST_CELL:
        return position.columns[move.source][-move.count :]
    if move.source < FIRST_FOUNDATION:
        return [position.cells[move.source - FIRST_CELL]]
    suit = move.source - FIRST_FOUNDATION
    return [(position.foundations[suit] - 1) * 4 + suit]


def _pile(words: Catalogue, pile: int) -> str:
    if pile < FIRST_CELL:
        return words("pile.column", name=pile + 1)
    if pile < FIRST_FOUNDATION:
        return words("pile.cell", name="abcd"[pile - FIRST_CELL])
    return words("pile.home")


def seat_line(words: Catalogue, seat: SeatState, host: str = "", *, running: bool = False) -> str:
    """One player, and how far; of the `host`, also that. Once the race is `running`, nobody asks who is ready."""
    parts = [seat.name, words("n.home", seat.home), words("n.moves", seat.moves)]
    if host and seat.player == host:
        parts.insert(1, words("race.host"))
    if seat.time >= 0:
        parts.append(words("race.home_in", time=clock(seat.time)))
    elif seat.gave_up:
        parts.append(words("race.gave_up"))
    elif seat.away:
        parts.append(words("race.away"))
    elif seat.ready and not running:
        parts.append(words("race.ready"))
    return ", ".join(parts)


def host_line(words: Catalogue, model: RaceModel) -> str:
    """Who hosts a race now; empty where that does not matter."""
    if not model.host_matters:
        return ""
    if model.hosting:
        return words("plain.you_host")
    host = next((seat.name for seat in model.seats if seat.taken and seat.player == model.host), "")
    if host:
        return words("race.hosts", name=host)
    return words("race.host_away" if model.host_away else "race.host_there")


def ghost_line(words: Catalogue, ghost: GhostRun, time_ms: int) -> str:
    """A ghost as it is at a race time, and how long it takes."""
    home, moves = ghost.at(time_ms)
    name = f"{ghost.name} ({words('race.ghost')})"
    return ", ".join(
        [name, words("n.home", home), words("n.moves", moves), words("race.home_in", time=clock(ghost.time))]
    )


def standings_lines(words: Catalogue, model: RaceModel) -> Iterator[str]:
    """The end of a race."""
    yield f"{words('race.over')}. {headline(words, model)}"
    for row in results(model):
        yield line_of(words, row)
    series = series_line(words, model)
    if series:
        yield series
    if not model.start:
        yield words("race.unstarted")


def event_lines(words: Catalogue, model: RaceModel, event: object, names: Mapping[int, str]) -> Iterator[str]:
    """What somebody else did, or what happens to the race; nothing for what one did oneself. `names` are those who sat
    there before."""
    match event:
        case e.Left(seat=seat):
            yield words("race.left", name=names.get(seat, ""))
        case e.Halted():
            yield words("race.halted")
        case e.Outage(ms=ms):
            yield words("race.outage", seconds=f"{ms / 1_000:.1f}")
        case e.Joined(seat=seat) | e.Readied(seat=seat) | e.Away(seat=seat) | e.Here(seat=seat):
            yield seat_line(words, model.seats[seat], running=bool(model.start))
        case e.GaveUp(seat=seat) | e.Done(seat=seat):
            yield seat_line(words, model.seats[seat], running=True)
            if seat == model.you and (awaited := awaited_line(words, model)):
                yield awaited
        case e.Progress(seat=seat) if model.seats[seat].moves % 10 == 0:
            yield seat_line(words, model.seats[seat], running=bool(model.start))
        case e.Diff(seat=seat):
            yield seat_line(words, model.seats[seat], running=bool(model.start))
        case e.Countdown(ms=ms):
            yield words("race.countdown", seconds=round(ms / 1_000))
        case e.Go(deal=deal):
            yield words("race.go", deal=deal_text(deal))
        case e.End():
            yield from standings_lines(words, model)
        case _:
            pass
