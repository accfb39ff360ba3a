"""Classic Realm: frogs jump from lily pad to lily pad and dunk each other; the quickest of the Realm games."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo
from realmtable.games.classic_realm.options import PRESETS, ClassicOptions

INFO = GameInfo(
    id="classic_realm",
    title="Classic Realm",
    summary="Jump across sixteen lily pads with your eight frogs and dunk all eight of your opponent's.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=ClassicOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=2,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition: Classic Realm",),
    compiled=True,
)
