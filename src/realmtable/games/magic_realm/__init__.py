"""Magic Realm, for one to eight players: characters search a land of 20 tiles for treasures while monsters prowl."""

from __future__ import annotations

from realmtable.engine.protocol import GameInfo, Presentation
from realmtable.games.magic_realm.options import PRESETS, MagicOptions

INFO = GameInfo(
    id="magic_realm",
    title="Magic Realm",
    summary="Explore a land of hidden paths and lost treasures, and escape the monsters that come to meet you.",
    seats=(1, 2, 3, 4, 5, 6, 7, 8),
    seat_names=("Scarlet", "Azure", "Amber", "Jade", "Violet", "Silver", "Sable", "Ivory"),
    options_type=MagicOptions,
    presets=PRESETS,
    default_preset="encounter2",
    rules_version=3,
    tier="complete",
    hidden=True,
    chance=True,
    sources=(
        "The Least You Need to Know to Play Magic Realm, a summary of the second edition",
        "Magic Realm rulebook, third edition, release 3.1",
    ),
    max_steps=5_000_000,  # most games have fewer than 5,000; tests/magic_realm/test_whole_games.py derives the limit
    bot_levels=5,  # its own bots do not look further ahead than a day
    battle_calculator=f"{__name__}.battle_calculator.calculator",
    presentation=Presentation(
        score_units=("point", "points"),
        spaced=True,
        turn_word="Day",
        tells_moves=True,
        first_preset="first_game",
        preset_titles={"encounter1": "treasure hunt", "encounter2": "treasure hunt with combat"},
    ),
)
