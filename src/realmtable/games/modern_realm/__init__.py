"""Modern Realm: Agents and Counter-Agents infiltrate the other half of the board and turn into Headquarters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from realmtable.engine.protocol import GameInfo
from realmtable.games.modern_realm.options import PRESETS, ModernOptions

if TYPE_CHECKING:
    from realmtable.games.modern_realm.game import ModernRealm

INFO = GameInfo(
    id="modern_realm",
    title="Modern Realm",
    summary="Slip seven Agents and a Counter-Agent into the enemy's half and found eight Headquarters there.",
    seats=(2,),
    seat_names=("White", "Black"),
    options_type=ModernOptions,
    presets=PRESETS,
    default_preset="standard",
    rules_version=1,
    sources=("Realm rulebook, Philip E. Orbanes, 2011 edition",),
    compiled=True,
)


def load() -> ModernRealm:
    """The game object, with its rules."""
    from realmtable.games.modern_realm.game import ModernRealm  # noqa: PLC0415 - the facts above stay quick to read

    return ModernRealm()
