"""Huge memory pages for the server: with a thousand tables in memory, the processor finds data in them faster.

Where Linux gives huge pages only on request, two allocators must ask for them. For large objects, the C library asks if
a variable is set before the program starts. For small objects, Python's own allocator never asks, so a thread does.
Measured by `python -m bench.load`, each of them lets a server play about 7% more moves per second.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

LINUX_SETTING: Final = Path("/sys/kernel/mm/transparent_hugepage/enabled")
PAGE_SIZE_FILE: Final = LINUX_SETTING.with_name("hpage_pmd_size")
OWN_MEMORY: Final = Path("/proc/self/maps")
ON_REQUEST: Final = "[madvise]"  # in the first of these files, if that is what the system is set to
VARIABLE: Final = "GLIBC_TUNABLES"
REQUEST: Final = "glibc.malloc.hugetlb=1"  # ignored by C libraries that do not know it

ADVISE_EVERY_S: Final = 3.0
MAX_TRIES: Final = 3  # to make a huge page of a block of memory; it can fail, for instance while the block is unused
USE_LARGE_PAGES, MAKE_LARGE_PAGE = 14, 25  # numbers of Linux; before version 6.1 it does not know the second

Advise = Callable[[int, int, int], int]  # `madvise`: start, length and advice; returns 0 if it was taken


def are_given_on_request() -> bool:
    """Whether Linux gives huge pages to programs that ask for them, and only to these."""
    try:
        return ON_REQUEST in LINUX_SETTING.read_text(encoding="ascii")
    except (OSError, ValueError):  # another system, or none of this
        return False


# ---- large objects


def restart_with_huge_pages() -> None:
    """Restart this program so that the C library asks; do nothing if that is needless or impossible."""
    arguments = sys.argv[1:]
    is_own_program = bool(sys.executable) and sys.orig_argv[1:][-len(arguments) :] == arguments
    if VARIABLE in os.environ or not arguments or not is_own_program or not are_given_on_request():
        return
    with suppress(OSError):  # the system cannot start it again: it goes on as it is
        os.execve(  # noqa: S606 - this program itself
            sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, VARIABLE: REQUEST}
        )


# ---- small objects


class MemoryAdvice:
    """Asks for huge pages for the memory of this process, for each block of their size until it has one."""

    def __init__(self, advise: Advise, page_size: int) -> None:
        self._advise = advise
        self._page_size = page_size
        self._tries: dict[int, int] = {}  # by the address of a block; a block that has a huge page is not tried again

    def give(self, memory: str) -> int:
        """Ask for all areas of memory, listed as Linux does; return how many blocks got a huge page."""
        return sum(self._make_huge_pages(start, end) for start, end in private_areas(memory))

    def _make_huge_pages(self, start: int, end: int) -> int:
        size, made = self._page_size, 0
        if self._advise(start, end - start, USE_LARGE_PAGES) != 0:
            return 0
        for block in range(-(-start // size) * size, end - size + 1, size):
            tries = self._tries.get(block, 0)
            if tries < MAX_TRIES:
                is_made = self._advise(block, size, MAKE_LARGE_PAGE) == 0
                self._tries[block] = MAX_TRIES if is_made else tries + 1
                made += is_made
        return made


def private_areas(memory: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each area that holds objects, not files, libraries or the stack.

    >>> list(private_areas("5000-6000 rw-p 0 00:00 0 [heap]"))
    [(20480, 24576)]
    """
    for line in memory.splitlines():
        addresses, permissions, _, _, _, *name = line.split(maxsplit=5)
        if permissions == "rw-p" and name in ([], ["[heap]"]):
            start, _, end = addresses.partition("-")
            yield int(start, 16), int(end, 16)


def start_advising() -> None:
    """Ask every few seconds from now on, in a thread, if the system gives huge pages on request."""
    if not are_given_on_request():
        return
    with suppress(OSError, ValueError, AttributeError):  # none of these files, or another C library
        page_size = int(PAGE_SIZE_FILE.read_text(encoding="ascii"))
        advise = ctypes.CDLL(None).madvise
        advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        threading.Thread(target=_advise_forever, args=(MemoryAdvice(advise, page_size),), daemon=True).start()


def _advise_forever(advice: MemoryAdvice) -> None:
    with suppress(OSError, ValueError):  # the list cannot be read: memory stays as it is
        while True:
            time.sleep(ADVISE_EVERY_S)
            advice.give(OWN_MEMORY.read_text(encoding="utf-8", errors="replace"))
