"""Reads a battle from one line, such as ``Elf, Light Bow alerted : Giant, 2 Wolf dark``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from realmtable.engine.errors import BadInput
from realmtable.games.magic_realm.battle_calculator.duel import Duel, hand_of
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import Character
from realmtable.games.magic_realm.catalog.goods_and_spells import Armor, Goods, Horse, Treasure, Weapon
from realmtable.games.magic_realm.catalog.ids import GoodsId, MonsterId
from realmtable.games.magic_realm.combat_rules.boxes import Counter
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import card_armor
from realmtable.games.magic_realm.combat_rules.plays import card_pieces
from realmtable.games.magic_realm.day_rules.chit_states import find_chits
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED

HOW_TO_WRITE: Final = (
    'Write a character and what it uses, a colon, and the monsters: "Elf, Light Bow alerted : Giant, 2 Wolf".'
)
MAX_LENGTH: Final = 500
MAX_MONSTERS: Final = 4
CHIT_STATES: Final = {"fatigued": FATIGUED, "wounded": WOUNDED}
WORDS: Final[Mapping[str, Callable[[Duel], Duel]]] = {  # of the character's side
    "alerted": lambda duel: replace(duel, is_alerted=True),
    "berserk": lambda duel: replace(duel, is_berserk=True),
    "in a cave": lambda duel: replace(duel, is_in_cave=True),
    "later round": lambda duel: replace(duel, is_first_round=False),
}
NO_WEAPON: Final = "no weapon"
NO_ARMOR: Final = ("no armour", "no armor")
COUNT: Final = re.compile(r"(\d) ?[x×]? ?(.+)")

Row = TypeVar("Row")


def read_battle(text: str) -> Duel:
    """Return the fight that a line describes; BadInput says what is wrong with it."""
    if len(text) > MAX_LENGTH:
        raise BadInput(f"A battle has at most {MAX_LENGTH} characters.")
    sides = text.split(":")
    if len(sides) != 2:  # noqa: PLR2004 - the character's and the monsters'
        raise BadInput(f"A battle has two sides with a colon between them. {HOW_TO_WRITE}")
    own, enemies = ([" ".join(part.split()) for part in side.split(",")] for side in sides)
    monsters, dark = _read_monsters([part for part in enemies if part])
    name, *rest = own
    if not name:
        raise BadInput(f"The character is missing. {HOW_TO_WRITE}")
    character = _find(name, [(row.name, row) for row in load_catalog().characters], "character")
    duel = Duel(character.id, (ACTIVE,) * len(character.chits), monsters, dark)
    return _check(_add_gear(duel, character, [part for part in rest if part]))


def _check(duel: Duel) -> Duel:
    if duel.is_alerted and duel.weapon is None:
        raise BadInput("Without a weapon, nothing can be alerted: the dagger has one side only.")
    if duel.is_berserk and all(chit.kind != "Berserk" for chit in duel.character.chits):
        raise BadInput(f"The {duel.character.name} has no Berserk chit.")
    if not hand_of(duel).pieces:
        raise BadInput(f"The {duel.character.name} has no Move or Fight chit to play.")
    return duel


# ---- monsters


def _read_monsters(parts: Sequence[str]) -> tuple[tuple[MonsterId, ...], frozenset[Counter]]:
    """Return the monsters that a list names, and the counters whose dark side shows."""
    if not parts:
        raise BadInput(f"The monsters are missing. {HOW_TO_WRITE}")
    found: list[MonsterId] = []
    dark: set[Counter] = set()
    for part in parts:
        words, is_dark = _strip_word(part, "dark", "red")
        counted = COUNT.fullmatch(words)
        number, name = (int(counted[1]), counted[2]) if counted else (1, words)
        kind = _find_kind(name)
        free = [row.id for row in load_catalog().monsters if row.kind == kind and row.id not in found]
        if number > len(free) or not number:
            raise BadInput(f"{number} × {kind} is not possible: {len(free)} counters are left.")
        found += free[:number]
        dark |= {Counter(monster) for monster in free[:number] if is_dark}
    if len(found) > MAX_MONSTERS:
        raise BadInput(f"At most {MAX_MONSTERS} monsters can fight here; the list has {len(found)}.")
    return tuple(found), frozenset(dark)


def _find_kind(name: str) -> str:
    kinds = dict.fromkeys(row.kind for row in load_catalog().monsters)
    singular = re.sub(r"(?<=l)ves$", "f", name) if name.endswith("ves") else name.removesuffix("s")
    known = {kind.lower() for kind in kinds}
    return _find(singular if singular.lower() in known else name, [(kind, kind) for kind in kinds], "monster")


# ---- what the character uses


def _add_gear(duel: Duel, character: Character, parts: Iterable[str]) -> Duel:
    """Add what a list names; weapon and armour that it says nothing about are those of the start."""
    goods: list[Goods] = []
    damaged: set[GoodsId] = set()
    without: set[type[Goods]] = set()
    for part in parts:
        lowered = part.lower()
        if lowered in WORDS:
            duel = WORDS[lowered](duel)
        elif lowered == NO_WEAPON:
            without.add(Weapon)
        elif lowered in NO_ARMOR:
            without.add(Armor)
        elif (state := CHIT_STATES.get(lowered.split()[0])) is not None:
            duel = _change_chit(duel, part.partition(" ")[2], state)
        else:
            words, is_alerted = _strip_word(part, "alerted")
            words, is_damaged = _strip_word(words, "damaged")
            thing = _find_goods(words)
            _check_words(thing, is_alerted=is_alerted, is_damaged=is_damaged)
            goods.append(thing)
            duel = replace(duel, is_alerted=duel.is_alerted or is_alerted)
            damaged |= {thing.id} if is_damaged else set()
    _check_goods(goods)
    named = {type(thing) for thing in goods} | without
    goods += [thing for thing in _list_start_gear(character) if type(thing) not in named]
    return replace(duel, goods=tuple(thing.id for thing in goods), damaged=frozenset(damaged))


def _list_start_gear(character: Character) -> list[Goods]:
    gear, catalog = character.gear, load_catalog()
    weapons = [next(row for row in catalog.weapons if row.kind == gear.weapon)] if gear.weapon else []
    return [*weapons, *(next(row for row in catalog.armor if row.kind == kind) for kind in gear.armor)]


def _change_chit(duel: Duel, label: str, state: int) -> Duel:
    """Return the fight with an active chit in another state."""
    if not label:
        raise BadInput("Name each fatigued or wounded chit, for example: wounded Move M4.")
    rows = duel.character.chits
    active = find_chits(rows, duel.chits, ACTIVE)
    chit = _find(label, [(row.label, row) for row in active], f"active chit of the {duel.character.name}")
    index = next(index for index, row in enumerate(rows) if row.label == chit.label and duel.chits[index] == ACTIVE)
    return replace(duel, chits=(*duel.chits[:index], state, *duel.chits[index + 1 :]))


def _find_goods(name: str) -> Goods:
    """Return a weapon, a piece of armour, a horse, boots, gloves or armour card by name or kind."""
    catalog = load_catalog()
    cards = [card for card in catalog.treasures if card_armor(card) is not None or any(card_pieces(card))]
    rows: list[Goods] = [*catalog.weapons, *catalog.armor, *catalog.horses, *cards]
    for row in rows:
        if row.name.lower() == name.lower():
            return row
    kinds = {(row.name if isinstance(row, Treasure) else row.kind): row for row in reversed(rows)}
    return _find(name, list(kinds.items()), "weapon, armour, horse, boots or gloves")


def _check_words(thing: Goods, *, is_alerted: bool, is_damaged: bool) -> None:
    if is_alerted and not isinstance(thing, Weapon):
        raise BadInput(f"Only a weapon can be alerted, not the {thing.name}.")
    if is_damaged and not isinstance(thing, Armor):
        raise BadInput(f"Only armour counters can be damaged, not the {thing.name}.")


def _check_goods(goods: Sequence[Goods]) -> None:
    for kind, words in ((Weapon, "weapon"), (Horse, "horse")):
        if sum(isinstance(thing, kind) for thing in goods) > 1:
            raise BadInput(f"A character fights with one {words}; the list names several.")
    if len({thing.id for thing in goods}) < len(goods):
        raise BadInput("The list names something twice.")


# ---- words


def _strip_word(text: str, *words: str) -> tuple[str, bool]:
    """Return a text without one of the words at its end, and whether it was there."""
    head, _, last = text.rpartition(" ")
    return (head, True) if head and last.lower() in words else (text, False)


def _find(name: str, rows: Sequence[tuple[str, Row]], what: str) -> Row:
    """Return what a name stands for: exactly, or as the beginning of one name only."""
    wanted = name.lower()
    for own, row in rows:
        if own.lower() == wanted:
            return row
    begins = [(own, row) for own, row in rows if own.lower().startswith(wanted)]
    if len(begins) == 1:
        return begins[0][1]
    if begins:
        raise BadInput(f"{name!r} can be {', '.join(own for own, _ in begins[:6])}: write more of it.")
    close = _list_close(name, [own for own, _ in rows])
    raise BadInput(f"There is no {what} {name!r}.{f' Perhaps you mean {close}.' if close else ''}")


def _list_close(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

    by_lower = {own.lower(): own for own in names}
    return " or ".join(by_lower[near] for near in get_close_matches(name.lower(), by_lower, n=2))
