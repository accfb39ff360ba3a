"""Finding the calculators that games have for people at a real table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from realmtable.engine import registry
from realmtable.engine.errors import UnknownGame
from realmtable.kit import calculators
from tests.toys import add_games
from tests.toys.dice_duel import INFO, DiceDuel

SCORER = object()
CALCULATOR = object()
every_kind = pytest.mark.parametrize(
    ("field", "find", "find_first", "expected"),
    [
        ("hand_scorer", calculators.find_hand_scorer, calculators.first_game_with_hands, SCORER),
        ("battle_calculator", calculators.find_battle_calculator, calculators.first_game_with_battles, CALCULATOR),
    ],
    ids=["hands", "battles"],
)


@every_kind
def test_the_module_that_a_game_names_holds_its_calculator(
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    find: Callable[[str], object],
    find_first: Callable[[], str | None],
    expected: object,
) -> None:
    duel = DiceDuel()
    add_games(monkeypatch, duel)
    assert find("dice_duel") is None
    duel.info = replace(INFO, **{field: __name__})  # type: ignore[arg-type] # the name of a field
    assert find("dice_duel") is expected
    monkeypatch.setattr(registry, "infos", lambda: [replace(INFO, id="other"), duel.info])
    assert find_first() == "dice_duel"
    monkeypatch.setattr(registry, "infos", list)
    assert find_first() is None
    with pytest.raises(UnknownGame):
        find("chess")


def test_the_examples_of_a_battle_calculator_can_be_read() -> None:
    calculator = calculators.find_battle_calculator(calculators.first_game_with_battles() or "")
    assert calculator is not None
    assert ":" in calculator.how_to_write
    for example in calculator.examples:
        calculator.read(example)
