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
    judges_steps=True,
    hand_scorer=f"{__name__}.hand_scorer.scorer",
    level_words=(  # the points are means at tables of equals: studies/fantasy_bots/levels.md
        (
            "easiest, about 81 points",
            "Collects high numbers, even of cards that harm each other: for a first try.",
        ),
        ("very easy, about 97 points", "Collects high numbers and overlooks what cards do to each other."),
        ("easy, about 115 points", "Notices a little of what cards do to each other, as people do in a first game."),
        ("medium, about 141 points", "Notices the largest bonuses and the worst penalties."),
        ("hard, about 169 points", "Sees a good part of what cards do to each other: a match for regular players."),
        ("very hard, about 199 points", "Rarely overlooks what a card would add to its realm now."),
        ("expert, about 211 points", "Sees everything its realm is worth, and what it may become."),
        (
            "strongest, about 213 points",
            "Weighs every card that may come, for its realm and for the best opponent.",
        ),
    ),
    sources=("Fantasy Realms rulebook, WizKids, 2017",),
    presentation=Presentation(spaced=True, preset_titles={"two_player": "two-player game", "chaos": "Chaos Realms"}),
)
