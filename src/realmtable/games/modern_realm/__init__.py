"""Modern Realm: Agents and Counter-Agents infiltrate the other half of the board and turn into Headquarters."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo
from realmtable.games.modern_realm.options import PRESETS, ModernOptions

INFO = GameInfo(
    id="modern_realm",
    title="Modern Realm",
    summary="Slip seven Agents and a Counter-Agent into the enemy's half and found eight Headquarters there.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=ModernOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=2,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition",),
    compiled=True,
)
