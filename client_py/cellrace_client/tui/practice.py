"""Playing alone."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from cellrace_client.deal_names import deal_text
from cellrace_client.files import why
from cellrace_client.languages import Catalogue
from cellrace_client.practice import Practice
from cellrace_client.tables import PracticeTable
from cellrace_client.times import clock, running
from cellrace_client.tui.keys import Act, acts
from cellrace_client.tui.lobby import Chosen
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.play import PlayScreen
from cellrace_engine import Line, rules_text


class PracticeScreen(PlayScreen):
    """A game alone; `s` keeps its replay in the present folder, `n` is another deal once it is won."""

    ACTS: ClassVar[Mapping[str, str]] = {**PlayScreen.ACTS, "s": "save", "n": "another"}

    def __init__(
        self, words: Catalogue, looks: Looks, practice: Practice, folder: Path | None = None
    ) -> None:
        super().__init__(words, looks)
        self._table = PracticeTable(practice, time.monotonic, self.trouble)
        self._folder = folder or Path()
        self._kept: tuple[Line, Path] | None = None

    @property
    def table(self) -> PracticeTable:
        """The game."""
        return self._table

    def show(self) -> None:
        """The clock goes on."""
        super().show()
        line = self._table.line
        deal = self.words("game.deal", deal=deal_text(str(self._table.practice.deal)))
        self.title_line.tell(f"{self.words('game.practice')}  {deal}  {running(self._table.time_ms)}")
        score = [f"{line.score:+}"] if line.score else []
        home = self.words("n.home", line.cards_home)
        bar = f"{self.board.looks.bar(line.cards_home)} {line.cards_home}/52"
        self.side.tell("\n".join([bar, home, self.words("n.moves", line.moves), *score]))

    def status(self) -> str:
        """Also that it is won."""
        line = self._table.line
        if line.won:
            moves = self.words("n.moves", line.moves)
            return self.words("game.won", time=clock(self._table.time_ms), moves=moves)
        return super().status()

    def foot(self) -> Sequence[Act]:
        """Once it is won there is nothing more to move."""
        return acts("practice", "another", "save") if self._table.line.won else super().foot()

    def command(self, key: str, character: str) -> bool:
        """Also `s`: keep the replay, and `n`: another deal, once this one is won."""
        act = self.act(key, character)
        if act == "save":
            self._save()
        elif act == "another" and self._table.line.won:
            chosen = Chosen("practice", rules_text(self._table.practice.rules))
            self.app.post_message(chosen)  # pyright: ignore[reportUnknownMemberType]
            self.dismiss(None)
        else:
            return super().command(key, character)
        return True

    def _save(self) -> None:
        """Once for each way it stands."""
        line = self._table.line
        if self._kept is None or self._kept[0] is not line:
            path = self._folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{self._table.practice.deal}.json"
            try:
                path.write_text(self._table.practice.document("") + "\n", encoding="utf-8")
            except OSError as error:
                self.say(why(error))
                return
            self._kept = line, path
        self.say(self.words("game.saved", path=self._kept[1]))

    def back(self) -> None:
        """A game that is under way, only when it is asked for twice: it is not kept."""
        line = self._table.line
        if line.won or not line.moves:
            super().back()
        else:
            self.surely("game.drop_again", super().back)
