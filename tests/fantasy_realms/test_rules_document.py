"""RULES.md, the options and the tests know the same clauses, and every clause names its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from realmtable.engine.options import OptionInfo
from realmtable.games import fantasy_realms
from tests.fantasy_realms.helpers import GAME

RULES = resources.files(fantasy_realms).joinpath("RULES.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*([A-Z]\d+)\*\*", RULES, re.MULTILINE)
LETTERS = "CPWXSN"
OPTIONS = GAME.info.options()
MARK = re.compile(r"\*((?:R|Cards|Designer|Ours)\b[^*]*)\*")
HEAD = re.compile(r"test_((?:[a-z]\d+_)+)")
LISTED = re.compile(r"((?:[A-Z]\d+, )*[A-Z]\d+):")


def text_of(clause: str) -> str:
    """A clause up to the next one or the end of its chapter."""
    found = re.search(rf"^- \*\*{clause}\*\*(.*?)(?=^- \*\*[A-Z]\d|^#|^```)", RULES, re.MULTILINE | re.DOTALL)
    assert found, clause
    return " ".join(found[1].split())


def list_tested_clauses(source: str) -> Iterator[str]:
    """The clauses that test functions name: at the head of their name or, one by one, of their docstring.

    A comment, a helper or a range like "S1 to S8" tests nothing in particular and does not count.
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            if head := HEAD.match(node.name):
                yield from head[1].upper().rstrip("_").split("_")
            if head := LISTED.match(ast.get_docstring(node) or ""):
                yield from head[1].split(", ")


# ---- clauses


def test_every_clause_stands_once_in_the_rules() -> None:
    assert "".join(dict.fromkeys(clause[0] for clause in CLAUSES)) == LETTERS
    for letter in LETTERS:
        numbers = [int(clause[1:]) for clause in CLAUSES if clause[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_clause_has_a_test_that_names_it() -> None:
    named = {
        clause
        for path in Path(__file__).parent.glob("test_*.py")
        for clause in list_tested_clauses(path.read_text(encoding="utf-8"))
    }
    assert [clause for clause in CLAUSES if clause not in named] == []
    assert named <= set(CLAUSES)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("def test_w2_turns() -> None: ...", ["W2"]),
        ("def test_p6_s8_ties() -> None: ...", ["P6", "S8"]),
        ('def test_ties() -> None:\n    """P6, S8: the weaker."""', ["P6", "S8"]),
        ('def test_all() -> None:\n    """S1 to S8: all of it."""', []),
        ('def test_all() -> None:\n    """All of it, W2 too."""', []),
        ("# W2 is tested\ndef w2_helper() -> None: ...", []),
        ("def test_twice() -> None: ...", []),
    ],
)
def test_only_what_a_test_names_itself_counts_as_tested(source: str, named: list[str]) -> None:
    assert list(list_tested_clauses(source)) == named


@pytest.mark.parametrize("clause", [clause for clause in CLAUSES if clause[0] != "N"])
def test_every_clause_names_its_source(clause: str) -> None:
    """The last words of a clause are a mark, so that nothing in it stands without a source."""
    text = text_of(clause)
    marks = MARK.findall(text)
    assert marks or "*ours*" in text
    rest = re.split(r"\*(?:R|Cards|Designer|Ours)\b[^*]*\*", text)[-1].strip(" )")
    # Behind it there is at most a remark in parentheses, or what is marked at its head: "in full (*ours*): ...".
    assert not rest or rest.startswith("(") or "(*ours*):" in rest, rest


def test_the_chapter_on_steps_is_ours() -> None:
    chapter = RULES[RULES.index("## Steps") : RULES.index("## Options")]
    assert "How steps are written is ours." in chapter
    assert not MARK.search(chapter)


# ---- options


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: str(info.name))
def test_every_option_is_in_the_table_with_its_default_and_clause(info: OptionInfo) -> None:
    switch = "on" if info.default else "off"
    shown = {"switch": switch, "choice": f"`{info.default}`"}.get(info.type, str(info.default))
    (row,) = re.findall(rf"^\| `{info.name}` \| (.*?) \| (.*) \|$", RULES, re.MULTILINE)
    assert row[0] == shown
    assert info.name == "variant" or f"({info.clause})" in row[1]
    assert all(f"`{choice}`" in row[1] for choice in info.choices)


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: str(info.name))
def test_the_source_of_an_option_is_one_that_its_clause_names(info: OptionInfo) -> None:
    """An option that claims the rulebook rests on a sentence that claims it, too."""
    text = text_of(info.clause)
    mark = {"rulebook": "*R", "the designer's answer": "*Designer*", "this table": "ours"}
    word = next(mark[source] for source in mark if info.source.startswith(source))
    assert word in text or word.capitalize() in text


def test_only_what_the_rulebook_says_claims_it() -> None:
    """The rulebook knows the variants, a time limit, and that a blanked card has no strength; no other option."""
    claiming = {info.name for info in OPTIONS if info.source.startswith("rulebook")}
    assert claiming == {"variant", "trading_s", "tie_break"}
