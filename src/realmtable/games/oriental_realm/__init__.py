"""Oriental Realm: an Emperor and seven Mandarins on each side; the first to surround an enemy piece wins."""

from __future__ import annotations

from realmtable.games.oriental_realm.options import PRESETS, OrientalOptions
from realmtable.kit.realm_board.game_info import make_game_info

SUMMARY = "Pin the enemy Mandarins and surround an enemy piece, or a whole group, to win."
SOURCES = ("Realm rulebook, Philip E. Orbanes, 2011 edition: Oriental Realm",)
INFO = make_game_info(
    __name__, OrientalOptions, PRESETS, summary=SUMMARY, sources=SOURCES, rules_version=1, score_units=()
)
