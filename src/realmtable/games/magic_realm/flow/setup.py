"""The set-up after the map: characters, gear, secret choices, valleys (M5, M9 to M11)."""

from __future__ import annotations

from collections.abc import Iterator

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import BoxId, GoodsId
from realmtable.games.magic_realm.flow.agenda import (
    FrameLimits,
    Handler,
    Next,
    Question,
    Refusal,
    Task,
    ask_frame_seat,
)
from realmtable.games.magic_realm.flow.known_site import place_known_site
from realmtable.games.magic_realm.flow.undecided_cards import chit_draw_frame
from realmtable.games.magic_realm.world.belongings import put_goods
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import GOALS, MAX_BACKS, NO_START, OPEN
from realmtable.games.magic_realm.world.knowledge import turn_up
from realmtable.games.magic_realm.world.map_layout import replace_warning, start_place
from realmtable.games.magic_realm.world.open_slots import warning_slot
from realmtable.games.magic_realm.world.places import pack_place
from realmtable.games.magic_realm.world.position_defaults import gear_kinds, list_boxes_with_gear, usual_hero
from realmtable.games.magic_realm.world.steps import Frame, Step
from realmtable.games.magic_realm.world.world import World

MAX_PIECES = 8  # of a character's gear


def list_characters(world: World, _frame: Frame, _seat: Seat) -> list[Step]:
    """Return the characters that no one has."""
    taken = {hero.character for hero in world.heroes}
    return [Step("be", (row.id,)) for row in load_catalog().characters if row.id not in taken]


def _take_character(world: World, _frame: Frame, seat: Seat, step: Step) -> Next:
    (character,) = step.args
    hero, usual = world.writable_hero(seat), usual_hero(world, character)
    hero.character, hero.start, hero.gold = usual.character, usual.start, usual.gold
    return _ask_for_gear(world, seat, 0)


def _ask_for_gear(world: World, seat: Seat, piece: int) -> Next:
    """Ask for the next piece of gear, then for the next character, then for the secret choices."""
    if piece < len(gear_kinds(world.heroes[seat].character)):
        return (Frame("gear", seat, piece),)
    return (Frame("be", seat + 1) if seat + 1 < len(world.heroes) else Frame("secrets"),)


def refuse_character(_world: World, _frame: Frame, _seat: Seat, step: Step) -> Refusal:
    """Return why a character cannot be chosen."""
    if step.verb == "be":
        return Refusal("M9", "Another player has this character.")
    return Refusal("M9", "Choose a character.")


def list_givers(world: World, frame: Frame, seat: Seat) -> list[Step]:
    """Return the groups that have the next piece of a character's gear; `a` is its number."""
    found = []
    for kind in gear_kinds(world.heroes[seat].character)[frame.a : frame.a + 1]:  # none in a damaged position
        number = load_catalog().names.by_name("gear")[kind]
        found = [Step("gear", (number, box)) for box in find_gear(world, kind)]
    return found


def find_gear(world: World, kind: str) -> dict[BoxId, GoodsId]:
    """Return the boxes of native groups that have a piece of gear, each with the piece."""
    return dict(list_boxes_with_gear([box.entries for box in world.boxes], kind))


def give_gear(world: World, seat: Seat, piece: GoodsId) -> None:
    """Give a character a piece of gear, which is active."""
    put_goods(world, piece, pack_place(seat))
    world.writable_goods(piece).active = True


def take_piece(world: World, frame: Frame, seat: Seat, step: Step) -> None:
    """Let a character take a piece of gear from the chosen group; it is active."""
    kind = gear_kinds(world.heroes[seat].character)[frame.a]
    give_gear(world, seat, find_gear(world, kind)[step.args[1]])


