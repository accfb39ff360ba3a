"""Realm, the featured game: a turn has many moves, each move may cause an event, and most Realms win."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo
from realmtable.games.realm.options import PRESETS, RealmOptions

INFO = GameInfo(
    id="realm",
    title="Realm",
    summary="Claim the Realms of a 12 x 12 board with Powers, Enforcers and Bases; a turn may move many pieces.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=RealmOptions,
    presets=PRESETS,
    default_preset="nestor",
    rules_version=1,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition", "Abstract Games 9, Spring 2002, William L. Mikulas"),
    compiled=True,
    placement_study=True,
)
