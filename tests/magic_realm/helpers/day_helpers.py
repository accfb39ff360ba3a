"""Plays turns of positions in daylight."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.flow import handlers
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.world.entities import CHIT_STATES
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.position_words import write_place, write_source
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers import flow_helpers
from tests.magic_realm.helpers.flow_helpers import VALLEYS

CATALOG, MACHINE = flow_helpers.CATALOG, handlers.MACHINE
GOODS = {goods.name: goods.id for goods in CATALOG.goods}
MONSTER = {monster.name: monster.id for monster in CATALOG.monsters}
QUIET = 2  # a row whose monsters come to few places


def day(*fields: str, heroes: str = "Elf", options: str = "", chits: str = "") -> World:
    """Return a position in which all players have written their day, and chance is to draw the first counter."""
    seats = heroes.count(";") + 1
    names = [field.partition("=")[0] for field in fields]
    waiting = "".join(str(seat) for seat in range(1, seats + 1) if f"{seat}.guide" not in names)
    usual = {"agenda": "agenda=daylight;next", "rows": f"rows={QUIET}", "waiting": f"waiting={waiting}"}
    head = [f"options=map=stock1{options and ',' + options}", f"heroes={heroes}", f"{VALLEYS}{chits and ';' + chits}"]
    more = [text for name, text in usual.items() if name not in names]
    return decode(MACHINE, " ".join([*head, "part=daylight", *more, *fields]))


def play(world: World, *texts: str) -> World:
    """Play steps given as text, each by the seat or by chance that is to move; check every state."""
    for text in texts:
        seats = MACHINE.to_move(world)
        assert len(seats) == 1, (text, seats)
        world = MACHINE.play(world, seats[0], parse_step(text))
        check_world(world)
        if world.agenda:
            assert decode(MACHINE, encode(world)) == world
    return world


def begin(world: World, hero: str = "Elf") -> World:
    """Draw a counter."""
    return play(world, f"next {hero}")


def end_of_turn(world: World) -> World:
    """Let chance decide the chits that are turned up, always the first of them, until something else is due."""
    while MACHINE.to_move(world) == (CHANCE,) and MACHINE.label(world).startswith("chit"):
        world = MACHINE.play(world, CHANCE, MACHINE.chance(world)[0].move)
    return world


def texts(world: World) -> list[str]:
    """Return the answers of the seat that is asked."""
    (seat,) = MACHINE.to_move(world)
    return [format_step(step) for step in MACHINE.legal_moves(world, seat)]


def refusal(world: World, text: str) -> str:
    """Return the clause by which a step is refused."""
    (seat,) = MACHINE.to_move(world)
    with pytest.raises(IllegalMove) as refused:
        MACHINE.play(world, seat, parse_step(text))
    return refused.value.clause


def place(world: World, seat: int = 0) -> str:
    """Return where a hero is."""
    return write_place(world.heroes[seat].place)


def used_phases(world: World, seat: int = 0) -> list[str]:
    """Return the phases that a hero has used."""
    return [write_source(source) for source in world.heroes[seat].used]


def pack(world: World, seat: int = 0) -> list[str]:
    """Return the belongings of a hero; active ones have a plus."""
    return [CATALOG.goods[n].name + "+" * world.goods[n].active for n in world.heroes[seat].pack]


def goods(*names: str, seat: int = 1) -> str:
    """Return the field of a hero's goods; names with a plus are active."""
    return f"{seat}.goods=" + ";".join(name.replace(" ", "_") for name in names)