def _take_gear(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    take_piece(world, frame, seat, step)
    return _ask_for_gear(world, seat, frame.a + 1)


def refuse_gear(_world: World, _frame: Frame, _seat: Seat, _step: Step) -> Refusal:
    """Return why a group cannot be chosen."""
    return Refusal("M9", "Choose a native group that has this piece of gear.")


# ---- secret choices


def _unready_seats(world: World, _frame: Frame) -> tuple[Seat, ...]:
    return tuple([seat for seat, hero in enumerate(world.heroes) if not hero.ready])


def list_choices(world: World, _frame: Frame, seat: Seat) -> list[Step]:
    """Return the secret choices that a player can make now."""
    return sorted(_choices(world, seat))


def _choices(world: World, seat: Seat) -> Iterator[Step]:
    hero = world.heroes[seat]
    starts = catalog_lookups().starts[hero.character]
    if hero.points and hero.backs < MAX_BACKS:
        yield Step("back")
    if len(hero.points) < world.options.points_to_assign:
        yield from (Step("want", (goal,)) for goal in range(len(GOALS)))
    elif hero.start == NO_START:
        yield from (Step("start", (start,)) for start in starts)
    else:
        yield Step("ready")


def _take_choice(world: World, frame: Frame, seat: Seat, step: Step) -> Next:
    hero = world.writable_hero(seat)
    if step.verb == "want":
        hero.points = (*hero.points, *step.args)
    elif step.verb == "start":
        (hero.start,) = step.args
    elif step.verb == "ready":
        hero.ready = True
    else:
        hero.backs += 1
        if hero.start != NO_START and len(catalog_lookups().starts[hero.character]) > 1:
            hero.start = NO_START
        else:
            hero.points = hero.points[:-1]
    return (frame,)


def refuse_choice(world: World, _frame: Frame, seat: Seat, step: Step) -> Refusal:
    """Return why a secret choice cannot be made."""
    hero = world.heroes[seat]
    if step.verb == "back":
        return Refusal("Z4", f"You can take back what you have chosen at most {MAX_BACKS} times.")
    if len(hero.points) < world.options.points_to_assign:
        return Refusal("M10", "Assign all your victory points first, to treasures, fame, notoriety or gold.")
    if hero.start == NO_START:
        return Refusal("M10", "Choose one of your character's starting places.")
    return Refusal("M10", "Choose Ready, or undo a choice.")


def _end_choices(world: World, _frame: Frame) -> Next:
    for seat in range(len(world.heroes)):
        hero = world.writable_hero(seat)
        hero.ready, hero.backs = False, 0
    return (Frame("valleys"),)


# ---- valleys


def _valley_tiles() -> list[int]:
    return [tile.id for tile in load_catalog().tiles if tile.letter == "V"]


def _show_valleys(world: World, frame: Frame) -> Next:
    """Let chance decide the warnings of the valleys one by one; then turn them up and put everyone on the map."""
    for tile in _valley_tiles():
        if world.slots[warning_slot(tile)].chit == OPEN:
            return chit_draw_frame(warning_slot(tile), tile), frame
    for tile in _valley_tiles():
        turn_up(world, warning_slot(tile))
        replace_warning(world, tile)
    for seat, hero in enumerate(world.heroes):
        place = start_place(world, hero.start)
        assert place is not None  # noqa: S101 - all dwellings and the Ghosts are on the map now
        world.move_hero(seat, place)
    if world.options.known_site:
        place_known_site(world)
    return (Frame("dawn"),)


HANDLERS: dict[str, Handler] = {
    "be": Question(
        ask_frame_seat, list_characters, _take_character, refuse_character, limits=FrameLimits("setup", seat=True)
    ),
    "gear": Question(
        ask_frame_seat,
        list_givers,
        _take_gear,
        refuse_gear,
        limits=FrameLimits("setup", seat=True, a=range(MAX_PIECES)),
    ),
    "secrets": Question(
        _unready_seats, list_choices, _take_choice, refuse_choice, _end_choices, True, FrameLimits("setup")
    ),
    "valleys": Task(_show_valleys, FrameLimits("setup")),
}
