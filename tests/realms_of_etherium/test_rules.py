"""Clauses of RULES.md in small positions."""

from __future__ import annotations

import pytest

from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.kernels.world import tile_on
from realmtable.games.realms_of_etherium.notation.position_writer import encode_position
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from tests.realms_of_etherium.helpers import amounts, list_texts, phase, play, play_on, read

ACT = "phase=act active=1"
RING = "tiles=Portal@0,0;{0}@1,0;{1}@0,1;{2}@1,-1"
POWERS = "options=player_powers=on"


def ring(first: str, second: str = "Channel", third: str = "Condense") -> str:
    """A Portal and three Realms that touch it; the first touches both others."""
    return RING.format(first, second, third)


def test_r3_r6_a_round_ends_when_all_are_exhausted() -> None:
    position = play(f"{ring('Quicken')} mages=portal/portalx {ACT}", "end")
    assert (position[layout.ROUND], position[layout.ACTIVE_SEAT]) == (2, 1)
    assert phase(position) == ("act", 1)  # N3: its only Mage is activated by itself


def test_n3_the_only_tile_there_is_gets_summoned_by_itself() -> None:
    position = read(f"{ring('Quicken')} mages=portal/portal {ACT} reserve=Draw")
    position[layout.SUPPLY : layout.SUPPLY + layout.KIND_COUNT] = 0
    apply_step(position, layout.SUMMON0 + layout.hex_at(-1, 1))
    assert layout.KIND_NAMES[position[layout.TILE_KIND + tile_on(position, layout.hex_at(-1, 1))]] == "Draw"
    assert not position[layout.RESERVE : layout.RESERVE + layout.KIND_COUNT].any()


def test_r1_a_player_without_mages_that_can_act_is_skipped() -> None:
    position = play(f"{ring('Quicken')} mages=portal;1,0/portalx {ACT}", "end")
    assert (position[layout.ROUND], position[layout.ACTIVE_SEAT], position[layout.ACTIVE_MAGE]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ("triggered etherium=1.0/0.0", "points"),
        ("triggered round=60", "max_rounds"),
        ("round=60", "max_rounds"),
        ("triggered round=60 etherium=0.1/0.0", "points"),
        ("steps=12000", "max_steps"),
        ("triggered", ""),
    ],
)
def test_e2_to_e5_the_end(extra: str, reason: str) -> None:
    position = play(f"{ring('Quicken')} mages=portal/portalx {ACT} {extra}", "end")
    assert layout.REASONS[position[layout.REASON]] == reason


def test_m8_three_disruptions_return_to_the_supply() -> None:
    reserve = "reserve=Disruption;Disruption supply=realm"
    line = f"{ring('Quicken')} mages=portal/portal phase=refill active=1 hex=0,1 {reserve}"
    position = play(line, "reveal Disruption")
    assert phase(position) == ("refill", layout.CHANCE)
    assert (position[layout.AGAIN], position[layout.RESERVE + layout.DISRUPTION_KIND]) == (1, 0)
    again = play(f"{line} again=10", "reveal Disruption")
    assert (again[layout.AGAIN], again[layout.RESERVE + layout.DISRUPTION_KIND]) == (0, 3)
    assert chance_weight(position, layout.REVEAL0 + layout.DISRUPTION_KIND) == 6


def test_m6_a_portal_summoned_from_the_portal_is_not_entered() -> None:
    line = f"{ring('Quicken')} mages=portal;portal/portal {ACT} reserve=Portal;Draw;Gather"
    assert phase(play(line, "summon -1,1", "take Portal")) == ("refill", layout.CHANCE)
    position = play(f"{line}", "summon -1,1", "take Portal", "reveal Harvest")
    assert (position[layout.MAGE_PLACE], position[layout.ACTIVE_SEAT]) == (layout.PORTALS, 1)


@pytest.mark.parametrize(
    ("names", "gained"),
    [(("Channel",), (2, 0)), (("Condense", "Channel", "Draw"), (0, 1)), (("Draw", "Lessen", "Generate"), (2, 0))],
)
def test_t3_gains_on_entering(names: tuple[str, ...], gained: tuple[int, int]) -> None:
    position = play(f"{ring(*names, *('Swap', 'Shift')[len(names) - 1 :])} mages=portal;portal/portal {ACT}", "to 1,0")
    assert amounts(position, 0) == gained


