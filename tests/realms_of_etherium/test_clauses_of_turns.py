"""One small test for each clause on the world, the set-up, Rounds, moves and powers that has none elsewhere."""

from __future__ import annotations

from collections import Counter

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import count_moves_left
from realmtable.games.realms_of_etherium.kernels.world import tile_on
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import VERBS, standard_manifest
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import amounts, list_texts, phase, play, play_on, read

ACT = "phase=act active=1"
SECOND = layout.MAX_MAGES  # Mage 1 of seat 2


def ring(first: str, second: str = "Channel", third: str = "Condense") -> str:
    """A Portal and three Realms that touch it; the first touches both others."""
    return f"tiles=Portal@0,0;{first}@1,0;{second}@0,1;{third}@1,-1"


def verbs(position: Position, verb: str) -> list[str]:
    """What follows a verb in the legal steps."""
    return [text.removeprefix(f"{verb} ") for text in list_texts(position) if text.startswith(f"{verb} ")]


def tile_at(position: Position, q: int, r: int) -> str:
    """The name of the Realm on a hex."""
    tile = tile_on(position, layout.hex_at(q, r))
    return "" if tile == layout.NONE else layout.KIND_NAMES[position[layout.TILE_KIND + tile]]


# ---- the world


def test_w1_a_hex_has_six_sides() -> None:
    position = read(f"mages=portal;portal/portal {ACT}")
    assert verbs(position, "summon") == ["0,-1", "1,-1", "-1,0", "1,0", "-1,1", "0,1"]


def test_w2_no_realm_lies_beyond_the_edge() -> None:
    position = read(f"tiles=Portal@20,0;Quicken@19,0 mages=portal;portal/portal {ACT}")
    assert verbs(position, "summon") == ["20,-1", "19,1"]


def test_w4_two_portals_count_as_two_realms() -> None:
    line = f"tiles=Portal@0,0;Portal.2@1,0;Channel@-1,0 mages=portal;portal/portal {ACT}"
    assert "summon 0,1" in list_texts(read(line))
    assert "summon 0,1" not in list_texts(read(f"{line} options=portals_touch_as_one=on"))


def test_w5_all_portals_are_one_place_but_do_not_join_their_neighbours() -> None:
    tiles = "tiles=Portal@0,0;Quicken@1,0;Portal.2@5,0;Channel@5,1"
    assert verbs(read(f"{tiles} mages=portal;portal/portal {ACT}"), "to") == ["1,0", "5,1"]
    assert verbs(read(f"{tiles} mages=1,0;portal/portal {ACT}"), "to") == ["portal"]


def test_w6_portal_and_disruption_are_types() -> None:
    tiles = "tiles=Portal@0,0;Portal.2@1,-1;Disruption@0,1;Diversity@1,0:1"
    assert read(f"{tiles} mages=portal/portal")[layout.POINTS] == 2


# ---- set-up


def test_u2_what_does_not_fit_is_not_gained() -> None:
    position = play(f"{ring('Channel', 'Shift')} mages=portal;portal/portal {ACT} etherium=19.0/0.0", "to 1,0")
    assert amounts(position, 0) == (20, 0)


def test_u3_one_portal_is_placed_and_the_rest_is_in_the_supplies() -> None:
    position = first_position(3, EtheriumOptions())
    supply = position[layout.SUPPLY : layout.SUPPLY + layout.KIND_COUNT]
    assert (supply[layout.IS_VICTORY == 0].sum(), supply[layout.IS_VICTORY == 1].sum()) == (53, 20)
    assert (tile_at(position, 0, 0), supply[layout.PORTAL_KIND]) == ("Portal", 5)


def test_u5_every_seat_draws_another_colour() -> None:
    position = first_position(3, EtheriumOptions(player_powers=True))
    assert verbs(position, "colour") == ["Red", "Blue", "Green", "Purple", "Orange", "Yellow"]
    play_on(position, "colour Green", "colour Red")
    assert (phase(position)[0], verbs(position, "colour")) == ("colours", ["Blue", "Purple", "Orange", "Yellow"])
    play_on(position, "colour Blue")
    assert phase(position) == ("refill", layout.CHANCE)


def test_u6_r7_play_goes_clockwise_from_the_starting_player() -> None:
    position = read("mages=portal/portal/portal phase=first")
    play_on(position, "first 3")
    assert phase(position) == ("act", 2)
    play_on(position, "end")
    assert phase(position) == ("act", 0)


