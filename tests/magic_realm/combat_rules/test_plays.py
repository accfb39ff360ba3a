"""What characters can play in the melee and in the encounter (C1, C7 to C9, C12, E7 to E15)."""

from __future__ import annotations

from realmtable.games.magic_realm.combat_rules.encounter import (
    Sheets,
    assign,
    disengage,
    find_time_limit,
    leave_sheet,
    list_action_pieces,
    list_charge_pieces,
    list_highest,
    list_lures,
    list_unassigned,
)
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import EVERY_DIRECTION
from realmtable.games.magic_realm.combat_rules.plays import (
    BERSERK,
    FIGHT,
    MOVE,
    Play,
    chit_piece,
    horse_pieces,
    list_fight_pieces,
    list_move_pieces,
    list_plays,
)
from tests.magic_realm.helpers.catalog_helpers import CATALOG, character, monster
from tests.magic_realm.helpers.melee_helpers import DUCK, THRUST, chit, gloves_or_boots, hand, horse

WALK, GALLOP = horse_pieces(horse("Pony-1"))
M, H, T = (level_of(letter) for letter in "MHT")
WOLF, GIANT, TROLL, IMP = (monster(name).id for name in ("Wolf", "Giant", "T Troll", "Imp"))


def _sheets(*monsters: int, assigned: dict[int, int] | None = None, dark: tuple[tuple[int, bool], ...] = ()) -> Sheets:
    return Sheets(monsters, (0, 1), assigned or {}, frozenset(dark))


# ---- the melee


def test_c1_a_horse_shows_its_other_side() -> None:
    assert list_move_pieces(hand(WALK, GALLOP)) == [WALK, GALLOP]
    assert list_move_pieces(hand(WALK, GALLOP, played=(GALLOP,))) == [WALK]
    assert list_move_pieces(hand(WALK, GALLOP, played=(WALK,))) == [GALLOP]


def test_c7_a_piece_is_played_once_a_round() -> None:
    four, boots, gloves = chit("Move M4"), gloves_or_boots("Quick Boots"), gloves_or_boots("Handy Gloves")
    assert list_move_pieces(hand(four, four, boots, played=(four,))) == [four, four, boots]
    assert list_move_pieces(hand(four, boots, gloves, played=(four, boots))) == []
    assert list_fight_pieces(hand(four, gloves)) == [gloves]
    assert list_fight_pieces(hand(gloves, played=(gloves,))) == []
    assert gloves_or_boots("7-League Boots") == ("7-League Boots", MOVE, T, 5, 0, "")


def test_c7_the_duck_chit_only_ducks() -> None:
    duck = chit("Duck T3*")
    assert list_move_pieces(hand(duck)) == [duck]
    assert duck.directions == (DUCK,)
    assert chit("Move H6").directions == EVERY_DIRECTION


def test_c7_the_berserk_chit_is_neither_fight_nor_move() -> None:
    berserk = chit("Berserk T4**")
    assert list_move_pieces(hand(berserk)) == list_fight_pieces(hand(berserk)) == []
    assert chit_piece(next(row for row in character("Druid").chits if row.kind == "Magic")) is None


def test_c7_no_horse_while_a_monster_holds() -> None:
    four = chit("Move M4")
    assert list_move_pieces(hand(four, WALK, is_held=True)) == [four]


def test_c7_every_play_is_listed() -> None:
    four, fight, star = chit("Move M4"), chit("Fight M4"), chit("Fight M4*")
    plays = [*list_plays(hand(four, fight, chit("Move M3**")), has_target=True, has_shield=True)]
    assert len(plays) == len({*plays}) == (1 + 3) * (1 + 6) * 3
    assert [*list_plays(hand(fight), has_target=False, has_shield=False)] == [Play()]
    pairs = {
        (play.fight, play.move) for play in list_plays(hand(star, chit("Move M3**")), has_target=True, has_shield=False)
    }
    assert (star, chit("Move M3**")) not in pairs
    assert (star, None) in pairs


def test_c8_two_stars_a_round() -> None:
    double, single, plain = chit("Move M3**"), chit("Move M3*"), chit("Move M4")
    pieces = hand(double, single, plain)
    assert list_move_pieces(pieces) == [double, single, plain]
    assert list_move_pieces(pieces, chit("Fight M4*")) == [single, plain]
    assert list_move_pieces(pieces, chit("Fight M3**")) == [plain]
    assert list_move_pieces(hand(single, plain, played=(chit("Fight M3**"),))) == [plain]
    assert list_move_pieces(hand(double, star_limit=3), chit("Fight M4*")) == [double]


def test_c8_the_stars_of_horses_do_not_count() -> None:
    assert list_move_pieces(hand(GALLOP), chit("Fight M3**")) == [GALLOP]


def test_c9_strength_for_weapon_and_load() -> None:
    assert list_fight_pieces(hand(chit("Fight M4"), chit("Fight H6"), weapon_weight=H)) == [chit("Fight H6")]
    assert list_move_pieces(hand(chit("Move M4"), chit("Move H6"), WALK, load=H)) == [chit("Move H6")]


def test_c12_a_weapon_can_be_turned_without_a_target() -> None:
    assert list_fight_pieces(hand(chit("Fight M4"), weapon_weight=M)) == [chit("Fight M4")]
    assert all(play.fight is None for play in list_plays(hand(chit("Fight M4")), has_target=False, has_shield=False))


