"""A text on the screen that is drawn again only when it is another."""

from rich.text import Text
from textual.widgets import Static


class Shown(Static):
    """Without markup: what players are called is shown as it is."""

    def __init__(self, content: str = "", *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(content, id=id, classes=classes, markup=False)
        self._told: str | Text = content

    def tell(self, content: str | Text) -> None:
        """Show this from now on."""
        if content != self._told:
            self._told = content
            self.update(content)
