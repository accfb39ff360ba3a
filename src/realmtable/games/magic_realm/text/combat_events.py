"""What a step of combat has led to, one clause for each event, as a viewer reads it.

`events` reports what also happens outside combat: who is hidden, who dies, who takes what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS, MonsterId
from realmtable.games.magic_realm.combat_flow.secrets import are_plays_secret
from realmtable.games.magic_realm.combat_flow.state import DEAD, CombatBelonging, Fight, Warrior
from realmtable.games.magic_realm.combat_rules.explain import explain_strike
from realmtable.games.magic_realm.combat_rules.melee import CURSE, Fighter, Melee
from realmtable.games.magic_realm.combat_rules.report import STEED, STRUCK, Report, Strike
from realmtable.games.magic_realm.text.combat_steps import name_piece
from realmtable.games.magic_realm.text.conditions import CURSE_EFFECTS
from realmtable.games.magic_realm.text.wording import format_counter, name_character, name_goods, name_monster
from realmtable.games.magic_realm.world.steps import Step
from realmtable.kit.wording import join_words

PIT: Final = {  # what a roll of the Power of the Pit does to the character that was hit, or to everyone (C27)
    "kill clearing": "a fiery chasm kills everyone who is not hidden",
    "kill target": "demons carry {name} away",
    "harm the weak": "terror wounds light and medium chits of all characters, and kills small monsters and ponies",
    "wound stars": "blight wounds all of {whose} active chits with stars",
    "tire magic": "all of {whose} active Magic chits become fatigued",
    "damage armor": "rust damages all of {whose} active armour",
}
# The explanations of a melee are about others; these make them fit for the viewer.
AGREEMENT: Final = (
    ("you hits", "you hit"), ("you misses", "you miss"), ("you rolls", "you roll"), ("you is", "you are"),
)  # fmt: skip


class Onlooker(NamedTuple):
    """A fight, and who reads the news of it."""

    fight: Fight
    viewer: Seat | None  # None for spectators

    def name(self, seat: Seat) -> str:
        """Return "you" or "the Elf"."""
        return "you" if seat == self.viewer else name_character(self.fight.warrior(seat).character)

    def say(self, seat: Seat, third: str, second: str) -> str:
        """Return a clause about a seat."""
        return f"{self.name(seat)} {second if seat == self.viewer else third}"

    def name_possession(self, seat: Seat, thing: str) -> str:
        """Return "your sheet" or "the Elf's sheet"."""
        return f"your {thing}" if seat == self.viewer else f"{self.name(seat)}'s {thing}"


def list_fight_events(before: Fight, after: Fight, step: Step, viewer: Seat | None) -> list[str]:
    """Return what a step has led to, apart from what it says itself."""
    seen = Onlooker(before, viewer)
    is_resolved = after.report is not before.report
    return [
        *_list_plays(seen, after),
        *_list_assigned(seen, after, step),
        *_list_ties(before, after),
        *(list_melee(seen, after) if is_resolved else ()),
        *(_list_red(seen, after) if is_resolved else ()),
        *(event for warrior in after.warriors for event in _list_changes(seen, warrior, step)),
    ]


def close_step(before: Fight, after: Fight) -> str:
    """Return that a round begins or combat ends, if a step has led to that."""
    if not after.agenda:
        return "combat ends"
    return f"round {after.rounds.number} begins" if after.rounds.number != before.rounds.number else ""


# ---- plays


def _list_plays(seen: Onlooker, after: Fight) -> Iterator[str]:
    """Yield what everyone has played, once all is shown (C13)."""
    if not are_plays_secret(seen.fight) or (are_plays_secret(after) and after.rounds == seen.fight.rounds):
        return
    for warrior in seen.fight.active_warriors:
        steps = warrior.draft
        words = [_say_play(step, is_own=warrior.seat == seen.viewer) for step in steps if step.verb in _PLAYS]
        played = words or [f"{'play' if warrior.seat == seen.viewer else 'plays'} nothing"]
        yield f"{seen.name(warrior.seat)} {join_words(played)}"


_PLAYS: Final = ("strike", "turn weapon", "evade", "shield")


def _say_play(step: Step, *, is_own: bool) -> str:
    """Return a part of a play: "swings with Fight M4" or "swing with Fight M4"."""
    match step:
        case Step("strike", (way, piece)):
            return f"{_conjugate(DIRECTIONS[way], is_own=is_own)} with {name_piece(piece)}"
        case Step("evade", (way, piece)):
            return f"{_conjugate(MANEUVERS[way], is_own=is_own)} with {name_piece(piece)}"
        case Step("shield", (way,)):
            return f"{_conjugate('hold', is_own=is_own)} {'your' if is_own else 'the'} shield against {DIRECTIONS[way]}"
    return f"{_conjugate('turn', is_own=is_own)} {'your' if is_own else 'the'} weapon with {name_piece(step.args[0])}"


def _conjugate(verb: str, *, is_own: bool) -> str:
    """Return a verb for the viewer or for others."""
    return verb if is_own else f"{verb}{'es' if verb.endswith('sh') else 's'}"


# ---- sheets


def _list_assigned(seen: Onlooker, after: Fight, step: Step) -> Iterator[str]:
    """Yield the monsters that come onto sheets without being lured (E8)."""
    lured = step.args if step.verb == "lure" else ()
    was, now = seen.fight.sheets.assigned, after.sheets.assigned
    for seat in after.sheets.seats:
        came = [monster for monster in now if now[monster] == seat != was.get(monster) and monster not in lured]
        if came:
            names = join_words([f"the {name_monster(monster)}" for monster in sorted(came)])
            yield f"{names} {'attack' if len(came) > 1 else 'attacks'} {seen.name(seat)}"


def _list_ties(before: Fight, after: Fight) -> Iterator[str]:
    """Yield that some roll again for a monster (E8)."""
    if before.agenda[-1].kind == "contest" and after.agenda and after.agenda[-1].kind == "contest":
        monster = find_contested(before)
        if not after.contest and find_contested(after) == monster:
            yield f"it is a tie, and they roll again for the {name_monster(monster)}"


def find_contested(fight: Fight) -> MonsterId:
    """Return the monster for which characters roll."""
    return next(frame.a for frame in reversed(fight.agenda) if frame.kind == "award")


def _list_red(seen: Onlooker, after: Fight) -> Iterator[str]:
    for monster in after.sheets.monsters:
        if after.sheets.is_red(monster) and not seen.fight.sheets.is_red(monster):
            owner = seen.name(after.sheets.assigned[monster])
            yield f"the {name_monster(monster)} is red side up and holds {owner}"


# ---- the melee


def list_melee(seen: Onlooker, after: Fight) -> Iterator[str]:
    """Yield each attack with its reason, then what rolls on tables did, and who died of them."""
    melee, report = after.melee, after.report
    assert melee is not None  # noqa: S101 - a fight with a new report has the melee that it is about
    assert report is not None  # noqa: S101 - as above
    names = [_name_fighter(seen, fighter) for fighter in melee.fighters]
    fighters = [_rename(fighter, name) for fighter, name in zip(melee.fighters, names, strict=True)]
    renamed = replace(melee, fighters=tuple(fighters))
    yield from (say_strike(renamed, report, strike) for strike in report.strikes)
    for spell in report.spells:
        (word,) = load_catalog().tables.by_name[spell.table].read(spell.roll)
        name = names[spell.target]
        if spell.table == CURSE:
            yield f"a curse on {name}: {word} ({CURSE_EFFECTS[word]})"
        else:
            yield PIT[word].format(name=name, whose="your" if name == "you" else f"{name}'s")
    killed = [melee.attacks[strike.attack].target for strike in report.strikes if _kills_target(strike)]
    fallen = [death.fighter for death in report.deaths if not melee.fighters[death.fighter].is_character]
    yield from (f"{names[fighter]} is killed" for fighter in fallen if fighter not in killed)


def _name_fighter(seen: Onlooker, fighter: Fighter) -> str:
    """Return "you", "the Elf" or "the Wolf". Those who ran away before the melee are not among the fighters."""
    if not fighter.is_character:
        return f"the {format_counter(fighter.name)}"
    characters = load_catalog().characters
    return next(
        seen.name(found.seat) for found in seen.fight.warriors if characters[found.character].name == fighter.name
    )


def _rename(fighter: Fighter, name: str) -> Fighter:
    goods = load_catalog().names.by_name("goods")
    armor = [replace(piece, name=name_goods(goods[piece.name])) for piece in fighter.armor]
    return replace(fighter, name=name, armor=tuple(armor))


def _kills_target(strike: Strike) -> bool:
    return strike.kills and strike.status == STRUCK and strike.struck != STEED


def say_strike(melee: Melee, report: Report, strike: Strike) -> str:
    """Return why an attack hit or missed and what it did, as one clause."""
    attack = melee.attacks[strike.attack]
    attacker = melee.fighters[attack.attacker]
    text = explain_strike(melee, report, strike).removesuffix(".")
    if not attacker.is_character and attack.source.split()[-1].lower() in ("head", "club"):
        text = f"{attacker.name}'s {attack.source.split()[-1].lower()}{text.removeprefix(attacker.name)}"
    for wrong, right in AGREEMENT:
        text = text.replace(wrong, right)
    why, _, effect = text.partition(". ")
    if effect.startswith("Cancelled: "):
        return f"{why}, but {effect.removeprefix('Cancelled: ')}"
    return f"{why}, and {effect[0].lower()}{effect[1:]}" if effect else why


# ---- characters


def _list_changes(seen: Onlooker, now: Warrior, step: Step) -> Iterator[str]:
    """Yield what has become of weapons and armour, and what a character has won."""
    was = seen.fight.warrior(now.seat)
    if now.fate == DEAD:
        return
    old = {gear.goods: gear for gear in was.gear}
    for gear in now.gear:
        before = old.get(gear.goods)
        if before is not None:
            yield from _list_gear_changes(seen, now.seat, before, gear, step)
    won = [
        f"{_format_points(after - before)} {word}"
        for word, before, after in (("fame", was.fame, now.fame), ("notoriety", was.notoriety, now.notoriety))
        if after != before
    ]
    if won:
        yield f"{seen.say(now.seat, 'gets', 'get')} {join_words(won)}"


def _list_gear_changes(
    seen: Onlooker, seat: Seat, was: CombatBelonging, now: CombatBelonging, step: Step
) -> Iterator[str]:
    whose = seen.name_possession(seat, name_goods(now.goods))
    if now.damaged and not was.damaged:
        yield f"{whose} is damaged"
    if now.alerted != was.alerted and now.active == was.active and step.verb != "alert":
        yield f"{whose} is {'alerted now' if now.alerted else 'no longer alerted'}"


def _format_points(points: Fraction) -> str:
    """Return fame or notoriety as people write it: 3½ points are "3.5", a third "0.33"."""
    return f"{float(points):.4g}".replace("-", "−")
