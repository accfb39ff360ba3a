"""The compile switch, and the folders with cached machine code."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numba
import pytest

from realmtable.kit import compile as module
from realmtable.kit.compile import (
    MAX_CACHES,
    cache_folder,
    function_cache_folder,
    is_compiling,
    is_marked_compiled,
    kernel,
    mark_compiled,
)


def double(number: int) -> int:
    return 2 * number


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of kernels in a new, empty cache."""
    monkeypatch.setattr(module, "user_cache_path", lambda name: tmp_path / name)
    cache_folder.cache_clear()
    yield tmp_path / "realmtable" / "kernels"
    cache_folder.cache_clear()


def make_folder() -> Path:
    folder = cache_folder()
    assert folder is not None
    return folder


def test_a_file_that_is_run_as_several_modules_keeps_their_code_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(double, "__module__", "realmtable.kit.test_compile")
    assert function_cache_folder(double, tmp_path) == tmp_path
    monkeypatch.setattr(double, "__module__", "realmtable.search.mcts.search_kernels_of_realm")
    assert function_cache_folder(double, tmp_path) == tmp_path / "search_kernels_of_realm"
    assert function_cache_folder(double, None) is None


def test_the_code_of_another_package_is_kept_apart_by_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = set()
    for file, text in [("__init__.py", ""), ("rules.py", "ONE = 1"), ("rules.py", "ONE = 2"), ("NOTES.md", "3")]:
        (tmp_path / file).write_text(text, encoding="utf-8")
        monkeypatch.setitem(sys.modules, "chess", SimpleNamespace(__file__=str(tmp_path / "__init__.py")))
        monkeypatch.setattr(double, "__module__", "chess.test_compile")
        module._package_digest.cache_clear()
        folders.add(function_cache_folder(double, tmp_path))
    assert len(folders) == 3, "only the source counts"
    for name, place in [("script", SimpleNamespace(__file__=str(tmp_path / "rules.py"))), ("typed", SimpleNamespace())]:
        monkeypatch.setitem(sys.modules, name, place)
        monkeypatch.setattr(double, "__module__", name)
        folders.add(function_cache_folder(double, tmp_path))
    assert len(folders) == 5
    module._package_digest.cache_clear()


# ---- the switch


