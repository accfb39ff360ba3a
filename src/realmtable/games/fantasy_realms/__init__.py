"""Fantasy Realms, for two to seven players: seven cards make a realm, and every card helps or hinders others."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo, Presentation
from realmtable.games.fantasy_realms.options import PRESETS, FantasyOptions

INFO = GameInfo(
    id="fantasy_realms",
    title="Fantasy Realms",
    summary="Build a realm of seven cards that strengthen each other and outscore everyone else's.",
    seats=(2, 3, 4, 5, 6, 7),
    seat_names=("Scarlet", "Azure", "Amber", "Jade", "Violet", "Silver", "Sable"),
    options_type=FantasyOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=2,
    tier="complete",
    hidden=True,
    chance=True,
    hand_scorer=f"{__name__}.hand_scorer.scorer",
    sources=("Fantasy Realms rulebook, WizKids, 2017",),
    presentation=Presentation(spaced=True, preset_titles={"two_player": "two-player game", "chaos": "Chaos Realms"}),
)
