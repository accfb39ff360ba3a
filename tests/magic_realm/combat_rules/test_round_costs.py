"""What combat costs and brings: fatigue, the end of combat, and spoils (E2, W4, K1, K3)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from realmtable.games.magic_realm.combat_rules.round_costs import (
    LAST_ROUND,
    Debt,
    Rounds,
    end_round,
    is_over,
    list_debts,
)
from realmtable.games.magic_realm.combat_rules.spoils import Bounty, inherit_notoriety, share_bounty
from tests.magic_realm.helpers.melee_helpers import beast, chit, fight, hero, hit


@pytest.mark.parametrize(
    ("labels", "debts"),
    [
        ([], []),
        (["Move M4", "Fight M4*"], []),
        (["Move M3**"], [Debt(0, 1)]),
        (["Fight M3**", "Move M4"], [Debt(1, 0)]),
        (["Fight M4*", "Move M3*"], [Debt(0, 1), Debt(1, 0)]),
        (["Fight M4*", "Duck T3*"], [Debt(0, 1), Debt(1, 0)]),
        (["Berserk T4**"], [Debt(1, 0)]),
        (["Fight M3**", "Move M3*"], [Debt(1, 1), Debt(2, 0)]),
    ],
)
def test_w4_all_stars_but_one_are_paid(labels: list[str], debts: list[Debt]) -> None:
    assert list_debts(chit(label) for label in labels) == debts


def test_e2_two_quiet_rounds_end_combat() -> None:
    rounds = Rounds()
    for is_quiet, over in ((True, False), (False, False), (True, False), (True, True)):
        rounds = end_round(rounds, is_quiet=is_quiet)
        assert is_over(rounds, 1) == over
    assert rounds == Rounds(5, 2)


def test_e2_combat_ends_when_nobody_is_left_or_after_the_last_round() -> None:
    assert is_over(Rounds(), 0)
    assert not is_over(Rounds(LAST_ROUND), 1)
    assert is_over(Rounds(LAST_ROUND + 1), 1)


def test_e2_what_keeps_combat_going() -> None:
    elf, wolf = hero("Elf"), beast("Wolf")
    assert fight([elf, wolf], []).is_quiet
    assert fight([elf, wolf], [hit(1, 0, harm=0)]).is_quiet
    assert not fight([elf, beast("Octopus")], [hit(1, 0, harm=0)]).is_quiet
    assert not fight([elf, wolf], [hit(0, 1, harm=4)]).is_quiet


def test_k1_bounties_are_multiplied_and_shared() -> None:
    assert share_bounty(Bounty(8, 8), 1, 1) == Bounty(8, 8)
    assert share_bounty(Bounty(8, 10), 3, 1) == Bounty(24, 30)
    assert share_bounty(Bounty(0, 1), 4, 2) == Bounty(0, 2)
    assert share_bounty(Bounty(0, 1), 1, 2) == Bounty(0, Fraction(1, 2))


def test_k3_the_notoriety_of_a_character_is_multiplied_and_its_fame_is_lost() -> None:
    assert inherit_notoriety(5, 2, 1) == Bounty(0, 10)
    assert inherit_notoriety(-4, 1, 2) == Bounty(0, -2)
