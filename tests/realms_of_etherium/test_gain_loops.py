"""No activation goes on forever: searches for positions that repeat within a turn, with every option."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from realmtable.games.realms_of_etherium.first_state import first_position
from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.kit.rules import Position
from tests.realms_of_etherium.helpers import amounts, busy_ones, list_codes, play, random_options

MOST_STEPS = 60  # of one activation; 29 were the most in the games that decision 19 counts
# Powers are free and frequent, so that one can lead to the next.
FREE = (
    "game.mages:5;transmute.copies:6;lessen.copies:6;generate.copies:3;multiply.copies:3;propagate.copies:3;"
    "quicken.copies:4;quicken.control:0/0;displace.copies:4;displace.use:0/0;transfer.copies:4;transfer.use:0/0;"
    "shift.use:0/0;swap.use:0/0;tribute.copies:3;paralyze.use:0/0;conjure.use:0/0;protection.use:0/0"
)

# The most copies of the tiles that keep an activation going.
MANY = (
    "game.mages:5;quicken.copies:12;displace.copies:12;displace.use:0/0;shift.copies:4;shift.use:0/0;transfer.copies:6;"
    "transfer.use:0/0;tribute.copies:4;tribute.colour:red;transmute.copies:6;lessen.copies:6;harvest.copies:0;gather.copies:0;"
    "draw.copies:0;paralyze.copies:0;streamline.copies:0;portal.copies:2"
)


def etherium_of(position: Position, seat: int) -> int:
    return position.item(layout.WHITE + seat) + position.item(layout.BLACK + seat)


def choose_to_continue(position: Position, codes: list[int], rng: random.Random) -> int:
    """Choose the step that keeps the turn going and gains most, mostly."""
    busy = busy_ones(codes)
    if rng.random() < 0.5:
        return rng.choice(busy)
    seat = position.item(layout.ACTIVE_SEAT)
    best, chosen = -1.0, busy[0]
    for code in rng.sample(busy, min(4, len(busy))):
        after = position.copy()
        apply_step(after, code)
        is_same_turn = after[layout.TURN] == position[layout.TURN]
        worth = etherium_of(after, seat) + 10 * is_same_turn + rng.random()
        if worth > best:
            best, chosen = worth, code
    return chosen


def check_game(seed: int, most: int, *, is_literal: bool = False) -> int:
    """Play a directed random game; return the most steps of an activation."""
    rng = random.Random(seed)
    options = replace(random_options(rng, rng.choice(("standard", FREE))), points=12)  # few games end by points
    if is_literal:
        options = GAME.options("literal", player_powers=True, points=12, manifest=MANY)
    position = first_position(rng.randint(2, 6), options)
    turn, seen, longest = -1, set[bytes](), 0
    for _ in range(most):
        codes = list_codes(position)
        if not codes:
            break
        if position[layout.TURN] != turn:
            turn, seen = position.item(layout.TURN), set()
        steps, position[layout.STEPS] = position.item(layout.STEPS), 0
        content = position.tobytes()
        position[layout.STEPS] = steps
        assert content not in seen
        if turn > 0:  # the set-up is not an activation
            seen.add(content)
            longest = max(longest, len(seen))
        is_chance = position[layout.SEAT] == layout.CHANCE
        apply_step(position, rng.choice(codes) if is_chance else choose_to_continue(position, codes, rng))
    assert longest <= MOST_STEPS
    return longest


@pytest.mark.parametrize("is_literal", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_p5_no_position_repeats_within_an_activation(seed: int, is_literal: bool) -> None:
    assert check_game(seed, 250, is_literal=is_literal) > 1


@pytest.mark.slow
@pytest.mark.parametrize("is_literal", [False, True])
@pytest.mark.parametrize("seed", range(100, 300))
def test_p5_no_position_repeats_in_many_games(seed: int, is_literal: bool) -> None:
    check_game(seed, 4_000, is_literal=is_literal)


@pytest.mark.parametrize("lessen", range(4))
@pytest.mark.parametrize("colour", ["Red", "Green"])
def test_t5_y6_a_conversion_into_black_always_costs_white(lessen: int, colour: str) -> None:
    """Lessen and Green make conversions cheaper, but never free: two uses of one tile need two activations."""
    tiles = "tiles=Portal@0,0;Transmute@1,0;Quicken@0,1" + "".join(
        f";Lessen.{number}@{hex_}" for number, hex_ in zip(range(1, lessen + 1), ("1,-1", "0,-1", "-1,0"), strict=False)
    )
    places = "".join(f";{hex_}" for hex_ in ("1,-1", "0,-1", "-1,0")[:lessen])
    line = (
        f"{tiles.replace('Lessen.1', 'Lessen')} mages=portal;portal{places}/portal etherium=9.0/0.0 phase=act active=1"
    )
    options = "options=player_powers=on,manifest=lessen.copies:6"
    position = play(f"{line} colours={colour}/Blue reserve=Draw {options}", "to 1,0", "make 1 black")
    white, black = amounts(position, 0)
    assert black == 1
    assert white < 9
