"""Games that calculate battles are found by what they say of themselves."""

from __future__ import annotations

from unittest import mock

from realmtable.engine import battle_calculator, registry


def test_the_calculator_of_a_game_is_found() -> None:
    game = battle_calculator.first_game_with_battles()
    assert game is not None
    calculator = battle_calculator.find_battle_calculator(game)
    assert calculator is not None
    assert ":" in calculator.how_to_write
    for example in calculator.examples:
        calculator.read(example)


def test_other_games_have_none() -> None:
    assert battle_calculator.find_battle_calculator("realm") is None
    with mock.patch.object(registry, "infos", return_value=[registry.info("realm")]):
        assert battle_calculator.first_game_with_battles() is None
