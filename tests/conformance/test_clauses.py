"""Every clause of a game's RULES.md has its own test, and no test names a clause that does not exist.

Magic Realm has two texts of rules and checks them in its own folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from realmtable.conformance.complete_checks import require_rules
from realmtable.engine.protocol import AnyGame
from tests.clause_checks import clause_tests, clauses_of, find_clauses_without_a_test, find_tests_of_unknown_clauses
from tests.conformance.random_games import GAMES, TOYS, game_id

TESTS = Path(__file__).parent.parent
with_rules = pytest.mark.parametrize(
    "game", [game for game in GAMES if game not in TOYS and game.info.id != "magic_realm"], ids=game_id
)


@with_rules
def test_every_clause_has_its_own_test(game: AnyGame) -> None:
    assert find_clauses_without_a_test(require_rules(game), TESTS / game.info.id) == []


@with_rules
def test_no_test_names_a_clause_that_does_not_exist(game: AnyGame) -> None:
    assert find_tests_of_unknown_clauses(require_rules(game), TESTS / game.info.id) == []


@with_rules
def test_every_clause_appears_once_and_in_order(game: AnyGame) -> None:
    clauses = clauses_of(require_rules(game))
    assert len(clauses) == len(set(clauses))
    for letter in {clause[0] for clause in clauses}:
        numbers = [int(clause[1:]) for clause in clauses if clause[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1))


# ---- the check itself

RULES = "- **B1** One.\n- **C1** Two.\n  - **E1** Three.\n- **V1** `option`: Four.\n"
SOURCE = """
def test_b1_one() -> None:
    assert True

def test_c1_v1_two() -> None:
    with pytest.raises(ValueError):
        pass

@pytest.mark.slow
def test_e1_only_in_the_slow_run() -> None:
    assert True

def test_v1_says_nothing() -> None:
    print("no assertion")
"""


def test_what_has_no_test_is_found(tmp_path: Path) -> None:
    (tmp_path / "test_rules.py").write_text(SOURCE, encoding="utf-8")
    assert clauses_of(RULES) == ["B1", "C1", "E1", "V1"]
    assert find_clauses_without_a_test(RULES, tmp_path) == ["E1", "V1"]
    assert find_tests_of_unknown_clauses(RULES.replace("C1", "C2"), tmp_path) == ["test_c1_v1_two"]
    assert len(clause_tests(tmp_path)) == 4