# ---- Rounds and activations


def test_r2_nothing_is_compulsory_and_any_order_is_allowed() -> None:
    line = f"{ring('Gather')} mages=1,0;portal/portal {ACT} etherium=1.1/0.0"
    assert {"end", "control", "to portal"} <= {*list_texts(read(line))}
    assert "to portal" in list_texts(play(line, "control"))


PARALYZED = f"{ring('Paralyze')};Gather@-1,1 mages=portal;portal/0,1;-1,1 etherium=0.1/0.0 {ACT}"


def test_r4_an_exhausted_mage_loses_its_activation() -> None:
    position = play(PARALYZED, "to 1,0", "use")
    assert position[layout.EXHAUSTED + SECOND : layout.EXHAUSTED + SECOND + 2].tolist() == [1, 0]
    assert (phase(position), position[layout.ACTIVE_MAGE]) == (("act", 1), SECOND + 1)


def test_r5_an_activation_goes_on_after_paralyze() -> None:
    line = f"{ring('Displace', 'Paralyze')} mages=1,0;portal/1,0 etherium=1.0/0.1 {ACT}"
    position = play(line, "displace", "push 2.1 to 0,1", "use")
    assert (position[layout.EXHAUSTED], phase(position)) == (1, ("act", 0))
    assert "to portal" in list_texts(position)


def test_r7_turn_order_begins_with_the_active_player() -> None:
    mages = "mages=1,0;portal/1,0;1,0/1,0"
    position = read(f"{ring('Displace')} {mages} seat=2 {ACT} etherium=0.0/1.0/0.0")
    play_on(position, "displace")
    owners = []
    while phase(position)[0] == "push":
        owners.append(position.item(layout.DISPLACE_OWNER))
        play_on(position, "next")
    assert owners == [1, 2, 0]


# ---- moving and summoning


def test_m1_from_portal_to_portal_is_no_move() -> None:
    position = read(f"tiles=Portal@0,0;Portal.2@1,0;Channel@0,1 mages=portal;portal/portal {ACT}")
    assert verbs(position, "to") == ["0,1"]


def test_m2_a_summoned_realm_touches_the_mages_realm_and_another_one() -> None:
    position = read(f"{ring('Quicken')} mages=1,0;portal/portal {ACT}")
    assert verbs(position, "summon") == ["2,-1", "1,1"]


def test_m4_a_drawn_tile_goes_to_the_declared_hex() -> None:
    line = f"{ring('Quicken')} mages=1,0;portal/portal {ACT}"
    assert phase(play(line, "summon 1,1", "draw realm")) == ("draw", layout.CHANCE)
    assert tile_at(play(line, "summon 1,1", "draw realm", "reveal Gather"), 1, 1) == "Gather"


def test_m5_the_reserve_is_refilled_before_the_mage_enters() -> None:
    line = f"{ring('Quicken')} mages=portal;portal/portal {ACT}"
    position = play(line, "summon -1,1", "take Draw")
    assert (phase(position), tile_at(position, -1, 1)) == (("refill", layout.CHANCE), "Draw")
    assert position[layout.MAGE_PLACE] == layout.PORTALS
    play_on(position, "reveal Gather")
    assert position[layout.MAGE_PLACE] == tile_on(position, layout.hex_at(-1, 1))


def test_m7_a_large_reserve_is_not_reduced_or_refilled() -> None:
    line = (
        f"{ring('Quicken')} mages=portal;portal/portal {ACT} reserve=Draw;Gather;Shift;Swap;Lessen;Accord;Bond;Network"
    )
    position = play(line, "summon -1,1", "take Lessen")
    assert phase(position) == ("act", 1)
    assert position[layout.RESERVE : layout.RESERVE + layout.KIND_COUNT].sum() == 7


# ---- powers


def test_p1_powers_work_in_four_ways() -> None:
    triggers = Counter(VERBS[tile.power.verb].trigger for tile in standard_manifest().tiles)
    assert triggers.keys() == {"static", "enter", "gain", "persistent", "victory"}


