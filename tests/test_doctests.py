"""Every example in a docstring is correct."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from importlib.machinery import FileFinder
from pathlib import Path

import pytest

import realmtable

# Run once per game, and not imported by name.
MADE_FOR_A_GAME = {
    f"realmtable.{name}"
    for name in (
        "gpu.cuda_kernels",
        "kit.chance_kernels",
        "kit.playout_kernels",
        "kit.vector_cpu_kernels",
        "kit.vector_kernels",
        "search.alphabeta_kernels",
        "search.match_kernels",
        "search.mcts.evaluation_kernels",
        "search.mcts.node_kernels",
        "search.mcts.search_kernels",
        "search.mcts.uct_kernels",
    )
}


def has_examples(module: pkgutil.ModuleInfo) -> bool:
    """Whether the source of a module contains an example: looking for one in its objects takes as long as a test."""
    assert isinstance(module.module_finder, FileFinder)
    found = module.module_finder.find_spec(module.name)
    assert found is not None
    assert found.origin is not None
    return ">>> " in Path(found.origin).read_text(encoding="utf-8")


MODULES = {
    module.name: has_examples(module)
    for module in pkgutil.walk_packages(realmtable.__path__, "realmtable.")
    if not module.name.startswith("realmtable.server.storage.migrations.")  # Alembic alone can run these
    and module.name not in MADE_FOR_A_GAME
}
WITH_EXAMPLES = sorted(name for name, found in MODULES.items() if found)


OWN = ("realmtable", "tests.example_tables", "tests.realm_boards.test_rules_documents")


@pytest.mark.parametrize("name", [*OWN, *WITH_EXAMPLES])
def test_examples(name: str) -> None:
    """In this process, compiled or not as the other tests are; an example has to be true both ways."""
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = [importlib.import_module(name) for name in ("realmtable", "realmtable.engine.match")]
    assert all(any(test.examples for test in finder.find(module)) for module in modules)


def test_every_module_can_be_imported() -> None:
    for name in MODULES:
        importlib.import_module(name)
