"""The facts of a game on the Realm board, and the option that every such game has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from realmtable.engine.options import OptionValue, option
from realmtable.engine.protocol import GameInfo, Presentation
from realmtable.kit.realm_board.geometry import SEAT_NAMES


def make_game_info(
    package: str,
    options_type: type,
    presets: Mapping[str, Mapping[str, OptionValue]],
    default_preset: str = "standard",
    *,
    score_units: tuple[str, ...] = ("", ""),
    presentation: Presentation | None = None,
    **others: Any,  # noqa: ANN401 - the other fields of `GameInfo`
) -> GameInfo:
    """Return the facts of a game on this board, which two players play; its package is named after its title."""
    game_id = package.rpartition(".")[2]
    return GameInfo(
        id=game_id,
        title=game_id.replace("_", " ").title(),
        seats=(2,),
        seat_names=SEAT_NAMES,
        options_type=options_type,
        presets=presets,
        default_preset=default_preset,
        tier="complete",
        compiled=True,
        presentation=presentation or Presentation(score_units=score_units),
        **others,
    )


def turn_limit_option(default: int, *, most: int, clause: str, end: str = "drawn") -> Any:  # noqa: ANN401 - as `option`
    """Declare the option that ends a game after a number of turns."""
    sentence = f"The game is {end} after this many turns."
    return option(default, sentence, source="this table", clause=clause, title="turn limit", low=20, high=most)