def test_p2_a_power_works_when_a_mage_enters_but_not_where_it_starts() -> None:
    assert amounts(play(f"{ring('Channel', 'Shift')} mages=1,0;portal/portal", "mage 1"), 0) == (0, 0)
    pushed = f"{ring('Displace')} mages=1,0;portal/1,0 etherium=1.0/0.0 {ACT}"
    assert amounts(play(pushed, "displace", "push 2.1 to 0,1"), 1) == (2, 0)


def test_p3_a_power_with_a_price_is_offered_once_and_can_be_declined() -> None:
    line = f"{ring('Conjure')} mages=portal;portal/portal {ACT}"
    assert phase(play(line, "to 1,0")) == ("act", 1)  # it cannot be paid
    paid = f"{line} etherium=0.3/0.0"
    assert list_texts(play(paid, "to 1,0")) == ["use", "skip"]
    assert amounts(play(paid, "to 1,0", "skip"), 0) == (0, 3)


def test_p4_a_realm_stays_held_when_the_mage_leaves_it() -> None:
    position = play(f"{ring('Quicken', 'Shift')} mages=1,0;portal/portal {ACT} held=1,0", "to 0,1")
    assert (phase(position), count_moves_left(position)) == (("act", 0), 1)


def test_p7_a_gain_of_nothing_triggers_nothing() -> None:
    line = f"{ring('Condense', 'Propagate', 'Shift')} mages=portal;0,1/portal {ACT}"
    assert amounts(play(f"{line} etherium=0.20/0.0", "to 1,0"), 0) == (0, 20)
    assert amounts(play(line, "to 1,0"), 0) == (2, 1)


def test_p9_protection_needs_a_tile_and_its_price() -> None:
    line = f"{ring('Displace', 'Protection')} etherium=1.0/{{}} {ACT} mages=1,0;portal/1,0;{{}}"
    steps = ("displace", "push 2.1 to portal")
    assert phase(play(line.format("1.0", "0,1"), *steps)) == ("protect", 1)
    assert phase(play(line.format("0.0", "0,1"), *steps)) == ("act", 0)
    assert phase(play(line.format("1.0", "portal"), *steps)) == ("act", 0)


def test_p10_a_realm_is_held_before_its_power_is_resolved() -> None:
    line = f"{ring('Conjure')} mages=portal;portal/portal {ACT} etherium=0.3/0.0"
    position = play(line, "to 1,0")
    assert (phase(position), position[layout.MOVED]) == (("enter", 0), 1)
    assert position[layout.TILE_MARKS + position[layout.MAGE_PLACE]] & layout.HELD


# ---- tiles


def test_t1_a_mage_in_the_portal_is_in_all_portals() -> None:
    position = read(f"{ring('Quicken')};Portal.2@5,0;Shift@5,1 mages=portal;portal/portal {ACT}")
    assert {"4,1", "6,0", "-1,1"} <= {*verbs(position, "summon")}


def test_t7_a_pushed_mage_gets_no_activation() -> None:
    line = f"{ring('Displace', 'Quicken')} mages=1,0;portal/1,0;portal etherium=1.0/9.9 {ACT}"
    position = play(line, "displace", "push 2.1 to 0,1")
    assert (phase(position), position[layout.ACTIVE_MAGE], position[layout.MOVED]) == (("act", 0), 0, 0)
    assert "displace" not in list_texts(position)


def test_t8_lessen_lowers_the_price_of_protection() -> None:
    line = f"{ring('Displace', 'Protection', 'Lessen')} mages=1,0;portal/1,0;0,1;{{}} etherium=1.0/1.0 {ACT}"
    steps = ("displace", "push 2.1 to portal", "protect")
    assert amounts(play(line.format("1,-1"), *steps), 1) == (1, 0)
    assert amounts(play(line.format("portal"), *steps), 1) == (0, 0)


@pytest.mark.parametrize(
    ("mages", "moves"), [("1,0;0,1;portal", 3), ("1,0;1,0;portal", 2), ("portal;portal;portal", 1)]
)
def test_t9_each_quicken_tile_adds_a_move(mages: str, moves: int) -> None:
    position = read(f"{ring('Quicken', 'Quicken.2')} mages={mages}/portal {ACT}")
    assert count_moves_left(position) == moves


