"""RULES-combat.md is in the form that readers and other tests rely on, and its clauses have tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.clause_checks import clauses_of, find_clauses_without_a_test
from tests.magic_realm.helpers.catalog_helpers import CATALOG
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, RULES, clause_texts, marks_of, table_rows
from tests.magic_realm.test_rules_document import SOURCE

OURS_AS_A_WHOLE = "Z"


def test_every_clause_appears_once_and_in_ascending_order() -> None:
    clauses = clauses_of(COMBAT_RULES)
    assert [*clause_texts(COMBAT_RULES)] == clauses
    for letter in {clause[0] for clause in clauses}:
        numbers = [int(clause[1:]) for clause in clauses if clause[0] == letter]
        assert numbers == sorted({*numbers})


def test_new_clauses_have_new_numbers() -> None:
    assert {*clauses_of(COMBAT_RULES)} & {*clauses_of(RULES)} == set()


def test_every_clause_that_is_mentioned_exists() -> None:
    plain = re.sub(r"`[^`]*`|\b(?:Fight|Move|Berserk|Duck) [LMHT]\d|\([LMHT]\d[^)]*\)|[LMHT]\d\\", "", COMBAT_RULES)
    mentioned = re.findall(r"\b([A-Z]\d{1,2})\b", plain)
    assert {*mentioned} - {*clauses_of(COMBAT_RULES), *clauses_of(RULES)} == set()


def test_every_clause_names_its_source() -> None:
    for clause, text in clause_texts(COMBAT_RULES).items():
        assert clause[0] in OURS_AS_A_WHOLE or SOURCE.search(marks_of(text)), clause


@pytest.mark.long
def test_every_clause_has_a_test() -> None:
    assert find_clauses_without_a_test(COMBAT_RULES, Path(__file__).parent) == []


def test_the_tables_of_spells_are_those_of_the_data() -> None:
    curses = [row[1] for row in table_rows("roll | curse", COMBAT_RULES)]
    assert [[name] for name in curses] == [[*result] for result in CATALOG.tables.by_name["curse"].results]
    names = [row[1] for row in table_rows("roll | name", COMBAT_RULES)]
    meanings = [CATALOG.tables.meanings[word] for (word,) in CATALOG.tables.by_name["pit"].results]
    assert len(names) == len(meanings)
