"""Tables of examples in plain text, for tests with many short ones."""

from __future__ import annotations


def read_table(text: str) -> list[tuple[str, ...]]:
    """The rows of a table: one on a line, cells separated by bars; a line that begins with # is a remark.

    >>> read_table('''
    ... # what it is | what it says
    ... cow          | moo
    ... fish         |
    ... ''')
    [('cow', 'moo'), ('fish', '')]
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines if line and not line.startswith("#")]
