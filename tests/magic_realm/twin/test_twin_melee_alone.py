"""The twin of a melee plays the worked examples and the clauses C10 to C28; the numbers were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.magic_realm.twin.twin_data import Row
from tests.magic_realm.twin.twin_melee import resolve_melee


def hero(name: str, *, attack: str = "", manoeuvre: str = "", **facts: Any) -> Row:  # noqa: ANN401 (facts are JSON)
    """A character that plays, for instance, `attack="Light Bow swing M4 m0"` and `manoeuvre="duck 4"`."""
    row: Row = {"name": name, "berserk": False, "weapon": None, "alerted": False, "fight": None, "direction": None}
    row |= {"target": None, "maneuver": None, "horse": None, "shield_at": None}
    armour = facts.pop("armor", [])
    row["armor"] = [{"name": piece.removeprefix("damaged "), "damaged": "damaged " in piece} for piece in armour]
    if attack:
        *weapon, direction, fight, target = attack.split()
        row |= {"direction": direction, "fight": {"strength": fight[0], "time": int(fight[1])}, "target": target}
        row["weapon"] = " ".join(weapon) if weapon != ["Dagger"] else None
    if manoeuvre:
        direction, time = manoeuvre.split()
        row["maneuver"] = {"direction": direction, "time": int(time)}
    return row | facts


def beast(text: str, sheet: int | None = 0, part: str = "") -> Row:
    """`dark Axe Goblin swing`; the part is written `dark smash`."""
    *name, box = text.removeprefix("dark ").split()
    row = {"name": " ".join(name), "dark": text.startswith("dark "), "box": box, "sheet": sheet, "part": None}
    if part:
        row["part"] = {"dark": part.startswith("dark "), "box": part.removeprefix("dark ")}
    return row


def resolve(heroes: list[Row], beasts: list[Row], *, first: bool = True, pierce: bool = False, **rolls: int) -> Row:
    return resolve_melee(
        {"first_round": first, "pierce": pierce, "characters": heroes, "monsters": beasts, "rolls": rolls}
    )


# The worked examples.


def test_example_17_one_against_one() -> None:
    elf = hero("Elf", attack="Light Bow swing M4 m0", alerted=True, manoeuvre="duck 4")
    assert resolve([elf], [beast("dark Axe Goblin swing")], c0=5) == {
        "attacks": {"c0": "hit", "m0": "missed"},
        "killed": {},
        "horses_killed": [],
        "armor": {},
        "wounds": {},
        "spells": [],
        "weapons": {"c0": False},
        "red": [],
    }


def fight_giant_and_bat(*, first: bool) -> Row:
    swordsman = hero("Swordsman", attack="Thrusting Sword smash M4 m1", manoeuvre="charge 3")
    elf = hero("Elf", attack="Light Bow thrust M4 m0", alerted=True)
    beasts = [beast("Giant swing", part="thrust" if first else "dark thrust"), beast("Giant Bat smash")]
    return resolve([swordsman, elf], beasts, first=first, c1=2)


def test_example_18_order_in_the_first_round() -> None:
    found = fight_giant_and_bat(first=True)
    assert found["attacks"] == {"c0": "hit", "c1": "hit", "m0": "missed", "m0p": "cancelled", "m1": "cancelled"}
    assert found["killed"] == {"m0": ["c1"], "m1": ["c0"]}
    assert found["weapons"] == {"c0": False, "c1": False}


def test_example_18_order_in_a_later_round() -> None:
    found = fight_giant_and_bat(first=False)
    assert found["attacks"] == {"c0": "cancelled", "c1": "hit", "m0": "missed", "m0p": "cancelled", "m1": "hit"}
    assert found["killed"] == {"m0": ["c1"], "c0": ["m1"]}
    assert found["weapons"] == {"c0": True, "c1": False}


def test_example_19_armour() -> None:
    amazon = hero("Amazon", manoeuvre="duck 3", shield_at="smash", armor=["Helmet", "Breastplate", "Shield"])
    found = resolve([amazon], [beast("Giant Bat thrust"), beast("dark H Spider smash")])
    assert found["attacks"] == {"m0": "hit", "m1": "hit"}
    assert found["armor"] == {"c0": {"Breastplate": "damaged", "Shield": "destroyed"}}
    assert found["wounds"] == {"c0": 2}
    assert found["killed"] == {}


def test_example_20_one_instant() -> None:
    heavy = [beast("H Flying Dragon thrust"), beast("H Flying Dragon swing"), beast("H Dragon smash")]
    found = resolve([hero("White Knight", armor=["Suit of Armor"])], heavy)
    assert (found["armor"], found["wounds"]) == ({"c0": {"Suit of Armor": "destroyed"}}, {"c0": 3})
    assert found["killed"] == {}


@pytest.mark.parametrize(("target", "dies"), [("Axe Goblin", True), ("Viper", False)])
def test_example_21_dagger(target: str, dies: bool) -> None:
    found = resolve([hero("Druid", attack="Dagger thrust L4 m0")], [beast(f"{target} thrust", None)])
    assert found["attacks"] == {"c0": "hit"}
    assert found["killed"] == ({"m0": ["c0"]} if dies else {})
    assert found["weapons"] == {}


@pytest.mark.parametrize("roll", [1, 2])
def test_example_22_with_a_crossbow_c22_harm_above_t_passes_armour(roll: int) -> None:
    """The example has a spell, M*** with a 3 or a 2; a Crossbow, H*, does the same to armour with a 2 or a 1."""
    knight = hero("White Knight", armor=["Suit of Armor"])
    shooter = hero("Captain", attack="Crossbow thrust H6 c0", alerted=True)
    found = resolve([knight, shooter], [], pierce=True, c1=roll)
    assert found["killed"] == ({"c0": ["c1"]} if roll == 1 else {})
    assert found["armor"] == ({} if roll == 1 else {"c0": {"Suit of Armor": "destroyed"}})
    assert found["wounds"] == ({} if roll == 1 else {"c0": 1})
    found = resolve([knight, shooter], [], c1=roll)  # without V13, armour stops every missile
    assert (found["killed"], found["wounds"]) == ({}, {"c0": 1})
    assert found["armor"] == {"c0": {"Suit of Armor": "destroyed"}}


def test_example_31_a_red_monster() -> None:
    berserker = hero("Berserker", manoeuvre="duck 4", armor=["Helmet"])
    found = resolve([berserker], [beast("T Troll smash")])
    assert (found["armor"], found["wounds"], found["red"]) == ({"c0": {"Helmet": "destroyed"}}, {"c0": 1}, ["m0"])
    for box in ("smash", "thrust"):  # in thrust, time 2 undercuts 4
        found = resolve([berserker], [beast(f"dark T Troll {box}")], first=False)
        assert (found["killed"], found["armor"], found["red"]) == ({"c0": ["m0"]}, {}, [])
    berserker["maneuver"]["time"] = 2
    found = resolve([berserker], [beast("dark T Troll thrust")], first=False)
    assert (found["attacks"], found["red"]) == ({"m0": "missed"}, ["m0"])


def test_rulebook_three_heavy_blows_on_a_rider() -> None:
    """R 8.4.9l: the first kills the horse, the second destroys the helmet, the third kills the Captain."""
    captain = hero("Captain", manoeuvre="duck 6", horse="Workhorse-1", armor=["Helmet"])
    blows = [beast("Ghost smash"), beast("dark Ogre smash"), beast("Sword Goblin smash")]  # times 4, 5, 6
    found = resolve([captain], blows, first=False)
    assert (found["horses_killed"], found["armor"]) == (["c0"], {"c0": {"Helmet": "destroyed"}})
    assert (found["killed"], found["wounds"]) == ({"c0": ["m2"]}, {})


# Clause by clause.


@pytest.mark.parametrize("fight", ["L4", "M4", "T4"])
def test_c10_c18_excess_strength_adds_one_level_to_a_dagger(fight: str) -> None:
    """N* and one level more are M, however strong the chit is: enough for a Wolf, too little for a Bat."""
    for target, dies in [("Wolf", True), ("Giant Bat", False)]:
        found = resolve([hero("Dwarf", attack=f"Dagger thrust {fight} m0")], [beast(f"{target} thrust", None)])
        assert bool(found["killed"]) == dies


@pytest.mark.parametrize(
    ("direction", "time", "result"),
    [("duck", 2, "hit"), ("charge", 4, "missed"), ("charge", 5, "hit"), ("dodge", 3, "missed")],
)
def test_c15_hits(direction: str, time: int, result: str) -> None:
    found = resolve([hero("Elf", manoeuvre=f"{direction} {time}")], [beast("Wolf smash")])  # attack 4
    assert found["attacks"] == {"m0": result}


def test_c15_no_manoeuvre() -> None:
    assert resolve([hero("Elf")], [beast("Ogre smash")])["attacks"] == {"m0": "hit"}


@pytest.mark.parametrize(("alerted", "result"), [(False, "missed"), (True, "hit")])
def test_c16_time_of_the_side_that_shows(alerted: bool, result: str) -> None:
    """The Great Sword has the time 6 unalerted and that of the chit, 4, alerted; the Dragon moves with 6."""
    knight = hero("White Knight", attack="Great Sword thrust H4 m0", alerted=alerted)
    assert resolve([knight], [beast("T Dragon smash", None)])["attacks"] == {"c0": result}


@pytest.mark.parametrize("first", [True, False])
def test_c17_length_or_time_first(first: bool) -> None:
    """Sword Goblin: length 8, time 6. Short Sword: length 3, time 4."""
    amazon = hero("Amazon", attack="Short Sword thrust M4 m0")
    found = resolve([amazon], [beast("Sword Goblin thrust")], first=first)
    assert found["killed"] == ({"c0": ["m0"]} if first else {"m0": ["c0"]})


def test_c17_greater_length_first_at_the_same_time() -> None:
    amazon = hero("Amazon", attack="Short Sword thrust M4 m0")
    found = resolve([amazon], [beast("Ghost thrust")], first=False)  # both with time 4
    assert (found["attacks"], found["killed"]) == ({"c0": "hit", "m0": "cancelled"}, {"m0": ["c0"]})


@pytest.mark.parametrize(
    ("attack", "alerted", "dies"),
    [
        ("Spear thrust H4 m0", False, False),  # N and one level: L
        ("Spear thrust M4 m0", True, True),  # M*: H
        ("Light Bow thrust H4 m0", True, False),  # L**, no level for strength, roll 5: L
    ],
)
def test_c18_harm_to_a_wolf(attack: str, alerted: bool, dies: bool) -> None:
    found = resolve([hero("Captain", attack=attack, alerted=alerted)], [beast("Wolf thrust", None)], c0=5)
    assert found["attacks"] == {"c0": "hit"}
    assert bool(found["killed"]) == dies


@pytest.mark.parametrize(
    ("name", "beast_name", "dies"),
    [("Amazon", "Giant Bat", True), ("Dwarf", "Giant Bat", False), ("Amazon", "Wolf", False), ("Elf", "Wolf", True)],
)
def test_c19_harm_without_armour(name: str, beast_name: str, dies: bool) -> None:
    found = resolve([hero(name)], [beast(f"{beast_name} thrust")])  # Bat M, Wolf L
    assert (bool(found["killed"]), found["wounds"]) == (dies, {} if dies else {"c0": 1})


@pytest.mark.parametrize(("beast_name", "dies"), [("Ghost", False), ("dark H Spider", True)])
def test_c19_e13_only_tremendous_harm_kills_the_berserker(beast_name: str, dies: bool) -> None:
    found = resolve([hero("Berserker", berserk=True)], [beast(f"{beast_name} thrust")])
    assert bool(found["killed"]) == dies


def test_c20_order_of_the_pieces() -> None:
    pieces = ["Suit of Armor", "Breastplate", "Bejeweled Dwarf Vest", "Shield"]
    for first in ("Shield", "Bejeweled Dwarf Vest", "Breastplate", "Suit of Armor"):
        found = resolve([hero("Dwarf", shield_at="thrust", armor=pieces)], [beast("dark H Spider thrust")])
        assert (found["armor"], found["wounds"]) == ({"c0": {first: "destroyed"}}, {"c0": 1})
        pieces.remove(first)


@pytest.mark.parametrize(
    ("direction", "pieces", "struck"),
    [
        ("swing", ["Shield", "Golden Crown", "Golden Arm Band", "Helmet"], "Golden Arm Band"),
        ("smash", ["Shield", "Golden Arm Band", "Golden Crown", "Breastplate"], "Golden Crown"),
        ("smash", ["Breastplate", "Gold Helmet"], "Gold Helmet"),
        ("swing", ["Helmet", "Silver Breastplate"], "Silver Breastplate"),
    ],
)
def test_c20_what_covers_which_direction(direction: str, pieces: list[str], struck: str) -> None:
    found = resolve([hero("Dwarf", shield_at="thrust", armor=pieces)], [beast(f"dark H Spider {direction}")])
    assert found["armor"] == {"c0": {struck: "destroyed"}}


@pytest.mark.parametrize(
    ("piece", "beast_name", "change", "wounds"),
    [
        ("Shield", "Wolf", None, 0),  # L
        ("Shield", "dark Wolf", "damaged", 1),  # M
        ("damaged Shield", "dark Wolf", "destroyed", 1),
        ("Shield", "Ghost", "destroyed", 1),  # H
        ("Jade Shield", "Ghost", "damaged", 1),
        ("Shield", "dark Axe Goblin", "damaged", 1),  # M*, the star does not count
        ("Shield", "Viper", "destroyed", 1),  # M**, one star counts
        ("Tremendous Armor", "Sword Goblin", None, 1),  # H*
        ("Tremendous Armor", "dark Sword Goblin", "damaged", 1),  # T*
        ("Bejeweled Dwarf Vest", "dark Wolf", None, 1),  # M: below H
        ("Bejeweled Dwarf Vest", "Ghost", "destroyed", 1),
    ],
)
def test_c20_damage(piece: str, beast_name: str, change: str | None, wounds: int) -> None:
    found = resolve([hero("Elf", shield_at="thrust", armor=[piece])], [beast(f"{beast_name} thrust")])
    assert found["armor"] == ({"c0": {piece.removeprefix("damaged "): change}} if change else {})
    assert found["wounds"] == ({"c0": wounds} if wounds else {})
    assert found["killed"] == {}


def test_c21_destroyed_armour_no_longer_protects() -> None:
    blows = [beast("Ghost thrust"), beast("dark Ogre thrust")]  # H with 4, then H with 5
    found = resolve([hero("Amazon", armor=["Breastplate"])], blows)
    assert (found["killed"], found["armor"]) == ({"c0": ["m1"]}, {"c0": {"Breastplate": "destroyed"}})


@pytest.mark.parametrize(
    ("horse", "beast_name", "dies"),
    [
        ("Pony-1", "Wolf", False),
        ("Pony-1", "dark Wolf", True),
        ("Workhorse-1", "dark Wolf", False),
        ("Workhorse-1", "Ghost", True),
        ("Warhorse-1", "Sword Goblin", False),  # H*, and the horse is armoured
        ("Warhorse-1", "dark H Spider", True),
    ],
)
def test_c24_horses(horse: str, beast_name: str, dies: bool) -> None:
    rider = hero("Elf", manoeuvre="charge 3", horse=horse, armor=["Breastplate"])
    found = resolve([rider], [beast(f"{beast_name} thrust")])
    assert (found["horses_killed"], found["killed"], found["armor"]) == (["c0"] if dies else [], {}, {})
    assert found["wounds"] == {}


def test_c23_armoured_monsters() -> None:
    for target, dies in [("H Spider", True), ("H Troll", False)]:  # an Axe, M*
        found = resolve([hero("Captain", attack="Axe thrust M4 m0")], [beast(f"{target} thrust", None)])
        assert bool(found["killed"]) == dies


def test_c25_two_kill_each_other_at_one_instant() -> None:
    one = hero("Amazon", attack="Short Sword thrust M4 c1")
    two = hero("Captain", attack="Short Sword smash M4 c0")
    found = resolve([one, two], [])
    assert found["killed"] == {"c0": [], "c1": []}, "whoever dies at the same instant is no killer (K1)"
    assert found["weapons"] == {"c0": False, "c1": False}


def test_c25_hits_on_the_dead_are_cancelled() -> None:
    heroes = [hero("Amazon", attack="Axe thrust M4 m0"), hero("Captain", attack="Short Sword thrust M4 m0")]
    found = resolve(heroes, [beast("Wolf thrust", None)])  # lengths 2 and 3
    assert (found["attacks"], found["killed"]) == ({"c0": "cancelled", "c1": "hit"}, {"m0": ["c1"]})
    assert found["weapons"] == {"c0": True, "c1": False}


def test_c25_k1_two_share_a_kill_and_a_weaker_blow_does_not() -> None:
    heroes = [hero("Amazon", attack="Short Sword thrust M4 m0"), hero("Captain", attack="Short Sword thrust M4 m0")]
    heroes.append(hero("Elf", attack="Short Sword thrust L4 m0"))  # L*: M, too little for a Bat
    found = resolve(heroes, [beast("Giant Bat thrust", None)])
    assert found["killed"] == {"m0": ["c0", "c1"]}
    assert found["attacks"] == {"c0": "hit", "c1": "hit", "c2": "hit"}


def test_c25_no_hit_of_an_instant_reaches_what_is_behind_a_horse() -> None:
    rider = hero("Elf", manoeuvre="dodge 5", horse="Pony-1")
    found = resolve([rider], [beast("Ghost thrust"), beast("Ghost smash")])  # both with time 4
    assert (found["horses_killed"], found["killed"]) == (["c0"], {})


def test_c25_two_damages_at_one_instant_destroy() -> None:
    found = resolve([hero("Elf", armor=["Breastplate"])], [beast("dark Wolf thrust"), beast("dark Wolf swing")])
    assert (found["armor"], found["wounds"]) == ({"c0": {"Breastplate": "destroyed"}}, {"c0": 2})


def test_c26_a_head_turns_its_monster_red() -> None:
    """The T Flying Dragon (time 3) misses, its head (M, time 3) hits; the monster is killed in the second case."""
    dwarf = hero("Dwarf", manoeuvre="duck 3")
    dragon = beast("T Flying Dragon thrust", part="smash")
    found = resolve([dwarf], [dragon])
    assert (found["attacks"], found["red"]) == ({"m0": "missed", "m0p": "hit"}, ["m0"])
    archer = hero("Captain", attack="Medium Bow thrust M4 m0", alerted=True)  # M**, one star off, roll 2: T
    found = resolve([dwarf, archer], [dragon], c1=2)
    assert (found["attacks"]["m0p"], found["killed"], found["red"]) == ("cancelled", {"m0": ["c1"]}, [])


def test_c26_a_dead_monster_is_not_red() -> None:
    dwarf = hero("Dwarf", attack="Bane Sword thrust T5 m0")  # unalerted, time 8
    found = resolve([dwarf], [beast("Octopus thrust")], first=False)  # L, time 4
    assert (found["attacks"], found["wounds"]) == ({"c0": "hit", "m0": "hit"}, {"c0": 1})
    assert (found["killed"], found["red"]) == ({"m0": ["c0"]}, [])


def test_c26_a_red_monster_lets_go_of_the_dead() -> None:
    found = resolve(
        [hero("Elf", manoeuvre="duck 2")], [beast("dark T Troll thrust"), beast("Ghost smash")], first=False
    )
    assert (found["attacks"], found["killed"], found["red"]) == ({"m0": "missed", "m1": "hit"}, {"c0": ["m1"]}, [])


def test_c26_a_red_monster_spares_the_horse_and_kills_the_berserker() -> None:
    rider = hero("Berserker", berserk=True, manoeuvre="charge 4", horse="Warhorse-1")
    found = resolve([rider], [beast("dark T Troll thrust")], first=False)
    assert (found["killed"], found["horses_killed"]) == ({"c0": ["m0"]}, [])


def test_c27_spear_goblins() -> None:
    assert resolve([hero("Elf")], [beast("Spear Goblin thrust")])["attacks"] == {}
    assert resolve([hero("Elf")], [beast("dark Spear Goblin thrust")])["killed"] == {"c0": ["m0"]}


def test_c27_imp() -> None:
    found = resolve([hero("Elf", manoeuvre="duck 3", horse="Pony-1")], [beast("Imp smash")], m0=4)
    assert (found["spells"], found["killed"], found["horses_killed"]) == ([["c0", "curse", 4]], {}, [])
    assert resolve([hero("Elf")], [beast("dark Imp smash")])["killed"] == {"c0": ["m0"]}


def test_c27_the_length_of_a_spell_is_17() -> None:
    captain = hero("Captain", attack="Medium Bow thrust M4 m0", alerted=True)  # length 16, time 1
    assert resolve([captain], [beast("Demon thrust")], m0=2, c0=1)["killed"] == {"c0": []}
    assert resolve([captain], [beast("dark Demon thrust")], c0=1)["killed"] == {"m0": ["c0"]}


@pytest.mark.parametrize(
    ("roll", "killed", "horses", "armour", "red"),
    [
        (1, ["c0", "c1", "c3", "m0", "m1", "m2"], [], {}, []),
        (2, ["c0"], [], {}, []),
        (3, ["m1"], ["c1"], {}, ["m0"]),
        (4, [], [], {}, ["m0"]),
        (5, [], [], {}, ["m0"]),
        (6, [], [], {"c0": {"Helmet": "damaged", "Suit of Armor": "destroyed"}}, ["m0"]),
    ],
)
def test_c27_power_of_the_pit(
    roll: int, killed: list[str], horses: list[str], armour: dict[str, dict[str, str]], red: list[str]
) -> None:
    heroes = [
        hero("Elf", armor=["Helmet", "damaged Suit of Armor", "Golden Crown"]),
        hero("Captain", manoeuvre="duck 4", horse="Pony-1", armor=["Shield"]),
        hero("Witch", hidden=True),
        hero("Amazon", manoeuvre="duck 4", horse="Workhorse-1"),
    ]
    found = resolve(heroes, [beast("Demon thrust"), beast("Wolf thrust", None), beast("H Troll thrust", None)], m0=roll)
    assert found["spells"] == [["c0", "pit", roll]]
    assert found["killed"] == {name: [] for name in killed}
    assert (found["horses_killed"], found["armor"], found["red"]) == (horses, armour, red)


def test_c28_weapons() -> None:
    missing = hero("Amazon", attack="Short Sword thrust M4 m0")
    hitting = hero("Captain", attack="Short Sword smash L5 m0", alerted=True)
    idle = hero("Elf", weapon="Light Bow", alerted=True)
    found = resolve([missing, hitting, idle], [beast("H Spider smash", None)])
    assert found["weapons"] == {"c0": True, "c1": False}
