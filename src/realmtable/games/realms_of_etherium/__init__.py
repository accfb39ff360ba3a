"""Realms of Etherium, for two to six players: Mages summon a world of hexes and take Control of Victory Realms."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo, Presentation
from realmtable.games.realms_of_etherium.options import PRESETS, EtheriumOptions

INFO = GameInfo(
    id="realms_of_etherium",
    title="Realms of Etherium",
    summary="Summon a world of hexes, use its powers and control the Victory Realms that are worth most.",
    seats=(2, 3, 4, 5, 6),
    seat_names=("Scarlet", "Azure", "Amber", "Jade", "Violet", "Silver"),
    options_type=EtheriumOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=1,
    tier="complete",
    chance=True,
    sources=("Realms of Etherium rulebook, Kristopher Peterson",),
    compiled=True,
    max_steps=13_000,  # E5: 12,000, and the rest of the last activation
    presentation=Presentation(spaced=True),
)
