"""The Search activity: what is searched, the results, and chits that are exchanged (D16 to D18, D22)."""

from __future__ import annotations

from typing import Final

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.ids import Place, tile_of
from realmtable.games.magic_realm.catalog.tables import DIE
from realmtable.games.magic_realm.day_rules.modifiers import list_effects
from realmtable.games.magic_realm.day_rules.search import (
    ROADS,
    discover_roads,
    discover_sites,
    find_exchangeable,
    find_topmost,
    has_unknown_chit,
    list_lying_slots,
    list_searches,
    list_takes,
    look_at,
    see_hidden_characters,
)
from realmtable.games.magic_realm.day_rules.sight import ALL, CARDS, COUNTERS
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
from realmtable.games.magic_realm.flow.undecided_cards import chit_draw_frame
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import OPEN
from realmtable.games.magic_realm.world.knowledge import turn_up
from realmtable.games.magic_realm.world.map_layout import replace_warning
from realmtable.games.magic_realm.world.open_slots import site_slot, warning_slot
from realmtable.games.magic_realm.world.places import TILES
from realmtable.games.magic_realm.world.step_text import CHOICES
from realmtable.games.magic_realm.world.steps import MAX_FRAME_NUMBER, Frame, Step
from realmtable.games.magic_realm.world.world import World

HIDDEN: Final = {"hidden enemies": ALL, "counters": COUNTERS, "treasures": CARDS}
CHOSEN: Final[dict[str, tuple[str, ...]]] = {
    "clues+paths": ("clues", "paths"),
    "hidden+paths": ("hidden enemies", "paths"),
    "hidden": ("hidden enemies",),
    "clues": ("clues",),
    "passages+clues": ("passages", "clues"),
    "passages": ("passages",),
    "chits": ("discover chits",),
}


# ---- what is searched


