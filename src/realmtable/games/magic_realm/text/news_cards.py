"""Steps as cards: rolls, finds, monsters, blocks, deaths and days, each as far as a viewer may know it.

A card is made of what the viewer knew before the step and knows after it, and of what the news of the step say, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.engine.table_parts import NewsCard
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.effects import TABLES
from realmtable.games.magic_realm.catalog.goods_and_spells import Treasure
from realmtable.games.magic_realm.catalog.ids import Place
from realmtable.games.magic_realm.flow.machine import Machine
from realmtable.games.magic_realm.picture.gallery import draw_treasure_picture
from realmtable.games.magic_realm.picture.icons import monster_icon
from realmtable.games.magic_realm.picture.tonight import expect_monsters
from realmtable.games.magic_realm.text.choice_cards import goods_icon, list_values
from realmtable.games.magic_realm.text.describe import name_phase
from realmtable.games.magic_realm.text.events import (
    LOST_REASONS,
    find_new_chits,
    group_monster_moves,
    list_discoveries,
    list_missing,
    name_discovery,
)
from realmtable.games.magic_realm.text.fight_cards import list_fight_cards
from realmtable.games.magic_realm.text.roll_cards import make_dawn_roll, make_table_roll, name_row
from realmtable.games.magic_realm.text.secrecy import is_secret
from realmtable.games.magic_realm.text.seen_step import LESS, OWN_GAIN, OWN_HARM, TIME_OF_DAY, SeenStep, see_step
from realmtable.games.magic_realm.text.wording import (
    WEIGHTS,
    capitalise,
    format_kind,
    format_place,
    name_back,
    name_chit,
    name_clearing,
    name_goods,
    name_monsters,
)
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.belongings import list_goods_at
from realmtable.games.magic_realm.world.knowledge import SeenGoods
from realmtable.games.magic_realm.world.places import HOME, TILES, is_clearing
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import end_sentence, join_words

Cards = Iterator[NewsCard]
DICE: Final = "dice"  # the icon of rolls in combat, of which the melee says enough


def news_card(machine: Machine, world: World, seat: Seat, step: Step, viewer: Seat | None) -> NewsCard | None:
    """Return the card of a step for a viewer; None for the set-up, for secret steps and for those that say little."""
    if world.part == "setup" or is_secret(world, seat, step, viewer):
        return None
    seen = see_step(machine, world, seat, step, viewer)
    cards = sorted(chain.from_iterable(find(seen) for find in (_find_dawn(machine), *_FINDERS)), key=_weigh)
    return _join_cards(cards) if cards else None


def _weigh(card: NewsCard) -> int:
    return -card.weight


def _join_cards(cards: list[NewsCard]) -> NewsCard:
    """Return the most important card, with what the others say as sentences, their roll and whom they concern."""
    first, *others = cards
    why = next((card.text for card in cards if card.text), "")
    texts = [why, *(end_sentence(card.title) for card in others if card.icon != DICE)]
    concerned = tuple(sorted({seat for card in cards for seat in card.concerns}))
    roll = next((card.roll for card in cards if card.roll is not None), None)
    return first._replace(text=" ".join(filter(None, texts)), concerns=concerned, roll=roll)


# ---- rolls


def _find_dawn(machine: Machine) -> Callable[[SeenStep], Cards]:
    """Return what finds the card of a dawn, for which the view after the step is needed."""

    def find(seen: SeenStep) -> Cards:
        if seen.world.agenda[-1].kind != "prowl" or seen.seat != CHANCE:
            return
        (die,) = seen.step.args
        title = translate("Dawn: {monsters} prowl", monsters=name_row(die))
        text = _say_danger(machine, seen)
        concerned = (seen.viewer,) if text and seen.viewer is not None else ()
        safe = translate("None of them can come to where you are.") if seen.viewer is not None else ""
        yield NewsCard(title, text or safe, "sunrise", roll=make_dawn_roll(die), concerns=concerned, weight=TIME_OF_DAY)

    return find


def _say_danger(machine: Machine, seen: SeenStep) -> str:
    """Say which monsters come if the viewer's turn ends where they are now, as far as they know; empty if none do."""
    if seen.viewer is None:
        return ""
    found = view(seen.after, machine, seen.viewer)
    at = found["players"][seen.viewer]["at"]
    sure, possible = expect_monsters(found, at)
    place = format_place(at)
    if sure:
        names = name_monsters(monster.id for monster in sure)
        return translate("If your turn ends in {place}, you meet {monsters}.", place=place, monsters=names)
    kinds = [f"{format_kind(kind)}s" for kind in dict.fromkeys(monster.kind for monster in possible)]
    if not kinds:
        return ""
    names = join_words(kinds, "or")
    return translate("If your turn ends in {place}, you may meet {monsters}.", place=place, monsters=names)


