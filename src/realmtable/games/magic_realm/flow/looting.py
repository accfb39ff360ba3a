"""Looting: doors and stars, the treasure that is taken, and what special cards do (D19, D20, T2, T5)."""

from __future__ import annotations

from functools import cache
from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import SITE_CARD_TABLES, TABLES
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import BoxId, GoodsId, Place
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.day_rules.action_chits import (
    has_keys,
    list_forces,
    list_payments,
    pay_star,
    use_force,
)
from realmtable.games.magic_realm.day_rules.active_goods import activate, can_activate, settle_active
from realmtable.games.magic_realm.day_rules.curses import WITHER
from realmtable.games.magic_realm.day_rules.modifiers import is_cave
from realmtable.games.magic_realm.day_rules.search import (
    discovery_bit,
    is_open,
    is_site_card,
    let_others_know_use,
    loot_cost,
    party_of,
    place_to_loot,
    site_cards,
    site_count,
)
from realmtable.games.magic_realm.day_rules.sight import discover, followers_of
from realmtable.games.magic_realm.flow.agenda import (
    DONE,
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.dice import roll_frame
from realmtable.games.magic_realm.flow.turn_notes import leave_guide, note_cave
from realmtable.games.magic_realm.flow.undecided_cards import card_draw_frame
from realmtable.games.magic_realm.world.belongings import list_goods_at, put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import ACTION_CHITS, ACTIVE
from realmtable.games.magic_realm.world.knowledge import everyone, let_seats_know_goods
from realmtable.games.magic_realm.world.map_layout import graph_of
from realmtable.games.magic_realm.world.places import GONE, NOWHERE, box_of, box_place, is_box, pack_place
from realmtable.games.magic_realm.world.position_words import is_card
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, Step
from realmtable.games.magic_realm.world.world import World

# ---- before the roll


def _begin_loot(world: World, frame: Frame) -> Next:
    """Show what is looted, open it and pay for it; then roll, or take the piece `b` - 1 that Magic Sight has chosen."""
    seat, looted = frame.seat, frame.a
    let_others_know_use(world, seat, looted)
    before: list[Frame] = []
    if loot_cost(looted) == "open" and not is_open(world, looted):
        before.append(Frame("force", seat, looted))
    if loot_cost(looted) == "roll":
        before.append(Frame("pay", seat))
    place = place_to_loot(world, seat, looted)
    if frame.b:
        return *before, Frame("gain", seat, place, frame.b - 1)
    table = SITE_CARD_TABLES[_table_number(looted)] if is_site_card(looted) else "loot"
    return *before, roll_frame(seat, table, place)


def _table_number(looted: int) -> int:
    return SITE_CARD_TABLES.index(load_catalog().names.by_number("looted")[looted].lower())


def _forcing_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    """Keys are used rather than strength, so nobody with keys is asked."""
    return (frame.seat,) if list_forces(world, frame.seat) and not has_keys(world, frame.seat) else ()


def _list_forces(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    return list_forces(world, frame.seat)


def _take_force(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    use_force(world, seat, step)
    return _open(world, frame)


def _open(world: World, frame: Frame) -> Next:
    """Open a door: the Vault stays open."""
    if 0 < frame.a <= site_count():
        world.writable_box(frame.a - 1).opened = True
    return DONE


def _refuse_force(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D19", "Open it with an active piece of tremendous strength.")


def _paying_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    return (frame.seat,) if list_payments(world, frame.seat) else ()


def _list_payments(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    return list_payments(world, frame.seat)


def _take_payment(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    pay_star(world, seat, step)
    return DONE


def _refuse_payment(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("W1", "Pay one star with an active chit.")


# ---- the result


def _take_loot(world: World, frame: Frame) -> Next:
    """Take what a roll on the Loot table or on the table of a site card gives; `b` is the box or clearing."""
    seat, place = frame.seat, frame.b
    word = load_catalog().tables.by_name[TABLES[frame.a]].results[frame.c - 1][0]
    entries = list_goods_at(world, place)
    if word.startswith("take "):
        index = int(word.removeprefix("take ")) - 1
        return (Frame("gain", seat, place, index),) if index < len(entries) else DONE
    if word == "treasure":
        found = [index for index, entry in enumerate(entries) if entry < 0 or is_card(entry)]
        return (Frame("gain", seat, place, found[0]),) if found else DONE
    return _take_special(world, seat, place, word)


def _take_special(world: World, seat: Seat, place: Place, word: str) -> Next:
    """Carry out a result of a site card; curses, wishes and the Power of the Pit have no effect (T5)."""
    names = [load_catalog().goods[entry].name if entry >= 0 else "" for entry in list_goods_at(world, place)]
    if word in names:
        return (Frame("gain", seat, place, names.index(word)),)
    hero = world.writable_hero(seat)
    match word:
        case "gold 1":
            hero.gold += 1
        case "refresh":
            hero.chits = (ACTIVE,) * ACTION_CHITS
            hero.curses &= ~(1 << WITHER)  # C27
        case "see afar":
            hero.anywhere = True
        case "teleport to a cave":
            return (Frame("to", seat),)
    return DONE


def _list_caves(world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    return [Step("to", (place,)) for place in sorted(graph_of(world).clearings) if is_cave(world, place)]


def _take_cave(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    """Go to a cave with all belongings; the followers stay behind (T5)."""
    for follower in followers_of(world, seat):
        leave_guide(world, follower)
    world.move_hero(seat, step.args[0])
    hero = world.writable_hero(seat)
    hero.came_by = hero.climbs = NOWHERE
    settle_active(world, seat)
    note_cave(world)
    return DONE


def _refuse_cave(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("T5", "Choose a cave clearing.")


# ---- what is taken


def _gain(world: World, frame: Frame) -> Next:
    """Take a piece from a box or pile: decide it first, pay for it at the Pool, and do what special cards do."""
    seat, place, index = frame.seat, frame.a, frame.b
    entries = list_goods_at(world, place)
    if index >= len(entries):
        return DONE
    goods = entries[index]
    if goods < 0:
        return card_draw_frame(box_of(place), index), frame
    thing = load_catalog().goods[goods]
    is_special = isinstance(thing, Treasure) and thing.size == "within"
    if not frame.c and _costs_star(place, goods):
        return Frame("pay", seat), frame._replace(c=1)
    if not is_special or goods in catalog_lookups().portable:
        return _receive(world, seat, goods)
    let_seats_know_goods(world, goods, everyone(world))
    if goods in site_cards():
        discover(world, party_of(world, seat), discovery_bit(site_count() + 1 + site_cards().index(goods)))
        put_goods(world, goods, place)
        world.writable_goods(goods).active = True
        return DONE
    return _exchange_card(world, seat, place, goods)


def _costs_star(place: Place, goods: GoodsId) -> bool:
    """Whether taking something costs a star: at the Pool, except site cards and the Mouldy Skeleton."""
    if not is_box(place) or box_of(place) >= site_count() or loot_cost(box_of(place) + 1) != "item":
        return False
    return goods not in site_cards() and not _is_put_on_top(goods)


def _is_put_on_top(goods: GoodsId) -> bool:
    """Whether a card is replaced by other pieces in its box: the Mouldy Skeleton, which holds no cards."""
    return goods in _own_boxes() and not load_catalog().boxes[_own_boxes()[goods]].slots


@cache
def _own_boxes() -> dict[GoodsId, BoxId]:
    """Return the boxes of the cards that are exchanged when they are found."""
    catalog = load_catalog()
    cards = {card.name: card.id for card in catalog.treasures if card.kind == "exchange"}
    return {cards[box.name]: box.id for box in catalog.boxes if box.name in cards}


def _exchange_card(world: World, seat: Seat, place: Place, goods: GoodsId) -> Next:
    """Exchange the Mouldy Skeleton for what goes into the site's box, the Remains of Thief for what the finder gets."""
    box = _own_boxes()[goods]
    treasure = load_catalog().goods[goods]
    put_goods(world, goods, GONE)
    if _is_put_on_top(goods):
        for piece in reversed(world.boxes[box].entries):
            put_goods(world, piece, place, on_top=True)
        return DONE
    assert isinstance(treasure, Treasure)  # noqa: S101 - only cards are exchanged
    world.writable_hero(seat).gold += treasure.gold
    entries = world.boxes[box].entries
    counters = [index for index, entry in enumerate(entries) if entry >= 0 and not is_card(entry)]
    others = [index for index in range(len(entries)) if index not in counters]
    # The first piece is taken off the box before the second, so the index of what lies behind it is one lower then.
    order = [*counters, *(index - sum(taken < index for taken in counters) for index in others)]
    return tuple([Frame("gain", seat, box_place(box), index) for index in order])


def _receive(world: World, seat: Seat, goods: GoodsId) -> Next:
    """Give a piece to a character, who decides at once what to do with it (D20, T2)."""
    put_goods(world, goods, pack_place(seat))
    let_seats_know_goods(world, goods, 1 << seat)
    if goods in catalog_lookups().enchanted:
        world.writable_goods(goods).active = True
        let_seats_know_goods(world, goods, everyone(world))
    return (Frame("found", seat),)


def _finding_seats(world: World, frame: Frame) -> tuple[Seat, ...]:
    """Return the seat that has found something: the last piece of its pack."""
    return (frame.seat,) if world.heroes[frame.seat].pack else ()


def _list_uses(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    goods = world.heroes[seat].pack[-1]
    found = [Step("keep"), Step("leave")]
    is_active = world.goods[goods].active
    return found if is_active or not can_activate(world, seat, goods) else [Step("activate"), *found]


def _take_use(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    goods = world.heroes[seat].pack[-1]
    if step.verb == "activate":
        activate(world, seat, goods)
    elif step.verb == "leave":
        put_goods(world, goods, world.heroes[seat].place)
    settle_active(world, seat)
    return DONE


def _refuse_use(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D20", "Activate what you have found if it can be active, keep it, or leave it.")


_LIMITS: Final = FrameLimits("daylight", seat=True, returns=True)
_NUMBERS: Final = range(MAX_FRAME_NUMBER)
_LOOTED: Final = range(len(load_catalog().names.by_number("looted")))
HANDLERS: dict[str, Handler] = {
    "loot": Task(_begin_loot, _LIMITS._replace(a=_LOOTED, b=_NUMBERS)),
    "force": Question(
        _forcing_seats, _list_forces, _take_force, _refuse_force, _open, limits=_LIMITS._replace(a=_LOOTED)
    ),
    "pay": Question(_paying_seats, _list_payments, _take_payment, _refuse_payment, limits=_LIMITS),
    "spoils": Task(_take_loot, _LIMITS._replace(a=range(len(TABLES)), b=_NUMBERS, c=range(1, DIE + 1))),
    "to": Question(ask_frame_seat, _list_caves, _take_cave, _refuse_cave, limits=_LIMITS),
    "gain": Task(_gain, _LIMITS._replace(a=_NUMBERS, b=_NUMBERS, c=range(2))),
    "found": Question(_finding_seats, _list_uses, _take_use, _refuse_use, secret=True, limits=_LIMITS),
}
