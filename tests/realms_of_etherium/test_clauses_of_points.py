"""One small test for each clause on Control, the end, options, steps and positions that has none elsewhere."""

from __future__ import annotations

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.notation.position_reader import decode_position
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from tests.realms_of_etherium.helpers import amounts, list_texts, phase, play, play_on, read
from tests.realms_of_etherium.test_clauses_of_turns import ACT, ring, tile_at, verbs

POWERS = "options=player_powers=on"


def points_of(tiles: str, extra: str = "") -> int:
    """The points of seat 1, with a Portal on 0,0."""
    return read(f"tiles=Portal@0,0;{tiles} mages=portal/portal reserve=Draw {extra}".strip()).item(layout.POINTS)


# ---- Control and points


def test_c1_control_is_paid_and_marked() -> None:
    position = play(f"{ring('Channel', 'Shift')} mages=1,0;portal/portal {ACT} etherium=3.1/0.0", "control")
    assert (amounts(position, 0), position[layout.CONTROLLED]) == ((1, 1), 1)
    assert position[layout.TILE_OWNER + position[layout.MAGE_PLACE]] == 1


@pytest.mark.parametrize(
    ("tiles", "mages"),
    [
        (ring("Channel", "Shift"), "1,0;portal/1,0"),
        (ring("Channel", "Shift").replace("1,0;", "1,0:2;"), "1,0;portal/portal"),
        (ring("Channel", "Channel.2").replace("@0,1", "@0,1:1"), "1,0;portal/portal"),
        (ring("Disruption"), "1,0;portal/portal"),
    ],
)
def test_c2_what_control_needs(tiles: str, mages: str) -> None:
    assert "control" not in list_texts(read(f"{tiles} mages={mages} {ACT} etherium=9.9/0.0"))


def test_c3_a_price_is_never_below_nothing() -> None:
    line = f"{ring('Streamline', 'Streamline.2')} mages=1,0;0,1/portal {ACT} etherium=1.2/0.0"
    assert amounts(play(line, "control"), 0) == (0, 2)


def test_c4_points_are_those_of_the_present_world() -> None:
    tiles = "Fluency@1,0:1;Channel@0,1;Shift@1,-1"
    assert points_of(tiles) == 1
    assert points_of(tiles.replace("Shift@1,-1", "Condense@1,-1")) == 2
    assert points_of(tiles.replace(":1", ":2")) == 0


def test_c5_adjacent_realms_of_a_colour() -> None:
    assert points_of("Rooting@1,0:1;Conjure@0,1;Transmute@1,-1;Conjure.2@-1,0") == 2


def test_c6_each_realm_belongs_to_one_pair() -> None:
    assert points_of("Bond@1,0:1;Generate@0,1;Multiply@1,-1;Conjure@2,-1") == 2
    assert points_of("Bond@1,0:1;Generate@0,1;Multiply@1,-1;Conjure@2,-1;Transmute@1,1") == 4


def test_c8_whose_control_counts() -> None:
    tiles = "Sovereignty@1,0:1;Channel@0,1:1;Shift@1,-1:2"
    assert (points_of(tiles), points_of(tiles, "options=controlled=any")) == (1, 2)


def test_c9_types_are_counted_once() -> None:
    assert points_of("Diversity@1,0:1;Channel@0,1;Condense@1,-1") == 2


def test_d4_a_realm_is_dispelled_whether_its_player_wants_it_or_not() -> None:
    tiles = "tiles=Portal@0,0;Channel@1,0;Condense@0,1;Gather@1,-1;Harvest@2,-1"
    position = play(f"{tiles} mages=2,-1;portal/portal;portal {ACT}", "to 1,-1")
    assert (phase(position), "Harvest" in encode_position(position, EtheriumOptions()).split()[0]) == (
        ("act", 1),
        False,
    )


# ---- the end

ONE_POINT = f"{ring('Fluency', 'Channel', 'Shift')} mages=1,0;portal/portal;portal {ACT} etherium=1.2/0.0"