def _find_rolls(seen: SeenStep) -> Cards:
    """Yield the card of a roll on a table (G3)."""
    frame = seen.world.agenda[-1]
    if frame.kind != "dice" or seen.seat != CHANCE:
        return
    table = TABLES[frame.a]
    roll, is_own = make_table_roll(seen.world, frame.seat, table, seen.step.args), frame.seat == seen.viewer
    weight = OWN_GAIN - 1 if is_own else LESS  # a find or harm of the same step comes first
    title, text = _name_table(seen, frame.seat, table, roll.result), ""
    if table == "hide":
        title = _say_hidden(seen, frame.seat)
    elif table == "loot" and is_own:
        text = _say_nothing_left(seen, frame.b, roll.row or 0)
    icon = {"hide": "hidden", "loot": "treasure"}.get(table, "search")
    yield NewsCard(title, text, icon, roll=roll, concerns=(frame.seat,), weight=weight)


def _name_table(seen: SeenStep, seat: Seat, table: str, result: str) -> str:
    title = load_catalog().tables.by_name[table].title
    if seat == seen.viewer:
        return translate("Your roll on {table}: {result}", table=title, result=result)
    return translate("{character} rolls on {table}: {result}", character=seen.name(seat), table=title, result=result)


def _say_hidden(seen: SeenStep, seat: Seat) -> str:
    is_hidden = seen.now.hero(seat).hidden
    if seat == seen.viewer:
        return translate("You are hidden") if is_hidden else translate("You are not hidden")
    name = seen.name(seat)
    if is_hidden:
        return translate("{character} is hidden", character=name)
    return translate("{character} is not hidden", character=name)


def _say_nothing_left(seen: SeenStep, place: Place, row: int) -> str:
    """Say why a roll on Loot brings nothing: fewer things are left than it counts from the top."""
    left = len(list_goods_at(seen.world, place))
    if row < left:
        return ""
    return translate_count("Only {count} thing is left.", "Only {count} things are left.", left)


# ---- finds and discoveries


def _find_goods(seen: SeenStep) -> Cards:
    """Yield what characters have taken; a card that someone does not know is shown from behind."""
    if seen.now.part == "over":
        return
    for seat in range(seen.now.seats):
        if seen.was.hero(seat).character != seen.now.hero(seat).character:
            continue
        for thing in list_missing(seen.now.pack(seat), seen.was.pack(seat)):
            yield _show_find(seen, seat, thing)


def _show_find(seen: SeenStep, seat: Seat, thing: SeenGoods) -> NewsCard:
    name = translate("the {thing}", thing=name_goods(thing.goods)) if thing.is_known else name_back(thing.goods)
    if seat == seen.viewer:
        title = translate("You find {thing}", thing=name)
    else:
        title = translate("{character} takes {thing}", character=seen.name(seat), thing=name)
    if not thing.is_known:
        return NewsCard(title, "", "treasure", concerns=(), weight=seen.weigh_gain(seat))
    goods = load_catalog().goods[thing.goods]
    facts = " · ".join(filter(None, [list_values(goods), WEIGHTS.get(goods.weight, "")]))
    text = " ".join(filter(None, [end_sentence(capitalise(facts)), getattr(goods, "text", "")]))
    svg = draw_treasure_picture(goods) if isinstance(goods, Treasure) else ""
    return NewsCard(title, text, goods_icon(goods), svg, concerns=(seat,), weight=seen.weigh_gain(seat))


