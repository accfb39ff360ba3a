"""Random melees are legal, use every piece, and meet every clause of a melee in the twin."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.magic_realm.helpers.random_melees import random_melee
from tests.magic_realm.twin.twin_data import CHARACTERS, GOODS, MONSTERS, is_at_least, kind_of, load
from tests.magic_realm.twin.twin_melee import ARMOUR, CARDS, explain_melee, resolve_melee
from tests.magic_realm.twin.twin_melee_attacks import WEAPONS

STOCK = Counter(kind_of(name) for name in [*GOODS, *MONSTERS]) | Counter([*GOODS])  # how many there are, by both names


@pytest.mark.long
def test_random_melees_meet_every_clause() -> None:
    met: Counter[str] = Counter()
    for seed in range(1500):
        melee = random_melee(random.Random(seed))
        found = resolve_melee(melee)
        met.update({line.split()[0] for line in explain_melee(melee)})
        met.update(found["attacks"].values())
        met.update(change for changes in found["armor"].values() for change in changes.values())
        met.update(f"{table} {roll}" for _, table, roll in found["spells"])
        met.update(f"{name[0]} killed by {min(len(killers), 2)}" for name, killers in found["killed"].items())
        met.update(name for name in ("horses_killed", "wounds", "red") if found[name])
    seldom = {"C22", "m killed by 2", *(f"curse {roll}" for roll in range(1, 7))}
    expected = {f"C{number}" for number in (15, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27)}
    expected |= {"hit", "missed", "cancelled", "damaged", "destroyed", "horses_killed", "wounds", "red"}
    expected |= {f"{kind} killed by {count}" for kind in "cm" for count in range(3)}
    expected |= {f"{table} {roll}" for table in ("curse", "pit") for roll in range(1, 7)}
    assert {name: met[name] for name in expected if met[name] < (1 if name in seldom else 15)} == {}


@pytest.mark.long
def test_random_melees_use_every_piece() -> None:
    seen: set[str] = set()
    for seed in range(1500):
        melee = random_melee(random.Random(seed))
        for row in melee["characters"]:
            seen |= {row["name"], row["weapon"], row["horse"], *(f"{piece}" for piece in row["armor"])}
        for row in melee["monsters"]:
            seen |= {f"{row['name']} {row['dark']}", f"{row['name']} part {row['part'] and row['part']['dark']}"}
    kinds = [*[row["name"] for row in load("monsters")["monster"]][:-1], "Wolf-4"]
    expected = {f"{name} {dark}" for name in kinds for dark in (False, True)}
    expected |= {f"{name} part {dark}" for name in ("T Flying Dragon", "T Dragon", "Giant") for dark in (False, True)}
    expected |= {*CHARACTERS, *WEAPONS, *(name for name, row in GOODS.items() if row["class"] == "horse")} - {"Dagger"}
    expected |= {f"{ {'name': name, 'damaged': damaged} }" for name in ARMOUR for damaged in (False, True)}
    expected |= {f"{ {'name': name, 'damaged': False} }" for name in CARDS}
    assert expected - seen == set()


def test_random_melees_are_legal() -> None:
    for seed in range(300):
        melee = random_melee(random.Random(seed))
        for sheet in range(len(melee["characters"])):
            rows = [row for row in melee["monsters"] if row["sheet"] == sheet]
            boxes = [counter["box"] for row in rows for counter in (row, row["part"]) if counter]
            assert len({*boxes}) == min(3, len(boxes))  # C11
            assert all(row["box"] != row["part"]["box"] for row in rows if row["part"])
        assert all(row["maneuver"] for row in melee["characters"] if row["horse"])
        used = Counter(row["horse"] or "none" for row in melee["characters"])
        used.update(row["weapon"] or "none" for row in melee["characters"])
        used.update(piece["name"] for row in melee["characters"] for piece in row["armor"])
        used.update(kind_of(row["name"]) for row in melee["monsters"])
        del used["none"]
        assert all(count <= STOCK[name] for name, count in used.items())
        for row in melee["characters"]:
            assert not row["fight"] or is_at_least(
                row["fight"]["strength"], WEAPONS[row["weapon"] or "Dagger"]["weight"]
            )
            assert not row["hidden"] or not row["target"]