def test_e1_the_end_is_triggered_when_points_are_reached() -> None:
    assert not play(ONE_POINT, "control")[layout.TRIGGERED]
    assert play(f"{ONE_POINT} options=points=1", "control")[layout.TRIGGERED]
    assert [EtheriumOptions().points_to_win(seats) for seats in range(2, 7)] == [12, 10, 8, 6, 4]


def test_e3_a_shared_first_place_means_another_round() -> None:
    position = play(f"{ring('Quicken')} mages=portal/portalx {ACT} triggered round=3", "end")
    assert (position[layout.ROUND], phase(position)) == (4, ("act", 1))


def test_e4_after_the_last_round_equal_players_share_the_place() -> None:
    position = play(f"{ring('Quicken')} mages=portal/portalx {ACT} round=60", "end")
    assert layout.REASONS[position[layout.REASON]] == "max_rounds"


def test_e5_the_game_ends_when_too_many_steps_have_been_played() -> None:
    line = f"{ring('Quicken')} mages=portal;portal/portal {ACT}"
    assert layout.REASONS[play(f"{line} steps=11999", "end")[layout.REASON]] == "max_steps"
    assert not play(f"{line} steps=11998", "end")[layout.REASON]


# ---- player powers


def test_y2_blue_gains_contain_one_more_white() -> None:
    line = f"{ring('Condense', 'Shift', 'Swap')} mages=portal;portal/portal {ACT} {POWERS}"
    assert amounts(play(f"{line} colours=Blue/Red", "to 1,0"), 0) == (1, 1)
    assert amounts(play(f"{line} colours=Red/Blue", "to 1,0"), 0) == (0, 1)
    nothing = line.replace("Condense", "Draw")
    assert amounts(play(f"{nothing} colours=Blue/Red", "to 1,0"), 0) == (1, 0)


def test_y3_orange_powers_cost_nothing() -> None:
    line = f"{ring('Paralyze')} mages=portal;portal/0,1 {ACT} {POWERS}"
    assert phase(play(f"{line} colours=Orange/Red", "to 1,0")) == ("enter", 0)
    assert phase(play(f"{line} colours=Red/Orange", "to 1,0")) != ("enter", 0)


# ---- options


def test_v1_only_one_realm_reacts_if_the_option_is_on() -> None:
    line = f"{ring('Condense', 'Generate', 'Propagate')} mages=portal;0,1;1,-1/portal {ACT} options=one_gain_power="
    assert amounts(play(f"{line}on", "to 1,0", "react Generate"), 0) == (0, 2)
    assert amounts(play(f"{line}off", "to 1,0"), 0) == (2, 2)


def test_v2_a_tile_can_help_once_per_activation() -> None:
    line = f"{ring('Quicken', 'Transmute', 'Lessen')};Transmute.2@1,1 mages=1,0;1,-1/portal {ACT} etherium=5.0/0.0"
    steps = ("to 0,1", "make 1 black", "to 1,1", "make 1 black")
    assert amounts(play(f"{line} held=1,0", *steps), 0) == (3, 2)
    assert amounts(play(f"{line} held=1,0 options=once_per_tile=activation", *steps), 0) == (2, 2)


def test_v2_p5_a_realm_that_has_reacted_counts_as_used() -> None:
    line = f"{ring('Condense', 'Propagate', 'Shift')} mages=portal;0,1/portal {ACT} options=once_per_tile="
    for value, mark in (("activation", layout.USED), ("power", 0)):
        position = play(f"{line}{value}", "to 1,0")
        assert (phase(position), amounts(position, 0)) == (("act", 0), (2, 1))  # Control can be paid
        assert position[layout.TILE_MARKS + position[layout.MAGE_PLACE + 1]] & layout.USED == mark


def test_v4_the_active_mage_may_be_pushed() -> None:
    line = f"{ring('Displace')} mages=1,0;portal/1,0;portal {ACT} etherium=1.0/0.0"
    assert verbs(play(f"{line} options=displace_self=on", "displace"), "push")[0].startswith("1.1")
    assert verbs(play(line, "displace"), "push")[0].startswith("2.1")


