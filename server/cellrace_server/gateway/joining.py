"""The page's modules and styles as few files: a browser asks once where it would ask fifty times, and nothing is built
before the server can start. No parser: it reads the imports and exports that the page is written with, whole lines, and
refuses others.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \}|(\w+)) from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|function\*?|async function) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_OTHER = re.compile(r"^(?:import\b(?!\.meta|\()|export\b).*", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_DOCUMENTATION = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_STYLE = re.compile(r'^@import "(\.[^"]+)";$', re.MULTILINE)


class Joined(NamedTuple):
    """A file with all that it imports in it, and the names of what that is, itself left out."""

    text: str
    within: frozenset[str]


def join_modules(entry: str, files: Mapping[str, bytes]) -> Joined:
    """A module and what it imports at once, each a block of its own, in the order in which a browser would run them.
    What it imports later (`import("…")`) stays outside. Raises `ValueError` for imports in a circle, of files that are
    not there, or written in a way that is not known.
    """
    order: list[str] = []
    _sort(entry, files, order, ())
    names = {path: f"$${number}" for number, path in enumerate(order)}
    blocks = [_block(path, _text(path, files), names) for path in order]
    return Joined("".join(blocks), frozenset(order) - {entry})


def join_styles(entry: str, files: Mapping[str, bytes]) -> Joined:
    """A style sheet with those that it imports in their places; these import nothing. Raises `ValueError` where one is
    not there.
    """
    text = _text(entry, files)
    within = [_path(entry, said) for said in _STYLE.findall(text)]
    joined = _STYLE.sub(lambda found: _text(_path(entry, found[1]), files), text)
    return Joined(joined, frozenset(within))


def _sort(path: str, files: Mapping[str, bytes], order: list[str], above: tuple[str, ...]) -> None:
    """Put a module behind all that it needs."""
    if path in above:
        raise ValueError(f"imports in a circle: {' -> '.join([*above, path])}")
    if path in order:
        return
    for found in _IMPORT.finditer(_text(path, files)):
        _sort(_path(path, found[3]), files, order, (*above, path))
    order.append(path)


def _block(path: str, text: str, names: Mapping[str, str]) -> str:
    """A module as a block that leaves its exports in an object."""
    mine = names[path]
    exports = _EXPORT.findall(text)
    text = _IMPORT.sub(lambda found: _taken(found, names[_path(path, found[3])]), text)
    text = _DEFAULT.sub(f"{mine}.default = ", _EXPORT.sub("", text))
    other = _OTHER.search(text)
    if other is not None:
        raise ValueError(f"{path}: not known how to join {other[0]!r}")
    text = _LATER.sub(lambda found: f'import("./{_path(path, found[1])}")', text)
    text = text.replace("import.meta.url", f'new URL("./{path}", import.meta.url)')
    text = _DOCUMENTATION.sub("", text)
    return (
        f"const {mine} = {{}};\n{{ // {path}\n{text}Object.assign({mine}, {{ {', '.join(exports)} }});\n}}\n"
    )


def _taken(found: re.Match[str], module: str) -> str:
    """An import, as taking it out of what the module left."""
    if found[2]:
        return f"const {found[2]} = {module}.default;"
    return f"const {{ {found[1].replace(' as ', ': ')} }} = {module};"


def _path(path: str, said: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), said))


def _text(path: str, files: Mapping[str, bytes]) -> str:
    if path not in files:
        raise ValueError(f"{path} is imported and not there")
    return files[path].decode()
