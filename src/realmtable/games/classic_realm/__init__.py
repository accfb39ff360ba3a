"""Classic Realm: frogs jump from lily pad to lily pad and dunk each other; the quickest of the Realm games."""

from __future__ import annotations

from realmtable.games.classic_realm.options import PRESETS, ClassicOptions
from realmtable.kit.realm_board.game_info import make_game_info

SUMMARY = "Jump across sixteen lily pads with your eight frogs and dunk all eight of your opponent's to win."
SOURCES = ("Realm rulebook, Philip E. Orbanes, 2011 edition: Classic Realm",)
SCORE_UNITS = ("frog on a pad", "frogs on pads")
INFO = make_game_info(
    __name__, ClassicOptions, PRESETS, summary=SUMMARY, sources=SOURCES, rules_version=2, score_units=SCORE_UNITS
)
