"""Tables of examples in plain text, for tests with many short examples."""

from __future__ import annotations


def read_table(text: str) -> list[tuple[str, ...]]:
    """Return the rows of a table: one per line, with bars between cells; a line that starts with # is a remark.

    >>> read_table('''
    ... # what it is | what it says
    ... cow          | moo
    ... fish         |
    ... ''')
    [('cow', 'moo'), ('fish', '')]
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines if line and not line.startswith("#")]
