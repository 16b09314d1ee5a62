"""The engine is plain: no clock, no chance, no I/O, and nothing in it needs its solver."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import cellrace_engine

PACKAGE = Path(cellrace_engine.__file__).parent
BANNED = {"asyncio", "datetime", "logging", "os", "random", "secrets", "socket", "threading", "time"}


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_modules_import_only_the_engine_and_quiet_parts_of_the_standard_library() -> None:
    modules = sorted(PACKAGE.rglob("*.py"))
    assert len(modules) > 20
    for module in modules:
        for name in imported(module):
            top = name.split(".")[0]
            assert top == "cellrace_engine" or top in sys.stdlib_module_names, (module, name)
            assert top not in BANNED, (module, name)
            outside_solver = "solver" not in module.relative_to(PACKAGE).parts
            assert not (outside_solver and name.startswith("cellrace_engine.solver")), (module, name)


def test_everything_exported_is_there() -> None:
    for name in cellrace_engine.__all__:
        assert hasattr(cellrace_engine, name)
    assert len(set(cellrace_engine.__all__)) == len(cellrace_engine.__all__)
