"""The end of a turn, when monsters move and appear; and midnight (P1 to P8, Q7)."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import tile_of
from realmtable.games.magic_realm.catalog.setup_card import RED_CHIT
from realmtable.games.magic_realm.day_rules.death import let_die
from realmtable.games.magic_realm.day_rules.lost_phases import cannot_rest_tomorrow
from realmtable.games.magic_realm.day_rules.summoning import find_open_slot, list_prowlers, summon, turn_up_tile
from realmtable.games.magic_realm.flow.agenda import DONE, FrameLimits, Handler, Next, Task
from realmtable.games.magic_realm.flow.blocking import block_on_arrival
from realmtable.games.magic_realm.flow.new_life import note_death
from realmtable.games.magic_realm.flow.undecided_cards import chit_draw_frame
from realmtable.games.magic_realm.world.map_layout import start_place
from realmtable.games.magic_realm.world.places import TILES, is_clearing
from realmtable.games.magic_realm.world.steps import Frame
from realmtable.games.magic_realm.world.world import World

PROWL, SUMMON = range(2)  # the stages of the end of a turn


def _end_turn(world: World, frame: Frame) -> Next:
    """Let monsters move, then turn up the chits of the tile and let them summon."""
    seat, place = frame.seat, world.heroes[frame.seat].place
    world.writable_hero(seat).turn_taken = True
    if not is_clearing(place):
        return DONE
    if frame.a == PROWL:
        moving = list_prowlers(world, place)
        for monster in moving:
            world.move_denizen(monster, place)
        return *block_on_arrival(world, moving), frame._replace(a=SUMMON)
    slot = find_open_slot(world, tile_of(place))
    if slot is not None:
        return chit_draw_frame(slot, tile_of(place)), frame
    summoning = turn_up_tile(world, seat, tile_of(place))
    return block_on_arrival(world, [monster for chit in summoning for monster in summon(world, chit, place)])


def _end_day(world: World, _frame: Frame) -> Next:
    """Turn the chits down, and let the next day begin or the game end (P8, Q3, Q4, Q7)."""
    _clear_combat_effects(world)
    chits = load_catalog().map_chits
    for number, slot in enumerate(world.slots):
        stays = slot.chit >= 0 and (chits[slot.chit].kind == RED_CHIT or _is_replaced(world, number))
        if slot.summoned or (slot.face_up and not stays):
            found = world.writable_slot(number)
            found.summoned = False
            found.face_up = found.face_up and stays
    if world.day < world.options.last_day:
        for seat, hero in enumerate(world.heroes):
            if not hero.dead and cannot_rest_tomorrow(world, seat):
                let_die(world, seat)
                note_death(world, seat)
        return (Frame("dawn"),)
    world.part = "over"
    return DONE


def _clear_combat_effects(world: World) -> None:
    """Unalert weapons, end berserk and the day's counts of kills, and lift curses at the Chapel (E13, K1, Q3, Q4)."""
    for number, goods in enumerate(world.goods):
        if goods.alerted:
            world.writable_goods(number).alerted = False
    chapel = start_place(world, load_catalog().names.by_name("start")["Chapel"])
    for seat, hero in enumerate(world.heroes):
        if hero.kills or hero.berserk:
            own = world.writable_hero(seat)
            own.kills, own.berserk = 0, False
        if hero.curses and hero.place == chapel and not hero.dead:
            world.writable_hero(seat).curses = 0


def _is_replaced(world: World, slot: int) -> bool:
    """Whether a slot is that of a warning which a dwelling or the Ghosts have replaced."""
    return slot < TILES and bool(world.tiles[slot].dwelling)


HANDLERS: Final[dict[str, Handler]] = {
    "end": Task(_end_turn, FrameLimits("daylight", seat=True, a=range(SUMMON + 1), returns=True)),
    "midnight": Task(_end_day, FrameLimits("midnight")),
}
