"""A replay as frames, and a projector that shows them at any speed, stops, steps and jumps. Pure."""

import bisect
from dataclasses import dataclass, field

from cellrace_engine import Line, PlayerRun, Refusal, Replay
from cellrace_engine.replay import Action, perform

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


@dataclass(frozen=True, slots=True)
class Frame:
    """Everybody's board from `t_ms` on. `player` did `do`; -1 did nothing in the first frame, which shows the deal."""

    t_ms: int
    player: int
    do: str
    lines: tuple[Line, ...]


class Film:
    """All frames of a replay, at least one, in the order of time. It must hold (`verify`): `ValueError` for an action
    that the rules refuse. The last move of a run is at the time that counts, without what was given back for the
    network."""

    def __init__(self, replay: Replay) -> None:
        begin = Line.begin(replay.rules, replay.start())
        lines = [begin] * len(replay.players)
        actions = sorted(
            (_counted(action.t_ms, run), player, number, action)
            for player, run in enumerate(replay.players)
            for number, action in enumerate(run.actions)
        )
        self.frames = [Frame(0, -1, "", tuple(lines))]
        for t_ms, player, _, action in actions:
            lines[player] = _after(lines[player], action)
            self.frames.append(Frame(t_ms, player, action.do, tuple(lines)))
        self._times = [frame.t_ms for frame in self.frames]

    @property
    def length_ms(self) -> int:
        """The time of the last frame."""
        return self._times[-1]

    def at(self, t_ms: float) -> int:
        """The index of the frame that is seen at a time, negative ones included."""
        return max(0, bisect.bisect_right(self._times, t_ms) - 1)


def _counted(t_ms: int, run: PlayerRun) -> int:
    return min(t_ms, run.result.time_ms) if run.result is not None else t_ms


def _after(line: Line, action: Action) -> Line:
    after = perform(line, action)
    if isinstance(after, Refusal):
        raise ValueError(f"{action.do} is refused: {after.text}")  # noqa: TRY004 - the type says what became of it
    return after


@dataclass(slots=True)
class Projector:
    """Where one is in a film. `speed` is how many times as fast as it was played."""

    film: Film
    speed: float = 1.0
    t_ms: float = 0.0
    playing: bool = True
    index: int = field(init=False)

    def __post_init__(self) -> None:
        self.seek(self.t_ms)

    @property
    def frame(self) -> Frame:
        """What is seen now."""
        return self.film.frames[self.index]

    @property
    def over(self) -> bool:
        """There is nothing more to come."""
        return self.index == len(self.film.frames) - 1 and self.t_ms >= self.film.length_ms

    def pass_time(self, ms: float) -> None:
        """Go on for so many milliseconds of the spectator's time, if the film is not stopped."""
        if self.playing:
            self.seek(self.t_ms + ms * self.speed)

    def seek(self, t_ms: float) -> None:
        """Go to a time, which is brought inside the film."""
        self.t_ms = min(max(0.0, t_ms), float(self.film.length_ms))
        self.index = self.film.at(self.t_ms)

    def step(self, frames: int) -> None:
        """Stop, and go so many frames on, or back."""
        self.playing = False
        self.index = min(max(0, self.index + frames), len(self.film.frames) - 1)
        self.t_ms = float(self.frame.t_ms)

    def jump(self, ms: float) -> None:
        """Go on, or back, by so much of the race's time."""
        self.seek(self.t_ms + ms)

    def toggle(self) -> None:
        """Stop, or go on; at the end: from the beginning."""
        if self.over:
            self.seek(0)
            self.playing = True
        else:
            self.playing = not self.playing

    def faster(self) -> None:
        """The next higher of the usual speeds."""
        self.speed = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)

    def slower(self) -> None:
        """The next lower of the usual speeds."""
        self.speed = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