# ---- the encounter


def test_e7_monsters_are_lured_from_sheets_of_others_unless_red() -> None:
    sheets = _sheets(WOLF, GIANT, TROLL, IMP, assigned={GIANT: 1, TROLL: 1, WOLF: 0}, dark=((TROLL, False),))
    assert list_lures(sheets, 0, [IMP]) == [GIANT]
    assert list_lures(sheets, 1, []) == [WOLF, IMP]
    assert assign(sheets, GIANT, 0).on_sheet(0) == [WOLF, GIANT]


def test_e7_the_dark_side_of_a_club_is_no_red_side() -> None:
    assert list_lures(_sheets(GIANT, WOLF, dark=((GIANT, True), (WOLF, False))), 0, []) == [GIANT, WOLF]


def test_e8_the_highest_roll_takes_the_monster_and_ties_roll_again() -> None:
    assert list_unassigned(_sheets(WOLF, GIANT, assigned={WOLF: 0})) == [GIANT]
    assert list_highest({0: 4, 1: 4, 2: 3}) == [0, 1]
    assert list_highest({0: 2, 1: 7}) == [1]


def test_e11_a_charge_takes_a_strong_move_piece() -> None:
    pieces = (chit("Move M4"), chit("Move H6"), chit("Duck T3*"), chit("Fight H6"), WALK)
    assert list_charge_pieces(hand(*pieces, load=M)) == [chit("Move M4"), chit("Move H6"), WALK]
    assert list_charge_pieces(hand(*pieces, load=H)) == [chit("Move H6")]
    assert list_charge_pieces(hand(*pieces, is_held=True)) == []


def test_e12_every_move_time_on_the_sheet_limits_actions() -> None:
    assert find_time_limit(_sheets(WOLF), 0) is None
    assert find_time_limit(_sheets(WOLF, GIANT, assigned={GIANT: 0, WOLF: 1}), 0) == 5
    assert find_time_limit(_sheets(WOLF, GIANT, assigned={GIANT: 0, WOLF: 0}), 0) == 3
    assert find_time_limit(_sheets(WOLF, assigned={WOLF: 0}, dark=((WOLF, False),)), 0) == 4


def test_e12_whoever_charges_limits_actions_too() -> None:
    sheets = Sheets((), (0, 1), {}, charges={1: (0, chit("Move M4"))})
    assert (find_time_limit(sheets, 0), find_time_limit(sheets, 1)) == (4, None)


def test_e13_alerting_needs_a_fast_and_strong_fight_piece() -> None:
    pieces = hand(chit("Fight L3*"), chit("Fight M4"), chit("Move M4"), chit("Berserk T4**"), weapon_weight=M)
    assert list_action_pieces(pieces, FIGHT, 5) == [chit("Fight M4")]
    assert list_action_pieces(pieces, FIGHT, 4) == []
    assert list_action_pieces(pieces, BERSERK, 5) == [chit("Berserk T4**")]
    assert list_action_pieces(pieces, BERSERK, 4) == []


def test_e14_runners_leave_their_sheet_behind() -> None:
    pieces = hand(chit("Move M4"), chit("Move H6"), chit("Duck T3*"), load=M)
    assert list_action_pieces(pieces, MOVE, None) == [chit("Move M4"), chit("Move H6")]
    left = leave_sheet(_sheets(WOLF, GIANT, assigned={WOLF: 0, GIANT: 1}), 0)
    assert (left.seats, list_unassigned(left), left.on_sheet(1)) == ((1,), [WOLF], [GIANT])


def test_e15_nobody_runs_from_a_red_monster() -> None:
    pieces = hand(chit("Move M4"), chit("Fight M4"), is_held=True)
    assert list_action_pieces(pieces, MOVE, 9) == []
    assert list_action_pieces(pieces, FIGHT, 9) == [chit("Fight M4")]
    held = _sheets(TROLL, GIANT, assigned={TROLL: 0, GIANT: 1}, dark=((TROLL, False), (GIANT, True)))
    assert (held.is_held(0), held.is_held(1)) == (True, False)


def test_c29_monsters_stay_on_the_sheets_and_red_sides_are_set() -> None:
    sheets = Sheets(
        (WOLF, GIANT, TROLL), (0, 1), {WOLF: 0, GIANT: 1, TROLL: 1},
        frozenset({(WOLF, False), (GIANT, True), (TROLL, False)}), {0: (1, chit("Move M4"))},
    )  # fmt: skip
    after = disengage(sheets, [WOLF], [GIANT])
    assert (after.monsters, after.assigned) == ((GIANT, TROLL), {GIANT: 1, TROLL: 1})
    assert after.dark == {(GIANT, True), (GIANT, False)}
    assert after.charges is None
    assert disengage(sheets, [], [TROLL]).is_red(TROLL)
    assert disengage(sheets, [], []).dark == {(WOLF, False), (GIANT, True)}


def test_c7_all_chits_of_the_game_can_be_read() -> None:
    pieces = [chit_piece(row) for hero in CATALOG.characters for row in hero.chits]
    assert {piece.kind for piece in pieces if piece is not None} == {"Fight", "Move", "Duck", "Berserk"}
    assert THRUST in EVERY_DIRECTION
