"""Say in one sentence what a choice in combat would do, with times and stars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import View
from realmtable.games.magic_realm.bots.read_fight import read_piece
from realmtable.games.magic_realm.combat_rules.plays import Piece
from realmtable.games.magic_realm.text.combat_queries import (
    find_face,
    find_limit,
    find_own,
    find_weapon,
    list_attackers,
)
from realmtable.games.magic_realm.text.wording import format_counter, name_goods
from realmtable.games.magic_realm.view_parts.combat_schema import CounterData
from realmtable.games.magic_realm.world.step_text import BLOCKED, MONSTER, PIECE, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.kit.wording import format_count, join_words

NOTES: Final = {
    ("quiet", "rest easy"): "Combat ends here unless someone else begins a round.",
    ("quiet", "stir"): "A round of combat begins.",
    ("lure", "pass"): "Monsters on no sheet then go to unhidden characters; dice decide between several.",
    ("lure", "unhide"): "Monsters can then be assigned to you, and other characters can aim at you.",
    ("charge", "pass"): "You may do an action instead.",
    ("act", "berserk"): "Until midnight, only tremendous harm kills you.",
    ("act", "done"): "You stay for the melee.",
    ("play", "ready"): "You can no longer change your play; all plays are shown when everyone is ready.",
}


def note_in_combat(view: View, handle: str) -> str:
    """Return one sentence on what choosing a handle would do; empty if there is nothing to say."""
    fixed = NOTES.get((view["doing"]["kind"], handle))
    if fixed is not None:
        return fixed
    kind, colon, name = handle.partition(":")
    match f"{kind}{colon}":
        case "chit:":
            return _note_chit(view, name)
        case "piece:":
            return _note_piece(view, read_piece(name))
        case "run:":
            return _note_way_out(view)
        case "counter:" | "warrior:" if view["doing"]["kind"] in ("lure", "aim"):
            handle = f"{view['doing']['kind']} {name}"
    try:
        step = parse_step(handle)
    except BadNotation:
        return ""
    found = _STEPS.get(step.verb)
    return found(view, step) if found else ""


def _note_chit(view: View, chit: str) -> str:
    """Return what an active chit of the viewer would do in the question that is asked."""
    state, _, label = chit.partition(" ")
    labels = [one["label"] for one in find_own(view)["chits"] if one["state"] == state == "active"]
    is_known = label in labels and not label.startswith("Magic")
    return _note_piece(view, read_piece(label)) if is_known else ""


def _note_piece(view: View, piece: Piece) -> str:
    match view["doing"]["kind"], piece.kind:
        case "act", "Fight":
            return _note_alert(view, piece)
        case "act", "Move":
            return _note_run(view, piece)
        case "play", "Fight":
            return _note_attack(view, piece)
        case "play", "Move" | "Duck":
            return _note_maneuver(view, piece)
    return ""


def _read_step_piece(step: Step) -> Piece:
    return read_piece(PIECE.write(step.args[-1]))


def _format_time(piece: Piece, time: int | None = None) -> str:
    """Return a time, with the stars of the piece if there are any: "Time 3 (1 star)"."""
    stars = f" ({format_count(piece.stars, 'star')})" if piece.stars else ""
    return f"Time {piece.time if time is None else time}{stars}"


def _name_time(counter: CounterData, time: int) -> str:
    name = format_counter(counter["name"])
    return f"the {name}'s {time}" if counter["name"] == counter["monster"] else f"the {name} with {time}"


# ---- the encounter


def _note_lure(view: View, step: Step) -> str:
    name = MONSTER.write(step.args[0])
    (counter,) = (one for one in view["combat"]["counters"] if one["name"] == name)
    face = find_face(counter)
    shown = "You become unhidden, and it" if find_own(view)["hidden"] else "It"
    attack = f"attacks you with time {face.attack}" if face.attack else "comes to your sheet"
    return f"{shown} {attack}; its move time is {face.move}."


def _note_charge(_view: View, step: Step) -> str:
    piece = _read_step_piece(step)
    return f"{_format_time(piece)}: whoever wants to run must be faster, and you have no action."


def _note_run(view: View, piece: Piece) -> str:
    limit = find_limit(view)
    cost = "; it costs a star" if piece.stars > 1 else ""
    if limit is None:
        return f"{_format_time(piece)}: nothing on your sheet stops you{cost}."
    return (
        f"{_format_time(piece)} against {limit}: you are {'fast enough' if piece.time < limit else 'too slow'}{cost}."
    )


def _note_way_out(view: View) -> str:
    """Say which piece leads out of the clearing (E12, E14)."""
    limit = find_limit(view)
    piece = "any piece that carries all you have" if limit is None else f"a piece with a time below {limit}"
    return f"You leave combat for the roadway, with {piece}."


def _note_alert(view: View, piece: Piece) -> str:
    weapon = find_weapon(view)
    if weapon is None:
        return ""
    side = weapon[0].unalerted if weapon[1] else weapon[0].alerted
    time = f"time {side.time}" if side.time else "the time of your Fight chit"
    return f"{_format_time(piece)}: your {name_goods(weapon[0].id)} then has harm {side.harm} and {time}."


# ---- the melee


def _note_aim(view: View, step: Step) -> str:
    name = BLOCKED.write(step.args[0])
    counters = [one for one in view["combat"]["counters"] if one["name"] == name]
    if not counters:
        return "You both become unhidden, and you can attack."
    move = find_face(counters[0]).move
    return f"Its move time is {move}: a faster attack hits it, and so does one in its direction."


def _note_no_aim(view: View, _step: Step) -> str:
    return f"You cannot attack in this round{' and stay hidden' * find_own(view)['hidden']}."


def _note_attack(view: View, piece: Piece) -> str:
    """Compare an attack with the manoeuvre of the target (C15, C16)."""
    weapon = find_weapon(view)
    side = None if weapon is None else weapon[0].alerted if weapon[1] else weapon[0].unalerted
    time = side.time if side is not None and side.time else piece.time
    start, target = _format_time(piece, time), find_own(view)["target"]
    counters = [one for one in view["combat"]["counters"] if one["name"] == target]
    if not target:
        return f"{_format_time(piece)}: your weapon is turned over at the end of the round."
    if not counters:
        return f"{start}: it hits if it is faster than the manoeuvre, or matches it."
    move = find_face(counters[0]).move  # the counter may still turn over
    hits = "it hits in any direction" if time < move else "it hits only where the directions match"
    return f"{start} against {_name_time(counters[0], move)}: {hits}."


def _note_maneuver(view: View, piece: Piece) -> str:
    """Compare a manoeuvre with the attacks on the viewer's sheet (C15)."""
    times = [(counter, find_face(counter).attack) for counter in list_attackers(view)]
    attacks = [(counter, time) for counter, time in times if time]
    if not attacks:
        return f"{_format_time(piece)}: nothing on your sheet attacks."
    faster = [f"the {format_counter(counter['name'])} ({time})" for counter, time in attacks if time < piece.time]
    if faster:
        verb = "is faster and hits" if len(faster) == 1 else "are faster and hit"
        return f"{_format_time(piece)}: {join_words(faster)} {verb} you anyway."
    names = join_words([_name_time(counter, time) for counter, time in attacks])
    return f"{_format_time(piece)} against {names}: you are hit only where the directions match."


_STEPS: Final[Mapping[str, Callable[[View, Step], str]]] = {
    "lure": _note_lure,
    "charge": _note_charge,
    "run": lambda view, step: _note_run(view, _read_step_piece(step)),
    "alert": lambda view, step: _note_alert(view, _read_step_piece(step)),
    "aim": _note_aim,
    "aim none": _note_no_aim,
    "strike": lambda view, step: _note_attack(view, _read_step_piece(step)),
    "turn weapon": lambda view, step: _note_attack(view, _read_step_piece(step)),
    "evade": lambda view, step: _note_maneuver(view, _read_step_piece(step)),
    "shield": lambda *_: "It is struck before your other armour by attacks from this direction.",
    "set": lambda *_: "It begins here; then a die moves the boxes.",
}
