"""Evaluations that remember the position before them are the same as those of each position alone."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.evaluation import FEATURES, is_irrelevant_chance, measure_changes
from realmtable.games.realms_of_etherium.kernels.evaluation_memory import (
    ANYTHING,
    IN_RESERVE,
    MEMORY_SIZE,
    NOTHING,
    note_changes,
)
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.kit.rules import Measures, Position
from tests.realms_of_etherium.helpers import list_codes, read
from tests.realms_of_etherium.twin_evaluation import measure as measure_alone

WORLD = "tiles=Portal@0,0;Quicken@1,0;Affinity@0,1;Displace@-1,1 mages=0,1/portal etherium=1.2/0.0"
EVERYTHING = {"player_powers": True, "max_rounds": 12}


def walk(seats: int, seed: int, steps: int, **options: Any) -> list[Position]:  # noqa: ANN401 - of options
    rng = Random(seed)
    position = GAME.initial(seats, GAME.options(**options)).position.copy()
    found: list[Position] = []
    while position[layout.REASON] == 0 and len(found) < steps:
        found.append(position.copy())
        codes = list_codes(position)
        if position[layout.SEAT] == layout.CHANCE:
            apply_step(position, rng.choices(codes, [chance_weight(position, code) for code in codes])[0])
        else:
            apply_step(position, rng.choice([code for code in codes if code != layout.END] or codes))
    return found


def measure_each(position: Position) -> list[float]:
    """Every feature of every seat, without a memory."""
    measures = np.empty(len(FEATURES) * position.item(layout.SEATS))
    measure_alone(position, measures)
    return measures.tolist()


def new_measures(position: Position) -> tuple[Measures, Position]:
    """Arrays for the positions of a match."""
    size = len(FEATURES) * position.item(layout.SEATS)
    return np.full(size, 7.0), np.zeros(MEMORY_SIZE, dtype=np.int64)


@pytest.mark.long
@pytest.mark.parametrize(("seats", "options"), [(2, {}), (4, EVERYTHING), (6, {"controlled": "any"})])
def test_a_memory_changes_no_measure(seats: int, options: dict[str, Any]) -> None:
    """Along a game and between positions far apart, as in a search."""
    positions = walk(seats, seats, 260, **options)
    measures, memory = new_measures(positions[0])
    order = [*positions, *Random(1).choices(positions, k=40)]
    for position in order:
        measure_changes(position, measures, memory)
        assert measures.tolist() == measure_each(position)


def test_tiles_that_change_places_are_noted() -> None:
    """Shift and Swap, Portals that move, and Mages that move with them."""
    worlds = [
        WORLD,
        WORLD.replace("Quicken@1,0", "Displace@1,0").replace("Displace@-1,1", "Quicken@-1,1"),
        WORLD.replace("Affinity@0,1", "Affinity@1,-1").replace("mages=0,1", "mages=1,-1"),
        WORLD.replace("Portal@0,0", "Portal@0,0;Portal.2@2,-1"),
        WORLD.replace("Portal@0,0", "Portal@2,-1"),
        WORLD,
    ]
    positions = [read(f"{world} reserve=Draw;Shift;Lessen;Lineage;Diversity;Resonance") for world in worlds]
    measures, memory = new_measures(positions[0])
    for position in positions:
        measure_changes(position, measures, memory)
        assert measures.tolist() == measure_each(position)


def test_what_has_changed() -> None:
    position = read(f"{WORLD} reserve=Draw;Shift;Lessen;Lineage;Diversity;Resonance")
    memory = np.zeros(MEMORY_SIZE, dtype=np.int64)
    assert note_changes(position, memory) == ANYTHING
    assert note_changes(position, memory) == NOTHING
    position[layout.STEPS] += 1
    assert note_changes(position, memory) == NOTHING  # it is not evaluated
    position[layout.RESERVE + layout.KIND_NAMES.index("Lineage")] = 0
    assert note_changes(position, memory) == IN_RESERVE
    for entry in (layout.WHITE, layout.TRIGGERED, layout.TILE_OWNER, layout.MOVED, layout.EXHAUSTED):
        position[entry] += 1
        assert note_changes(position, memory) == ANYTHING
    assert note_changes(position, memory) == NOTHING


@pytest.mark.long
def test_an_irrelevant_draw_changes_no_measure() -> None:
    found = [position for position in walk(4, 5, 900) if is_irrelevant_chance(position)]
    for position in found[:12]:
        results = []
        for code in list_codes(position):
            after = position.copy()
            apply_step(after, code)
            assert after[layout.SEAT] != layout.CHANCE
            results.append(measure_each(after))
        assert len(results) > 1
        assert results == results[:1] * len(results)
    assert len(found) > 5


def test_draws_that_matter() -> None:
    positions = walk(4, 5, 900)
    relevant = [p for p in positions if p[layout.PHASE] == layout.IN_REFILL and not is_irrelevant_chance(p)]
    assert {position.item(layout.SOURCE) for position in relevant} == {layout.REALM_SUPPLY, layout.VICTORY_SUPPLY}
    irrelevant = next(position for position in positions if is_irrelevant_chance(position))
    irrelevant[layout.RESERVE + layout.DISRUPTION_KIND] = 2
    assert not is_irrelevant_chance(irrelevant)  # M8