def test_t10_a_transfer_goes_to_an_exhausted_mage() -> None:
    line = f"{ring('Transfer')} mages=1,0;0,1x;portal/portal {ACT} held=1,0 etherium=1.0/0.0"
    assert verbs(read(line), "transfer") == ["2"]
    position = play(line, "transfer 2")
    assert position[layout.EXHAUSTED : layout.EXHAUSTED + 3].tolist() == [1, 1, 0]
    assert (position[layout.ACTIVE_MAGE], position[layout.RECEIVED], amounts(position, 0)) == (1, 1, (0, 0))
    assert "to portal" in list_texts(position)


SHIFTING = f"{ring('Shift')};Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 {ACT}"


def test_t12_shift_moves_a_realm_to_a_hex_that_touches_two() -> None:
    position = play(SHIFTING, "to 1,0")
    assert "2,-1" in verbs(position, "shift")
    play_on(position, "shift 2,-1")
    assert (phase(position)[0], amounts(position, 0)) == ("put", (2, 0))
    assert "1,1" in verbs(position, "put")
    play_on(position, "put 1,1")
    assert (tile_at(position, 1, 1), tile_at(position, 2, -1)) == ("Affinity", "")


def test_t13_swap_exchanges_two_realms_with_their_mages() -> None:
    line = SHIFTING.replace("Shift@", "Swap@").replace("/portal ", "/0,1 ")
    position = play(line, "to 1,0", "swap 0,1", "with 2,-1")
    assert (tile_at(position, 0, 1), tile_at(position, 2, -1)) == ("Affinity", "Channel")
    assert position[layout.MAGE_PLACE + SECOND] == tile_on(position, layout.hex_at(2, -1))
    assert amounts(position, 0) == (1, 0)


def test_t14_what_was_moved_in_the_turn_before_stays() -> None:
    assert "2,-1" not in verbs(play(f"{SHIFTING} before=2,-1", "to 1,0"), "shift")
    assert "2,-1" not in verbs(play(f"{SHIFTING} triggered", "to 1,0"), "shift")
    moved = play(SHIFTING, "to 1,0", "shift 2,-1", "put 1,1")
    tile = tile_on(moved, layout.hex_at(1, 1))
    assert moved[layout.TILE_MARKS + tile] & layout.MOVED_BEFORE  # the activation is over


@pytest.mark.parametrize(
    ("colour", "player", "lessen", "price"),
    [
        ("orange", "Blue", 0, 3), ("orange", "Orange", 0, 0), ("orange", "Blue", 1, 0), ("red", "Blue", 0, 3),
        ("red", "Orange", 0, 3), ("red", "Red", 1, 3), ("purple", "Purple", 0, 2), ("green", "Green", 0, 1),
        ("green", "Purple", 1, 0), ("blue", "Blue", 1, 3),
    ],
)  # fmt: skip
def test_t15_the_price_of_a_tribute_follows_the_colour_of_its_tile(
    colour: str, player: str, lessen: int, price: int
) -> None:
    tiles = ring("Tribute", "Lessen", "Shift")
    line = f"{tiles} mages=portal;{'0,1' if lessen else 'portal'}/portal etherium=3.0/0.1 {ACT} reserve=Draw"
    options = f"options=player_powers=on,manifest=tribute.colour:{colour};tribute.use:3/0"
    position = play(f"{line} colours={player}/Yellow {options}", "to 1,0", "collect black")
    assert amounts(position, 0) == (3 - price, 1)


@pytest.mark.parametrize(
    ("reacting", "entered", "gained"),
    [("Generate", "Condense", (0, 2)), ("Multiply", "Channel", (3, 0)), ("Propagate", "Condense", (2, 1))],
)
def test_t16_gaining_realms(reacting: str, entered: str, gained: tuple[int, int]) -> None:
    line = f"{ring(entered, reacting, 'Shift')} mages=portal;0,1/portal {ACT}"
    assert amounts(play(line, "to 1,0"), 0) == gained


def test_t17_lessen_makes_powers_cheaper() -> None:
    line = f"{ring('Displace', 'Lessen')} mages=1,0;{{}}/1,0 {ACT}"
    assert "displace" in list_texts(read(line.format("0,1")))
    assert "displace" not in list_texts(read(line.format("portal")))


def test_t18_streamline_makes_control_cheaper_also_of_itself() -> None:
    line = f"{ring('Streamline')} mages=1,0;portal/portal {ACT} etherium=1.0/0.0"
    assert amounts(play(line, "control"), 0) == (0, 0)
