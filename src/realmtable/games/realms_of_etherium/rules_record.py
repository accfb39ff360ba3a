"""The kernels of Realms of Etherium as one record, for searches and playouts."""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium.kernels import evaluation, evaluation_memory, keys, layout, tally
from realmtable.games.realms_of_etherium.kernels.legal import chance_weight, legal_steps
from realmtable.games.realms_of_etherium.kernels.rules import apply_step
from realmtable.games.realms_of_etherium.kernels.scoring import rank_of, winner_of
from realmtable.kit.rules import Rules, SearchParameters

SEARCH_PARAMETERS: Final = SearchParameters(explore=0.5, temperature=0.05)
RULES: Final = Rules(
    game_id=__name__.split(".")[-2],
    module=__name__,
    legal_steps=legal_steps,
    apply_step=apply_step,
    key=keys.state_key,
    winner_of=winner_of,
    is_path_independent=evaluation.is_path_independent,
    measure=evaluation.measure,
    features=evaluation.FEATURES,
    seat_entry=layout.SEAT,
    turns_entry=layout.TURN,
    reason_entry=layout.REASON,
    reasons=layout.REASONS,
    step_codes=layout.STEP_CODES,
    phase_entry=layout.PHASE,
    phases=layout.PHASES,
    step_capacity=layout.MAX_STEPS,
    chance_weight=chance_weight,
    seats_entry=layout.SEATS,
    share_of=evaluation.share_of,
    rank_of=rank_of,
    is_quiet=evaluation.is_quiet,
    tally_step=tally.tally_step,
    tally_size=tally.TALLY_SIZE,
    measure_changes=evaluation.measure_changes,
    memory_size=evaluation_memory.MEMORY_SIZE,
    is_irrelevant_chance=evaluation.is_irrelevant_chance,
    is_standstill=keys.is_standstill,
    search_parameters=SEARCH_PARAMETERS,
)