def pile(world: World, clearing: str) -> list[str]:
    """Return the goods in a clearing."""
    number = CATALOG.names.find(clearing, "clearing").id
    return [CATALOG.goods[n].name for n in world.tiles[number // 8].piles[number % 8]]


def monsters(world: World) -> dict[str, str]:
    """Return the monsters on the map, except Ghosts, with a star if they have blocked or been blocked."""
    found = {row.name: world.denizens[row.id] for row in CATALOG.monsters if row.kind != "Ghost"}
    return {
        name: write_place(one.place) + "*" * one.blocked
        for name, one in found.items()
        if write_place(one.place) != "home"
    }


def next_actor(world: World) -> str:
    """Return the name of the character that is asked, or what chance decides."""
    seats: Iterable[int] = MACHINE.to_move(world)
    (seat,) = seats
    return MACHINE.label(world) if seat == CHANCE else CATALOG.characters[world.heroes[seat].character].name


def box_without(*cards: str) -> str:
    """Return the field of the Hoard's box without as many open slots as cards are elsewhere."""
    sizes = [
        card.size for name in cards for card in CATALOG.treasures if card.name == name.rstrip("+").partition("/")[0]
    ]
    slots = ["large"] * (5 - sizes.count("large")) + ["small"] * (4 - sizes.count("small"))
    return f"boxes=Hoard:{','.join(slots)}"


SITES = {"Hoard": "CN6", "Lair": "CN3", "Altar": "CN1", "Shrine": "CN4", "Pool": "CN6", "Vault": "CN3", "Cairns": "CN5",
         "Statue": "CN2"}  # fmt: skip


def search(
    at: str, *fields: str, heroes: str = "Elf", plan: str = "S;H", cards: tuple[str, ...] = (), chits: str = ""
) -> World:
    """Return the state in which the first hero is asked what to search."""
    held = [goods(*cards), box_without(*cards)] if cards else ["1.goods=-"]
    usual = [f"{seat}.orders=block:never" for seat in range(1, heroes.count(";") + 2)]
    names = [field.partition("=")[0] for field in fields]
    usual = [field for field in (*usual, *held) if field.partition("=")[0] not in names]
    first = heroes.partition(";")[0].replace("_", " ")
    world = begin(day(f"1.at={at}", f"1.plan={plan}", *usual, *fields, heroes=heroes, chits=chits), first)
    return play(world, "run on") if world.heroes[0].pack else world


def plan(text: str, *fields: str, hero: str = "Elf", at: str = "B2", cards: tuple[str, ...] = (), **more: str) -> World:
    """Return the state at the beginning of a hero's turn, with active cards or counters."""
    written = text.replace(" ", "_").replace(",_", ";")
    held = goods(*cards) if cards else "1.goods=-"
    boxes = [box_without(*cards)] if cards else []
    return begin(
        day(f"1.at={at}", f"1.plan={written}", held, *boxes, *fields, heroes=hero, **more),
        hero.split(";", maxsplit=1)[0].replace("_", " "),
    )


def at_site(name: str, *fields: str, heroes: str = "Elf", cards: tuple[str, ...] = (), plan: str = "S;S;H") -> World:
    """Return the state in which the first hero, who knows a site, is asked what to search in its clearing."""
    chits = f"CN:Dank;CN:{name}"
    return search(SITES[name], f"1.knows={name}", *fields, heroes=heroes, cards=cards, chits=chits, plan=plan)


def at_card(name: str, *fields: str, heroes: str = "Elf", plan: str = "S;S;H", cards: tuple[str, ...] = ()) -> World:
    """Return the state in which the first hero is asked, where a site card lies face up in the box of the Statue."""
    box = f"boxes=Statue:small,small,{name.replace(' ', '_')}^"
    if cards:
        box = f"{box};{box_without(*cards).removeprefix('boxes=')}"
    fields = (f"1.knows={name.replace(' ', '_')}", box, *fields)
    held = [goods(*cards)] if cards else ["1.goods=-"]
    chits = "CN:Dank;CN:Statue"
    usual = [f"{seat}.orders=block:never" for seat in range(1, heroes.count(";") + 2)]
    world = begin(day("1.at=CN2", f"1.plan={plan}", *held, *usual, *fields, heroes=heroes, chits=chits),
                  heroes.partition(";")[0].replace("_", " "))  # fmt: skip
    return play(world, "run on") if world.heroes[0].pack else world


def knows(world: World, seat: int = 0) -> list[str]:
    """Return what a hero has discovered."""
    names = CATALOG.names.by_number("discovery")
    return [name for number, name in names.items() if world.heroes[seat].discoveries >> number & 1]


def chits(world: World, state: str, seat: int = 0) -> list[str]:
    """Return the labels of a hero's chits in a state."""
    hero = world.heroes[seat]
    labels = [chit.label for chit in CATALOG.characters[hero.character].chits]
    return [label for label, now in zip(labels, hero.chits, strict=True) if CHIT_STATES[now] == state]


def numbers(hero: str, *wanted: str) -> str:
    """Return the numbers of the chits with some labels, each label standing for one more chit."""
    labels = [chit.label for row in CATALOG.characters if row.name == hero for chit in row.chits]
    found: list[int] = []
    for label in wanted:
        found.append(next(n for n, other in enumerate(labels, 1) if other == label and n not in found))
    return ";".join(map(str, sorted(found)))


def labels_of(name: str) -> list[str]:
    """Return the labels of a character's chits."""
    return [chit.label for row in CATALOG.characters if row.name == name for chit in row.chits]


def blocked_flags(world: World) -> list[bool]:
    """Return which heroes are blocked."""
    return [hero.blocked for hero in world.heroes]
