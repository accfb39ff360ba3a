"""Tables of examples in plain text, for tests with many short examples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple


class PlayedExample(NamedTuple):
    """A position, steps from there, and what is so in the end."""

    position: str
    steps: list[str]
    facts: list[str]


def read_examples(text: str, words: Mapping[str, str]) -> dict[str, list[PlayedExample]]:
    """Return the examples under each heading, a line that is not indented.

    In a position, `words` are written out, and those that a line before it under the same heading gives a meaning.

    >>> read_examples('''
    ... a cow can move
    ...     FIELD := grass
    ...     FIELD cow=b2 > graze; go b3 => full
    ... ''', {"grass": "g=9"})
    {'a cow can move': [PlayedExample(position='g=9 cow=b2', steps=['graze', 'go b3'], facts=['full'])]}
    """
    found: dict[str, list[PlayedExample]] = {}
    examples: list[PlayedExample] = []
    meanings = dict(words)
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            examples, meanings = found.setdefault(line, []), dict(words)
            continue
        name, is_meaning, meaning = line.strip().partition(" := ")
        before, _, facts = (meaning if is_meaning else name).partition(" => ")
        position, _, steps = before.partition(" > ")
        for word, written in meanings.items():
            position = re.sub(rf"(?<![\w=]){word}\b", written, position)
        if is_meaning:
            meanings[name] = position
        else:
            examples.append(PlayedExample(position, steps.split("; ") if steps else [], facts.split("; ")))
    return found


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
