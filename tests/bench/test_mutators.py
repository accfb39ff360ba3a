"""Mutants: which changes are made, where, and which of them are sampled."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.mutators import Mutant, find_mutants, sample_mutants

BENCH = Path(__file__).parents[2] / "bench"


def apply_all(source: str) -> list[str]:
    """Return the source after each change."""
    found = find_mutants("a.py", source.encode())
    return [mutant.apply(source.encode()).decode() for mutant in found]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["(a <= b)", "(a >= b)"]),
        ("a == b", ["(a != b)"]),
        ("a is not b", ["(a is b)"]),
        ("a in b", ["(a not in b)"]),
        ("a < b <= c", ["(a <= b <= c)", "(a >= b <= c)", "(a < b < c)", "(a < b > c)"]),
        ("a + b", ["(a - b)"]),
        ("a & b", ["(a | b)"]),
        ("a ** b", []),
        ("'a' + b", []),
        ("a and b", ["(a or b)"]),
        ("not a", ["(a)"]),
        ("x = 3", ["x = 4", "x = 2"]),
        ("x = 0", ["x = 1", "x = (-1)"]),
        ("x = 0.5", ["x = 1.5", "x = (-0.5)"]),
        ("x = True", ["x = False"]),
        ("x = 'text'", []),
        ("x += y", ["x -= y", "pass"]),
        ("do(x)", ["pass"]),
        ("raise E", ["pass"]),
        ("x = a if b else c", ["x = a if (not b) else c"]),
        ("if a():\n    b", ["if (not a()):\n    b"]),
        ("while (x := a()):\n    b", ["while ((not (x := a()))):\n    b"]),
        ("for a in b:\n    break", ["for a in b:\n    continue"]),
        ("for a in b:\n    continue", ["for a in b:\n    break"]),
    ],
)
def test_each_kind_of_change(source: str, expected: list[str]) -> None:
    assert apply_all(source) == expected


def test_a_return_gives_nothing() -> None:
    assert apply_all("def a():\n    return b") == ["def a():\n    return None"]
    assert apply_all("def a():\n    return None") == []
    assert apply_all("def a():\n    return") == []


@pytest.mark.parametrize(
    "source",
    [
        "def a(b: 3 = c) -> 4: pass",
        "x: int | None = y",
        "@kept(1)\ndef a(): pass",
        "assert a == 1",
        "if TYPE_CHECKING:\n    x = 1",
        "x = f'{a + 1}'",
        "'''a + 1'''",
    ],
)
def test_equivalent_mutants_are_not_made(source: str) -> None:
    assert apply_all(source) == []


def test_a_change_keeps_its_identity_in_a_longer_file() -> None:
    source = "x = 'é'  # × ≤\ny = [\n    'é', a <\n    b,\n]\n"
    first, second = find_mutants("a.py", source.encode())
    assert (first.line, first.old, first.new) == (3, "a <\n    b", "(a <= b)")
    assert first.text == "a.py:3 a < b → (a <= b)"
    assert second.apply(source.encode()).decode() == source.replace("a <\n    b", "(a >= b)")


def test_a_long_change_is_shortened() -> None:
    assert Mutant("a.py", 1, 0, 1, "x" * 200, "pass").text == f"a.py:1 {'x' * 79}… → pass"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.slow if path.name == "mutants.py" else (), id=path.name)
        for path in sorted(BENCH.glob("mut*.py"))
    ],
)
def test_every_mutant_is_python_and_another_program(path: Path) -> None:
    source = path.read_bytes()
    tree = ast.dump(ast.parse(source))
    found = find_mutants(path.name, source)
    assert found
    for mutant in sample_mutants(found, 40, 1):
        assert ast.dump(ast.parse(mutant.apply(source))) != tree


def test_a_sample_is_of_different_places_and_follows_from_its_seed() -> None:
    found = find_mutants("a.py", "\n".join(f"x = y < {number}" for number in range(2, 40)).encode())
    chosen = sample_mutants(found, 20, 1)
    assert chosen == sample_mutants(found, 20, 1) != sample_mutants(found, 20, 2)
    assert len({(mutant.start, mutant.end) for mutant in chosen}) == len(chosen) == 20
    assert sample_mutants(found, 10, 1) == chosen[:10]  # so an interrupted run has tested a fair sample too
    assert len(sample_mutants(found, 1000, 1)) == 2 * 38
