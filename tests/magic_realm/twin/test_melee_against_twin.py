"""The resolution of melees and its independent twin agree on random melees (C10, C15 to C28)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from realmtable.games.magic_realm.catalog.ids import DIRECTIONS, MANEUVERS
from realmtable.games.magic_realm.combat_rules.armor import DESTROYED
from realmtable.games.magic_realm.combat_rules.catalog_to_melee import (
    armor_piece,
    card_armor,
    character_weight,
    monster_attack,
    monster_fighter,
    part_attack,
    steed_of,
    weapon_attack,
)
from realmtable.games.magic_realm.combat_rules.harm import level_of
from realmtable.games.magic_realm.combat_rules.melee import ArmorPiece, Attack, Fighter, Maneuver, Melee
from realmtable.games.magic_realm.combat_rules.plays import FIGHT, Piece
from realmtable.games.magic_realm.combat_rules.report import CANCELLED, MISSED, STRUCK, Report
from realmtable.games.magic_realm.combat_rules.resolve import resolve
from tests.magic_realm.helpers.catalog_helpers import CATALOG, character, weapon
from tests.magic_realm.helpers.catalog_helpers import monster as monster_row
from tests.magic_realm.helpers.melee_helpers import horse
from tests.magic_realm.helpers.random_melees import random_melee
from tests.magic_realm.twin.twin_melee import explain_melee, resolve_melee

WORDS = {MISSED: "missed", CANCELLED: "cancelled", STRUCK: "hit"}


class Translation:
    """A melee of the twin in the terms of `combat`, with the ids of fighters and attacks."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.ids = [f"c{number}" for number in range(len(row["characters"]))]
        self.ids += [f"m{number}" for number in range(len(row["monsters"]))]
        self.attacks: dict[str, Attack] = {}
        fighters = [self._read_character(number) for number in range(len(row["characters"]))]
        fighters += [self._read_monster(number) for number in range(len(row["monsters"]))]
        attacks = tuple(self.attacks.values())
        self.melee = Melee(tuple(fighters), attacks, row["first_round"], missiles_pierce=row["pierce"])
        names = [*self.attacks]
        self.rolls = {names.index(name): roll for name, roll in row["rolls"].items() if name in names}

    def _read_character(self, number: int) -> Fighter:
        row = self.row["characters"][number]
        if row["fight"] and row["direction"] and row["target"]:
            fight = Piece("", FIGHT, level_of(row["fight"]["strength"]), row["fight"]["time"])
            self.attacks[f"c{number}"] = weapon_attack(
                weapon(row["weapon"]) if row["weapon"] else None,
                fight,
                DIRECTIONS.index(row["direction"]),
                is_alerted=row["alerted"],
                attacker=number,
                target=self.ids.index(row["target"]),
            )
        move = row["maneuver"]
        return Fighter(
            row["name"],
            character_weight(character(row["name"]), is_berserk=row["berserk"]),
            is_character=True,
            maneuver=None if move is None else Maneuver(MANEUVERS.index(move["direction"]), move["time"]),
            armor=tuple(read_armor(piece, row["shield_at"]) for piece in row["armor"]),
            steed=steed_of(horse(row["horse"])) if row["horse"] else None,
            is_hidden=row["hidden"],
        )

    def _read_monster(self, number: int) -> Fighter:
        row, fighter = self.row["monsters"][number], len(self.row["characters"]) + number
        monster, box = monster_row(row["name"]), DIRECTIONS.index(row["box"])
        if row["sheet"] is not None:
            found = monster_attack(monster, is_dark=row["dark"], box=box, attacker=fighter, target=row["sheet"])
            if found is not None:
                self.attacks[f"m{number}"] = found
            if part := row["part"]:
                found = part_attack(
                    monster,
                    is_dark=part["dark"],
                    box=DIRECTIONS.index(part["box"]),
                    attacker=fighter,
                    target=row["sheet"],
                )
                assert found is not None
                self.attacks[f"m{number}p"] = found
        return monster_fighter(monster, is_dark=row["dark"], box=box)

    def translate(self, report: Report) -> dict[str, Any]:
        """Return a report in the terms of the twin."""
        assert report.waits_for is None
        names, dead = [*self.attacks], {death.fighter for death in report.deaths}
        armor: dict[str, dict[str, str]] = {}
        for worn in report.wear:
            piece = self.row["characters"][worn.fighter]["armor"][worn.piece]["name"]
            armor.setdefault(self.ids[worn.fighter], {})[piece] = "destroyed" if worn.state == DESTROYED else "damaged"
        return {
            "attacks": {names[strike.attack]: WORDS[strike.status] for strike in report.strikes},
            "killed": {
                self.ids[death.fighter]: sorted(self.ids[one] for one in death.killers) for death in report.deaths
            },
            "horses_killed": sorted(self.ids[rider] for rider in report.dead_steeds),
            "armor": armor,
            "wounds": {
                self.ids[number]: wounds for number, wounds in enumerate(report.wounds) if wounds and number not in dead
            },
            "spells": [[self.ids[spell.target], spell.table, spell.roll] for spell in report.spells],
            "weapons": {self.ids[fighter]: is_alerted for fighter, is_alerted in report.weapons if fighter not in dead},
            "red": sorted(self.ids[monster] for monster in report.red),
        }


def read_armor(piece: dict[str, Any], shield_at: str | None) -> ArmorPiece:
    counter = next((row for row in CATALOG.armor if piece["name"] in (row.name, row.kind)), None)
    if counter is not None:
        put = None if shield_at is None else DIRECTIONS.index(shield_at)
        return armor_piece(counter, is_damaged=piece["damaged"], shield_at=put)
    found = card_armor(next(row for row in CATALOG.treasures if row.name == piece["name"]))
    assert found is not None
    return found


def compare(seed: int) -> None:
    row = random_melee(Random(seed))
    translation = Translation(row)
    ours = translation.translate(resolve(translation.melee, translation.rolls))
    theirs = resolve_melee(row)
    dead = theirs["killed"]
    theirs["weapons"] = {name: alerted for name, alerted in theirs["weapons"].items() if name not in dead}
    theirs["horses_killed"] = sorted(theirs["horses_killed"])
    theirs["red"] = sorted(theirs["red"])
    theirs["armor"] = {name: pieces for name, pieces in theirs["armor"].items() if pieces}
    assert ours == theirs, f"seed {seed}\n{row}\n" + "\n".join(explain_melee(row))


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_random_melees_agree(first: int) -> None:
    for seed in range(first, first + 100):
        compare(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 20_000, 1_000))
def test_twenty_thousand_random_melees_agree(first: int) -> None:
    for seed in range(first, first + 1_000):
        compare(seed)