def test_v5_a_mage_with_a_transfer_may_not_take_control() -> None:
    line = f"{ring('Transfer')} mages=1,0;0,1x;portal/portal {ACT} held=1,0 etherium=3.0/0.0"
    assert "control" in list_texts(play(line, "transfer 2"))
    assert "control" not in list_texts(play(f"{line} options=transfer_control=off", "transfer 2"))


def test_v6_a_single_realm_is_connected() -> None:
    tiles = "Progression@1,0:1;Channel@0,1;Shift@1,-1"
    assert (points_of(tiles), points_of(tiles, "options=lone_connected=off")) == (1, 0)


def test_v8_the_colour_of_alteration() -> None:
    tiles = "Polarity@1,0:1;Shift@0,1;Swap@1,-1;Generate@2,-1"
    assert (points_of(tiles), points_of(tiles, "options=alteration=orange")) == (1, 2)


def test_v9_anyones_control_may_count() -> None:
    tiles = "Continuity@1,0:1;Channel@0,1:2;Shift@1,-1"
    assert (points_of(tiles), points_of(tiles, "options=controlled=any")) == (0, 1)


def test_v10_the_world_may_fall_apart_if_the_option_is_off() -> None:
    # Two triangles, and a Realm between them that holds them together.
    tiles = "tiles=Portal@2,0;Channel@-1,0;Condense@-2,0;Draw@-2,1;Gather@0,0;Harvest@1,0;Shift@2,-1"
    line = f"{tiles} mages=0,0;portal/portal;portal {ACT}"
    assert tile_at(play(line, "to 1,0"), 0, 0) == "Gather"
    assert tile_at(play(f"{line} options=keep_connected=off", "to 1,0"), 0, 0) == ""


def test_v11_players_have_powers_only_if_the_option_is_on() -> None:
    assert phase(first_position(2, EtheriumOptions(player_powers=True)))[0] == "colours"
    assert phase(first_position(2, EtheriumOptions()))[0] == "refill"


# ---- steps


def test_n3_a_single_legal_step_is_played_by_itself() -> None:
    position = play(f"{ring('Quicken', 'Gather')} mages=portal;portal/portal {ACT}", "to 0,1")
    assert (phase(position), position[layout.TURN]) == (("act", 1), 2)  # `end` and `mage 1` were forced


def test_n4_of_equal_mages_only_the_first_is_named() -> None:
    line = f"{ring('Quicken')} mages=portal;portal;1,0;portalx/portal"
    assert list_texts(read(line)) == ["mage 1", "mage 3"]


def test_n5_the_realm_of_an_activated_mage_is_held() -> None:
    position = play(f"{ring('Quicken')} mages=portal;1,0/portal", "mage 2")
    assert position[layout.TILE_MARKS + position[layout.MAGE_PLACE + 1]] & layout.HELD


def test_n6_the_steps_of_an_activation() -> None:
    line = f"{ring('Transfer', 'Displace')} mages=1,0;0,1x/1,0 {ACT} etherium=9.9/0.0"
    texts = ["to 1,-1", "to 0,1", "to portal", "summon 2,-1", "summon 1,1", "displace", "transfer 2", "end"]
    assert list_texts(read(line)) == texts


def test_n7_the_sources_of_a_summoning() -> None:
    position = play(f"{ring('Quicken')} mages=portal;portal/portal {ACT} reserve=Draw;Draw;Accord", "summon -1,1")
    assert list_texts(position) == ["draw realm", "draw victory", "take Draw", "take Accord"]


def test_n8_the_steps_of_entering_powers() -> None:
    line = f"{ring('Transmute')} mages=portal;portal/portal {ACT} etherium=4.1/0.0"
    assert list_texts(play(line, "to 1,0")) == ["make 2 white", "make 1 black", "make 2 black", "skip"]


