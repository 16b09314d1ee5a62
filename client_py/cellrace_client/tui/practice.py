"""Playing alone."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from cellrace_client.deal_names import deal_text
from cellrace_client.files import why
from cellrace_client.languages import Catalogue
from cellrace_client.practice import Practice
from cellrace_client.tables import PracticeTable
from cellrace_client.times import clock, running
from cellrace_client.tui.looks import Looks
from cellrace_client.tui.play import PlayScreen


class PracticeScreen(PlayScreen):
    """A game alone; `s` keeps its replay in the present folder."""

    ACTS: ClassVar[Mapping[str, str]] = {**PlayScreen.ACTS, "s": "save"}

    def __init__(
        self, words: Catalogue, looks: Looks, practice: Practice, folder: Path | None = None
    ) -> None:
        super().__init__(words, looks)
        self._table = PracticeTable(practice, time.monotonic, self.trouble)
        self._folder = folder or Path()

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

    def command(self, key: str, character: str) -> bool:
        """Also `s`: keep the replay."""
        if self.act(key, character) == "save":
            path = self._folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{self._table.practice.deal}.json"
            try:
                path.write_text(self._table.practice.document("") + "\n", encoding="utf-8")
            except OSError as error:
                self.say(why(error))
            else:
                self.say(self.words("game.saved", path=path))
            return True
        return super().command(key, character)
