"""Modern Realm: Agents and Counter-Agents infiltrate the other half of the board and turn into Headquarters."""

from __future__ import annotations

from realmtable.games.modern_realm.options import PRESETS, ModernOptions
from realmtable.kit.realm_board.game_info import make_game_info

SUMMARY = (
    "Slip seven Agents and a Counter-Agent into the enemy's half. The first to found eight Headquarters there wins."
)
SOURCES = ("Realm rulebook, Philip E. Orbanes, 2011 edition",)
INFO = make_game_info(
    __name__, ModernOptions, PRESETS, summary=SUMMARY, sources=SOURCES, rules_version=2, score_units=("HQ", "HQs")
)
