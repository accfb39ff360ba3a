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
        ("about 80 points", "Easiest: collects high numbers, even of cards that harm each other."),
        ("about 94 points", "Very easy: collects high numbers and overlooks what cards do to each other."),
        ("about 115 points", "Easy: notices a little of what cards do to each other, as people do in a first game."),
        ("about 140 points", "Medium: notices the largest bonuses and the worst penalties."),
        ("about 171 points", "Hard: sees a good part of what cards do to each other: a match for regular players."),
        ("about 197 points", "Very hard: rarely overlooks what a card would add to its realm now."),
        ("about 211 points", "Expert: sees everything its realm is worth, and what it may become."),
        ("about 214 points", "Strongest: weighs every card that may come, for its realm and the best opponent."),
    ),
    sources=("Fantasy Realms rulebook, WizKids, 2017",),
    presentation=Presentation(spaced=True, preset_titles={"two_player": "two-player game", "chaos": "Chaos Realms"}),
)