@pytest.mark.parametrize(("value", "wanted"), [(None, True), ("1", True), ("", True), ("0", False)])
def test_compiling_is_on_unless_switched_off(value: str | None, wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("REALMTABLE_COMPILE", raising=False)
    else:
        monkeypatch.setenv("REALMTABLE_COMPILE", value)
    assert is_compiling() == wanted


def test_without_numba_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert not is_compiling()
    assert kernel(double) is double


def test_switched_off_a_kernel_is_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")
    assert kernel(double) is double


def test_switched_on_a_kernel_is_made_for_the_machine(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    made = kernel(double)
    assert made is not double
    assert made.py_func is double  # type: ignore[attr-defined]
    assert numba.config.CACHE_DIR == ""
    assert len(list(root.iterdir())) == 1


def test_a_chosen_cache_folder_is_kept(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "mine"))
    assert kernel(double) is not double
    assert (str(tmp_path / "mine"), root.exists()) == (numba.config.CACHE_DIR, False)


@pytest.mark.compiled
def test_a_kernel_counts_like_its_function(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    assert kernel(double)(21) == 42
    assert list(root.rglob("*.nbi"))


# ---- the folders


def test_the_folder_is_named_after_the_source(root: Path) -> None:
    folder = make_folder()
    assert folder.parent == root
    assert folder.is_dir()
    assert re.fullmatch(r"[0-9a-f]{16}", folder.name)
    assert cache_folder() == folder


@pytest.mark.long
def test_any_change_of_the_source_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(module.__file__).parent.parent
    copy = tmp_path / "realmtable"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(module, "__file__", str(copy / "kit" / "compile.py"))
    digests = {module._source_digest()}
    for source in ("kit/realm_board/geometry.py", "games/realm/rules.py", "search/__init__.py"):
        with (copy / source).open("a", encoding="utf-8") as file:
            file.write("# changed")
        digests.add(module._source_digest())
    (copy / "games" / "realm" / "new.py").write_text("NEW = 1", encoding="utf-8")
    digests.add(module._source_digest())
    assert len(digests) == 5
    for source in ("engine/errors.py", "gpu/cuda_kernels.py", "rl/vector_env.py"):
        (copy / source).write_text("", encoding="utf-8")  # no kernels that are compiled for the CPU
    assert module._source_digest() in digests


# ---- marks


@pytest.fixture
def marked_cache(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache in which a game is marked as compiled."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    folder = make_folder()
    (folder / "rules").mkdir()
    (folder / "rules" / "play.1.nbc").write_bytes(b"machine code")
    mark_compiled("realm")
    assert folder.parent == root
    return folder


def test_what_is_marked_as_compiled_is_known_to_the_next_process(marked_cache: Path) -> None:
    assert is_marked_compiled("realm")
    assert not is_marked_compiled("classic_realm")
    (marked_cache / "realm.json").write_text("not JSON", encoding="utf-8")
    assert not is_marked_compiled("realm")


def test_a_mark_does_not_count_without_its_code(marked_cache: Path) -> None:
    (marked_cache / "rules" / "play.1.nbc").unlink()
    assert not is_marked_compiled("realm")


@pytest.mark.parametrize("changed", ["python_version", "machine"])
def test_a_mark_does_not_count_on_another_machine(
    marked_cache: Path, changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert marked_cache.exists()
    with monkeypatch.context() as patch:
        patch.setattr(platform, changed, lambda: "another")
        module._describe_machine.cache_clear()
        assert not is_marked_compiled("realm")
    module._describe_machine.cache_clear()
    assert is_marked_compiled("realm")


def test_a_mark_names_the_processor_where_the_system_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text("processor : 0\nflags : fast\n\nprocessor : 1\nflags : fast\n", encoding="utf-8")
    for path, expected in ((file, "flags : fast"), (tmp_path / "missing", platform.processor())):
        monkeypatch.setattr(module, "CPU_FILE", path)
        module._describe_machine.cache_clear()
        assert module._describe_machine()[4:] == [expected]
    module._describe_machine.cache_clear()


def test_nothing_is_marked_where_it_is_useless(marked_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REALMTABLE_COMPILE", "0")
    mark_compiled("classic_realm")
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    assert not is_marked_compiled("classic_realm")
    with monkeypatch.context() as patch:
        patch.setattr(module, "_mark_file", lambda *_: marked_cache / "missing" / "mark.json")
        mark_compiled("classic_realm")
    assert not is_marked_compiled("classic_realm")


def test_without_numba_no_mark_counts(marked_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert marked_cache.exists()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert not is_marked_compiled("realm")


def old_folders(root: Path, count: int) -> list[Path]:
    """Make folders of older sources and return them, the oldest first."""
    folders = [root / f"old{number}" for number in range(count)]
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        (folder / "code.nbc").write_bytes(b"machine code")
        os.utime(folder, (1000 + number, 1000 + number))
    return folders


def test_folders_of_older_sources_beyond_a_few_are_removed(root: Path) -> None:
    folders = old_folders(root, 5)
    newest = make_folder()
    assert set(root.iterdir()) == {newest, *folders[-(MAX_CACHES - 1) :]}


def test_using_a_folder_keeps_it(root: Path) -> None:
    mine = make_folder()
    os.utime(mine, (1, 1))
    old_folders(root, 5)
    cache_folder.cache_clear()
    assert cache_folder() == mine
    assert mine.is_dir()


def test_a_folder_that_vanishes_while_we_look_does_no_harm(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = old_folders(root, 5)
    listed = [*folders, root / "vanished"]
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(listed))
    assert make_folder().is_dir()


def test_a_cache_that_cannot_be_kept_does_not_stop_the_game(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root.parent.write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("REALMTABLE_COMPILE", "1")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    assert cache_folder() is None
    assert kernel(double) is not double
