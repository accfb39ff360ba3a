"""Every clause of RULES.md names its source, and the options agree with them."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from realmtable.engine.options import OptionInfo
from realmtable.games import fantasy_realms
from tests.clause_checks import clauses_of
from tests.fantasy_realms.helpers import GAME

RULES = resources.files(fantasy_realms).joinpath("RULES.md").read_text(encoding="utf-8")
CLAUSES = clauses_of(RULES)
OPTIONS = GAME.info.options()
MARK = re.compile(r"\*((?:R|Cards|Designer|Ours)\b[^*]*)\*")


def text_of(clause: str) -> str:
    """A clause up to the next one or the end of its chapter."""
    found = re.search(rf"^- \*\*{clause}\*\*(.*?)(?=^- \*\*[A-Z]\d|^#|^```)", RULES, re.MULTILINE | re.DOTALL)
    assert found, clause
    return " ".join(found[1].split())


# ---- clauses


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
