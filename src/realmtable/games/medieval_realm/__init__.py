"""Medieval Realm: two Dukes and six Men march from Center to Center, across the board and off its far side."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo
from realmtable.games.medieval_realm.options import PRESETS, MedievalOptions

INFO = GameInfo(
    id="medieval_realm",
    title="Medieval Realm",
    summary="March two Dukes and six Men across the board and off its far side; first to bear off all eight wins.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=MedievalOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=1,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition",),
    compiled=True,
)
