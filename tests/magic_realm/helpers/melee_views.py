"""Views of fights outside a game: the view of a new game, with the fight put into it."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.view_parts.combat_part import combat_data
from realmtable.games.magic_realm.world.step_text import CLEARING, ROADWAY, format_step
from tests.magic_realm.helpers.day_helpers import begin, day

PLACE = CLEARING.read("BV4") or 0
ROAD = ROADWAY.read("BV4-BV5") or 0
IDLE = {"pass", "done", "ready", "rest easy", "continue", "aim none", "tire", "wound", "shield"}


@cache
def _view_of_game() -> dict[str, Any]:
    return view(begin(day("1.at=B2", "1.plan=H", heroes="Elf")), MACHINE, 0)


def view_fight(fight: Fight, viewer: Seat | None) -> dict[str, Any]:
    """Return a fight as a viewer sees it; everyone's belongings are known."""
    frame = fight.agenda[-1]
    combat = combat_data(fight, PLACE, viewer, lambda _goods: True, lambda seat: seat == viewer)
    chits = {warrior["seat"]: warrior["chits"] for warrior in combat["warriors"]}
    base = _view_of_game()
    players = [
        {**base["players"][0], "seat": seat, "chits": chits.get(seat, [])} for seat in range(max(chits, default=0) + 2)
    ]
    moves = [] if viewer is None else machine.list_answers(fight, viewer)
    question = {**base["question"], "kind": frame.kind, "moves": [format_step(step) for step in moves]}
    return {
        **base,
        "viewer": viewer,
        "part": "evening",
        "players": players,
        "combat": combat,
        "question": question if moves else None,
        "doing": {**base["doing"], "kind": frame.kind, "seat": None if frame.seat == CHANCE else frame.seat},
    }


def roam(fight: Fight, rng: Random, *kinds: str) -> Fight:
    """Let everyone do nothing and chance do anything, until a frame of one of these kinds is due."""
    while fight.agenda and fight.agenda[-1].kind not in kinds:
        seat = machine.list_deciding(fight)[0]
        answers = machine.list_answers(fight, seat)
        wanted = answers if seat == CHANCE else [each for each in answers if each.verb in IDLE]
        ready = [each for each in wanted if each.verb == "ready"]
        fight = machine.play(fight, seat, rng.choice(ready or wanted))
    return fight
