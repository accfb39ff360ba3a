"""Imports point one way, files stay small, and slow imports happen only where they are needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import realmtable

ROOT = Path(realmtable.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
LEVELS = {
    "engine": 0,
    "kit": 1,
    "games": 2,
    "search": 3,
    "gpu": 3,
    "web": 3,
    "analysis": 4,
    "lab": 5,
    "server": 5,
    "rl": 6,
    "conformance": 6,
    "cli": 7,
}
MAX_LINES = 800
LAZY_IMPORTS = ("numba", "numpy", "rich", "prompt_toolkit")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


class Source(NamedTuple):
    """What is asked about a file. Its tree is dropped: searching all trees for garbage would take seconds."""

    docstring: str | None
    imports: list[str]  # every module or name that it imports, at its head or inside, for types only or not


@cache
def read_source(path: Path) -> Source:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return Source(ast.get_docstring(tree), [*_find_imports(tree, path)])


def imports(path: Path) -> list[str]:
    return read_source(path).imports


def _find_imports(tree: ast.Module, path: Path) -> Iterator[str]:
    package = ["realmtable", *path.relative_to(ROOT).parts[:-1]]
    for node in _walk_statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _walk_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement, also inside others, without their expressions: those are most of a tree and import nothing."""
    yield tree
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(tree, name, None)
        for statement in inner if isinstance(inner, list) else ():
            yield from _walk_statements(statement)


def own_imports(path: Path) -> list[list[str]]:
    """The parts behind ``realmtable`` of what a file imports from this package."""
    return [name.split(".")[1:] for name in imports(path) if name.split(".")[0] == "realmtable"]


def level(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


IN_LEVELS = [path for path in FILES if path.parent != ROOT]


def test_imports_point_one_way() -> None:
    assert {level(path) for path in IN_LEVELS} <= {*LEVELS}, "a new folder needs its level"
    for path in IN_LEVELS:
        for parts in own_imports(path):
            if parts and parts[0] in LEVELS and parts[0] != level(path):
                assert LEVELS[parts[0]] < LEVELS[level(path)], f"{name_of(path)} imports {'.'.join(parts)}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and for types alone count too: a circle is a circle however it is hidden."""
    modules = {".".join(module_parts(path)): path for path in FILES}
    graph = {
        name: {module for parts in own_imports(path) for module in longest_modules(parts, modules)} - {name}
        for name, path in modules.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError, which lists the modules


def module_parts(path: Path) -> list[str]:
    """The parts behind ``realmtable`` of a file's module name."""
    return [part for part in path.relative_to(ROOT).with_suffix("").parts if part != "__init__"]


def longest_modules(parts: list[str], modules: dict[str, Path]) -> list[str]:
    """The module that an import names, with or without a name inside it."""
    return [name for name in (".".join(parts), ".".join(parts[:-1])) if name in modules][:1]


def test_only_the_command_line_needs_the_whole_package() -> None:
    """`import realmtable` below the command line would run in a circle."""
    for path in IN_LEVELS:
        roots = [parts for parts in own_imports(path) if not parts or parts[0] not in LEVELS]
        assert not roots or level(path) == "cli", name_of(path)


def test_the_engine_needs_only_python() -> None:
    for path in (ROOT / "engine").rglob("*.py"):
        outside = {name.split(".")[0] for name in imports(path)} - {"realmtable"}
        assert outside <= sys.stdlib_module_names, name_of(path)


def test_a_game_knows_no_other_game() -> None:
    for path in (ROOT / "games").glob("*/**/*.py"):
        own = path.relative_to(ROOT / "games").parts[0]
        games = {parts[1] for parts in own_imports(path) if parts[0] == "games" and len(parts) > 1}
        assert games <= {own}, name_of(path)


EXAMPLE_LINES = (">>>", "realmtable ")  # doctests, and examples in the help of a command
# Where such a line may name a game, because a reader is to run it.
EXAMPLE_FILES = {
    "__init__.py",
    "cli/lab.py",
    "cli/main.py",
    "cli/match.py",
    "cli/mine.py",
    "cli/perft.py",
    "cli/play.py",
    "engine/match.py",
    "engine/perft.py",
    "engine/registry.py",
    "rl/__init__.py",
    "rl/open_spiel.py",
    "rl/vector_env.py",
}
SOURCES = [path for path in sorted(ROOT.rglob("*")) if path.suffix in {".py", ".html", ".js", ".css"}]


def test_only_a_game_names_itself() -> None:
    """Facts about one game belong in its folder. The word realm counts as a name only in quotes or as an argument."""
    names = {name for info in realmtable.infos() for name in (info.id, info.title)} - {"realm", "Realm"}
    named = re.compile(rf"\b(?:{'|'.join(names)})\b|[\"'`]realm[\"'`]|games\.realm\b|realmtable (?:\w+ )+realm\b")
    giving_examples = set()
    for path in SOURCES:
        if level(path) != "games":
            found = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if named.search(line)]
            assert [line for line in found if not line.startswith(EXAMPLE_LINES)] == [], name_of(path)
            giving_examples |= {name_of(path)} if found else set()
    assert giving_examples == EXAMPLE_FILES


def test_files_stay_small() -> None:
    large = [path for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES]
    assert large == []


def test_numba_stays_behind_its_switch() -> None:
    users = [name_of(path) for path in FILES if any(name.split(".")[0] == "numba" for name in imports(path))]
    on_gpus = ["gpu/cuda_backend.py", "gpu/cuda_kernels.py", "gpu/cuda_target.py", "gpu/device.py", "gpu/ptx.py"]
    assert users == [*on_gpus, "kit/compile.py", "kit/linked_kernels.py"]


def test_a_file_says_why_it_exists() -> None:
    assert [name_of(path) for path in FILES if not read_source(path).docstring] == []


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["--help"], ["play", "--help"]], ids=" ".join)
def test_listing_and_help_import_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from realmtable.cli.main import main\n"
        "try:\n    main()\n"
        f"except SystemExit:\n    print([name for name in {LAZY_IMPORTS} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)  # noqa: S603 - our own command
    assert done.stderr.splitlines()[-1] == "[]"
    assert done.stdout


def test_facts_are_known_without_rules() -> None:
    code = "import sys, realmtable; realmtable.infos(); print([n for n in sys.modules if n.endswith('realm.rules')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == "[]"


# The server's packages: storage, accounts and tables, then everything that presents them.
SERVER_LEVELS = {
    "storage": 0,
    "accounts": 1,
    "images": 1,
    "security_headers": 1,
    "request_checks": 2,
    "request_bounds": 2,
    "stream_limits": 2,
    "metrics": 3,
    "workers": 2,
    "tables": 3,
    "study": 4,
    "notifications": 4,
    "services": 5,
    "admin": 5,
    "api": 6,
    "site": 7,
    "app": 8,
}
SERVER = sorted(path for path in (ROOT / "server").rglob("*.py") if path.stem != "__init__")


def server_part(parts: list[str]) -> str:
    return parts[0].removesuffix(".py")


def test_the_rooms_of_the_server_stand_in_one_row() -> None:
    for path in SERVER:
        own = server_part([*path.relative_to(ROOT / "server").parts])
        for parts in own_imports(path):
            used = server_part(parts[1:]) if parts[0] == "server" and len(parts) > 1 else own
            if used != own and used in SERVER_LEVELS:
                assert SERVER_LEVELS[used] < SERVER_LEVELS.get(own, -1), f"{name_of(path)} imports server.{used}"
