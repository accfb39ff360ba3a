"""Small changes to Python source that tests should notice: the mutants of `bench.mutation`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from random import Random

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """A changed place in a file; offsets are in bytes."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    @property
    def text(self) -> str:
        """The change in one line."""
        return f"{self.path}:{self.line} {_short(self.old)} → {_short(self.new)}"

    def apply(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def find_mutants(path: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a file, in source order."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, new in _changes(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        found.append(Mutant(path, node.lineno, start, end, source[start:end].decode(), new))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end))


def sample_mutants(found: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Choose `count` mutants in random order, at most one per place.

    The sample is determined by the seed, and a larger sample starts with the smaller one.
    """
    places: dict[tuple[str, int, int], list[Mutant]] = {}
    for mutant in found:
        places.setdefault((mutant.path, mutant.start, mutant.end), []).append(mutant)
    chosen = sorted(places)
    Random(seed).shuffle(chosen)
    return [Random(f"{seed} {place}").choice(places[place]) for place in chosen[:count]]


def _mutable_nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes below a node, except those whose changes no test can notice: types, decorators and assertions.

    Before Python 3.12 the parts of an f-string have no correct positions, so they are skipped too.
    """
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert) or _is_for_types(child):
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from _mutable_nodes(child)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


# ---- the changes to each kind of node, as source


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in _mutable_nodes(tree):
        for kind, change in CHANGES.items():
            if isinstance(node, kind):
                yield from ((node, new) for new in change(node))
        if isinstance(node, ast.If | ast.While | ast.IfExp) and _is_plain(node.test):
            yield node.test, _parenthesize(ast.UnaryOp(ast.Not(), node.test))


def _is_plain(condition: ast.expr) -> bool:
    """Whether a condition contains no comparison or operator to change."""
    return isinstance(condition, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr | ast.Await)


def _comparison(node: ast.Compare) -> Iterator[str]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            changed = copy(node)
            changed.ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield _parenthesize(changed)


def _arithmetic(node: ast.BinOp) -> Iterator[str]:
    other = OPERATORS.get(type(node.op))
    if other is not None and not _is_text(node.left) and not _is_text(node.right):
        yield _parenthesize(ast.BinOp(node.left, other(), node.right))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _assignment(node: ast.AugAssign) -> Iterator[str]:
    other = OPERATORS.get(type(node.op))
    if other is not None:
        yield ast.unparse(ast.AugAssign(node.target, other(), node.value))
    yield "pass"


def _logic(node: ast.BoolOp) -> Iterator[str]:
    yield _parenthesize(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))


def _negation(node: ast.UnaryOp) -> Iterator[str]:
    if isinstance(node.op, ast.Not):
        yield _parenthesize(node.operand)


def _constant(node: ast.Constant) -> Iterator[str]:
    if isinstance(node.value, bool):
        yield str(not node.value)
    elif isinstance(node.value, int | float):
        yield repr(node.value + 1)
        yield f"({node.value - 1!r})" if node.value < 1 else repr(node.value - 1)


def _return(node: ast.Return) -> Iterator[str]:
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        yield "return None"


def _call(node: ast.Expr) -> Iterator[str]:
    if isinstance(node.value, ast.Call | ast.Await):
        yield "pass"


def _drop(_: ast.Raise) -> Iterator[str]:
    yield "pass"


def _jump(node: ast.Break | ast.Continue) -> Iterator[str]:
    yield "continue" if isinstance(node, ast.Break) else "break"


def _parenthesize(node: ast.expr) -> str:
    """Return an expression in parentheses, safe inside another one."""
    return f"({ast.unparse(node)})"


CHANGES: dict[type[ast.AST], Callable[..., Iterator[str]]] = {
    ast.Compare: _comparison,
    ast.BinOp: _arithmetic,
    ast.AugAssign: _assignment,
    ast.BoolOp: _logic,
    ast.UnaryOp: _negation,
    ast.Constant: _constant,
    ast.Return: _return,
    ast.Expr: _call,
    ast.Raise: _drop,
    ast.Break: _jump,
    ast.Continue: _jump,
}
