"""Medieval Realm: two Dukes and six Men march from Center to Center, across the board and off its far side."""

from __future__ import annotations

from realmtable.games.medieval_realm.options import PRESETS, MedievalOptions
from realmtable.kit.realm_board.game_info import make_game_info

SUMMARY = "March two Dukes and six Men across the board and off its far side; first to bear off all eight wins."
SOURCES = ("Realm rulebook, Philip E. Orbanes, 2011 edition",)
SCORE_UNITS = ("piece borne off", "pieces borne off")
INFO = make_game_info(
    __name__, MedievalOptions, PRESETS, summary=SUMMARY, sources=SOURCES, rules_version=1, score_units=SCORE_UNITS
)
