"""Calculates battles in a worker process, so that they do not delay other requests."""

from __future__ import annotations

from typing import Any, Final

from realmtable.engine import registry
from realmtable.kit import calculators
from realmtable.kit.calculators import AnyBattleCalculator
from realmtable.server.errors import NotFound
from realmtable.server.fair_queue import Requester
from realmtable.server.workers.search_queue import BOARD, SearchQueue

BattleReport = dict[str, Any]
MAX_LENGTH: Final = 500  # of the line that describes a battle


def calculator(game_id: str) -> AnyBattleCalculator:
    """Return the calculator of a game; raise NotFound if it has none."""
    found = calculators.find_battle_calculator(game_id)
    if found is None:
        raise NotFound(f"{registry.info(game_id).title} has no battles to calculate.")
    return found


def compute_report(game_id: str, text: str) -> BattleReport:
    """Return the chances of a battle. Runs in a worker process; raises BadInput if it cannot be read."""
    chosen = calculator(game_id)
    return chosen.calculate(chosen.read(text))


async def calculate_battle(search_queue: SearchQueue, game_id: str, text: str, requester: Requester) -> BattleReport:
    """Return the chances of a battle; raise BadInput if it cannot be read."""
    return await search_queue.run(compute_report, (game_id, text), BOARD, requester)
