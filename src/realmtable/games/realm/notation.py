"""Realm's notation, both ways: the magazine's for moves and events, and ours in its manner for the rest.

A step alone is ``Pc10g10``, ``Eg12S``, ``xEb4``; with what it sets off by itself, ``Pc10g10(Bh11)``. In a turn the
choices an event leaves stand in the same parentheses, ``Pc10g10(Bh11),Pi4i10(Eg12S)``, and ``end`` is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from realmtable.engine.errors import BadNotation
from realmtable.engine.protocol import ReadTurn
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
from realmtable.games.realm.state import State
from realmtable.games.realm.steps import Kind, Step, code_of, move, put
from realmtable.games.realm.why import refuse
from realmtable.kit.realm_board import CENTERS, FACINGS, Cell, cell_name, cell_named, center_of, realm_of

MAX_TEXT = 400
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

_SPACE = r"([a-lIL])(1[0-2]|[1-9])"
_MOVE = re.compile(rf"([PE]){_SPACE}{_SPACE}")
_PUT = re.compile(rf"([BPE]){_SPACE}([NESWx]?)")
_TAKE = re.compile(rf"xE{_SPACE}")
_SACRIFICE = re.compile(rf"xP{_SPACE}\(E{_SPACE}([NESW])\)")
_LIFT = re.compile(rf"R{_SPACE}")
_ITEM = re.compile(r"([^,()]*)(?:\(([^()]*)\)\s*)?(?:,|$)")
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


def format_move(state: State, step: Step) -> str:
    """A step with what it sets off by itself; an illegal one as it is."""
    text = bare_text(state, step)
    code = code_of(step)
    if code not in state.codes():
        return text
    caused = effects(state, step, state.after(code))
    return f"{text}({','.join(caused)})" if caused else text


def format_turn(state: State, steps: Sequence[Step]) -> str:
    """The steps of a turn, or of its beginning, as a record has them."""
    items: list[tuple[str, list[str]]] = []
    for step in steps:
        after = state.after(code_of(step))
        texts = [bare_text(state, step), *effects(state, step, after)]
        if state.position[PHASE] in (FOUND, CREATE, IMMOBILISE, REARRANGE):
            inner = items[-1][1]
            if _begins_opponents(state) and not any(text.startswith(";") for text in inner):
                texts[0] = ";" + texts[0]
            inner.extend(texts)
        elif step.kind != Kind.END:
            items.append((texts[0], texts[1:]))
        state = after
    return ",".join(head + _parenthesised(inner) for head, inner in items)


def _begins_opponents(state: State) -> bool:
    hand = state.in_hand()
    return bool(hand) and hand[0] >> SIDE_BIT != state.position[SEAT]


def _parenthesised(inner: list[str]) -> str:
    return "(" + ",".join(inner).replace(",;", ";") + ")" if inner else ""


# ---- reading a step


def parse_move(text: str) -> Step:
    """The step a text stands for, legal or not; what it sets off may be written behind it and is not looked at."""
    text = text.strip()
    if len(text) > MAX_TEXT:
        raise BadNotation(f"A step is shorter than {MAX_TEXT} characters.")
    step = _read_step(text) or _read_step(re.sub(r"\([^()]*\)$", "", text))
    if step is None:
        raise BadNotation(
            f"{_shown(text)} is not a step; write a move like Pc10g10, a piece like Eg12S, or Rh11, end, pass, offer."
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
    file = "l" if found[group] in "IL" else found[group]  # capital I and L are file l
    cell = cell_named(file + found[group + 1])
    assert cell is not None  # noqa: S101 - the pattern admits no other
    return cell


def _read_put(found: re.Match[str]) -> Step | None:
    letter, facing = found[1], found[4]
    if (letter == "E") != bool(facing):
        return None
    return put(_cell(found, 2), PLAIN if not facing else FLAT if facing == "x" else FACINGS.index(facing))


def _shown(text: str) -> str:
    return f"{text[:40]}…" if len(text) > 40 else text or "An empty text"  # noqa: PLR2004 - enough to recognise it


# ---- reading a turn


class Item(NamedTuple):
    """A step at the head and what stands in the parentheses behind it."""

    head: str
    inner: list[str]


def split_items(text: str) -> Iterator[tuple[Item, str]]:
    """Each item of a turn's text, with the text that follows it."""
    rest = text
    while rest:
        found = _ITEM.match(rest)
        if found is None:
            raise BadNotation(f"The parentheses in {_shown(text)} do not match.")
        head, inner = found[1].strip(), (found[2] or "").strip()
        rest = rest[found.end() :]
        if head.startswith("xP") and inner:
            yield Item(f"{head}({inner})", []), rest
        elif head or inner:
            yield Item(head, [part.strip() for part in re.split("[,;]", inner)] if inner else []), rest


