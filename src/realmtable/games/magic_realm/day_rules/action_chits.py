"""Action chits: paying stars, resting, and opening doors by strength (D15, D19, W1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.characters_and_denizens import ActionChit
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import STRENGTHS
from realmtable.games.magic_realm.day_rules.active_goods import move_strength
from realmtable.games.magic_realm.day_rules.chit_states import (
    change_state,
    find_chits,
    find_payments,
    label_of,
    pay,
)
from realmtable.games.magic_realm.day_rules.curses import WITHER, is_cursed
from realmtable.games.magic_realm.day_rules.modifiers import has_effect, list_effects
from realmtable.games.magic_realm.world.entities import ACTIVE, FATIGUED, WOUNDED
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

TREMENDOUS: Final = STRENGTHS[-1]


def _rows(world: World, seat: Seat) -> tuple[ActionChit, ...]:
    return load_catalog().characters[world.heroes[seat].character].chits


def list_chits(world: World, seat: Seat, state: int) -> list[ActionChit]:
    """Return a character's chits in a state; of those with the same label only the first (Z2)."""
    return find_chits(_rows(world, seat), world.heroes[seat].chits, state)


def set_chit(world: World, seat: Seat, label: int, before: int, after: int) -> None:
    """Change the state of the first chit with a label that is in a state."""
    hero = world.writable_hero(seat)
    hero.chits = change_state(_rows(world, seat), hero.chits, label, before, after)


# ---- stars


def list_payments(world: World, seat: Seat) -> list[Step]:
    """Return the ways to pay one star of any type (W1)."""
    return find_payments(_rows(world, seat), world.heroes[seat].chits)


def pay_star(world: World, seat: Seat, step: Step) -> None:
    """Pay one star: fatigue a chit, and take another one back as change if that is too much."""
    hero = world.writable_hero(seat)
    hero.chits = pay(_rows(world, seat), hero.chits, step)


# ---- rest


def count_rest_stars(world: World, seat: Seat) -> int:
    """Return how many stars a character rests in one phase (D15)."""
    return 1 + sum(effect.number for effect in list_effects(world, seat) if effect.verb == "rest_stars")


def list_rests(world: World, seat: Seat, stars: int) -> list[Step]:
    """Return the ways to rest, with some stars left in this phase."""
    return sorted(_list_rests(world, seat, stars))


def _list_rests(world: World, seat: Seat, stars: int) -> Iterator[Step]:
    wounded, tired = list_chits(world, seat, WOUNDED), list_chits(world, seat, FATIGUED)
    single = [label_of(chit) for chit in list_chits(world, seat, ACTIVE) if chit.stars == 1]
    for state, chits, others in ((WOUNDED, wounded, tired), (FATIGUED, tired, wounded)):
        for chit in chits:
            if state == FATIGUED and chit.stars and is_cursed(world, seat, WITHER):
                continue
            mark = state if chit.label in [other.label for other in others] else 0
            number = _mark_label(label_of(chit), mark)
            if chit.stars <= stars:
                yield Step("rest", (number,))
            else:
                yield from (Step("rest", (number, change)) for change in single)


def _mark_label(label: int, state: int) -> int:
    """Return the number of a label that says in which state its chit is, if chits with it are in two states."""
    return label + state * len(load_catalog().names.by_number("action"))


def rest_chit(world: World, seat: Seat, step: Step) -> int:
    """Rest a chit, and return how many stars that took."""
    state, label = divmod(step.args[0], len(load_catalog().names.by_number("action")))
    name = load_catalog().names.by_number("action")[label]
    tired = [chit.label for chit in list_chits(world, seat, FATIGUED)]
    before = state or (FATIGUED if name in tired else WOUNDED)
    stars = next(chit.stars for chit in list_chits(world, seat, before) if chit.label == name)
    set_chit(world, seat, label, before, FATIGUED if before == WOUNDED and stars else ACTIVE)
    for change in step.args[1:]:
        set_chit(world, seat, change, ACTIVE, FATIGUED)
    return max(stars, 1)


# ---- doors


def has_keys(world: World, seat: Seat) -> bool:
    """Whether a character has active keys."""
    return has_effect(world, seat, "keys")


def list_forces(world: World, seat: Seat) -> list[Step]:
    """Return what a character can open the Vault or the Crypt with, besides keys (D19)."""
    chits = [chit for chit in list_chits(world, seat, ACTIVE) if chit.strength == TREMENDOUS]
    pieces = [number for number in world.heroes[seat].pack if world.goods[number].active]
    labels = len(load_catalog().names.by_number("action"))
    strong = [number for number in pieces if TREMENDOUS in (move_strength(number), _fight_strength(number))]
    return [Step("force", (number,)) for number in (*map(label_of, chits), *(labels + number for number in strong))]


def _fight_strength(goods: int) -> str:
    thing = load_catalog().goods[goods]
    effects = thing.effects if isinstance(thing, Treasure) else ()
    return next((effect.strength for effect in effects if effect.verb == "fight_piece"), "")


def use_force(world: World, seat: Seat, step: Step) -> None:
    """Open a door with a chit, which becomes fatigued, or with a belonging."""
    if step.args[0] < len(load_catalog().names.by_number("action")):
        set_chit(world, seat, step.args[0], ACTIVE, FATIGUED)


def can_open(world: World, seat: Seat) -> bool:
    """Whether a character can open a door now."""
    return has_keys(world, seat) or bool(list_forces(world, seat))