def test_t4_conjure() -> None:
    position = play(f"{ring('Conjure')} mages=portal/portal {ACT} etherium=0.3/0.0", "to 1,0", "use")
    assert position[layout.MAGE_PLACE + 1] == position[layout.MAGE_PLACE]
    assert (position[layout.EXHAUSTED + 1], amounts(position, 0)) == (1, (0, 0))


@pytest.mark.parametrize(
    ("step", "after", "colour", "lessen"),
    [
        ("make 2 black", (1, 2), "Red", ""),
        ("make 2 black", (2, 2), "Green", ""),
        ("make 2 black", (2, 2), "Red", "0,1"),
    ],
)
def test_t5_y6_transmute(step: str, after: tuple[int, int], colour: str, lessen: str) -> None:
    line = f"{ring('Transmute', 'Lessen')} mages=portal;{lessen or 'portal'}/portal etherium=5.0/0.0"
    position = play(f"{line} {ACT} colours={colour}/Blue {POWERS},once_per_tile=activation", "to 1,0", step)
    assert amounts(position, 0) == after


def test_t5_black_into_white_up_to_the_limit() -> None:
    position = play(f"{ring('Transmute')} mages=portal;portal/portal etherium=17.9/0.0 {ACT}", "to 1,0")
    assert [text for text in list_texts(position) if text.endswith("white")] == ["make 2 white", "make 4 white"]
    after = play(f"{ring('Transmute')} mages=portal;portal/portal etherium=17.9/0.0 {ACT}", "to 1,0", "make 4 white")
    assert amounts(after, 0) == (20, 7)


def test_p8_v1_one_realm_reacts() -> None:
    line = f"{ring('Condense', 'Generate', 'Propagate')} mages=portal;0,1;1,-1/portal {ACT}"
    assert amounts(play(line, "to 1,0"), 0) == (2, 2)
    position = play(f"{line} options=one_gain_power=on", "to 1,0")
    assert (phase(position), list_texts(position)) == (("react", 0), ["react Generate", "react Propagate"])
    assert amounts(play(f"{line} options=one_gain_power=on", "to 1,0", "react Propagate"), 0) == (2, 1)


def test_y1_red_reactions_trigger_red_realms() -> None:
    line = f"{ring('Condense', 'Multiply', 'Propagate')} mages=portal;0,1;1,-1/portal {ACT}"
    assert amounts(play(f"{line} colours=Red/Blue {POWERS}", "to 1,0"), 0) == (3, 1)
    assert amounts(play(f"{line} colours=Blue/Red {POWERS}", "to 1,0"), 0) == (4, 1)  # Y2, and Multiply's answer to it


PUSHED = f"{ring('Displace', 'Disruption', 'Protection')} etherium=1.1/1.0 {ACT}"


def test_t6_p9_a_pushed_mage_may_buy_protection() -> None:
    line = f"{PUSHED} mages=1,0;portal/1,0;1,-1;portal"
    assert list_texts(play(line, "displace")) == ["push 2.1 to 1,-1", "push 2.1 to 0,1", "push 2.1 to portal", "next"]
    asked = play(line, "displace", "push 2.1 to 0,1")
    assert phase(asked) == ("protect", 1)
    kept = play(line, "displace", "push 2.1 to 0,1", "protect")
    assert (amounts(kept, 1), phase(kept)) == ((0, 0), ("act", 0))
    pushed = play(line, "displace", "push 2.1 to 0,1", "skip")
    assert phase(pushed) == ("protect", 1)  # T2: once more, for Disruption
    exhausted = play(line, "displace", "push 2.1 to 0,1", "skip", "skip")
    assert exhausted[layout.EXHAUSTED + layout.MAX_MAGES] == 1
    spared = play(line, "displace", "push 2.1 to 0,1", "skip", "protect")
    assert spared[layout.EXHAUSTED + layout.MAX_MAGES] == 0


def test_v3_the_owner_chooses_where_a_mage_goes() -> None:
    line = f"{PUSHED} mages=1,0;portal/1,0;1,-1;portal options=displace_by=owner"
    asked = play(line, "displace", "push 2.1", "skip")
    assert (phase(asked), list_texts(asked)) == (("target", 1), ["to 1,-1", "to 0,1", "to portal"])
    pushed = play(line, "displace", "push 2.1", "skip", "to portal")
    assert pushed[layout.MAGE_PLACE + layout.MAX_MAGES] == layout.PORTALS
    unprotected = play(f"{PUSHED} mages=1,0;portal/1,0;portal options=displace_by=owner", "displace", "push 2.1")
    assert phase(unprotected) == ("target", 1)


