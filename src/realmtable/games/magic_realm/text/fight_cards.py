"""Combat as cards: where the evening comes, who attacks whom, the dice, and what a melee has done."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from realmtable.engine.language import translate, translate_count
from realmtable.engine.protocol import CHANCE, Seat
from realmtable.engine.table_parts import NewsCard, Roll
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import MonsterId
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.repositioning import build_melee
from realmtable.games.magic_realm.combat_flow.state import TWO_DICE, Fight
from realmtable.games.magic_realm.combat_rules.report import Report
from realmtable.games.magic_realm.day_rules.sight import monsters_at
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of
from realmtable.games.magic_realm.picture.icons import monster_icon
from realmtable.games.magic_realm.text.combat_events import Onlooker, list_melee
from realmtable.games.magic_realm.text.combat_news import say_fight_step
from realmtable.games.magic_realm.text.roll_cards import find_higher, make_fight_roll
from realmtable.games.magic_realm.text.seen_step import GAIN_OF_OTHERS, LESS, OWN_HARM, TIME_OF_DAY, SeenStep
from realmtable.games.magic_realm.text.wording import capitalise, name_clearing, name_monster, name_monsters
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from realmtable.kit.wording import end_sentence, join_words

Cards = Iterator[NewsCard]


def list_fight_cards(seen: SeenStep) -> Cards:
    """Yield the cards of a step of an evening."""
    if seen.world.agenda[-1].kind == "clearing":
        yield from _show_place(seen)
    before = fight_of(seen.world)
    if before is None:
        if (begun := fight_of(seen.after)) is not None:
            yield from _list_attacks(seen, {}, begun, seen.step)
        return
    after = _play_fight(seen.world, seen.seat, seen.step)
    if seen.seat == CHANCE:
        yield from _list_rolls(seen, before)
    yield from _list_attacks(seen, dict(before.sheets.assigned), after, seen.step)
    if after.report is not None and after.report is not before.report:
        yield from _show_melee(seen, before, after, after.report)


@lru_cache(maxsize=4)
def _play_fight(world: World, seat: Seat, step: Step) -> Fight:
    """Return the combat of a world after a step; kept for the other viewers."""
    fight = fight_of(world)
    assert fight is not None  # noqa: S101 - the caller has seen that there is one
    return machine.play(fight, seat, step)


def _show_place(seen: SeenStep) -> Cards:
    """Say where the evening comes next and who meets there, if it is more than one (E1)."""
    (place,) = seen.step.args
    seats = tuple(seat for seat in range(seen.was.seats) if seen.was.hero(seat).place == place)
    monsters = monsters_at(seen.world, place)
    if len(seats) + len(monsters) > 1:
        names = join_words([*map(seen.name, seats), *([name_monsters(monsters)] if monsters else [])])
        yield NewsCard(
            translate("Evening in {place}", place=name_clearing(place)),
            translate("{names} meet.", names=names),
            "evening",
            handles=(load_catalog().names.by_number("clearing")[place],),
            concerns=seats if monsters else (),
            weight=TIME_OF_DAY if seen.viewer in seats else LESS,
        )


def _list_attacks(seen: SeenStep, was: dict[MonsterId, Seat], after: Fight, step: Step) -> Cards:
    """Yield whom monsters attack that come onto sheets without being lured (E8)."""
    lured, now = step.args if step.verb == "lure" else (), after.sheets.assigned
    for seat in after.sheets.seats:
        came = sorted(monster for monster in now if now[monster] == seat != was.get(monster) and monster not in lured)
        if not came:
            continue
        names = capitalise(join_words([translate("the {monster}", monster=name_monster(one)) for one in came]))
        if seat == seen.viewer:
            one, many = "{monsters} attacks you", "{monsters} attack you"
        else:
            one, many = "{monsters} attacks {character}", "{monsters} attack {character}"
        title = translate_count(one, many, len(came), monsters=names, character=seen.name(seat))
        icon = monster_icon(load_catalog().monsters[came[0]].kind)
        yield NewsCard(title, "", icon, concerns=(seat,), weight=seen.weigh_harm(seat))


# ---- dice


def _list_rolls(seen: SeenStep, fight: Fight) -> Cards:
    """Yield the dice of combat, with what they do in the words of the news."""
    frame, dice = fight.agenda[-1], seen.step.args
    words = end_sentence(capitalise(say_fight_step(fight, CHANCE, seen.step, seen.viewer)))
    match frame.kind:
        case "dice":
            table = build_melee(fight).attacks[frame.a].table
            add = fight.warrior(frame.seat).dice.get(table, TWO_DICE).add
            title = translate("A roll on {table}", table=load_catalog().tables.by_name[table].title)
            roll = make_fight_roll(table, dice, add)
            concerned: tuple[Seat, ...] = (frame.seat,)
        case "contest":
            title, concerned = translate("Who is attacked?"), (frame.seat,)
            roll = Roll(dice, find_higher(dice), (), str(max(dice)))
        case "reposition":
            title, concerned = translate("Attackers change direction"), ()
            roll = Roll(dice, (True,), (), str(dice[0]))
        case "turn over":
            title, concerned = translate("Attackers may turn over"), ()
            turns = max(dice) >= load_catalog().tables.tactics_turn_on
            result = translate("those that can turn over") if turns else translate("nobody turns over")
            roll = Roll(dice, find_higher(dice), (), result)
        case _:
            return
    yield NewsCard(title, words, "dice", roll=roll, concerns=concerned, weight=LESS)


# ---- the melee


def _show_melee(seen: SeenStep, before: Fight, after: Fight, report: Report) -> Cards:
    """Say what a melee has done, first to the viewer, and why."""
    if not report.strikes and not report.spells:
        return
    assert after.melee is not None  # noqa: S101 - the report is about it
    melee, characters = after.melee.fighters, load_catalog().characters
    seat_of = {characters[warrior.character].name: warrior.seat for warrior in before.warriors}
    seats = [seat_of[fighter.name] for fighter in melee if fighter.is_character]  # some may be dead by now
    wounds = {seat: report.wounds[number] for number, seat in enumerate(seats) if report.wounds[number]}
    fighters = [melee[death.fighter].name for death in report.deaths if not melee[death.fighter].is_character]
    text = " ".join(end_sentence(capitalise(clause)) for clause in list_melee(Onlooker(before, seen.viewer), after))
    own = wounds.get(seen.viewer, 0) if seen.viewer is not None else 0
    icon, weight = "clash", LESS + 1
    if own:
        title = translate_count("You take {count} wound", "You take {count} wounds", own)
        icon, weight = "wound", OWN_HARM
    elif fighters:
        names = [name_monster(load_catalog().names.by_name("monster")[name]) for name in fighters]
        title = translate_count("{names} is killed", "{names} are killed", len(names), names=join_words(names))
        icon, weight = monster_icon(fighters[0]), GAIN_OF_OTHERS + (seen.viewer in seats)
    elif wounds:
        names = [seen.name(seat) for seat in wounds]
        title = translate_count("{names} is wounded", "{names} are wounded", len(names), names=join_words(names))
        icon = "wound"
    elif report.deaths:
        title = translate("Round {number} of combat", number=before.rounds.number)
    else:
        title = translate("Round {number}: nobody is hurt", number=before.rounds.number)
    hurt = tuple(sorted({*wounds, *(seat for seat in after.fallen if seat not in before.fallen)}))
    yield NewsCard(capitalise(title), text, icon, concerns=hurt, weight=weight)
