"""What a reader of a reference wants of Python's own sources: signatures as they are written, attributes, docstrings.

Taken from the syntax and not from the running objects: the text is the same under every version of Python."""

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple

WIDTH = 100
MODULES = ("e", "c", "awaited")
"""What our modules call other modules of ours: of no interest to a reader."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Attribute(NamedTuple):
    """`kind` is its type, empty where the source does not say; `says` what is written about it."""

    name: str
    kind: str
    says: str


class _Plain(ast.NodeTransformer):
    """Types as one says them: without the names of modules, and without quotes."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        known = isinstance(node.value, ast.Name) and node.value.id in MODULES
        return ast.Name(node.attr) if known else self.generic_visit(node)


def _unquoted(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return ast.parse(node.value, mode="eval").body
    return node


def words(node: ast.expr | None) -> str:
    """An expression, or a type, as it is written."""
    unquoted = _unquoted(node)
    return "" if unquoted is None else ast.unparse(_Plain().visit(unquoted))


def tree_of(what: type | Callable[..., object]) -> ast.stmt:
    """The definition of a class or function, without its decorators' work."""
    source = inspect.getsource(inspect.unwrap(what))
    return ast.parse(textwrap.dedent(source)).body[0]


def class_of(what: type) -> ast.ClassDef:
    tree = tree_of(what)
    assert isinstance(tree, ast.ClassDef), f"{what} is a class"
    return tree


def function_of(what: Callable[..., object]) -> Function:
    tree = tree_of(what)
    assert isinstance(tree, Function), f"{what} is a function"
    return tree


def says(tree: Function | ast.ClassDef) -> str:
    """Its docstring."""
    return ast.get_docstring(tree) or ""


def fields(tree: ast.ClassDef) -> str:
    """`Name(field: type = default, …)` of a named tuple, one a line."""
    lines = [
        f"    {words(line.target)}: {words(line.annotation)}"
        + (f" = {_default(line.value)}" if line.value else "")
        for line in tree.body
        if isinstance(line, ast.AnnAssign)
    ]
    return "\n".join([f"{tree.name}(", *(f"{line}," for line in lines), ")"])


def signature(function: Function, *, name: str = "", returns: bool = True) -> str:
    """`name(parameter: type = default) -> type`, folded where it is long; without `self`."""
    taken = function.args
    lines = _parameters(taken)
    if lines[:1] == ["self"]:
        lines.pop(0)
    name = name or function.name
    result = f" -> {words(function.returns)}" if returns and function.returns is not None else ""
    whole = f"{name}({', '.join(lines)}){result}"
    if len(whole) <= WIDTH:
        return whole
    return "\n".join([f"{name}(", *(f"    {line}," for line in lines), f"){result}"])


def _parameters(arguments: ast.arguments) -> list[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    bare = len(positional) - len(arguments.defaults)
    defaults: list[ast.expr | None] = [*[None] * bare, *arguments.defaults]
    lines = [_parameter(*pair) for pair in zip(positional, defaults, strict=True)]
    if arguments.vararg is not None:
        lines.append("*" + _parameter(arguments.vararg, None))
    elif arguments.kwonlyargs:
        lines.append("*")
    return lines + [
        _parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {words(argument.annotation)}" if argument.annotation is not None else ""
    sign = " = " if kind else "="
    return argument.arg + kind + (f"{sign}{_default(default)}" if default is not None else "")


def _default(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=str(text)):
            return json.dumps(text)
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return f"{number:_}"
        case _:
            return words(value)


def methods(tree: ast.ClassDef) -> Iterator[Function]:
    """The public ones, in their order; properties are among them."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node


def is_property(function: Function) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in function.decorator_list)


def attributes(tree: ast.ClassDef) -> Iterator[Attribute]:
    """The public ones that `__init__` sets, with the type that it is written to have."""
    made = [node for node in tree.body if isinstance(node, Function) and node.name == "__init__"]
    for function in made:
        taken = {argument.arg: words(argument.annotation) for argument in function.args.args}
        for node, after in zip(function.body, [*function.body[1:], None], strict=True):
            name = _set(node)
            if name:
                yield Attribute(name, _kind(node, taken), _text(after))


def _set(node: ast.stmt) -> str:
    """The public attribute that a statement sets, if it is one that does."""
    match node:
        case (
            ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)])
            | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name))
        ):
            return "" if name.startswith("_") else name
        case _:
            return ""


def _kind(node: ast.stmt, taken: dict[str, str]) -> str:
    if isinstance(node, ast.AnnAssign):
        return words(node.annotation)
    value = node.value if isinstance(node, ast.Assign) else None
    return "" if value is None else _kind_of(value, taken)


def _kind_of(value: ast.expr, taken: dict[str, str]) -> str:
    """`Type.field` stands for the type of that field."""
    match value:
        case ast.Name(id=name):
            return taken.get(name, "")
        case ast.Attribute(value=ast.Name(id=name), attr=field):
            return f"{taken.get(name, '')}.{field}"
        case ast.Call(func=ast.Name(id="list"), args=[inner]):
            return _kind_of(inner, taken)
        case ast.Call(func=ast.Name(id=name)):
            return name
        case ast.ListComp(elt=inner):
            return f"list[{_kind_of(inner, taken)}]"
        case _:
            return ""


def _text(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(text.split())
        case _:
            return ""