def test_t2_v4_the_displace_is_finished_before_the_activation_ends() -> None:
    line = f"{PUSHED} mages=1,0;1,0;portal/1,0;portal options=displace_self=on"
    position = play(line, "displace", "push 1.1 to 0,1")
    assert (position[layout.ENDING], phase(position)) == (1, ("push", 0))
    assert play(line, "displace", "push 1.1 to 0,1", "next", "next")[layout.ACTIVE_SEAT] == 1


def test_t11_paralyze_asks_for_protection_first() -> None:
    line = f"{ring('Paralyze', 'Protection', 'Channel')} mages=portal/0,1;1,-1;portal etherium=0.1/1.0 {ACT}"
    position = play(line, "to 1,0", "use", "protect")
    assert position[layout.EXHAUSTED + layout.MAX_MAGES : layout.EXHAUSTED + 8].tolist() == [0, 1, 1]
    declined = play(f"{line} options=displace_self=on", "to 1,0", "use", "skip", "skip", "skip")
    assert declined[layout.ROUND] == 2
    guarded = f"{line} colours=Red/Blue {POWERS},paralyze_guard=on"
    assert phase(play(guarded, "to 1,0")) != ("enter", 0)


def test_t15_tribute() -> None:
    line = f"{ring('Tribute', 'Protection', 'Lessen')} mages=portal;1,-1/0,1;portal;portal etherium=0.0/2.2 {ACT}"
    position = play(line, "to 1,0")
    assert phase(position) == ("protect", 1)
    after = play(line, "to 1,0", "skip", "collect black", "skip", "collect white", "skip", "skip")
    assert (amounts(after, 0), amounts(after, 1)) == ((1, 1), (1, 1))
    paid = play(line, "to 1,0", "skip", "collect white", "protect", "collect black")
    assert (amounts(paid, 0), amounts(paid, 1)) == ((1, 1), (0, 1))
    plain = f"{ring('Tribute')} mages=portal/portal;portal etherium=1.0/0.2 {ACT}"
    assert amounts(play(plain, "to 1,0", "collect black"), 0) == (0, 1)
    orange = play(f"{plain} colours=Orange/Red {POWERS}", "to 1,0", "collect black", "collect black")
    assert amounts(orange, 0) == (1, 2)


def test_t15_v2_a_lessen_tile_pays_once_per_activation() -> None:
    line = f"{ring('Tribute', 'Lessen')} mages=portal;0,1/portal;portal etherium=0.0/0.2 {ACT}"
    position = play(f"{line} options=once_per_tile=activation", "to 1,0", "collect black")
    assert amounts(position, 0) == (0, 1)
    assert position[layout.TILE_MARKS + position[layout.MAGE_PLACE + 1]] & layout.USED or position[layout.TURN] > 1


@pytest.mark.parametrize(
    ("colour", "texts", "after"),
    [
        ("Purple", ["control save white", "control save black"], (0, 0)),
        ("Red", ["control"], (0, 0)),
    ],
)
def test_y4_control_of_a_purple_realm(colour: str, texts: list[str], after: tuple[int, int]) -> None:
    line = f"{ring('Transfer')} mages=1,0;portal/portal etherium=2.1/0.0 {ACT} colours={colour}/Blue {POWERS}"
    assert [text for text in list_texts(read(line)) if text.startswith("control")] == texts
    position = play(line, texts[-1])
    assert amounts(position, 0) == (after[0], after[1] + (colour == "Purple"))


@pytest.mark.parametrize(("price", "paid"), [("2/0", (1, 0)), ("0/2", (0, 1)), ("0/0", (0, 0))])
def test_y5_a_discount_on_one_colour_needs_no_choice(price: str, paid: tuple[int, int]) -> None:
    line = f"{ring('Affinity')} mages=1,0;portal/portal etherium=2.2/0.0 {ACT} colours=Yellow/Blue"
    position = play(f"{line} {POWERS},manifest=affinity.control:{price}", "control")
    assert amounts(position, 0) == (2 - paid[0], 2 - paid[1])


