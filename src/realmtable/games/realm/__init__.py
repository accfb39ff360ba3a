"""Realm, the featured game: a turn has many moves, each move may cause an event, and most Realms win."""

from __future__ import annotations

from realmtable.engine.protocol import Presentation
from realmtable.games.realm.options import PRESETS, RealmOptions
from realmtable.kit.realm_board.game_info import make_game_info

SUMMARY = (
    "Claim the Realms of a 12 x 12 board with Powers, Enforcers and Bases. "
    "The game ends when a player creates their last Base, and the player with more Realms wins."
)
SOURCES = ("Realm rulebook, Philip E. Orbanes, 2011 edition", "Abstract Games 9, Spring 2002, William L. Mikulas")
INFO = make_game_info(
    __name__,
    RealmOptions,
    PRESETS,
    "nestor",
    summary=SUMMARY,
    sources=SOURCES,
    rules_version=1,
    placement_study=True,
    presentation=Presentation(
        featured=True,
        score_units=("Realm", "Realms"),
        preset_titles={
            "many_enforcers": "many Enforcers",
            "few_enforcers": "few Enforcers",
            "four_powers": "four Powers",
        },
    ),
)
