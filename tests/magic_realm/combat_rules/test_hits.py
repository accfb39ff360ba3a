"""Boxes, directions, times and the order of hits (C11, C13 to C17)."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from realmtable.games.magic_realm.combat_rules.boxes import (
    Counter,
    lay_counters,
    list_boxes,
    list_counters,
    list_tactics_boxes,
    list_turned,
    reposition,
)
from realmtable.games.magic_realm.combat_rules.hits import (
    MATCHES,
    MISSES,
    UNDERCUTS,
    UNOPPOSED,
    judge_attack,
    list_instants,
)
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION, Maneuver, Melee
from tests.magic_realm.helpers.catalog_helpers import CATALOG, monster
from tests.magic_realm.helpers.melee_helpers import SMASH, SWING, THRUST, beast, bite, blow, hit
from tests.magic_realm.helpers.rules_text import COMBAT_RULES, table_rows

BATS = [row.id for row in CATALOG.monsters if row.kind == "Giant Bat"]
GIANT = monster("Giant").id


def test_c11_up_to_three_counters_lie_in_boxes_of_their_own() -> None:
    counters = list_counters([*BATS[:1], GIANT])
    assert counters == sorted(counters)
    assert [counter.is_part for counter in counters if counter.monster == GIANT] == [False, True]
    assert [*lay_counters(counters, {}).values()] == [THRUST, SWING, SMASH]


def test_c11_a_head_or_club_lies_apart_from_its_monster() -> None:
    counters = list_counters([GIANT])
    for counter, other in permutations(counters):
        assert list_boxes(counters, {other: SWING}, counter) == [THRUST, SMASH]
        boxes = lay_counters(counters, {other: THRUST})
        assert (boxes[other], boxes[counter]) == (THRUST, SWING)


def test_c11_all_boxes_have_to_be_filled() -> None:
    counters = [Counter(bat) for bat in range(3)]
    assert list_boxes(counters, {counters[0]: THRUST}, counters[1]) == [SWING, SMASH]
    four = [*counters, Counter(3)]
    assert list_boxes(four, {four[0]: THRUST}, four[1]) == [*EVERY_DIRECTION]
    assert list_boxes(four, {four[0]: THRUST, four[1]: THRUST}, four[2]) == [SWING, SMASH]
    assert lay_counters(four, {four[0]: THRUST, four[1]: THRUST}) == {
        four[0]: THRUST, four[1]: THRUST, four[2]: SWING, four[3]: SMASH,
    }  # fmt: skip


def test_c13_the_six_results_are_the_six_permutations() -> None:
    boxes = {Counter(number): number for number in EVERY_DIRECTION}
    results = [tuple(reposition(boxes, die).values()) for die in range(1, 7)]
    assert sorted(results) == sorted(permutations(EVERY_DIRECTION))
    names = ("thrust", "swing", "smash")
    rows = table_rows("die | what lay", COMBAT_RULES)
    assert [[names[box] for box in result] for result in results] == [row[1:] for row in rows]


def test_c14_a_six_turns_what_can_turn() -> None:
    giant, club = list_counters([GIANT])
    bat = Counter(BATS[0])
    boxes = {giant: THRUST, bat: THRUST, club: SWING}
    assert list_tactics_boxes(boxes) == [THRUST, SWING]
    assert list_tactics_boxes({giant: SMASH}) == []
    assert list_turned(boxes, THRUST, (6, 1)) == [bat]
    assert list_turned(boxes, SWING, (2, 6)) == [club]
    assert list_turned(boxes, THRUST, (5, 5)) == []


@pytest.mark.parametrize(("time", "expected"), [(3, UNDERCUTS), (4, MISSES), (5, MISSES)])
def test_c15_an_attack_from_elsewhere_has_to_undercut(time: int, expected: str) -> None:
    assert judge_attack(hit(0, 1, SWING, time=time), Maneuver(SMASH, 4)) == expected


def test_c15_matching_directions_always_hit() -> None:
    for attack, maneuver in product(EVERY_DIRECTION, repeat=2):
        found = judge_attack(hit(0, 1, attack, time=9), Maneuver(maneuver, 1))
        assert found == (MATCHES if attack == maneuver else MISSES)


def test_c15_without_a_manoeuvre_everything_hits() -> None:
    assert judge_attack(hit(0, 1, SWING, time=9), None) == UNOPPOSED


def test_c16_the_weapon_has_the_time_or_else_the_chit() -> None:
    assert blow("Light Bow", THRUST, "Fight M4", attacker=0, target=1, alerted=True).time == 1
    assert blow("Light Bow", THRUST, "Fight M4", attacker=0, target=1).time == 4
    assert blow("Spear", THRUST, "Fight M3*", attacker=0, target=1).time == 6
    assert bite("Wolf", THRUST, attacker=1, target=0).time == 4
    assert bite("Giant Bat", THRUST, attacker=1, target=0, dark=True).time == 3
    assert beast("Giant Bat", dark=True).maneuver == Maneuver(THRUST, 2)


def test_c17_length_first_then_time_and_later_the_other_way_round() -> None:
    attacks = tuple(hit(0, 1, time=time, length=length) for time, length in ((5, 9), (2, 0), (4, 9), (2, 3), (4, 9)))
    first, later = Melee((), attacks), Melee((), attacks, is_first_round=False)
    assert list_instants(first, range(5)) == [[2, 4], [0], [3], [1]]
    assert list_instants(later, range(5)) == [[3], [1], [2, 4], [0]]
    assert list_instants(later, [0, 1]) == [[1], [0]]