def test_y4_y3_prices_of_powers() -> None:
    line = f"{ring('Displace')} mages=1,0/1,0;portal {ACT} colours=Purple/Blue {POWERS}"
    assert "displace" in list_texts(read(line))
    black = f"{line},manifest=displace.use:0/1"
    assert "displace" in list_texts(read(black))
    assert "displace" in list_texts(read(f"{line},manifest=displace.use:0/0"))
    shift = f"{ring('Shift')} mages=portal/portal {ACT} colours=Orange/Blue {POWERS} reserve=Swap"
    assert phase(play(f"{shift}", "to 1,0"))[0] in {"enter", "act"}


def test_y6_green_powers_cost_one() -> None:
    line = f"{ring('Conjure', 'Lessen')} mages=portal;0,1/portal etherium=0.1/0.0 {ACT} colours=Green/Blue"
    assert phase(play(f"{line} {POWERS}", "to 1,0")) == ("enter", 0)
    white = play(f"{line.replace('0.1', '1.0')} {POWERS},manifest=conjure.use:2/1", "to 1,0", "use")
    assert amounts(white, 0) == (0, 0)
    free = play(f"{line} {POWERS},manifest=conjure.use:1/0", "to 1,0", "use")
    assert amounts(free, 0) == (0, 1)


@pytest.mark.parametrize(
    ("victory", "owners", "options", "points"),
    [
        ("Continuity", ("1", "1"), "", 2),
        ("Continuity", ("1", "2"), "", 1),
        ("Continuity", ("1", "2"), "options=controlled=any", 2),
        ("Continuity", ("2", "2"), "options=manifest=continuity.by:opponents", 2),
        ("Continuity", ("1", "2"), "options=lone_connected=off,manifest=continuity.by:opponents", 0),
        ("Antagonism", ("1", "2"), "", 1),
        ("Progression", ("1", "2"), "", 2),
        ("Diversity", ("1", "2"), "", 2),
    ],
)
def test_c7_to_c9_points(victory: str, owners: tuple[str, str], options: str, points: int) -> None:
    tiles = f"tiles=Portal@0,0;{victory}@1,0:1;Channel@0,1:{owners[0]};Condense@-1,1:{owners[1]}"
    near = "1,-1" if victory == "Antagonism" else "-1,1"
    position = read(f"{tiles.replace('-1,1', near)} mages=portal/portal {options}".strip())
    assert position[layout.POINTS] == points


def test_d1_d3_a_realm_that_was_left_is_dispelled() -> None:
    tiles = "tiles=Portal@0,0;Channel@1,0;Condense@0,1;Gather@1,-1;Harvest@2,-1"
    position = play(f"{tiles} mages=2,-1;portal/portal {ACT}", "to 1,-1")
    assert "Harvest" not in encode_position(position, EtheriumOptions()).split("mages")[0]
    assert position[layout.RESERVE + layout.KIND_NAMES.index("Harvest")] == 1


def test_v7_portals_count_as_one_for_the_first_summoning() -> None:
    line = f"tiles=Portal@0,0;Portal.2@1,0 mages=portal;portal/portal {ACT}"
    assert len([text for text in list_texts(read(line)) if text.startswith("summon")]) == 2
    assert len(list_texts(read(f"{line} options=portals_touch_as_one=on"))) == 9


def test_m3_without_tiles_no_one_can_summon() -> None:
    position = read(f"{ring('Quicken')} mages=portal;portal/portal {ACT}")
    position[layout.RESERVE : layout.MAGE_PLACE] = 0
    assert not any(text.startswith("summon") for text in list_texts(position))


def test_v14_a_finished_game_has_no_steps() -> None:
    assert list_texts(read(f"{ring('Quicken')} mages=portal/portal phase=over end=max_rounds")) == []


def test_d3_a_dispelled_realm_can_return_the_reserve() -> None:
    tiles = "tiles=Portal@0,0;Channel@1,0;Condense@0,1;Gather@1,-1;Harvest@2,-1"
    position = read(f"{tiles} mages=1,-1;portal/portal {ACT} moved=1 left=2,-1;0,1;2,-1;0,1")
    position[layout.RESERVE : layout.MAGE_PLACE] = 0
    position[layout.RESERVE + layout.DISRUPTION_KIND] = 3
    play_on(position, "end")
    assert (phase(position), position[layout.LEFT_COUNT]) == (("refill", layout.CHANCE), 1)
    for name in ("Harvest", "Disruption", "Disruption"):
        play_on(position, f"reveal {name}")
    assert position[layout.TURN] == 2


