"""RULES.md, the options and the tests agree."""

from __future__ import annotations

import re
from pathlib import Path

from tests.clause_checks import clauses_of, find_clauses_without_a_test, find_tests_of_unknown_clauses
from tests.realms_of_etherium.helpers import RULES

FOLDER = Path(__file__).parent


def test_every_clause_has_its_own_test() -> None:
    assert find_clauses_without_a_test(RULES, FOLDER) == []


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert find_tests_of_unknown_clauses(RULES, FOLDER) == []


def test_every_clause_appears_once_and_in_order_and_those_mentioned_exist() -> None:
    clauses = clauses_of(RULES)
    assert len(clauses) == len(set(clauses))
    for letter in {clause[0] for clause in clauses}:
        numbers = [int(clause[1:]) for clause in clauses if clause[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1))
    assert {*re.findall(r"\b([A-Z]\d{1,2})\b", RULES)} <= {*clauses}
