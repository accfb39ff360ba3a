"""The text of Magic Realm's RULES.md, for tests that compare it with options, data and other tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from realmtable.games.magic_realm import options

RULES: Final = Path(options.__file__).with_name("RULES.md").read_text(encoding="utf-8")
COMBAT_RULES: Final = Path(options.__file__).with_name("RULES-combat.md").read_text(encoding="utf-8")
CLAUSE: Final = re.compile(r"^- \*\*([A-Z]\d{1,2})\*\* ", re.MULTILINE)


def clause_texts(rules: str = RULES) -> dict[str, str]:
    """Return the text of each clause, on one line, without its number and without the tables behind it."""
    _, *parts = CLAUSE.split(rules)
    texts = (re.split(r"\n\n", part)[0] for part in parts[1::2])
    return dict(zip(parts[::2], (" ".join(text.split()) for text in texts), strict=True))


def marks_of(text: str) -> str:
    """Return everything in a clause that is in italics, among it the marks of its sources."""
    return " ".join(re.findall(r"\*([^*]+)\*", re.sub(r"`[^`]*`|\*\*[^*]+\*\*", "", text)))


def table_rows(header: str, rules: str = RULES) -> list[list[str]]:
    """Return the cells of the table whose header row begins with some text."""
    block = rules[rules.index(f"\n| {header}") :].partition("\n\n")[0]
    rows = block.strip().splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
