"""What the design asks of every module: small, named for what it is about, and documented where others use it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGES = [
    ROOT / "engine/cellrace_engine",
    ROOT / "protocol/cellrace_protocol",
    ROOT / "server/cellrace_server",
    ROOT / "client_py/cellrace_client",
]
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
EVERYTHING = sorted(path for folder in ("tests", "bench", "tools") for path in (ROOT / folder).rglob("*.py"))

LINES_MOST = 500
FUNCTION_LINES_MOST = 50
SPEAKS_FOR_ITSELF = 6
"""Lines of a method without a docstring that say all there is to say, in the words of their names."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def length(function: Function) -> int:
    """Lines from the `def` on, without the docstring."""
    first = function.body[0]
    has_docstring = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


@pytest.mark.parametrize("path", [*MODULES, *EVERYTHING], ids=named)
def test_modules_are_short_and_functions_shorter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES_MOST
    long = [
        function.name for function in functions(ast.parse(text)) if length(function) > FUNCTION_LINES_MOST
    ]
    assert long == []


@pytest.mark.parametrize("path", [*MODULES, *EVERYTHING], ids=named)
def test_names_say_what_a_module_is_about(path: Path) -> None:
    words = {word for part in path.relative_to(ROOT).with_suffix("").parts for word in part.split("_")}
    assert not words & {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}


def promised() -> set[str]:
    """Names of methods whose contract stands in a protocol of ours: there, not in what implements it."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in MODULES]
    protocols = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(getattr(base, "id", "") == "Protocol" for base in node.bases)
    ]
    return {
        member.name for protocol in protocols for member in functions(protocol) if ast.get_docstring(member)
    }


PROMISED = promised()


@pytest.mark.parametrize("path", MODULES, ids=named)
def test_what_others_use_says_what_it_promises(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) is not None or not tree.body, "the module"
    assert list(undocumented(tree)) == []


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Public functions and methods without a docstring that do not speak for themselves."""
    for node in tree.body:
        if isinstance(node, Function) and must_be_documented(node):
            yield node.name
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for member in node.body:
                if (
                    isinstance(member, Function)
                    and member.name not in PROMISED
                    and must_be_documented(member)
                ):
                    yield f"{node.name}.{member.name}"


def must_be_documented(function: Function) -> bool:
    return (
        not function.name.startswith("_")
        and ast.get_docstring(function) is None
        and length(function) > SPEAKS_FOR_ITSELF
    )
