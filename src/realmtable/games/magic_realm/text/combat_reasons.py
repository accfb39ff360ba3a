"""Say why something cannot be clicked in combat, as `combat_flow.refusals` would refuse the step that is meant."""

from __future__ import annotations

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import HandlePath, Reason, View
from realmtable.games.magic_realm.bots.read_fight import read_fight, read_piece
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS
from realmtable.games.magic_realm.combat_flow.refusals import refuse
from realmtable.games.magic_realm.combat_rules.plays import FIGHT
from realmtable.games.magic_realm.picture.combat_handles import BOX, RUN, SHIELD
from realmtable.games.magic_realm.picture.handles import CHIT
from realmtable.games.magic_realm.text.combat_queries import find_own
from realmtable.games.magic_realm.world.step_text import PIECE, parse_step
from realmtable.games.magic_realm.world.steps import Step

NOTHING = Step("")  # a click that means no step: the reply is the question's own
PLAYING = {"charge": "E11", "act": "E12", "play": "C7"}  # questions in which only active chits are played


def why_not_in_combat(view: View, path: HandlePath, handle: str) -> Reason:
    """Return why a handle cannot follow the handles chosen so far."""
    kind = view["doing"]["kind"]
    state = handle.removeprefix(CHIT).partition(" ")[0]
    if handle.startswith(CHIT) and state != "active" and kind in PLAYING:
        return Reason(PLAYING[kind], f"This chit is {state}: play an active one.")
    if handle == SHIELD and any(move.startswith("shield ") for move in view["question"]["moves"]):
        return Reason("C7", "Choose a box: your shield is held against its direction.")
    box = handle.removeprefix(BOX) if handle.startswith(BOX) else ""
    meant = _find_step(view, path[-1] if box and path else handle, DIRECTIONS.index(box) if box else 0)
    return Reason(*refuse(read_fight(view["combat"]), view["viewer"], meant))


def _find_step(view: View, handle: str, box: int) -> Step:
    """Return the step that a click means."""
    kind, colon, name = handle.partition(":")
    match f"{kind}{colon}":
        case "chit:":
            return _find_piece_step(view, name.partition(" ")[2], box)
        case "piece:":
            return _find_piece_step(view, name, box)
        case "counter:" if view["doing"]["kind"] == "play":
            return Step("set")
        case "counter:" | "warrior:" if view["doing"]["kind"] == "aim":
            return Step("aim")
    place = load_catalog().names.by_name("clearing").get(handle.removeprefix(RUN))
    if place is not None:
        return Step("run", (place, -1)) if view["doing"]["kind"] == "act" else NOTHING
    try:
        return parse_step(handle)
    except BadNotation:
        return NOTHING


def _find_piece_step(view: View, name: str, box: int) -> Step:
    """Return what clicking a piece means: an attack, a manoeuvre, alerting a weapon or running."""
    number = PIECE.read(name)
    if number is None or name.startswith("Magic"):
        return NOTHING
    is_fight = read_piece(name).kind == FIGHT
    match view["doing"]["kind"]:
        case "act":
            return Step("alert", (number,)) if is_fight else Step("run", (-1, number))
        case "play" if is_fight and not find_own(view)["target"]:
            return Step("turn weapon", (number,))
        case "play":
            return Step("strike" if is_fight else "evade", (box, number))
    return NOTHING
