"""A whole fight: rounds follow each other as the rules say, and all chances add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from realmtable.games.magic_realm.battle_calculator import forecast
from realmtable.games.magic_realm.battle_calculator.battle_text import read_battle
from realmtable.games.magic_realm.battle_calculator.forecast import end_round, forecast_fight
from realmtable.games.magic_realm.battle_calculator.odds import RoundResult
from realmtable.games.magic_realm.battle_calculator.play_choices import Choice, find_best_choice
from realmtable.games.magic_realm.combat_rules.plays import Play
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from tests.magic_realm.helpers.melee_helpers import chit

NOTHING = Choice(None, Play(), {})


@pytest.fixture(autouse=True)
def few_melees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow fights less far: while coverage is measured, each melee takes long."""
    monkeypatch.setattr(forecast, "MAX_MELEES", 1_000)
    monkeypatch.setattr(forecast, "MIN_SITUATIONS", 2)


@pytest.mark.parametrize(
    "text",
    ["Elf, Light Bow alerted : Giant", "Swordsman : Giant Bat", "Amazon : 2 Wolf", "Dwarf : Imp", "Witch : Ghost"],
)
def test_chances_add_up_and_never_fall(text: str) -> None:
    found = forecast_fight(read_battle(text))
    last = found.rounds[-1]
    assert last.victory + last.death + last.escape + found.unknown == pytest.approx(1)
    for before, after in zip(found.rounds, found.rounds[1:], strict=False):
        assert after.number == before.number + 1
        assert (after.victory, after.death, after.escape) >= (before.victory, 0, before.escape)
    assert all(0 <= number <= len(read_battle(text).monsters) for number in found.kills.values())


def test_the_first_round_is_that_of_the_best_play() -> None:
    duel = read_battle("Elf, Light Bow alerted : Giant")
    best, first = find_best_choice(duel), forecast_fight(duel).rounds[0]
    assert (first.victory, first.death) == pytest.approx((best.kill, best.death))


def test_a_long_fight_is_not_followed_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "MAX_MELEES", 1)
    monkeypatch.setattr(forecast, "MIN_SITUATIONS", 1)
    found = forecast_fight(read_battle("Amazon : 2 Wolf"))
    assert len(found.rounds) == 1
    assert found.unknown > 0.5


def test_c28_c29_what_a_round_changes() -> None:
    duel = read_battle("Amazon, Pony-1 : 2 Wolf")
    helmet, shield = (
        next(number for number, piece in duel.list_armor(0) if piece.name.startswith(name))
        for name in ("Helmet", "Shield")
    )
    wolf, other = duel.monsters
    outcome = RoundResult(
        (other,), wounds=1, is_alerted=True, damaged=frozenset({helmet}), destroyed=frozenset({shield})
    )
    after = end_round(duel, NOTHING, outcome)
    assert after is not None
    assert (after.monsters, after.is_alerted, after.is_first_round, after.quiet_rounds) == ((wolf,), True, False, 0)
    assert after.damaged == {helmet}
    assert set(duel.goods) - set(after.goods) == {shield}
    assert sorted(after.chits).count(WOUNDED) == 1
    on_foot = end_round(duel, NOTHING, RoundResult(has_horse=False))
    assert on_foot is not None
    assert on_foot.horse is None
    assert on_foot.quiet_rounds == 0


def test_e2_a_round_is_quiet_if_nothing_happens_and_no_monster_is_red() -> None:
    duel = read_battle("White Knight : T Troll")
    quiet = end_round(duel, NOTHING, RoundResult())
    assert quiet is not None
    assert quiet.quiet_rounds == 1
    red = read_battle("White Knight : T Troll red")
    held = end_round(red, NOTHING, RoundResult(dark=red.dark))
    assert held is not None
    assert held.quiet_rounds == 0


def test_w4_stars_are_paid_with_chits_that_are_needed_least() -> None:
    duel = read_battle("White Knight : Giant")
    labels = [row.label for row in duel.character.chits]

    def list_tired(*played: str) -> list[str]:
        pieces = [chit(label) for label in played]
        fight = next((piece for piece in pieces if piece.kind == "Fight"), None)
        move = next((piece for piece in pieces if piece.kind == "Move"), None)
        after = end_round(duel, Choice(None, Play(fight, 0, move), {}), RoundResult())
        assert after is not None
        return [label for label, state in zip(labels, after.chits, strict=True) if state == FATIGUED]

    assert list_tired("Move H5*") == []
    assert list_tired("Move H4**") in (["Move H5*"], ["Move T6*"])  # Example 24
    assert len(list_tired("Fight H5*", "Move H5*")) == 1


def test_w3_w6_a_character_without_chits_is_dead() -> None:
    duel = read_battle("Elf : Giant")
    last = replace(duel, chits=(ACTIVE, *(WOUNDED,) * 11))
    assert end_round(last, NOTHING, RoundResult(wounds=1)) is None
    assert end_round(last, NOTHING, RoundResult(wounds=2)) is None
    assert end_round(duel, NOTHING, RoundResult(wounds=3)) is not None


def test_c27_results_of_tables_change_chits() -> None:
    duel = read_battle("Dwarf : Imp")
    after = end_round(duel, NOTHING, RoundResult(words=("Wither",)))
    assert after is not None
    stars = [row.stars > 0 for row in duel.character.chits]
    assert [state == FATIGUED for state in after.chits] == stars
    tired = end_round(replace(after, chits=after.chits), Choice(None, Play(move=chit("Move H4**")), {}), RoundResult())
    assert tired is not None, "what cannot be paid is not paid (W4)"
