"""Whether to run instead of fighting, and with what (E12, E14, E15)."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.battle_calculator.duel import Duel, hand_of
from realmtable.games.magic_realm.battle_calculator.forecast import Forecast
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.encounter import list_action_pieces
from realmtable.games.magic_realm.combat_rules.plays import MOVE, Piece
from realmtable.games.magic_realm.combat_rules.round_costs import FREE_STARS

LIKELY: Final = 0.5  # the chance to die from which on running is advised


def find_run_limit(duel: Duel) -> int | None:
    """Return the time below which a piece must be to run; None if there are no monsters (E12)."""
    rows = load_catalog().monsters
    faces = [rows[monster].dark if Counter(monster) in duel.dark else rows[monster].light for monster in duel.monsters]
    return min((face.move for face in faces), default=None)


def list_running_pieces(duel: Duel) -> list[Piece]:
    """Return the pieces with which the character can run, the one that costs least first."""
    pieces = list_action_pieces(hand_of(duel), MOVE, find_run_limit(duel))
    return sorted(pieces, key=lambda piece: (piece.stars, -piece.time))


def advise_running(duel: Duel, forecast: Forecast) -> str:
    """Return a sentence about running if the character is likely to die; empty otherwise."""
    death = forecast.rounds[-1].death
    if death < LIKELY:
        return ""
    likely = f"If you fight, you have a {death:.0%} chance of dying"
    if any(duel.is_red(monster) for monster in duel.monsters):
        return f"{likely}, and a monster that is red side up does not let you run."
    pieces, limit = list_running_pieces(duel), find_run_limit(duel)
    if not pieces:
        return f"{likely}, and you have nothing to run with: it would need a time below {limit}."
    costs = " One Move star has to be paid afterwards." if pieces[0].stars > FREE_STARS else ""
    return f"{likely}. Run with {pieces[0].name}: its time, {pieces[0].time}, is below {limit}.{costs}"