def _list_searches(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    return list_searches(world, seat)


def _take_search(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    place = world.heroes[seat].place
    match step.verb:
        case "peer":
            return (roll_frame(seat, "peer", *step.args or (place,)),)
        case "locate":
            return *_decide_for_maps(world, seat), roll_frame(seat, "locate", place)
        case "sight":
            return (roll_frame(seat, "sight", place),)
    return (Frame("loot", seat, step.args[0]),)


def _decide_for_maps(world: World, seat: Seat) -> Next:
    """Let chance decide the chits on which the dice of someone with an active map depend (X5)."""
    tile = tile_of(world.heroes[seat].place)
    wheres = {
        effect.where for effect in list_effects(world, seat) if effect.verb == "add" and "locate" in effect.tables
    }
    stack = catalog_lookups().stack_of_tile[tile]
    red = [load_catalog().map_chits[chit].word for chit in catalog_lookups().red_chits]
    slots = []
    if "Ruins" in wheres and load_catalog().tiles[tile].name != "Ruins":
        slots.append(warning_slot(tile))
    if stack >= 0 and red[stack] in wheres:
        slots.append(site_slot(tile))
    return tuple([chit_draw_frame(slot, tile) for slot in slots if world.slots[slot].chit == OPEN])


def _refuse_search(_world: World, _frame: Frame, _seat: Seat, step: Step) -> Refusal:
    if step.verb == "peer":
        return Refusal(
            "D17", "From a mountain you can peer at clearings of your tile and the tiles next to it, not at caves."
        )
    if step.verb == "loot":
        return Refusal(
            "D19", "You can loot the pile, or what you have discovered in your clearing and can open and pay for."
        )
    return Refusal("D16", "Choose how to search: peer, locate, loot something, or use Magic Sight if you have it.")


# ---- results


def _take_result(world: World, frame: Frame) -> Next:
    """Carry out the result of a search for information; `a` is the table, `b` the clearing, `c` the number."""
    words = load_catalog().tables.by_name[TABLES[frame.a]].results[frame.c - 1]
    return _give(world, frame.seat, frame.b, words)


def _give(world: World, seat: Seat, place: Place, words: tuple[str, ...]) -> Next:
    following: list[Frame] = []
    for word in words:
        if word in ROADS:
            following.append(Frame("roads", seat, place, [*ROADS].index(word)))
        if word in HIDDEN:
            see_hidden_characters(world, seat, HIDDEN[word])
        if word in ("clues", "discover chits"):
            following.append(Frame("look", seat, place, int(word != "clues")))
        if word in ("counters", "treasures"):
            following.append(Frame("take", seat, int(word == "treasures")))
        if word == "choice":
            following.append(Frame("pick", seat, place))
    return tuple(following)


def _discover_roads(world: World, frame: Frame) -> Next:
    """Discover roadways when the parts of the result before them have happened; `a` is the clearing, `b` the kind."""
    discover_roads(world, frame.seat, frame.a, [*ROADS][frame.b])
    return DONE


def _list_choices(_world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    return [Step("choose", (number,)) for number in range(len(CHOICES))]


def _take_choice(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    return _give(world, seat, frame.a, CHOSEN[CHOICES[step.args[0]]])


def _refuse_choice(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D18", "Choose one of the results of the Peer and Locate tables.")


def _look(world: World, frame: Frame) -> Next:
    """Look at all chits of a tile; `b` says whether sites are discovered, `c` whether it is a second look."""
    seat, tile = frame.seat, tile_of(frame.a)
    slots = list_lying_slots(world, tile)
    for slot in slots:
        if world.slots[slot].chit == OPEN:
            return chit_draw_frame(slot, tile), frame
    asks = not frame.c and (has_unknown_chit(world, tile) or find_exchangeable(world, tile) is not None)
    look_at(world, seat, slots)
    if frame.b:
        discover_sites(world, seat, frame.a)
    return (Frame("exchange", seat, frame.a, frame.b),) if asks else DONE


def _list_exchanges(world: World, frame: Frame, _seat: Seat) -> list[Step]:
    found = find_exchangeable(world, tile_of(frame.a))
    return [Step("put back")] if found is None else [Step("exchange"), Step("put back")]


def _take_exchange(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    slot = find_exchangeable(world, tile_of(frame.a))
    if step.verb != "exchange" or slot is None:
        return DONE
    turn_up(world, slot)
    if slot < TILES:
        replace_warning(world, slot)
        return DONE
    return (Frame("look", seat, frame.a, frame.b, 1),)


def _refuse_exchange(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D18", "Put the chits back; a campfire, the Lost City or the Lost Castle can be exchanged.")


# ---- Magic Sight


def _list_takes(world: World, frame: Frame, seat: Seat) -> list[Step]:
    return sorted([Step("take nothing"), *list_takes(world, seat, bool(frame.a))])


def _take_by_sight(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    if step.verb != "take":
        return DONE
    cards, looted = step.args
    index = find_topmost(world, seat, looted, bool(cards))
    assert index is not None  # noqa: S101 - the step is legal
    return (Frame("loot", seat, looted, 1 + index),)


def _refuse_take(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    return Refusal("D22", "Take the top piece of the kind that you saw from the pile or a site, or nothing.")


_LIMITS: Final = FrameLimits("daylight", seat=True, returns=True)
_PLACES: Final = range(MAX_FRAME_NUMBER)
HANDLERS: dict[str, Handler] = {
    "search": Question(ask_frame_seat, _list_searches, _take_search, _refuse_search, secret=True, limits=_LIMITS),
    "result": Task(_take_result, _LIMITS._replace(a=range(len(TABLES)), b=_PLACES, c=range(1, DIE + 1))),
    "pick": Question(ask_frame_seat, _list_choices, _take_choice, _refuse_choice, limits=_LIMITS._replace(a=_PLACES)),
    "roads": Task(_discover_roads, _LIMITS._replace(a=_PLACES, b=range(len(ROADS)))),
    "look": Task(_look, _LIMITS._replace(a=_PLACES, b=range(2), c=range(2))),
    "exchange": Question(
        ask_frame_seat,
        _list_exchanges,
        _take_exchange,
        _refuse_exchange,
        secret=True,
        limits=_LIMITS._replace(a=_PLACES, b=range(2)),
    ),
    "take": Question(
        ask_frame_seat, _list_takes, _take_by_sight, _refuse_take, secret=True, limits=_LIMITS._replace(a=range(2))
    ),
}
