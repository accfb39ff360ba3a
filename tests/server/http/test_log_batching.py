"""Log lines are written in groups, in order, and none is lost."""

from __future__ import annotations

import asyncio
import errno
import io
import threading

import pytest

from realmtable.server.log_batching import BatchedLines


class CountedFile(io.StringIO):
    """A file that counts how often it is written to."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    def write(self, text: str) -> int:
        """Count, and write."""
        self.writes += 1
        return super().write(text)


def add_line(lines: BatchedLines, text: str) -> None:
    lines.write(f"{text}\n")
    lines.flush()


def test_without_an_event_loop_lines_are_written_at_once() -> None:
    file = CountedFile()
    lines = BatchedLines(file)
    for text in "ab":
        add_line(lines, text)
        assert file.getvalue().endswith(f"{text}\n")
    assert (file.writes, lines.isatty()) == (2, False)


@pytest.mark.anyio
async def test_lines_of_one_round_are_written_together() -> None:
    file = CountedFile()
    lines = BatchedLines(file)
    for text in "abc":
        add_line(lines, text)
    assert file.getvalue() == ""
    await asyncio.sleep(0)
    assert (file.getvalue(), file.writes) == ("a\nb\nc\n", 1)
    add_line(lines, "d")
    await asyncio.sleep(0)
    assert file.getvalue() == "a\nb\nc\nd\n"


def test_lines_that_an_event_loop_has_left_are_written_by_the_next_writer() -> None:
    file = CountedFile()
    lines = BatchedLines(file)
    for text in "ab":  # each loop ends before it comes to writing

        async def add(line: str = text) -> None:
            add_line(lines, line)

        coroutine = add()
        loop = asyncio.new_event_loop()
        loop.call_soon(loop.stop)
        task = loop.create_task(coroutine)
        loop.run_forever()
        assert task.done()
        loop.close()
    assert file.getvalue() == ""
    add_line(lines, "c")
    assert file.getvalue() == "a\nb\nc\n"


class FullDisk(CountedFile):
    """A file that takes nothing until there is space again."""

    has_space = False

    def write(self, text: str) -> int:
        """Write, or fail."""
        if not self.has_space:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


@pytest.mark.anyio
async def test_a_log_that_cannot_be_written_disturbs_nothing() -> None:
    """The event loop logs errors of what it runs; a line about this one would fail too, and so on without end."""
    file, reported = FullDisk(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    lines = BatchedLines(file)
    add_line(lines, "a")
    await asyncio.sleep(0)
    file.has_space = True
    add_line(lines, "b")
    await asyncio.sleep(0)
    assert (file.getvalue(), reported) == ("b\n", [])


def test_lines_of_many_threads_are_all_written() -> None:
    file = CountedFile()
    lines = BatchedLines(file)

    def add_many(name: str) -> None:
        for number in range(200):
            add_line(lines, f"{name}{number}")

    threads = [threading.Thread(target=add_many, args=[name]) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = {f"{name}{number}" for name in "abcd" for number in range(200)}
    assert sorted(file.getvalue().split()) == sorted(expected)
