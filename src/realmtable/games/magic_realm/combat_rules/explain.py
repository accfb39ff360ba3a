"""Why each attack of a melee hit or missed, and what it did, in sentences."""

from __future__ import annotations

from typing import Final

from realmtable.games.magic_realm.catalog import load_catalog
from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.combat_rules.armor import DAMAGED, DESTROYED
from realmtable.games.magic_realm.combat_rules.harm import name_level, read_missile_table
from realmtable.games.magic_realm.combat_rules.hits import MATCHES, UNDERCUTS
from realmtable.games.magic_realm.combat_rules.melee import MISSILE, Attack, Melee
from realmtable.games.magic_realm.combat_rules.report import ARMOR, CANCELLED, MAGIC, MISSED, STEED, Report, Strike

MINUS: Final = "−"


def explain_melee(melee: Melee, report: Report) -> list[str]:
    """Return a line for each attack, in the order of the report."""
    return [explain_strike(melee, report, strike) for strike in report.strikes]


def explain_strike(melee: Melee, report: Report, strike: Strike) -> str:
    """Return why an attack hit or missed, and what it did."""
    attack = melee.attacks[strike.attack]
    attacker, target = melee.fighters[attack.attacker].name, melee.fighters[attack.target].name
    verb = {MISSED: "misses", CANCELLED: "would hit"}.get(strike.status, "hits")
    return (
        f"{attacker} {verb} {target}: {_explain_verdict(melee, attack, strike)}{_explain_effect(melee, report, strike)}"
    )


def _explain_verdict(melee: Melee, attack: Attack, strike: Strike) -> str:
    """Compare time and direction of an attack with the manoeuvre (C15)."""
    maneuver = melee.fighters[attack.target].maneuver
    if maneuver is None:
        return "there is no manoeuvre."
    ways = f"{DIRECTIONS[attack.direction]} {{}} {MANEUVERS[maneuver.direction]}"
    if strike.verdict == MATCHES:
        return ways.format("matches") + "."
    if strike.verdict == UNDERCUTS:
        return f"time {attack.time} undercuts {maneuver.time}."
    return f"time {attack.time} does not undercut {maneuver.time}, and {ways.format('does not match')}."


def _explain_effect(melee: Melee, report: Report, strike: Strike) -> str:
    attack = melee.attacks[strike.attack]
    target = melee.fighters[attack.target]
    if strike.status == MISSED:
        return ""
    if strike.status == CANCELLED:
        first = next(death.fighter for death in report.deaths if death.fighter in (attack.attacker, attack.target))
        return f" Cancelled: {melee.fighters[first].name} is already dead."
    if strike.struck == MAGIC:
        return f" {target.name} rolls {strike.roll}: {load_catalog().tables.by_name[attack.table].title}."
    if attack.kills:
        return f" The red side kills {target.name}."
    harm = f" Harm {_explain_harm(attack, strike)}"
    if strike.struck == ARMOR:
        name, worn = target.armor[strike.piece].name, _explain_wear(melee, report, strike)
        return f"{harm} strikes the {name}{worn}{', one wound' if strike.wounds else ''}."
    if strike.struck == STEED:
        return f"{harm} {'kills' if strike.kills else 'does not kill'} the horse."
    if strike.wounds:
        return f"{harm} is one wound."
    return f"{harm} {'kills' if strike.kills else 'does nothing to'} {target.name}."


def _explain_wear(melee: Melee, report: Report, strike: Strike) -> str:
    """Return what becomes of the armour that was struck; the last of several strikes says it."""
    fighter = melee.attacks[strike.attack].target
    last = [
        other
        for other in report.strikes
        if other.struck == ARMOR and (melee.attacks[other.attack].target, other.piece) == (fighter, strike.piece)
    ][-1]
    state = next((wear.state for wear in report.wear if wear[:2] == (fighter, strike.piece)), None)
    return _WEAR.get(state, "") if strike == last else ""


_WEAR: Final[dict[int | None, str]] = {DAMAGED: " and damages it", DESTROYED: " and destroys it"}


def _explain_harm(attack: Attack, strike: Strike) -> str:
    """Return the level of harm, and how it came about if anything was added to the letter (C18)."""
    missile = read_missile_table(strike.roll) if attack.table == MISSILE and strike.roll is not None else 0
    stars = strike.level - attack.harm - attack.is_stronger - missile
    parts = [
        f"{stars} for stars" if stars else "",
        "1 for strength" if attack.is_stronger else "",
        f"{abs(missile)} for the roll of {strike.roll}" if missile else "",
    ]
    signs = ["+", "+", "+" if missile > 0 else MINUS]
    added = "".join(f" {sign} {part}" for sign, part in zip(signs, parts, strict=True) if part)
    level = name_level(strike.level)
    return f"{level} ({name_level(attack.harm)}{added})" if added else level
