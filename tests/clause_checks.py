"""Check that every clause of a RULES.md has its own test; shared by all games.

A test's name starts with its clauses: ``test_d4_a_way_may_lead_back``, ``test_c5_v2_a_rescued_frog``. The first is the
clause that the test is about, so every clause has to come first in at least one name. That test has to assert something
and must not be marked slow. In a table of examples named `CLAUSES`, each heading is a test, too: a line that is not
indented, such as ``d4 a way may lead back``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

CLAUSE = re.compile(r"^ *- \*\*([A-Z]\d{1,2})\*\*", re.MULTILINE)
HEAD = re.compile(r"test_((?:[a-z]\d{1,2}_)+)")
HEADING = re.compile(r"^((?:[a-z]\d{1,2} )+)[^:\n]*$", re.MULTILINE)
EXCLUDING_MARKS = {"slow", "skip", "skipif", "xfail"}
CHECK_PREFIXES = {"raises", "compare", "check", "expect"}  # calls that fail by themselves


class ClauseTest(NamedTuple):
    """A test that names clauses."""

    name: str
    clauses: tuple[str, ...]  # in the order of its name
    checks: bool  # whether it asserts something
    is_slow: bool  # whether an ordinary run leaves it out


def clauses_of(rules: str) -> list[str]:
    """The clauses of a rules text, in its order."""
    return CLAUSE.findall(rules)


@cache
def clause_tests(folder: Path) -> list[ClauseTest]:
    """Every test of a folder that names clauses."""
    paths = sorted(folder.rglob("test_*.py"))
    return [test for path in paths for test in _tests_in(path.read_text(encoding="utf-8"))]


def _tests_in(source: str) -> Iterator[ClauseTest]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (head := HEAD.match(node.name)):
            clauses = tuple(clause.upper() for clause in head[1].rstrip("_").split("_"))
            yield ClauseTest(node.name, clauses, _asserts(node), _is_slow(node))
        elif isinstance(node, ast.Assign) and _name_of(node) == "CLAUSES":
            for heading in HEADING.finditer(_text_of(node.value)):
                yield ClauseTest(heading[0], tuple(heading[1].upper().split()), checks=True, is_slow=False)


def _name_of(assignment: ast.Assign) -> str:
    return getattr(assignment.targets[0], "id", "")


def _text_of(value: ast.expr) -> str:
    """A text, which may have values in braces; those are left out."""
    parts = value.values if isinstance(value, ast.JoinedStr) else [value]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def _asserts(test: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and _call_prefix(node) in CHECK_PREFIXES)
        for node in ast.walk(test)
    )


def _call_prefix(call: ast.Call) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.partition("_")[0]


def _is_slow(test: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = {
        node.attr
        for decorator in test.decorator_list
        for node in ast.walk(decorator)
        if isinstance(node, ast.Attribute)
    }
    return bool(marks & EXCLUDING_MARKS)


def find_clauses_without_a_test(rules: str, folder: Path) -> list[str]:
    """The clauses that no test of their own is about."""
    own = {test.clauses[0] for test in clause_tests(folder) if test.checks and not test.is_slow}
    return [clause for clause in clauses_of(rules) if clause not in own]


def find_tests_of_unknown_clauses(rules: str, folder: Path) -> list[str]:
    """The tests that name a clause which the rules do not have."""
    known = set(clauses_of(rules))
    return [test.name for test in clause_tests(folder) if not set(test.clauses) <= known]
