"""RULES.md is in the form that readers and other tests rely on."""

from __future__ import annotations

import re
from pathlib import Path

from tests.clause_checks import clauses_of, find_clauses_without_a_test, find_tests_of_unknown_clauses
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, RULES, clause_texts, marks_of

OURS_AS_A_WHOLE = "ZF"  # the chapters that say at their beginning that they are ours
SOURCE = re.compile(r"\bS [IV\d]|\bS, introduction|\bR \d|\bR (?:List|Activities|Search)|\b[Oo]urs\b")


def test_every_clause_appears_once_and_in_ascending_order() -> None:
    clauses = clauses_of(RULES)
    assert [*clause_texts()] == clauses
    assert len(clauses) == len(set(clauses))
    for letter in {clause[0] for clause in clauses}:
        numbers = [int(clause[1:]) for clause in clauses if clause[0] == letter]
        assert numbers == sorted(numbers)  # some numbers are not used


def test_every_clause_that_is_mentioned_exists() -> None:
    mentioned = re.findall(r"\b([A-Z]\d{1,2})\b", re.sub(r"`[^`]*`", "", RULES))
    assert {*mentioned} - {*clauses_of(RULES), *clauses_of(COMBAT_RULES)} == set()


def test_every_clause_names_its_source() -> None:
    for clause, text in clause_texts().items():
        assert clause[0] in OURS_AS_A_WHOLE or SOURCE.search(marks_of(text)), clause


def test_every_clause_has_a_test() -> None:
    assert find_clauses_without_a_test(RULES, Path(__file__).parent) == []


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert find_tests_of_unknown_clauses(RULES + COMBAT_RULES, Path(__file__).parent) == []


def test_chapters_without_marks_say_that_they_are_ours() -> None:
    for chapter in ("## Steps", "## Positions"):
        assert "ours" in RULES[RULES.index(chapter) :].partition("\n- **")[0].partition("\n|")[0]


def test_no_step_has_a_sign_that_records_use() -> None:
    """Records separate turns by slashes and hold comments in braces."""
    for clause, text in clause_texts().items():
        if clause[0] == "Z":
            assert not any("{" in step or "/" in step for step in re.findall(r"`([^`]*)`", text)), clause