def _find_discoveries(seen: SeenStep) -> Cards:
    """Yield the roads and sites that the viewer has discovered, and the chits that they have seen."""
    yield from _list_own_discoveries(seen)
    if seen.world.slots == seen.after.slots:
        return
    for tile in range(TILES):
        name, handles = load_catalog().tiles[tile].name, (f"tile:{load_catalog().tiles[tile].code}",)
        shown, learned, _ = find_new_chits(seen.was, seen.now, tile)
        if learned:
            chits = join_words([name_chit(chit) for chit in learned])
            title = translate("{chits} seen in {tile}", chits=chits, tile=name)
            yield NewsCard(title, "", "seen", handles=handles, weight=OWN_GAIN - 1)
        if shown:
            chits = join_words([name_chit(chit) for chit in shown])
            title = translate("{tile} shows {chits}", tile=name, chits=chits)
            yield NewsCard(title, "", "site", handles=handles, weight=LESS + 1)


def _list_own_discoveries(seen: SeenStep) -> Cards:
    if seen.viewer is None:
        return
    was, now = seen.was.hero(seen.viewer), seen.now.hero(seen.viewer)
    found = list_discoveries(was, now) if was.character == now.character else []
    if found:
        title = translate("You discover {places}", places=join_words([name_discovery(bit) for bit in found]))
        yield NewsCard(title, "", "site", handles=(), concerns=(seen.viewer,), weight=OWN_GAIN)


# ---- monsters, blocks and deaths


def _find_arrivals(seen: SeenStep) -> Cards:
    """Yield the monsters that appear or move to other clearings."""
    for (place, is_new), monsters in group_monster_moves(seen.was, seen.now).items():
        if place == HOME or not is_clearing(place):
            continue
        names, where = name_monsters(monsters), name_clearing(place)
        one, many = (
            ("{monsters} appears in {place}", "{monsters} appear in {place}")
            if is_new
            else ("{monsters} comes to {place}", "{monsters} come to {place}")
        )
        title = capitalise(translate_count(one, many, len(monsters), monsters=names, place=where))
        here = tuple(seat for seat in range(seen.now.seats) if seen.now.hero(seat).place == place)
        weight = OWN_HARM - 1 if seen.viewer in here else LESS + 1
        icon = monster_icon(load_catalog().monsters[monsters[0]].kind)
        handles = (load_catalog().names.by_number("clearing")[place],)
        yield NewsCard(title, "", icon, handles=handles, concerns=here, weight=weight)


def _find_blocks(seen: SeenStep) -> Cards:
    for seat in range(seen.now.seats):
        if seen.now.hero(seat).blocked and not seen.was.hero(seat).blocked:
            if seat == seen.viewer:
                title, text = translate("You are blocked"), translate("You do nothing more today.")
            else:
                title, text = translate("{character} is blocked", character=seen.name(seat)), ""
            yield NewsCard(title, text, "block", concerns=(seat,), weight=seen.weigh_harm(seat))


def _find_lost_phases(seen: SeenStep) -> Cards:
    for seat, step, clause, _ in seen.begun:
        if clause:
            phase, text = name_phase(step), end_sentence(capitalise(LOST_REASONS[clause]))
            if seat == seen.viewer:
                title = translate("You lose a phase: {phase}", phase=phase)
            else:
                title = translate("{character} loses a phase: {phase}", character=seen.name(seat), phase=phase)
            yield NewsCard(title, text, "stop", concerns=(seat,), weight=seen.weigh_harm(seat))


def _find_deaths(seen: SeenStep) -> Cards:
    for seat in range(seen.now.seats):
        if seen.now.hero(seat).dead and not seen.was.hero(seat).dead:
            name = seen.name(seat)
            title = translate("You die") if seat == seen.viewer else translate("{character} dies", character=name)
            yield NewsCard(title, "", "notoriety", concerns=(seat,), weight=OWN_HARM + 1)


# ---- the day


def _find_time(seen: SeenStep) -> Cards:
    if seen.now.part == "over" != seen.was.part:
        yield NewsCard(translate("The game is over"), "", "goal", weight=OWN_HARM)
    elif seen.now.day != seen.was.day:
        title = translate("Day {day} begins", day=seen.now.day)
        yield NewsCard(title, "", "birdsong", weight=TIME_OF_DAY)
    elif seen.now.part == "evening" != seen.was.part:
        yield NewsCard(translate("Evening falls"), "", "evening", weight=TIME_OF_DAY)


_FINDERS: Final[tuple[Callable[[SeenStep], Cards], ...]] = (
    _find_rolls,
    _find_goods,
    _find_discoveries,
    _find_arrivals,
    _find_blocks,
    _find_lost_phases,
    list_fight_cards,
    _find_deaths,
    _find_time,
)
