"""Which way to run from monsters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from realmtable.games.magic_realm.bots.known_world import read_place
from realmtable.games.magic_realm.bots.plans import Planner
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit

CHITS_BY_LABEL: Final[Mapping[str, ActionChit]] = {
    chit.label: chit for row in load_catalog().characters for chit in row.chits
}


def choose_road(planner: Planner, runs: Sequence[str]) -> str:
    """Return the run that leads away from monsters, to where most is to be had, with the fewest stars."""

    def rank(move: str) -> tuple[bool, float, int]:
        road, _, piece = move.removeprefix("run ").partition(" with ")
        ends = [read_place(name) for name in road.split("-")]
        stars = CHITS_BY_LABEL[piece].stars if piece in CHITS_BY_LABEL else 0
        leads_on = any(end not in planner.known.monster_clearings for end in ends)
        return leads_on, max(planner.value_at(end) for end in ends), -stars

    return max(runs, key=rank)
