"""Random positions inside combat in which every fighter has secrets: cards, gold, discoveries, points and plays.

`draw_sunset` puts two to eight characters into few clearings, with belongings that some of the others know.
`choose_bold_step` lets them fight, so that all questions of combat come up.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from realmtable.engine.protocol import CHANCE, Seat
from realmtable.games.magic_realm.day_rules.active_goods import can_activate, settle_active
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_goods
from realmtable.games.magic_realm.world.open_slots import decide_card, weigh_cards
from realmtable.games.magic_realm.world.places import is_box, pack_place
from realmtable.games.magic_realm.world.resample import draw_weighted
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.helpers.knowledge_helpers import UNCARRIED

# Clearings with hidden paths or secret passages, so that where one can run is a secret; the last one is a cave.
PLACES: Final = ("DW1", "DW4", "CN5", "LW5", "B2", "CG6")
MONSTERS: Final = (
    "Wolf-1", "Wolf-2", "Giant-1", "Imp", "Demon", "T Dragon-2", "Giant Bat-4", "Axe Goblin-3", "Ghost-1", "Viper-1",
)  # fmt: skip
ROADS: Final = [*CATALOG.names.by_number("discovery")]
COUNTERS: Final = [goods.id for goods in CATALOG.goods if not goods.is_treasure]
LIKES: Final = {  # how often words are chosen; 1 for all others
    "stir": 6, "rest easy": 0.3, "lure": 2, "charge": 1.5, "run": 0.3, "done": 1.5, "aim": 4, "aim none": 0.3,
    "strike": 4, "ready": 1, "back": 0.5, "leave": 1.5, "activate": 1.5, "pack": 1, "go": 0.7,
}  # fmt: skip


def draw_sunset(seats: int, rng: Random) -> World:
    """Return the sunset of a day on which most characters are in one clearing."""
    names = [row.name for row in rng.sample(CATALOG.characters, seats)]
    options = {
        "map": "stock1",
        "encounter": "2",
        "days": rng.choice(("7", "28")),
        "secret_gold": rng.choice(("on", "on", "on", "off")),
        "character_kills": rng.choice(("multiplied", "plain")),
        "horses": rng.choice(("turn", "gallop_once")),
        "charge_on_horse": rng.choice(("on", "off")),
        "restart": rng.choice(("on", "off")),
    }
    places = rng.sample(PLACES, 2)
    monsters = rng.sample(MONSTERS, rng.choice((0, 0, 1, 2, 4)))
    fields = [
        "options=" + ",".join(f"{name}={value}" for name, value in options.items()),
        "heroes=" + ";".join(name.replace(" ", "_") for name in names),
        VALLEYS,
        f"day={rng.randint(1, 6)} first={rng.randint(1, seats)}",
        *(f"{seat}.at={rng.choices(places, (4, 1))[0]} {seat}.goods=-" for seat in range(1, seats + 1)),
        *(f"{seat}.unhidden" for seat in range(1, seats + 1) if rng.random() < 0.8),
    ]
    if monsters:
        fields.append("denizens=" + ";".join(f"{name.replace(' ', '_')}:{places[0]}" for name in monsters))
    world = decode(MACHINE, " ".join(fields)).fork()
    for seat in range(seats):
        _give_secrets(world, seat, rng)
    world.part, world.agenda = "evening", (Frame("sunset"),)
    MACHINE.advance(world)
    return check_world(world.seal())


def _give_secrets(world: World, seat: Seat, rng: Random) -> None:
    for goods in [*_draw_counters(world, rng), *_draw_cards(world, rng)]:
        put_goods(world, goods, pack_place(seat))
        known = everyone(world) if rng.random() < 0.2 else rng.getrandbits(len(world.heroes)) * (rng.random() < 0.3)
        let_seats_know_goods(world, goods, known | 1 << seat)
        if goods in catalog_lookups().enchanted or (rng.random() < 0.4 and can_activate(world, seat, goods)):
            world.writable_goods(goods).active = True
            let_seats_know_goods(world, goods, everyone(world))
    settle_active(world, seat)
    hero = world.writable_hero(seat)
    hero.gold = rng.randint(0, 40)
    hero.discoveries = sum(1 << number for number in rng.sample(ROADS, rng.randint(0, len(ROADS) // 2)))
    hero.points = tuple(rng.randrange(len(GOALS)) for _ in range(world.options.points_to_assign))
    hero.fame, hero.notoriety = rng.randint(0, 9), rng.randint(0, 20)


def _draw_counters(world: World, rng: Random) -> list[int]:
    free = [goods for goods in COUNTERS if is_box(world.goods[goods].place)]
    return rng.sample(free, rng.randint(0, 3))


def _draw_cards(world: World, rng: Random) -> Iterator[int]:
    """Yield cards that the character has found; most have several with the same back."""
    for _ in range(rng.randint(1, 5)):
        box = rng.choice(catalog_lookups().site_boxes)
        open_entries = [index for index, entry in enumerate(world.boxes[box].entries) if entry < 0]
        cards = [pair for index in open_entries[:1] for pair in weigh_cards(world, box, index)]
        carried = [(card, weight) for card, weight in cards if card not in UNCARRIED]
        if carried:
            card = draw_weighted(carried, rng)
            decide_card(world, box, open_entries[0], card)
            yield card


def choose_bold_step(state: World, seat: Seat, rng: Random) -> Step:
    """Return a random answer of someone who fights: a verb first, then one of its steps."""
    legal = MACHINE.legal_moves(state, seat)
    verbs = sorted({step.verb for step in legal})
    verb = rng.choices(verbs, [LIKES.get(verb, 1) for verb in verbs])[0]
    return rng.choice([step for step in legal if step.verb == verb])


def play_boldly(state: World, rng: Random) -> World:
    """Take one random step, and let chance act until somebody is asked."""
    seat = rng.choice(MACHINE.to_move(state))
    if seat != CHANCE:
        state = MACHINE.play(state, seat, choose_bold_step(state, seat, rng))
    while MACHINE.to_move(state) == (CHANCE,):
        outcomes = MACHINE.chance(state)
        state = MACHINE.play(state, CHANCE, rng.choices([o.move for o in outcomes], [o.weight for o in outcomes])[0])
    return state
