"""What a seat sees of a Realm state (everything), and the clicks that make a step."""

from __future__ import annotations

from typing import Any

from realmtable.engine.protocol import HandlePath, Outcome, View
from realmtable.games.realm import layout
from realmtable.games.realm.first_state import State
from realmtable.games.realm.moves import is_single_power_turn
from realmtable.games.realm.rearrangement import pieces_in_hand
from realmtable.games.realm.rules import score_and_tie_break
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import CELLS, FACINGS, SEAT_NAMES, cell_name, find_realm_name
from realmtable.kit.realm_board.steps import step_clicks

KINDS = {layout.BASE: "base", layout.POWER: "power"}
END_SENTENCES = {
    "last_base": "{name} created the last Base.",
    "agreement": "Both players agreed to end the game.",
    "dead_position": "No Base can ever be created or captured again.",
    "two_passes": "Neither player could move.",
    "no_progress": "Too many turns without a creation, capture or immobilisation.",
    "repetition": "The same position appeared for the third time.",
    "max_turns": "The game reached its last turn.",
}


def board_data(state: State) -> dict[str, Any]:
    """Return the pieces, the phase and what else this game shows."""
    position = state.position
    return {
        "pieces": [
            {"at": cell_name(cell), **_piece_data(int(position[cell]))}
            for cell in range(CELLS)
            if position[cell] != layout.EMPTY
        ],
        "phase": layout.PHASES[position[layout.PHASE]],
        "stock": [
            {
                "bases": int(position[layout.BASES_LEFT + each]),
                "enforcers": int(position[layout.ENFORCERS_LEFT + each]),
                "captured": int(position[layout.CAPTURED + each]),
            }
            for each in range(2)
        ],
        "realms": [int(score_and_tie_break(position, each)[0]) for each in range(2)],
        "lifted": [_piece_data(piece) for piece in pieces_in_hand(state.position)],
        "open": {
            "origin": find_realm_name(int(position[layout.ORIGIN])),
            "target": find_realm_name(int(position[layout.TARGET])),
            "moves": int(position[layout.MOVED]),
        },
        "offered": bool(position[layout.OFFER] == layout.STANDING),
        "single_power": bool(is_single_power_turn(position)),
        "stop_in_enemy_realm": state.options.stop_in_enemy_realm,
        "may_decline": state.options.optional_creation,
    }


def _piece_data(piece: int) -> dict[str, Any]:
    kind = piece & layout.KIND_MASK
    mobile = kind != layout.IMMOBILE
    facing = FACINGS[kind - layout.ENFORCER] if layout.ENFORCER <= kind < layout.IMMOBILE else None
    return {"seat": piece >> layout.SEAT_SHIFT, "kind": KINDS.get(kind, "enforcer"), "facing": facing, "mobile": mobile}


def count_gains(view: View) -> dict[str, list[int]]:
    """Return how many enemy Bases each seat has captured, and how many Realms it controls."""
    return {"capture": [stock["captured"] for stock in view["stock"]], "new Realm": view["realms"]}


def outcome(state: State) -> Outcome:
    """Return Realms per seat, the ranking by R13 and the reason of a finished game."""
    position = state.position
    totals = [tuple(int(number) for number in score_and_tie_break(position, seat)) for seat in range(2)]
    ranking = (1 + (totals[0] < totals[1]), 1 + (totals[1] < totals[0]))
    reason = layout.REASONS[position[layout.REASON]]
    text = END_SENTENCES[reason].format(name=SEAT_NAMES[position[layout.SEAT]]) + " " + _verdict(totals)
    return Outcome((totals[0][0], totals[1][0]), ranking, reason, text)


def _verdict(totals: list[tuple[int, ...]]) -> str:
    (white, white_tie), (black, black_tie) = totals
    if white != black:
        return f"{SEAT_NAMES[white < black]} wins with {max(white, black)} Realms to {min(white, black)}."
    if white_tie != black_tie:
        better = f"{max(white_tie, black_tie)} to {min(white_tie, black_tie)}"
        return f"{white} Realms each; {SEAT_NAMES[white_tie < black_tie]} wins on the tie-break, {better}."
    return f"{white} Realms each and {white_tie} on the tie-break: a draw."


def handles(step: Step) -> HandlePath:
    """Return what a person clicks: spaces by name, then a facing; buttons by word."""
    kind, at, to, facing = step
    if kind == StepKind.CHOOSE:
        return (f"first:{SEAT_NAMES[at]}",)
    first = (kind.name.lower(),) if kind in (StepKind.REARRANGE, StepKind.SACRIFICE) else ()
    faces = (f"face:{FACINGS[facing]}",) if 0 <= facing < layout.NO_FACING else ()
    path = (*first, *step_clicks(kind, at, to), *faces)
    return (
        path * 2 if kind in (StepKind.OFFER, StepKind.ACCEPT) else path
    )  # a second click confirms the end of the game
