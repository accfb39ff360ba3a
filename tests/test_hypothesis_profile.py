"""Hypothesis profiles: the same examples in `make test`, new ones in `make slow`."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
FILES = {
    path.relative_to(TESTS).as_posix(): path
    for path in sorted(TESTS.rglob("*.py"))
    if "hypothesis" in path.read_text(encoding="utf-8")  # the others cannot import it
}
MARKS = {"hypothesis", "slow"}  # what `make slow` runs


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(node: ast.expr) -> str:
    """The last word of what is called or used as a decorator."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def find_pins(tree: ast.AST) -> list[str]:
    """The lines where a test chooses its own examples, whatever the profile says."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        pinned = {keyword.arg for keyword in node.keywords} & {"derandomize", "database"}
        if name_of(node) in {"seed", "reproduce_failure"} or (name_of(node).endswith("settings") and pinned):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def find_unmarked(tree: ast.Module) -> list[str]:
    """The tests that call Hypothesis inside, where its plugin does not see it, and carry no mark of ours."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    makers = {function.name for function in functions if _is_given_inside(function)}
    return [
        function.name
        for function in functions
        if function.name.startswith("test_")
        and makers & {function.name, *(name_of(node) for node in ast.walk(function) if isinstance(node, ast.Call))}
        and not MARKS & {name_of(decorator) for decorator in function.decorator_list}
    ]


def _is_given_inside(function: ast.AST) -> bool:
    inner = (node for node in ast.walk(function) if isinstance(node, ast.FunctionDef) and node is not function)
    return any(name_of(decorator) == "given" for node in inner for decorator in node.decorator_list)


def test_no_test_pins_its_examples() -> None:
    found = {name: find_pins(parse(path)) for name, path in FILES.items()}
    assert not {name: lines for name, lines in found.items() if lines}


def test_make_slow_runs_every_test_with_made_up_examples() -> None:
    found = {name: find_unmarked(parse(path)) for name, path in FILES.items()}
    assert not {name: tests for name, tests in found.items() if tests}


def test_pins_and_missing_marks_are_found() -> None:
    pinned = "FUZZ = settings(max_examples=5, derandomize=True)\n@seed(3)\n@given(x)\ndef test_one(x): pass\n"
    assert [text.partition(":")[0] for text in find_pins(ast.parse(pinned))] == ["line 1", "line 2"]
    nested = "def run():\n    @given(x)\n    def inner(x): pass\n    inner()\n\ndef test_it():\n    run()\n"
    assert find_unmarked(ast.parse(nested)) == ["test_it"]
    assert find_unmarked(ast.parse(nested.replace("def test_it", "@pytest.mark.hypothesis\ndef test_it"))) == []


@pytest.mark.hypothesis  # so that `make slow` asks it under the other profile
def test_the_profile_says_which_examples_there_are(request: pytest.FixtureRequest) -> None:
    chosen = request.config.getoption("--hypothesis-profile") or "same"
    assert settings.default is not None
    assert settings.default.derandomize == (chosen == "same")
    assert (settings.default.database is None) == (chosen == "same")
    assert settings(max_examples=3).derandomize == (chosen == "same")
