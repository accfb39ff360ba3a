"""Clauses of RULES.md that need more than a line of `test_clauses`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.kernels.world import is_constrained, tile_on
from realmtable.games.realms_of_etherium.notation.step_notation import hex_text
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.games.realms_of_etherium.tiles.manifest import VERBS, standard_manifest
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import (
    ACT,
    amounts,
    list_codes,
    list_texts,
    phase,
    play,
    play_on,
    read,
    ring,
    tile_at,
    verbs,
)
from tests.realms_of_etherium.test_twin import check_text


def test_u3_one_portal_is_placed_and_the_rest_is_in_the_supplies() -> None:
    position = first_position(3, EtheriumOptions())
    supply = position[layout.SUPPLY : layout.SUPPLY + layout.KIND_COUNT]
    assert (supply[layout.IS_VICTORY == 0].sum(), supply[layout.IS_VICTORY == 1].sum()) == (53, 20)
    assert (tile_at(position, "0,0"), supply[layout.PORTAL_KIND]) == ("Portal", 5)


def test_u5_every_seat_draws_another_colour() -> None:
    position = first_position(3, EtheriumOptions(player_powers=True))
    assert verbs(position, "colour") == ["Red", "Blue", "Green", "Purple", "Orange", "Yellow"]
    play_on(position, "colour Green", "colour Red")
    assert (phase(position)[0], verbs(position, "colour")) == ("colours", ["Blue", "Purple", "Orange", "Yellow"])
    play_on(position, "colour Blue")
    assert phase(position) == ("refill", layout.CHANCE)


def test_w7_18_of_64_patterns_are_constrained() -> None:
    names, found = ("Channel", "Condense", "Gather", "Harvest", "Conjure", "Quicken"), 0
    for pattern in product((False, True), repeat=6):
        sides = zip(names, layout.SIDES.tolist(), pattern, strict=True)
        closed = [f";{name}@{hex_text(layout.FIRST_HEX + side)}" for name, side, is_closed in sides if is_closed]
        position = read(f"tiles=Portal@0,0{''.join(closed)} mages=portal/portal")
        found += is_constrained(position, tile_on(position, layout.FIRST_HEX))
    assert found == 18


def test_p1_powers_work_in_four_ways() -> None:
    triggers = Counter(VERBS[tile.power.verb].trigger for tile in standard_manifest().tiles)
    assert triggers.keys() == {"static", "enter", "gain", "persistent", "victory"}


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


def test_v11_players_have_powers_only_if_the_option_is_on() -> None:
    assert phase(first_position(2, EtheriumOptions(player_powers=True)))[0] == "colours"
    assert phase(first_position(2, EtheriumOptions()))[0] == "refill"


def test_n3_the_only_tile_there_is_gets_summoned_by_itself() -> None:
    position = read(f"{ring('Quicken')} mages=portal/portal {ACT} reserve=Draw")
    position[layout.SUPPLY : layout.SUPPLY + layout.KIND_COUNT] = 0
    apply_step(position, layout.SUMMON0 + layout.hex_at(-1, 1))
    assert tile_at(position, "-1,1") == "Draw"
    assert not position[layout.RESERVE : layout.RESERVE + layout.KIND_COUNT].any()


def test_m3_without_tiles_no_one_can_summon() -> None:
    position = read(f"{ring('Quicken')} mages=portal;portal/portal {ACT}")
    position[layout.RESERVE : layout.MAGE_PLACE] = 0
    assert not any(text.startswith("summon") for text in list_texts(position))


def test_m3_an_empty_supply_cannot_be_chosen() -> None:
    position = read(f"{ring('Quicken')} mages=portal;portal/portal phase=source active=1 hex=-1,1")
    position[layout.SUPPLY : layout.MAGE_PLACE] = 0
    assert not any(text.startswith("draw") for text in list_texts(position))


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


def chances(position: Position, drawn: tuple[int, ...] = ()) -> dict[tuple[int, ...], Fraction]:
    """The chance of every series of tiles that refills the Reserve."""
    if phase(position)[0] != "refill":
        return {drawn: Fraction(1)}
    codes = list_codes(position)
    weights = [chance_weight(position, code) for code in codes]
    found: dict[tuple[int, ...], Fraction] = {}
    for code, weight in zip(codes, weights, strict=True):
        after = position.copy()
        apply_step(after, code)
        for series, chance in chances(after, (*drawn, code - layout.REVEAL0)).items():
            found[series] = chance * weight / sum(weights)
    return found


def test_v20_three_disruptions_are_dealt_anew_until_there_are_fewer() -> None:
    """As if one shuffled again and again: of all deals, those with three Disruptions are left out."""
    few = ";".join(
        f"{tile.id}.copies:0"
        for tile in EtheriumOptions().tiles().tiles
        if tile.tile_class == "normal" and tile.id not in {"channel", "quicken", "draw"}
    )
    options = f"options=reshuffle=until_fewer,manifest=portal.copies:1;channel.copies:1;quicken.copies:1;{few}"
    line = f"tiles=Portal@0,0;Draw@1,0 mages=portal/portal phase=refill active=1 hex=1,0 {options}"
    position = play(f"{line} reserve=Disruption;Disruption supply=realm", "reveal Disruption")
    stock = {layout.DISRUPTION_KIND: 6, **{layout.KIND_NAMES.index(name): 1 for name in ("Channel", "Quicken", "Draw")}}
    ways: dict[tuple[int, ...], int] = {}
    for first, copies in stock.items():
        for second, others in ({**stock, first: copies - 1}).items():
            left = {**stock, first: copies - 1}
            left[second] -= 1
            for third, rest in left.items():
                ways[first, second, third] = copies * others * rest
    del ways[(layout.DISRUPTION_KIND,) * 3]
    total = sum(ways.values())
    assert chances(position) == {series: Fraction(number, total) for series, number in ways.items() if number}


def test_v21_players_choose_their_colours() -> None:
    position = first_position(6, EtheriumOptions(player_powers=True, choose_colours=True))
    for seat, colour in enumerate(("Green", "Red", "Blue", "Yellow")):
        assert phase(position) == ("colours", seat)
        check_text(position, EtheriumOptions(player_powers=True, choose_colours=True))
        play_on(position, f"colour {colour}")
    assert list_texts(position) == ["colour Purple", "colour Orange"]
    play_on(position, "colour Purple")  # the last colour is forced (N3)
    assert phase(position) == ("refill", layout.CHANCE)
    assert position[layout.PLAYER_COLOUR : layout.PLAYER_COLOUR + 6].tolist() == [3, 1, 2, 6, 4, 5]
