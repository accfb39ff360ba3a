"""Fights that bots play from views."""

from __future__ import annotations

from random import Random
from typing import cast

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.bots.answers import choose_steps
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.view_parts.combat_part import combat_data
from realmtable.games.magic_realm.view_parts.schema import MagicView
from realmtable.games.magic_realm.world.places import road_place
from realmtable.games.magic_realm.world.step_text import CLEARING, format_step, parse_step
from tests.magic_realm.helpers.bot_helpers import place, see, with_question
from tests.magic_realm.helpers.fight_helpers import CATALOG

HERE = CLEARING.read("BV5") or 0
ROAD = road_place(HERE, CLEARING.read("BV2") or 0)


def look(fight: Fight, seat: int) -> MagicView:
    """Return the view of a seat that is asked something in a fight; everything else is as in a solo game."""
    name = CATALOG.characters[fight.warrior(seat).character].name
    view = see(place("1.at=BV5", heroes=name.replace(" ", "_")))
    moves = [format_step(step) for step in machine.list_answers(fight, seat)]
    data = combat_data(fight, HERE, seat, lambda _: True, lambda _: True)
    players = {"viewer": seat, "players": [view["players"][0]] * (seat + 1)}
    changes = {**players, "combat": data, "combat_rules": True}
    return with_question(cast("MagicView", {**view, **changes}), fight.agenda[-1].kind, *moves)


def answer(fight: Fight, seat: int = 0, seed: int = 1) -> list[str]:
    """Return what a bot does in a fight."""
    return choose_steps(look(fight, seat), Random(seed))


def play_on(fight: Fight, rng: Random, *bots: int) -> Fight:
    """Return how a fight ends in which some seats are bots, and the others choose at random."""
    while fight.agenda:
        seat = rng.choice(machine.list_deciding(fight))
        if seat != CHANCE and seat in bots:
            for text in choose_steps(look(fight, seat), rng):
                fight = machine.play(fight, seat, parse_step(text))
            continue
        usable = [each for each in machine.list_answers(fight, seat) if each.verb != "back"]
        fight = machine.play(fight, seat, rng.choice(usable))
    return fight
