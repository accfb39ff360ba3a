"""The play of someone who does not choose in time: what they have chosen so far, a manoeuvre, and their shield (C7)."""

from __future__ import annotations

from collections.abc import Sequence

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.combat_flow.gear import find_hand, pick_piece
from realmtable.games.magic_realm.combat_flow.plays import READY
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.world.steps import Step


def choose_usual_play(fight: Fight, seat: Seat, answers: Sequence[Step]) -> Step:
    """Return the next step: the fastest manoeuvre with the fewest stars, then a shield, then ready."""
    hand = find_hand(fight, fight.warrior(seat))

    def rank(step: Step) -> tuple[int, int, tuple[int, ...]]:
        piece = pick_piece(hand, step.args[1])
        return piece.stars, piece.time, step.args

    evasions = sorted((step for step in answers if step.verb == "evade"), key=rank)
    shields = [step for step in answers if step.verb == "shield"]
    return (evasions or shields or [READY])[0]
