"""The twin of whole fights plays worked examples and single clauses; the answers were worked out by hand."""

from __future__ import annotations

from random import Random

from tests.magic_realm.helpers.random_fights import random_fight
from tests.magic_realm.twin.twin_data import Row
from tests.magic_realm.twin.twin_fight import FightTwin, make_fight
from tests.magic_realm.twin.twin_fight_pieces import make_hero


def hero(name: str, *goods: str, seat: int = 0, **values: object) -> Row:
    """A hero with active belongings."""
    row = make_hero(name, seat)
    row["goods"] = [{"name": item, "active": True, "alerted": False, "damaged": False} for item in goods]
    return row | {"exits": ["B2-B3"]} | values


def begin(*heroes: Row, monsters: tuple[str, ...] = (), cave: bool = False) -> FightTwin:
    return FightTwin(make_fight([*heroes], [*monsters], cave=cave))


def go(twin: FightTwin, *texts: str) -> None:
    """Play steps of whoever decides first, or of the one before a colon."""
    for text in texts:
        name, _, rest = text.rpartition(": ")
        twin.answer(name or twin.list_deciding()[0], rest)


def list_steps(twin: FightTwin, verb: str) -> list[str]:
    (name,) = twin.list_deciding()
    return [text for text in twin.list_steps(name) if text.split()[0] == verb]


def test_example_16_running() -> None:
    twin = begin(hero("Swordsman"), monsters=("Wolf-1",))
    assert list_steps(twin, "run") == []
    go(twin, "lure Wolf-1")
    assert list_steps(twin, "run") == ["run B2-B3 with Move L2**"]
    go(twin, "run B2-B3 with Move L2**")
    assert twin.list_steps("Swordsman") == ["tire Move L3*", "tire Move M4*"]
    go(twin, "tire Move L3*")
    assert not twin.list_deciding()
    assert twin.fight["heroes"]["Swordsman"]["fate"] == "ran"


def test_example_24_stars() -> None:
    twin = begin(hero("White Knight", "Great Sword"), monsters=("Wolf-1",))
    go(twin, "lure Wolf-1", "done", "next White Knight", "aim Wolf-1", "evade duck Move H4**")
    assert "strike swing Fight T5*" not in list_steps(twin, "strike")
    assert "strike swing Fight H6" in list_steps(twin, "strike")
    go(twin, "back", "strike swing Fight H5*", "evade duck Move H5*", "ready", "die 4", "d 1 1")
    tired = list_steps(twin, "tire")
    assert "tire Fight H5*" in tired
    assert "tire Move H5*" in tired


def test_e8_ties_roll_again() -> None:
    twin = begin(hero("Elf"), hero("Dwarf", seat=1), hero("Witch", seat=2), monsters=("Wolf-1",))
    go(twin, "pass", "pass", "pass", "d 3 5", "d 5 1", "d 4 4", "d 1 1", "d 2 1")
    assert twin.fight["monsters"]["Wolf-1"]["sheet"] == "Dwarf"


def test_c11_a_head_never_lies_with_its_monster() -> None:
    twin = begin(hero("Elf"), monsters=("T Dragon-1", "Wolf-1", "Wolf-2"))
    go(twin, "lure Wolf-1", "lure Wolf-2", "lure T Dragon-1", "done", "next Elf", "aim none", "set T Dragon-1 swing")
    assert list_steps(twin, "set") == ["set T Dragon-1 head thrust", "set T Dragon-1 head smash"]
    go(twin, "set T Dragon-1 head thrust", "set Wolf-1 swing")
    assert list_steps(twin, "set") == ["set Wolf-2 smash"]


def test_k3_k4_the_killer_takes_notoriety_gold_and_belongings() -> None:
    victim = hero("Elf", "Light Bow-1", notoriety=5, gold=7)
    killer = hero("White Knight", "Great Sword", seat=1, kills=1)
    twin = begin(victim, killer)
    go(twin, "stir", "pass", "pass", "done", "done", "next Elf", "aim none", "next White Knight", "aim Elf")
    go(twin, "Elf: ready", "White Knight: strike swing Fight H6", "White Knight: ready")
    white_knight = twin.fight["heroes"]["White Knight"]
    assert (white_knight["notoriety"], white_knight["gold"], white_knight["kills"]) == (10, 17, 2)
    assert [item["name"] for item in white_knight["goods"]] == ["Great Sword", "Light Bow-1"]
    assert not white_knight["goods"][1]["active"]
    assert twin.list_steps("White Knight") == ["rest easy", "stir"]  # E6: those who are alone are asked, too


def test_w6_who_has_no_chit_left_dies_before_paying() -> None:
    elf = hero("Elf")
    for chit in elf["chits"]:
        chit["state"] = "active" if chit["label"] == "Move L2*" else "wounded"
    twin = begin(elf, monsters=("Demon",))
    go(twin, "lure Demon", "done", "next Elf", "aim none", "ready", "die 4", "d 4 2")  # Blight
    assert elf["fate"] == "dead"


def test_e6_e7_somebody_alone_may_stir_and_become_unhidden() -> None:
    twin = begin(hero("Elf", hidden=True))
    go(twin, "stir")
    assert twin.list_steps("Elf") == ["unhide", "pass"]
    go(twin, "unhide")
    assert not twin.fight["heroes"]["Elf"]["hidden"]
    go(twin, "run B2-B3 with Move L3*")
    assert not twin.list_deciding()


def test_e2_after_two_quiet_rounds_combat_ends() -> None:
    twin = begin(hero("Elf", hidden=True), monsters=("Wolf-1",))
    for _ in range(2):
        go(twin, "stir", "pass", "done", "next Elf", "aim none", "ready")
    assert not twin.list_deciding()


def test_e2_after_round_60_who_is_held_dies() -> None:
    fight = make_fight([hero("Berserker", "Helmet-1")], ["T Troll-1"], cave=False)
    fight["round"] = 60
    twin = FightTwin(fight)
    go(twin, "lure T Troll-1", "done", "next Berserker", "aim none", "ready", "die 2", "wound Move H6")
    assert not twin.list_deciding()
    assert fight["heroes"]["Berserker"]["fate"] == "dead"


def test_random_fights_end() -> None:
    for seed in range(20):
        rng = Random(seed)
        twin = FightTwin(random_fight(rng))
        while names := twin.list_deciding():
            name = rng.choice(names)
            twin.answer(name, rng.choice(twin.list_steps(name)))
        assert len(twin.fight["pile"]) == len({*twin.fight["pile"]})
