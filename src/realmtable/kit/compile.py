"""The compile switch: rules are written once, in plain Python that Numba can compile.

``REALMTABLE_COMPILE=0`` runs the same functions interpreted, for coverage, debugging and machines without Numba.
Machine code is cached on disk in a folder named after a hash of the source, so that changing any kernel, or anything
it calls, never runs stale code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])

MAX_CACHES = 3
CPU_FILE = Path("/proc/cpuinfo")
CPU_FIELDS = ("model name", "flags", "Features", "CPU implementer", "CPU part")


def is_compiling() -> bool:
    """Whether kernels are compiled in this process."""
    wanted = os.environ.get("REALMTABLE_COMPILE", "1") != "0"
    return wanted and importlib.util.find_spec("numba") is not None


def kernel(function: Function) -> Function:
    """Compile a function with Numba: no Python objects inside, the GIL released, the machine code cached on disk."""
    if not is_compiling():
        return function
    return _compile(function)


def _compile(function: Function) -> Function:
    import numba  # noqa: PLC0415 - importing it takes longer than most commands run

    before = numba.config.CACHE_DIR
    folder = function_cache_folder(function, cache_folder(before))
    numba.config.CACHE_DIR = str(folder or "")
    try:
        dispatcher = _make_dispatcher(function)
        if folder is not None:
            dispatcher.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return cast("Function", dispatcher)


def _make_dispatcher(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - Numba has no types
    try:
        from realmtable.kit.linked_kernels import Kernel  # noqa: PLC0415 - it imports Numba
    except ImportError:  # a Numba that works differently inside: compiling takes three times as long
        import numba  # noqa: PLC0415

        return numba.njit(nogil=True)(function)
    return Kernel(function)


def function_cache_folder(function: Function, folder: Path | None) -> Path | None:
    """Return the folder for a function's machine code: a separate one for each version of another package's source.

    A file loaded as several modules has a folder for each: Numba tells its caches apart only by file.
    """
    package, name = function.__module__.partition(".")[0], function.__module__.rpartition(".")[2]
    if folder is not None and package != __name__.partition(".")[0]:
        folder = folder / _package_digest(package)
    if folder is None or name == Path(function.__code__.co_filename).stem:
        return folder
    return folder / name


@cache
def cache_folder(place: str = "") -> Path | None:
    """Return the folder for the machine code of the current source, or None if it cannot be created.

    It is inside `place` (NUMBA_CACHE_DIR), by default in the user's cache. Only the most recent folders of older
    sources are kept.
    """
    root = (Path(place) if place else user_cache_path("realmtable")) / "kernels"
    folder = root / _source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    for stale in sorted(root.iterdir(), key=_last_use_time, reverse=True)[MAX_CACHES:]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def mark_compiled(name: str) -> None:
    """Record that the cache has all the machine code of something, such as a game."""
    folder = cache_folder(os.environ.get("NUMBA_CACHE_DIR", ""))
    if folder is not None and is_compiling():
        files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.nb[ci]"))
        mark = {"machine": _describe_machine(), "files": files}
        with suppress(OSError):  # a full disk, for example: the next process will look for the code again
            _mark_file(folder, name).write_text(json.dumps(mark), encoding="utf-8")


def is_marked_compiled(name: str) -> bool:
    """Whether the cache still has all the machine code of something, for this machine and this version of Numba."""
    folder = cache_folder(os.environ.get("NUMBA_CACHE_DIR", ""))
    if folder is None or importlib.util.find_spec("numba") is None:
        return False
    try:
        mark = json.loads(_mark_file(folder, name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(mark["machine"] == _describe_machine()) and all((folder / file).exists() for file in mark["files"])


def _mark_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json"


@cache
def _describe_machine() -> list[str]:
    """Return what the cached code depends on, without importing Numba."""
    cpu = [platform.processor()]
    with suppress(OSError, UnicodeError):
        lines = CPU_FILE.read_text(encoding="utf-8").splitlines()
        cpu = sorted({line for line in lines if line.startswith(CPU_FIELDS)})
    return [platform.python_version(), version("numba"), platform.system(), platform.machine(), *cpu]


def _last_use_time(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0


@cache
def _package_digest(package: str) -> str:
    """Return a digest of the source of another package, or of a single module such as a script."""
    file = Path(str(getattr(sys.modules.get(package), "__file__", None) or package))
    digest = hashlib.sha256()
    for source in sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]:
        digest.update(source.read_bytes() if source.is_file() else b"")
    return f"{package}-{digest.hexdigest()[:16]}"


def _source_digest() -> str:
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for level in ("kit", "games", "search"):
        for source in sorted((package / level).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
