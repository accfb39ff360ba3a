"""`make quick`: the types, and the tests of what has changed since the branch left main, in under a minute.

The types of the whole project are checked, which is fast once mypy has its cache. The tests are those that belong to a
changed file by its name or import it. If nothing or too much has changed, a fast core is tested instead.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

MARKS = "not slow and not long and not compiled"
ROOT = Path(__file__).parent.parent
PACKAGE = "src/realmtable/"
CORE = ("tests/engine", "tests/kit", "tests/classic_realm")
# Files that no test imports, by the start of their path.
TESTS_OF_DATA = {
    "README.md": ("tests/docs/test_docs.py",),
    "docs/": ("tests/docs/test_docs.py",),
    "examples/": ("tests/docs/test_docs.py", "tests/server/http/test_example_bot.py"),
    "src/realmtable/web/": ("tests/server/site/test_pages.py",),
}
TESTS_OF_GAME_DATA = ("test_records.py", "test_rules_document.py")
MAX_IMPORTERS = 8  # a module with more of them is tested by the files named after it
MAX_FILES = 24
MAIN_BRANCHES = ("origin/main", "main")


def find_changes(root: Path) -> list[str]:
    """List the files that differ from where this branch left main, uncommitted and untracked ones too.

    Without a repository, as in a source archive, there are none.
    """
    if not (root / ".git").exists():
        return []
    changed = _run_git(root, "diff", "--name-only", "-z", _find_base(root))
    untracked = _run_git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return sorted({*changed.split("\0"), *untracked.split("\0")} - {""})


def _find_base(root: Path) -> str:
    for branch in MAIN_BRANCHES:
        try:
            return _run_git(root, "merge-base", "HEAD", branch).strip()
        except subprocess.CalledProcessError:
            continue
    return "HEAD"


def _run_git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our own arguments


def choose_tests(root: Path, changed: Iterable[str]) -> list[str]:
    """List the test files that belong to the changed files, or the core if there are none or too many."""
    finder = TestFinder(root)
    found = sorted({test for path in changed for test in finder.tests_of(path)})
    return found if 0 < len(found) <= MAX_FILES else [*CORE]


class TestFinder:
    """Finds the test files that belong to a file of the project; all paths are relative to its root."""

    __test__ = False  # it is not a test itself, whatever its name

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts = {
            path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((root / "tests").rglob("*.py"))
        }
        self.tests = [path for path in self.texts if is_test(path)]

    def tests_of(self, path: str) -> set[str]:
        """Find the tests of one file."""
        if is_test(path):
            return {path} & {*self.tests}  # it may have been removed
        if not path.endswith(".py"):
            return self._tests_of_data(path)
        named = {test for test in self.tests if _is_named_after(test, path)}
        importers = self._importers(path)
        return named | (importers if len(importers) <= MAX_IMPORTERS or not named else set())

    def _tests_of_data(self, path: str) -> set[str]:
        named = {test for start, tests in TESTS_OF_DATA.items() if path.startswith(start) for test in tests}
        if path.startswith(f"{PACKAGE}games/"):
            game = path.removeprefix(f"{PACKAGE}games/").partition("/")[0]
            named |= {f"tests/{game}/{name}" for name in TESTS_OF_GAME_DATA}
        return named & {*self.tests}

    def _importers(self, path: str) -> set[str]:
        """Find the tests that import a file, directly or through helpers of the tests."""
        found, open_paths = set[str](), [path]
        while open_paths:
            module = module_name(open_paths.pop())
            word = module.rpartition(".")[2]
            for name, text in self.texts.items():
                if name not in found and word in text and module in set(find_imports(name, text)):
                    found.add(name)
                    open_paths += [] if is_test(name) else [name]
        return found & {*self.tests}


def is_test(path: str) -> bool:
    """Whether a file holds tests."""
    pure = PurePosixPath(path)
    return pure.parts[0] == "tests" and pure.name.startswith("test_") and pure.suffix == ".py"


def _is_named_after(test: str, path: str) -> bool:
    """Whether `tests/a/test_b.py` or `test_b_more.py` is named after `src/realmtable/a/b.py`, at any depth."""
    pure = PurePosixPath(path.removeprefix(PACKAGE).removeprefix("games/"))
    name = PurePosixPath(test).stem.removeprefix("test_")
    same_folder = test.split("/")[1] == pure.parts[0]
    return same_folder and (name == pure.stem or name.startswith(f"{pure.stem}_"))


def module_name(path: str) -> str:
    """Return the name under which a file is imported.

    >>> module_name("src/realmtable/kit/bits.py"), module_name("tests/server/__init__.py")
    ('realmtable.kit.bits', 'tests.server')
    """
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def find_imports(path: str, text: str) -> Iterator[str]:
    """Yield the modules that a file imports, and every name from them, which may be a module too."""
    package = path.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def main() -> int:
    """Check the types, then run the chosen tests; return the exit status."""
    parser = argparse.ArgumentParser(prog="make quick", description=__doc__)
    parser.add_argument("--jobs", default="2", help="processes that run tests")
    parser.add_argument("pytest", nargs="*", help="more options for pytest")
    given = parser.parse_args()
    if not (ROOT / ".mypy_cache").exists():
        print("Checking the types of every file; this takes a minute the first time.", flush=True)  # noqa: T201 - for people
    if status := subprocess.call([sys.executable, "-m", "mypy"], cwd=ROOT):
        return status
    tests = choose_tests(ROOT, find_changes(ROOT))
    print(f"Testing {' '.join(tests)}.", flush=True)  # noqa: T201 - for people
    options = [
        "-q",
        "-n",
        given.jobs,
        "--dist",
        "worksteal",
        "-m",
        MARKS,
        *given.pytest,
    ]
    interpreted = {**os.environ, "REALMTABLE_COMPILE": "0"}
    return subprocess.call([sys.executable, "-m", "pytest", *options, *tests], cwd=ROOT, env=interpreted)  # noqa: S603 - our own tests


if __name__ == "__main__":
    sys.exit(main())
