"""Whole games of one to eight players, with all presets and options: each of them ends, within the limit of steps."""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from random import Random
from typing import Final

import pytest

from realmtable.engine.options import list_options
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm import INFO
from realmtable.games.magic_realm.combat_rules.round_costs import LAST_ROUND
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import MACHINE, first_state
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.flow.score import list_totals
from realmtable.games.magic_realm.flow.setup import MAX_PIECES
from realmtable.games.magic_realm.options import PRESETS, MagicOptions
from realmtable.games.magic_realm.world.entities import ACTION_CHITS, MAX_BACKS, MAX_ORDERS
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.places import MAX_SEATS, TILES
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG

NORMAL: Final = 3  # games in the normal run: the beginning and the end of the list of slow ones
SLOW: Final = 300
CHECK_EVERY: Final = 29  # steps


def draw_options(rng: Random) -> MagicOptions:
    """Return a preset, or random values for all options."""
    if rng.random() < 0.3:
        return MagicOptions(**dict(rng.choice([*PRESETS.values()])))  # type: ignore[arg-type]  # the options check them
    found = {info.name: rng.choice(info.choices or (True, False)) for info in list_options(MagicOptions)}
    return MagicOptions(**found)  # type: ignore[arg-type]  # as above


def play_on(world: World, rng: Random) -> World:
    seat = rng.choice(MACHINE.to_move(world))
    if seat != CHANCE:
        return MACHINE.play(world, seat, rng.choice(MACHINE.legal_moves(world, seat)))
    outcomes = MACHINE.chance(world)
    return MACHINE.play(world, seat, rng.choices([o.move for o in outcomes], [o.weight for o in outcomes])[0])


def play_whole(world: World, seed: int) -> tuple[World, int]:
    """Play a random game to its end, and check states on the way; return the last state and the number of steps."""
    rng, steps = Random(seed), 0
    while MACHINE.to_move(world):
        world = play_on(world, rng)
        steps += 1
        if steps % CHECK_EVERY == 0:
            check_world(world)
            assert decode(MACHINE, encode(world)) == world
        if steps % (10 * CHECK_EVERY) == 0:
            guess = check_world(resample(world, rng.randrange(len(world.heroes)), rng))
            assert MACHINE.to_move(guess) == MACHINE.to_move(world)
    return world, steps


def check_end(world: World, steps: int) -> None:
    assert (world.part, world.agenda) == ("over", ())
    assert world.day == world.options.last_day
    assert steps <= INFO.max_steps
    assert len(list_totals(world)) == len(world.heroes)
    assert decode(MACHINE, encode(world)) == world


@pytest.mark.long
@pytest.mark.parametrize("seed", range(NORMAL))
def test_q7_random_games_end(seed: int) -> None:
    rng = Random(seed)
    options = MagicOptions(**{**vars(draw_options(rng)), "days": "7"})
    check_end(*play_whole(first_state((1, 3, 8)[seed], options), seed))


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(30))
def test_q7_three_hundred_random_games_end(batch: int) -> None:
    size = SLOW // 30
    for seed, seats in zip(range(batch * size, (batch + 1) * size), cycle(INFO.seats), strict=False):
        rng = Random(seed)
        check_end(*play_whole(first_state(1 + (seats + batch) % MAX_SEATS, draw_options(rng)), seed))


def count_combat_steps() -> int:
    """Return the most steps of an evening with combat, without rolls that are repeated because of ties (E8)."""
    goods, monsters, seats = len(CATALOG.goods), len(CATALOG.monsters), MAX_SEATS
    counters = 2 * monsters  # with heads and clubs
    encounter = seats * (monsters + 2) + monsters * seats + seats + goods + seats  # E7 to E19
    plays = 2 * seats + 4 * seats + counters + 2 * MAX_BACKS * seats  # targets, plays (C3, C7)
    dice = 4 * (seats + monsters) + seats + counters  # repositioning, tactics, hits (C13, C14, C18, C27)
    costs = seats + seats * ACTION_CHITS  # stars and wounds (W4, W5)
    asked = 2 * seats  # before a round (E6), and about belongings (Q1)
    return LAST_ROUND * (encounter + plays + dice + costs + asked) + seats + goods  # clearings, belongings


def test_q7_the_limit_of_steps_follows_from_the_rules() -> None:
    """Count each question and event as often as the rules allow it at most, all players and goods together."""
    goods, monsters, seats = len(CATALOG.goods), len(CATALOG.monsters), MAX_SEATS
    cards = Counter(effect.verb for card in CATALOG.treasures for effect in card.effects)["extra_phase"]
    usual = 2 + 2 + 1 + 1  # basic, sunlight, the character's own, and a workhorse (D4, D5)
    phases = 2 * (usual + cards)  # of a character with all cards, and a pony behind each Move (D6)
    all_phases = 2 * (usual * seats + cards)
    birdsong = seats * (2 * MAX_BACKS + MAX_ORDERS + 1) + all_phases  # another entry can follow each `back` (Z4)
    lives = seats * (1 + MAX_PIECES + 5 + 1)
    sunrise, counters = 2, 2 * seats  # dice; `next`, and `later` or `now` of the Swordsman (B5, D1)
    arranging = phases * (goods + seats)  # each belonging changes once in each phase of its owner's guide (D25)
    following = phases * 2 * seats + seats  # `along` or `shed`, and a last `go` (D24)
    resting = phases * 2 * seats  # (D15)
    searching = all_phases * 15  # activity, search, force, tire, dice, choice, exchanges, take, treasures (D16 to D22)
    blocking = all_phases * seats + 2 * seats * seats + seats + monsters  # `pass` each time, and each `block` once
    day = birdsong + lives + sunrise + counters + arranging + following + resting + searching + blocking
    day += count_combat_steps()
    once = 2 * 3 * TILES + seats * (1 + MAX_PIECES + 5 + 2 + 2 * MAX_BACKS) + 50 + goods  # map, choices, chits, cards
    assert 28 * day + once <= INFO.max_steps