def test_d1_a_realm_is_noted_once_in_a_row() -> None:
    line = f"{ring('Displace')} mages=1,0;1,0;1,0x;portal/portal etherium=1.0/0.0 {ACT}"
    position = play(line, "displace")
    assert [text for text in list_texts(position) if "1.3" in text] == [
        "push 1.3 to 1,-1", "push 1.3 to 0,1", "push 1.3 to portal",
    ]  # fmt: skip
    assert play(line, "displace", "push 1.2 to portal", "push 1.3 to portal")[layout.LEFT_COUNT] == 1
    equal = play(line.replace("1,0x", "1,0"), "displace")
    assert not any("1.3" in text for text in list_texts(equal))


def test_t2_an_exhausted_mage_is_not_disrupted() -> None:
    line = f"{ring('Displace', 'Disruption', 'Protection')} mages=1,0;portal/1,0x;1,-1 etherium=1.0/2.0 {ACT}"
    assert phase(play(line, "displace", "push 2.1 to 0,1", "skip")) == ("act", 0)


def test_v3_a_pushed_mage_enters_where_its_owner_sends_it() -> None:
    line = f"{ring('Displace', 'Conjure')} mages=1,0;portal/1,0;portal etherium=1.0/0.3 {ACT}"
    entered = play(f"{line} options=displace_by=owner", "displace", "push 2.1", "to 0,1")
    assert phase(entered) == ("enter", 1)


def test_t5_v1_a_conversion_is_a_gain() -> None:
    line = f"{ring('Transmute', 'Generate', 'Propagate')} mages=portal;0,1;1,-1/portal etherium=2.0/0.0 {ACT}"
    assert phase(play(f"{line} options=one_gain_power=on", "to 1,0", "make 1 black")) == ("react", 0)


def test_p5_v2_a_lessen_tile_helps_once() -> None:
    line = f"{ring('Displace', 'Lessen', 'Transfer')} mages=1,0;0,1x;1,-1;portal/1,0 {ACT}"
    position = play(f"{line} options=once_per_tile=activation", "displace", "next")
    assert not any(text.startswith("transfer") for text in list_texts(position))
    assert "transfer 2" in list_texts(play(line, "displace", "next"))


def test_p6_lessen_does_not_help_with_other_colours() -> None:
    line = f"{ring('Conjure', 'Lessen')} mages=portal;0,1/portal etherium=1.0/0.0 {ACT}"
    position = play(f"{line} options=manifest=conjure.use:1/0;conjure.colour:blue", "to 1,0", "use")
    assert amounts(position, 0) == (0, 0)


def test_c7_v6_a_single_realm_is_not_connected() -> None:
    tiles = "tiles=Portal@0,0;Progression@1,0:1;Channel@0,1;Swap@1,-1"
    assert read(f"{tiles} mages=portal/portal")[layout.POINTS] == 1
    assert read(f"{tiles} mages=portal/portal options=lone_connected=off")[layout.POINTS] == 0


def test_m3_an_empty_supply_cannot_be_chosen() -> None:
    position = read(f"{ring('Quicken')} mages=portal;portal/portal phase=source active=1 hex=-1,1")
    position[layout.SUPPLY : layout.MAGE_PLACE] = 0
    assert not any(text.startswith("draw") for text in list_texts(position))


def test_t6_without_an_adjacent_place_no_mage_is_pushed() -> None:
    line = "tiles=Portal@0,0;Displace@3,0 mages=3,0;portal/3,0;portal phase=push active=1 displace=3,0 owner=2"
    assert list_texts(read(f"{line} options=displace_by=owner")) == ["next"]


def test_u4_the_starting_player_is_drawn_last() -> None:
    line = "mages=portal/portal phase=refill turn=0 supply=victory reserve=Draw;Shift;Lessen;Accord;Bond"
    position = play(line, "reveal Network")
    assert list_texts(position) == ["first 1", "first 2"]


def test_f8_questions_during_a_displace_are_written() -> None:
    line = f"{PUSHED} mages=1,0;portal/1,0;1,-1;portal"
    for options, chosen in (("", "push 2.1 to 0,1"), ("options=displace_by=owner", "push 2.1")):
        position = play(f"{line} {options}".strip(), "displace", chosen)
        same = read(encode_position(position, EtheriumOptions(displace_by="owner" if options else "active")))
        assert (same == position).all()