def test_n9_an_owner_is_asked_out_of_turn() -> None:
    line = f"{ring('Displace', 'Protection')} mages=1,0;portal/1,0;0,1 etherium=1.0/1.0 {ACT}"
    position = play(line, "displace", "push 2.1 to portal")
    assert (phase(position), list_texts(position)) == (("protect", 1), ["protect", "skip"])
    assert position[layout.ACTIVE_SEAT] == 0


def test_n10_points_are_checked_at_once() -> None:
    line = f"{ring('Swap', 'Channel')};Fluency@2,-1:1 mages=portal;portal/portal {ACT} etherium=2.0/0.0"
    assert read(line)[layout.POINTS] == 1  # Condense
    position = play(f"{line} options=points=2", "to 1,0", "swap 1,-1", "with 0,1")
    assert (position[layout.POINTS], position[layout.TRIGGERED]) == (1, 0)
    better = play(f"{line} options=points=2", "to 1,0", "swap 1,0", "with 0,1")
    assert (better[layout.POINTS], better[layout.TRIGGERED]) == (2, 1)


def test_n11_a_draw_is_weighted_by_the_copies_left() -> None:
    position = play(f"{ring('Quicken')} mages=portal;portal/portal {ACT}", "summon -1,1", "draw realm")
    names = verbs(position, "reveal")
    weights = {name: chance_weight(position, layout.REVEAL0 + layout.KIND_NAMES.index(name)) for name in names}
    assert (weights["Portal"], weights["Quicken"], weights["Swap"]) == (5, 1, 2)
    assert "Accord" not in weights


def test_n12_a_displace_waits_for_a_power_and_its_questions() -> None:
    line = f"{ring('Displace', 'Conjure')} mages=1,0;portal/1,0;1,0x etherium=1.0/0.3 {ACT}"
    asked = play(line, "displace", "push 2.1 to 0,1")
    assert (phase(asked), asked[layout.DISPLACE_OWNER]) == (("enter", 1), 1)
    play_on(asked, "use")
    assert phase(asked) == ("push", 0)


# ---- positions

LINES = {
    "f2": "tiles=Portal@0,0;Quicken@1,0 mages=portal;1,0x/portal;portal/1,0",
    "f3": "mages=portal/portal etherium=3.1/0.0 colours=Red/Green reserve=Quicken;Accord options=player_powers=on",
    "f4": "mages=portal/portal reserve=Quicken phase=over seat=2 turn=9 round=4 steps=77 triggered end=points",
    "f5": (
        "tiles=Portal@0,0;Quicken@1,0;Shift@0,1 mages=portal;1,0/portal phase=act before=0,1 now=1,0 active=2 moved=1 "
        "received held=1,0 left=0,1 used=1@0,1"
    ),
    "f6": "tiles=Portal@0,0;Quicken@1,0 mages=portal;portal/portal phase=draw active=1 hex=0,1 supply=realm",
    "again": (
        "tiles=Portal@0,0;Quicken@1,0 mages=portal/portal reserve=Disruption;Disruption phase=refill active=1 hex=1,0 "
        "supply=realm again=2"
    ),
    "f7": (
        "tiles=Portal@0,0;Tribute@1,0 mages=1,0;portal/portal etherium=1.0/3.0 phase=tribute active=1 entering=1.1 "
        "asked=2.1 gained=1.0 lessen=1"
    ),
}  # fmt: skip


def check_line(name: str) -> None:
    """Check that a line is written as it is read."""
    position, options = decode_position(LINES[name])
    assert encode_position(position, options) == LINES[name]


def test_f2_the_mages_of_each_seat() -> None:
    check_line("f2")


def test_f3_etherium_colours_and_reserve() -> None:
    check_line("f3")


def test_f4_the_phase_and_the_turn() -> None:
    check_line("f4")


def test_f5_what_belongs_to_a_turn() -> None:
    check_line("f5")


def test_f6_what_belongs_to_a_summoning() -> None:
    check_line("f6")
    check_line("again")


def test_f7_what_belongs_to_a_power() -> None:
    check_line("f7")
