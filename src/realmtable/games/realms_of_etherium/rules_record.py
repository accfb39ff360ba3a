"""The kernels of Realms of Etherium as one record, for states."""

from __future__ import annotations

from typing import Final

from realmtable.games.realms_of_etherium import layout
from realmtable.games.realms_of_etherium.legal import legal_steps
from realmtable.games.realms_of_etherium.rules import apply_step
from realmtable.kit.rules import NO_WINNER, Measures, Position, Rules


def _find_no_key(_position: Position) -> int:
    return 0


def _find_no_winner(_position: Position) -> int:
    return NO_WINNER


def _is_path_independent(_position: Position) -> bool:
    return False


def _measure_nothing(_position: Position, _out: Measures) -> None:
    return None


RULES: Final = Rules(
    game_id="realms_of_etherium",
    module=__name__,
    legal_steps=legal_steps,
    apply_step=apply_step,
    key=_find_no_key,
    winner_of=_find_no_winner,
    is_path_independent=_is_path_independent,
    measure=_measure_nothing,
    features=(),
    seat_entry=layout.SEAT,
    turns_entry=layout.TURN,
    reason_entry=layout.REASON,
    step_capacity=layout.MAX_STEPS,
)
