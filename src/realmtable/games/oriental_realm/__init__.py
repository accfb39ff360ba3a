"""Oriental Realm: an Emperor and seven Mandarins on each side; the first to surround an enemy piece wins."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo
from realmtable.games.oriental_realm.options import PRESETS, OrientalOptions

INFO = GameInfo(
    id="oriental_realm",
    title="Oriental Realm",
    summary="Pin the enemy Mandarins and surround an enemy piece, or a whole group, to win.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=OrientalOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=1,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition: Oriental Realm",),
    compiled=True,
)
