"""Realm's notation, both ways: the magazine's for moves and events, and ours in its manner for the rest.

A step alone is ``Pc10g10``, ``Eg12S``, ``xEb4``; with what it sets off by itself, ``Pc10g10(Bh11)``. In a turn the
choices an event leaves stand in the same parentheses, ``Pc10g10(Bh11),Pi4i10(Eg12S)``, and ``end`` is not written.
"""

from __future__ import annotations

import re

from realmtable.engine.errors import BadNotation
from realmtable.games.realm.position import (
    AT,
    BASE,
    CHOOSE_PLACE,
    CREATE,
    ENFORCER,
    FLAT,
    FOUND,
    IMMOBILE,
    IMMOBILISE,
    KIND,
    MOVED,
    OVER,
    PHASE,
    PLAIN,
    POWER,
    REARRANGE,
    SEAT,
    SIDE_BIT,
    TURN,
)
from realmtable.games.realm.rearrangement import class_of
from realmtable.games.realm.refusals import refuse
from realmtable.games.realm.state import State, in_hand
from realmtable.games.realm.steps import Kind, Step, code_of, move, put
from realmtable.kit.realm_board import CENTERS, FACINGS, Cell, cell_name, cell_named, center_of, realm_of, spaces_of
from realmtable.kit.realm_notation import SPACE, Grammar, checked_step, shown, space_named, without_effects

SEATS = ("White", "Black")
LETTERS = {BASE: "B", POWER: "P"}
WORDS = {
    "end": Kind.END,
    "pass": Kind.PASS,
    "offer": Kind.OFFER,
    "accept": Kind.ACCEPT,
    "-": Kind.DECLINE,
}
WORD_OF = {kind: word for word, kind in WORDS.items()}

_MOVE = re.compile(rf"([PE]){SPACE}{SPACE}")
_PUT = re.compile(rf"([BPE]){SPACE}([NESWx]?)")
_TAKE = re.compile(rf"xE{SPACE}")
_SACRIFICE = re.compile(rf"xP{SPACE}\(E{SPACE}([NESW])\)")
_LIFT = re.compile(rf"R{SPACE}")
_CHOOSE = re.compile(r"(place|move):(White|Black)")


# ---- writing


def piece_text(piece: int, cell: Cell) -> str:
    """A piece on its space, without its owner: ``Bh11``, ``Eg12S``, ``Ea7x``."""
    kind = piece & KIND
    if kind in LETTERS:
        return LETTERS[kind] + cell_name(cell)
    return "E" + cell_name(cell) + ("x" if kind == IMMOBILE else FACINGS[kind - ENFORCER])


def bare_text(state: State, step: Step) -> str:
    """A step without what it sets off."""
    kind, at, to, facing = step
    if kind in WORD_OF:
        return WORD_OF[kind]
    if kind == Kind.CHOOSE:
        return ("place:" if state.position[PHASE] == CHOOSE_PLACE else "move:") + SEATS[at]
    if kind == Kind.MOVE:
        letter = "P" if state.position[at] & KIND == POWER else "E"
        return letter + cell_name(at) + cell_name(to)
    if kind == Kind.PUT:
        letter = "E" if facing != PLAIN else "B" if at in CENTERS else "P"
        return letter + cell_name(at) + ("x" if facing == FLAT else FACINGS[facing] if facing != PLAIN else "")
    if kind == Kind.IMMOBILISE:
        return "xE" + cell_name(at)
    if kind == Kind.REARRANGE:
        return "R" + cell_name(at)
    return f"xP{cell_name(at)}(E{cell_name(to)}{FACINGS[facing]})"


def effects(state: State, step: Step, after: State) -> list[str]:
    """What a move or a choice sets off by itself, in the magazine's order: the enemy's loss first, then one's own."""
    if step.kind not in (Kind.MOVE, Kind.IMMOBILISE):
        return []
    seat = state.position[SEAT]
    at = step.to if step.kind == Kind.MOVE else int(state.position[AT])
    before, now = state.position, after.position
    center = center_of(realm_of(at))
    texts = []
    if before[center] == BASE + (1 - seat << SIDE_BIT) != now[center]:
        texts.append("xB" + cell_name(center))
    if step.kind == Kind.MOVE:
        flat = IMMOBILE + (1 - seat << SIDE_BIT)
        texts += ["xE" + cell_name(cell) for cell in range(144) if now[cell] == flat != before[cell]]
    if now[at] == IMMOBILE + (seat << SIDE_BIT):
        texts.append("xE" + cell_name(at))
    if now[center] == BASE + (seat << SIDE_BIT) != before[center]:
        texts.append("B" + cell_name(center))
    return texts


# ---- reading a step


