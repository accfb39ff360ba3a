"""Who dies in games of Magic Realm, on which day, and by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from realmtable.engine.protocol import Seat
from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.evening_with_combat import fight_of
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World

WOUNDS: Final = "wounds"
PIT: Final = "the Power of the Pit"
A_CHARACTER: Final = "a character"


class Death(NamedTuple):
    """A character died."""

    seat: Seat
    day: int
    killer: str  # a kind of monster, A_CHARACTER, PIT or WOUNDS


def find_deaths(world: World, after: World, seat: Seat, step: Step) -> list[Death]:
    """Return who died by a step; in games without combat, always of wounds."""
    fight = fight_of(world)
    if fight is not None:
        ended = machine.play(fight, seat, step)
        fallen = ended.fallen[len(fight.fallen) :]
        return [Death(dead, world.day, _name_killer(fight, ended, dead)) for dead in fallen]
    pairs = enumerate(zip(world.heroes, after.heroes, strict=True))
    return [Death(number, world.day, WOUNDS) for number, (old, new) in pairs if new.dead and not old.dead]


def _name_killer(before: Fight, after: Fight, seat: Seat) -> str:
    """Return who killed a character: in the melee of this step, or nobody if it died of wounds."""
    if after.melee is None or after.report is None or after.report is before.report:
        return WOUNDS
    names = [fighter.name for fighter in after.melee.fighters]
    dead = names.index(load_catalog().characters[before.warrior(seat).character].name)
    killers = [death.killers for death in after.report.deaths if death.fighter == dead]
    if not killers:
        return WOUNDS
    if not killers[0]:
        return PIT
    kinds = {monster.name: monster.kind for monster in load_catalog().monsters}
    return kinds.get(names[killers[0][0]], A_CHARACTER)


def format_deaths(deaths: Sequence[Death], months: int) -> list[str]:
    """Format tables of deaths by day and by killer."""
    days, killers = Counter(death.day for death in deaths), Counter(death.killer for death in deaths)
    last = max(days, default=1)
    lines = [f"{len(deaths)} deaths in {months} months of a character.", "", "| day | deaths |", "|---:|---:|"]
    lines += [f"| {day} | {days[day]} |" for day in range(1, last + 1)]
    lines += ["", "| killed by | deaths | share |", "|---|---:|---:|"]
    ranked = sorted(killers.items(), key=lambda pair: (-pair[1], pair[0]))
    return [*lines, *(f"| {killer} | {count} | {count / len(deaths):.0%} |" for killer, count in ranked)]
