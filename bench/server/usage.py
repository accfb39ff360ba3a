"""What processes have used, read from Linux."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """The usage of a process, or of several: processor seconds and bytes of memory."""

    cpu_s: float
    memory: int


def read_usage(pid: int) -> Usage | None:
    """Return what a process has used so far, or None if the system does not report it."""
    try:
        return _parse_usage(_read_fields(pid))
    except OSError:
        return None


def read_tree_usage(pid: int) -> Usage | None:
    """Return what a process, its descendants and its ended children have used, or None if that is not reported.

    Memory that processes share is counted for each of them.
    """
    fields = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # ended meanwhile
            fields[int(entry.name)] = _read_fields(int(entry.name))
    if pid not in fields:
        return None
    ended_s = (int(fields[pid][13]) + int(fields[pid][14])) / os.sysconf("SC_CLK_TCK")
    found = [_parse_usage(fields[one]) for one in _find_tree(pid, {each: int(its[1]) for each, its in fields.items()})]
    return Usage(ended_s + sum(usage.cpu_s for usage in found), sum(usage.memory for usage in found))


def parent_of(pid: int) -> int | None:
    """Return the parent of a process, or None if the system does not report it."""
    try:
        return int(_read_fields(pid)[1])
    except OSError:
        return None


def _find_tree(root: int, parents: dict[int, int]) -> set[int]:
    tree, size = {root}, 0
    while len(tree) > size:
        size = len(tree)
        tree |= {pid for pid, parent in parents.items() if parent in tree}
    return tree


def _read_fields(pid: int) -> list[str]:
    """Return the fields of a process's status that follow its name, such as its state and its parent."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()


def _parse_usage(fields: list[str]) -> Usage:
    ticks, pages = int(fields[11]) + int(fields[12]), int(fields[21])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def usage_between(before: Usage | None, after: Usage | None, seconds: float) -> tuple[float | None, int | None]:
    """Return the processors used between two readings, and the memory at the second."""
    if before is None or after is None:
        return None, None
    return (after.cpu_s - before.cpu_s) / seconds, after.memory
