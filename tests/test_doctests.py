"""Every example in a docstring is correct."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import realmtable

# Run once per game, and not imported by name.
MADE_FOR_A_GAME = {
    f"realmtable.{name}"
    for name in (
        "kit.chance_kernels",
        "kit.playout_kernels",
        "search.alphabeta_kernels",
        "search.mcts_kernels",
        "search.multi_mcts_kernels",
    )
}
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(realmtable.__path__, "realmtable.")
    if not module.name.startswith("realmtable.server.storage.migrations.")  # Alembic alone can run these
    and module.name not in MADE_FOR_A_GAME
)


@pytest.mark.parametrize("name", ["realmtable", "tests.tables", "tests.rules_document_checks", *MODULES])
def test_examples(name: str) -> None:
    """In this process, compiled or not as the other tests are; an example has to be true both ways."""
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = [importlib.import_module(name) for name in ("realmtable", "realmtable.engine.match")]
    assert all(any(test.examples for test in finder.find(module)) for module in modules)
