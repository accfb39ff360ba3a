"""Say why something cannot be clicked in combat, as `fight.refusals` would refuse the step that the click means."""

from __future__ import annotations

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import HandlePath, Reason, View
from realmtable.games.magic_realm.bots.read_fight import read_fight
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.fight.refusals import refuse
from realmtable.games.magic_realm.picture.handles import CHIT
from realmtable.games.magic_realm.text.combat_sheet import find_own
from realmtable.games.magic_realm.text.combat_steps import WAYS
from realmtable.games.magic_realm.world.step_text import parse_step
from realmtable.games.magic_realm.world.steps import Step

NOTHING = Step("")  # a click that means no step: the reply is the question's own
PLAYING = {"charge": "E11", "act": "E12", "play": "C7"}  # questions in which only active chits are played


def why_not_in_combat(view: View, path: HandlePath, handle: str) -> Reason:
    """Return why a handle cannot follow the handles chosen so far."""
    kind = view["doing"]["kind"]
    state = handle.removeprefix(CHIT).partition(" ")[0]
    if handle.startswith(CHIT) and state != "active" and kind in PLAYING:
        return Reason(PLAYING[kind], f"This chit is {state}: play an active one.")
    way = handle if handle in WAYS else ""
    meant = _find_step(view, path[-1] if way and path else handle, way)
    return Reason(*refuse(read_fight(view["combat"]), view["viewer"], meant))


def _find_step(view: View, handle: str, way: str) -> Step:
    """Return the step that a click means."""
    if handle.startswith(CHIT):
        return _find_chit_step(view, handle.removeprefix(CHIT).partition(" ")[2], way)
    place = load_catalog().names.by_name("clearing").get(handle)
    if place is not None:
        return Step("run", (place, -1)) if view["doing"]["kind"] == "act" else NOTHING
    try:
        return parse_step(handle)
    except BadNotation:
        return NOTHING


def _find_chit_step(view: View, label: str, way: str) -> Step:
    """Return what clicking a chit means: an attack, a manoeuvre, alerting a weapon or running."""
    number = load_catalog().names.by_name("action").get(label)
    if number is None:
        return NOTHING
    is_fight = label.startswith("Fight")
    match view["doing"]["kind"]:
        case "act":
            return Step("alert", (number,)) if is_fight else Step("run", (-1, number))
        case "play" if is_fight and not find_own(view)["target"]:
            return Step("turn weapon", (number,))
        case "play" if is_fight:
            return Step("strike", (DIRECTIONS.index(way) if way in DIRECTIONS else 0, number))
        case "play":
            return Step("evade", (MANEUVERS.index(way) if way in MANEUVERS else 0, number))
    return NOTHING