def parse_turn(state: State, text: str) -> ReadTurn:
    """The steps of the turn that begins in `state`; text after its end is handed back as the rest."""
    if len(text) > 10 * MAX_TEXT:
        raise BadNotation(f"A turn is shorter than {10 * MAX_TEXT} characters.")
    reader = _TurnReader(state)
    for item, rest in split_items(text):
        reader.read(item)
        if reader.is_over():
            return ReadTurn(reader.steps, reader.warnings, rest.strip())
    if not reader.steps:
        raise BadNotation("A turn holds at least one step.")
    reader.close()
    return ReadTurn(reader.steps, reader.warnings, "")


class _TurnReader:
    """Plays a turn's text step by step and notes what it had to forgive."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seat = state.position[SEAT]
        self.steps: list[Step] = []
        self.warnings: list[str] = []

    def is_over(self) -> bool:
        """Whether the turn, or the game, is complete."""
        position = self.state.position
        fresh = (
            position[PHASE] == TURN and not position[MOVED] and self.steps[-1].kind not in (Kind.OFFER, Kind.SACRIFICE)
        )
        setup = position[PHASE] < TURN
        return bool(setup or fresh or position[PHASE] == OVER)

    def read(self, item: Item) -> None:
        """Play an item: its head, then the choices in its parentheses; what happens by itself is compared."""
        happened = self.play(item.head)
        for text in item.inner:
            plain = _plain(text)
            if plain in happened:
                happened.remove(plain)
            elif self.state.position[PHASE] in (FOUND, CREATE, IMMOBILISE, REARRANGE):
                happened += self.play(text)
            else:
                raise BadNotation(f"{item.head} does not lead to {_shown(text)}.")
        if happened:
            self.warnings.append(f"{item.head} leads to ({','.join(happened)}), which is not written.")

    def play(self, text: str) -> list[str]:
        """Play one step as written or, where that is impossible, as it must be meant; what it sets off is returned."""
        step = _readable(self.state, text, self.warnings)
        after = self.state.after(code_of(step))
        caused = effects(self.state, step, after)
        self.steps.append(step)
        self.state = after
        return caused

    def close(self) -> None:
        """End the turn where its text ends."""
        position = self.state.position
        if position[PHASE] == CREATE:
            raise BadNotation("Write where the new Enforcer stands and what it faces, like (Eg12S).")
        if position[PHASE] == FOUND:
            raise BadNotation(f"Write (B{cell_name(center_of(realm_of(int(position[AT]))))}) or (-) for no Base.")
        if position[PHASE] == IMMOBILISE:
            raise BadNotation("Write which enemy Enforcer becomes immobile, like (xEb4).")
        if position[PHASE] == REARRANGE:
            raise BadNotation("Write where every lifted piece is put, like Rh11(Pg10,Ei12S).")
        if not position[MOVED]:
            raise BadNotation("The turn needs a move after this.")
        self.steps.append(Step(Kind.END))
        self.state = self.state.after(code_of(Step(Kind.END)))


def _plain(text: str) -> str:
    """An event's text with file l in small letters."""
    return re.sub(r"[IL](?=1?[0-9])", "l", text)


def _readable(state: State, text: str, warnings: list[str]) -> Step:
    """The legal step a text means, forgiving i, I and L for file l; else the refusal of what it says."""
    step = parse_move(text)
    if code_of(step) in state.codes():
        if _plain(text) != text:
            warnings.append(f"{text} is read as {_plain(text)}: file l is written with a small letter.")
        return step
    meant = [other for other in _other_readings(text) if code_of(parse_move(other)) in state.codes()]
    if len(meant) == 1:
        warnings.append(f"{text} is read as {meant[0]}: i and l look alike, and only this one is legal.")
        return parse_move(meant[0])
    raise refuse(state, step)


def _other_readings(text: str) -> list[str]:
    """The text with each file i taken for l, or l for i."""
    plain = _plain(text)
    swapped = {"i": "l", "l": "i"}
    spots = [found.start() for found in re.finditer(r"[il](?=1?[0-9])", plain)]
    return [plain[:spot] + swapped[plain[spot]] + plain[spot + 1 :] for spot in spots]
