"""A line that wins deal 617 under the classic rules: the demo's."""

from importlib import resources

WINNING = resources.files("cellrace_client").joinpath("demo", "ada.txt").read_text(encoding="utf-8").split()
