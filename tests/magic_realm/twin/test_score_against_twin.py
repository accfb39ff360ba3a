"""The score of random purses, against the twin that was written from RULES.md (Q7, Q8)."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.magic_realm.flow.score import score_seat, total_of
from realmtable.games.magic_realm.world.entities import ACTIVE, CURSES, FATIGUED, GOALS, WOUNDED
from tests.magic_realm.flow.test_score import CATALOG, GOODS, world_with
from tests.magic_realm.twin.twin_score import score, score_kinds

PURSES = 10_000


@pytest.mark.long
def test_q8_ten_thousand_random_purses_are_scored_alike() -> None:
    for seed in range(PURSES):
        rng = Random(seed)
        character = rng.choice(CATALOG.characters)
        pack = dict.fromkeys(rng.sample(sorted(GOODS), rng.randint(0, 12)), False)
        gold, fame, notoriety = (rng.randint(0, most) for most in (150, 80, 120))
        points = rng.choices(GOALS, k=rng.randint(2, 5))
        curses = [name for name in CURSES if rng.random() < 0.1]
        states = rng.choices((ACTIVE, FATIGUED, WOUNDED), (3, 1, 1), k=len(character.chits))
        world = world_with(character.name, pack, gold=gold, fame=fame, notoriety=notoriety)
        hero = world.writable_hero(0)
        hero.points, hero.chits = tuple(map(GOALS.index, points)), tuple(states)
        hero.curses = sum(1 << CURSES.index(name) for name in curses)
        purse = {
            "points": points, "character": character.name, "gold": gold, "fame": fame, "notoriety": notoriety,
            "goods": [*pack], "curses": curses,
            "fatigued": [number for number, state in enumerate(states, 1) if state == FATIGUED],
            "wounded": [number for number, state in enumerate(states, 1) if state == WOUNDED],
        }  # fmt: skip
        rows = score_seat(world, 0)
        assert {row.kind: (row.basic, row.bonus) for row in rows} == score_kinds(purse), seed
        assert total_of(rows) == score(purse)
