"""The Book's words where the default departs from them: one test for each option that the preset `literal` sets."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import realmtable
from realmtable.engine.options import as_pairs
from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight, legal_steps
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.options import EtheriumOptions
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import amounts, list_texts, phase, play, play_on, read
from tests.realms_of_etherium.test_twin import check_text

GAME = realmtable.game("realms_of_etherium")
LITERAL = "options=" + ",".join(as_pairs(GAME.options("literal")))
ACT = "phase=act active=1"
SECOND = layout.MAX_MAGES  # Mage 1 of seat 2


def ring(first: str, second: str = "Channel", third: str = "Condense") -> str:
    """A Portal and three Realms that touch it; the first touches both others."""
    return f"tiles=Portal@0,0;{first}@1,0;{second}@0,1;{third}@1,-1"


EXAMPLE = f"{ring('Transmute', 'Generate', 'Propagate')};Generate.2@2,-1 {ACT}"


@pytest.mark.parametrize(
    ("mages", "options", "expected"),
    [
        ("portal;0,1;1,-1", "", (2, 3)),
        ("portal;0,1;1,-1", "options=reactions=first", (0, 3)),
        ("portal;0,1;1,-1", LITERAL, (0, 3)),
        ("portal;0,1;1,-1;2,-1", LITERAL, (0, 4)),  # "multiple Tiles' Powers may stack"
        ("portal;1,-1", LITERAL, (2, 2)),
        ("portal;0,1;1,-1", "colours=Red/Blue options=player_powers=on,reactions=first", (2, 3)),
    ],
)
def test_v16_the_books_example_gains_from_generate_but_not_from_propagate(
    mages: str, options: str, expected: tuple[int, int]
) -> None:
    """ "If you use Transmute to change White Etherium into Black Etherium, you will gain from Generate, but …"."""
    position = play(f"{EXAMPLE} mages={mages}/portal etherium=4.0/0.0 {options}", "to 1,0", "make 2 black")
    assert amounts(position, 0) == expected


@pytest.mark.parametrize(("options", "expected"), [("", (2, 2)), ("options=reactions=first", (2, 2))])
def test_v16_white_and_black_each_have_a_first_kind(options: str, expected: tuple[int, int]) -> None:
    line = f"{ring('Tribute', 'Generate', 'Multiply')} mages=portal;0,1;1,-1/portal;portal etherium=1.0/1.1 {ACT}"
    position = play(f"{line} {options}", "to 1,0", "collect white", "collect black")
    assert amounts(position, 0) == expected


SHIFTING = f"{ring('Shift')};Affinity@2,-1 mages=portal;portal/portal etherium=3.0/0.0 {ACT}"


def test_v17_a_shift_may_leave_a_realm_alone() -> None:
    steps = ("to 1,0", "shift 1,-1")
    assert "put -1,1" not in list_texts(play(SHIFTING, *steps))
    literal = play(f"{SHIFTING} options=shift_keeps_touching=off", *steps, "put -1,1")
    assert literal[layout.TILE_HEX + literal[layout.MAGE_PLACE]] == layout.hex_at(1, 0)


@pytest.mark.parametrize(("each", "most"), [("first", 2), ("each", 3)])
def test_v18_each_conversion_of_the_green_player_costs_one_white(each: str, most: int) -> None:
    line = f"{ring('Transmute')} mages=portal;portal/portal etherium=3.0/0.0 {ACT} colours=Green/Red"
    position = play(f"{line} options=player_powers=on,green_conversions={each}", "to 1,0")
    assert list_texts(position) == [*(f"make {number} black" for number in range(1, most + 1)), "skip"]
    play_on(position, f"make {most} black")
    assert amounts(position, 0) == (0, most)


TRANSFER = f"{ring('Transfer', 'Protection')} mages=1,0;portal/{{}};portal etherium=1.0/1.0 {ACT} held=1,0"


def test_v19_an_opponents_exhausted_mage_receives_the_movement() -> None:
    line = TRANSFER.format("portalx")
    assert not any(text.startswith("transfer") for text in list_texts(read(line)))
    position = play(f"{line} options=transfer_to=anyone", "transfer 2.1")
    assert (position[layout.ACTIVE_MAGE], position[layout.ACTIVE_SEAT], phase(position)) == (SECOND, 0, ("act", 0))
    texts = list_texts(position)
    assert {text.split()[0] for text in texts} == {"to", "summon", "end"}
    check_text(position, EtheriumOptions(transfer_to="anyone"))
    play_on(position, "to 1,-1")  # its owner gains from Condense, and the activation is over
    assert (amounts(position, 0), amounts(position, 1)) == ((0, 0), (1, 1))
    assert (position[layout.ACTIVE_SEAT], position[layout.EXHAUSTED + SECOND]) == (1, 1)


@pytest.mark.parametrize(("answer", "active", "paid"), [("protect", 0, 0), ("skip", SECOND, 1)])
def test_v19_p9_its_owner_may_protect_it(answer: str, active: int, paid: int) -> None:
    position = play(f"{TRANSFER.format('0,1x')} options=transfer_to=anyone", "transfer 2.1")
    assert phase(position) == ("protect", 1)
    check_text(position, EtheriumOptions(transfer_to="anyone"))
    play_on(position, answer)
    assert (position[layout.ACTIVE_MAGE], amounts(position, 1), phase(position)) == (active, (paid, 0), ("act", 0))


def chances(position: Position, drawn: tuple[int, ...] = ()) -> dict[tuple[int, ...], Fraction]:
    """The chance of every series of tiles that refills the Reserve."""
    if phase(position)[0] != "refill":
        return {drawn: Fraction(1)}
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    codes = out[: legal_steps(position, out)].tolist()
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


@pytest.mark.parametrize(("free", "texts"), [("off", ["skip"]), ("on", ["make 1 black", "skip"])])
def test_v22_lessen_can_make_a_conversion_free(free: str, texts: list[str]) -> None:
    line = f"{ring('Transmute', 'Lessen', 'Lessen.2')} mages=portal;0,1;1,-1/portal {ACT} reserve=Draw"
    position = play(f"{line} options=free_conversions={free}", "to 1,0")
    assert (list_texts(position) if phase(position)[0] == "enter" else ["skip"]) == texts


PUSHED_INTO_SHIFT = f"{ring('Displace', 'Shift')};Affinity@2,-1 mages=1,0;portal/1,0 etherium=1.0/1.0 {ACT} held=1,0"


@pytest.mark.parametrize(("moved_by", "stays"), [("anyone", True), ("player", False)])
def test_v23_a_realm_moved_by_another_player_can_be_moved_again(moved_by: str, stays: bool) -> None:
    steps = ("displace", "push 2.1 to 0,1", "shift 2,-1", "put 1,1")
    position = play(f"{PUSHED_INTO_SHIFT} options=moved_by={moved_by}", *steps)
    moved = layout.TILE_MARKS + int(
        np.flatnonzero(position[layout.TILE_HEX :][: layout.PORTALS] == layout.hex_at(1, 1))[0]
    )
    assert bool(position[moved] & layout.MOVED_NOW) is stays
    own = play(f"{SHIFTING} options=moved_by={moved_by}", "to 1,0", "shift 2,-1", "put 1,1")
    assert layout.MOVED_BEFORE in own[layout.TILE_MARKS : layout.TILE_MARKS + layout.PORTALS]


@pytest.mark.parametrize(("ends", "expected"), [("off", ("push", 0)), ("on", ("act", 1))])
def test_v24_disruption_ends_the_displace_at_once(ends: str, expected: tuple[str, int]) -> None:
    line = f"{ring('Displace', 'Disruption')} mages=1,0;portal/1,0 etherium=1.0/0.0 {ACT} held=1,0"
    options = f"options=displace_self=on,disruption_ends_displace={ends}"
    position = play(f"{line} {options}", "displace", "push 1.1 to 0,1")
    assert phase(position) == expected


def test_v25_tribute_from_an_own_mage_is_a_gain() -> None:
    line = f"{ring('Tribute', 'Multiply', 'Generate')} mages=portal;0,1;1,-1/portal etherium=3.1/0.0 {ACT}"
    assert phase(play(line, "to 1,0")) == ("act", 0)  # there is no opponent with Etherium
    position = play(f"{line} options=tribute_from_own=on", "to 1,0", "collect white", "collect black")
    assert amounts(position, 0) == (3, 2)  # 1 White was paid for the Black, and both reacted


HOLDING = f"{ring('Propagate', 'Condense', 'Displace')} {ACT} held=1,0 etherium=1.0/0.0"


@pytest.mark.parametrize(("held_by", "white"), [("player", 2), ("mage", 0)])
def test_v26_a_held_realm_serves_the_active_mage_alone(held_by: str, white: int) -> None:
    options = f"options=held_by={held_by}"
    line = f"{HOLDING} mages=1,-1;1,-1;portal/portal {options}"
    pushed = play(line, "displace", "push 1.2 to portal")  # nothing is gained in the Portal
    assert amounts(pushed, 0) == (0, 0)
    tiles = ring("Displace", "Condense", "Propagate")
    line = f"{tiles} {ACT} held=1,-1;1,0 etherium=1.0/0.0 mages=1,0;1,0/portal {options}"
    assert amounts(play(line, "displace", "push 1.2 to 0,1"), 0) == (white, 1)
    assert amounts(play(line, "to 0,1"), 0) == (3, 1)  # the active Mage itself


def test_e4_without_a_round_limit_the_game_goes_on() -> None:
    line = f"{ring('Quicken')} mages=portal/portalx {ACT} round=200"
    assert phase(play(f"{line} options=max_rounds=200", "end"))[0] == "over"
    position = play(f"{line} options=max_rounds=0", "end")
    assert (phase(position), position[layout.ROUND]) == (("act", 1), 201)


def test_e5_a_game_without_a_round_limit_ends_even_if_nobody_can_move() -> None:
    line = "tiles=Portal@9,9;Quicken@0,0 mages=0,0/0,0x phase=act active=1 steps=11950 options=max_rounds=0"
    position = play(line, "end")
    assert layout.REASONS[position[layout.REASON]] == "max_steps"


def test_e5_without_a_round_limit_a_forced_end_is_the_last_step_too() -> None:
    tiles = "tiles=Portal@0,0;Channel@1,0;Draw@1,-1;Gather@0,1 mages=portal;portal;portal/1,0;portal;portal"
    turn = "reserve=Draw;Shift;Lessen;Accord;Bond;Network round=2 turn=8 phase=act active=1 steps=11998"
    position = play(f"{tiles} {turn} options=max_rounds=0", "to 1,0")
    assert position[layout.STEPS] == layout.STEP_LIMIT
    assert layout.REASONS[position[layout.REASON]] == "max_steps"


@pytest.mark.parametrize("seed", range(3))
def test_literal_games_can_be_played(seed: int) -> None:
    """Random games to the letter, with player powers and many Mages out of turn."""
    rng = random.Random(seed)
    manifest = (
        "game.mages:5;transfer.copies:6;displace.copies:12;quicken.copies:12;protection.copies:4;shift.copies:4;tribute.copies:4;"
        "harvest.copies:0;paralyze.copies:0;streamline.copies:0;gather.copies:0"
    )
    options = GAME.options("literal", player_powers=True, manifest=manifest)
    position = first_position(2 + seed, options)
    out = np.empty(layout.MAX_STEPS, dtype=np.int64)
    for number in range(300):
        codes = out[: legal_steps(position, out)].tolist()
        assert codes == sorted(set(codes))
        if number % 5 == 0:
            check_text(position, options)
        busy = [code for code in codes if code not in (layout.END, layout.SKIP, layout.NEXT)] or codes
        apply_step(position, rng.choice(busy))