def parse_move(text: str) -> Step:
    """The step a text stands for, legal or not; what it sets off may be written behind it and is not looked at."""
    text = checked_step(text)
    step = _read_step(text) or _read_step(without_effects(text))
    if step is None:
        raise BadNotation(
            f"{shown(text)} is not a step; write a move like Pc10g10, a piece like Eg12S, or Rh11, end, pass, offer."
        )
    return step


def _read_step(text: str) -> Step | None:
    """The step of a bare text in strict writing."""
    if text.lower() in WORDS:
        return Step(WORDS[text.lower()])
    if found := _MOVE.fullmatch(text):
        return move(_cell(found, 2), _cell(found, 4))
    if found := _PUT.fullmatch(text):
        return _read_put(found)
    if found := _TAKE.fullmatch(text):
        return Step(Kind.IMMOBILISE, _cell(found, 1))
    if found := _SACRIFICE.fullmatch(text):
        return Step(Kind.SACRIFICE, _cell(found, 1), _cell(found, 3), FACINGS.index(found[5]))
    if found := _LIFT.fullmatch(text):
        return Step(Kind.REARRANGE, _cell(found, 1))
    if found := _CHOOSE.fullmatch(text):
        return Step(Kind.CHOOSE, SEATS.index(found[2]))
    return None


def _cell(found: re.Match[str], group: int) -> Cell:
    cell = cell_named(space_named(found[group], found[group + 1]))
    assert cell is not None  # noqa: S101 - the pattern admits no other
    return cell


def _read_put(found: re.Match[str]) -> Step | None:
    letter, facing = found[1], found[4]
    if (letter == "E") != bool(facing):
        return None
    return put(_cell(found, 2), PLAIN if not facing else FLAT if facing == "x" else FACINGS.index(facing))


# ---- turns


def _is_complete(state: State, steps: list[Step]) -> bool:
    position = state.position
    opening = steps[-1].kind in (Kind.OFFER, Kind.SACRIFICE)
    fresh = position[PHASE] == TURN and not position[MOVED] and not opening
    return bool(position[PHASE] < TURN or fresh or position[PHASE] == OVER)


def _close(state: State) -> list[Step]:
    """End the turn where its text ends."""
    position = state.position
    if position[PHASE] in NEEDED:
        center = cell_name(center_of(realm_of(int(position[AT]))))
        raise BadNotation(NEEDED[int(position[PHASE])].format(center=center))
    if not position[MOVED]:
        raise BadNotation("The turn needs a move after this.")
    return [Step(Kind.END)]


NEEDED = {
    CREATE: "Write where the new Enforcer stands and what it faces, like (Eg12S).",
    FOUND: "Write (B{center}) or (-) for no Base.",
    IMMOBILISE: "Write which enemy Enforcer becomes immobile, like (xEb4).",
    REARRANGE: "Write where every lifted piece is put, like Rh11(Pg10,Ei12S).",
}


def _mark(state: State, inner: list[str]) -> str:
    """A semicolon before the first of the opponent's pieces in a Rearrangement (V14)."""
    hand = in_hand(state)
    opponents = bool(hand) and hand[0] >> SIDE_BIT != state.position[SEAT]
    return ";" if opponents and not any(text.startswith(";") for text in inner) else ""


def _play_order(state: State, parts: list[str], before_mark: int) -> list[str]:
    """The puts of a Rearrangement in the order of S8, however they are written.

    Without a semicolon the first of a class are his own, as many as he has lifted, and the rest the opponent's (V14).
    """
    if state.position[PHASE] != REARRANGE:
        return parts
    own = [class_of(piece, int(state.position[SEAT])) for piece in in_hand(state)]
    keys = []
    for number, part in enumerate(parts):
        found = _PUT.fullmatch(part)
        if found is None:
            return parts
        group = 0 if not found[4] else 2 if found[4] == "x" else 1
        if number >= before_mark >= 0:
            group += 3
        elif before_mark < 0 and group in own:
            own.remove(group)
        elif before_mark < 0:
            group += 3
        keys.append((group, _place(_cell(found, 2))))  # i taken for l, or l for i, must not change the order
    return [part for _, part in sorted(zip(keys, parts, strict=True))]


def _place(cell: Cell) -> int:
    """Which of the nine spaces of its Realm a space is."""
    return spaces_of(realm_of(cell)).index(cell)


GRAMMAR: Grammar[State, Step] = Grammar(
    parse=parse_move,
    bare=bare_text,
    effects=effects,
    is_legal=lambda state, step: code_of(step) in state.codes(),
    after=lambda state, step: state.after(code_of(step)),
    refuse=refuse,
    is_choice=lambda state: state.position[PHASE] in NEEDED,
    is_complete=_is_complete,
    close=_close,
    is_silent=lambda step: step.kind == Kind.END,
    is_whole=lambda head: head.startswith("xP"),
    mark=_mark,
    play_order=_play_order,
)
