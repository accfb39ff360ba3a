"""New lives, the last day and the dead at the end: K8, V6, Z4, Q7, Q8."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.flow.score import list_totals
from realmtable.games.magic_realm.world.entities import GOALS
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import next_actor, pack, pile, place, play, refusal, texts
from tests.magic_realm.helpers.evening_helpers import midnight
from tests.magic_realm.helpers.flow_helpers import VALLEYS

POINTS = ("want fame", "want gold", "want fame", "want treasures", "want fame")


def dead(*fields: str, heroes: str = "Elf;Witch", options: str = "") -> World:
    """Return the state in the morning after the first character has died."""
    return midnight("1.at=B2", *fields, dying=[0], heroes=heroes, options=options)


def reborn(name: str, *fields: str, heroes: str = "Elf;Witch", options: str = "") -> World:
    """Return the state when the first player has chosen a character for the new life."""
    return play(dead(*fields, heroes=heroes, options=options), f"be {name}")


class TestK8:
    """A new life."""

    def test_k8_the_player_chooses_any_character_that_no_one_has_before_anyone_writes(self) -> None:
        world = dead()
        assert (world.day, world.part, next_actor_seat(world)) == (2, "birdsong", 0)
        assert len(texts(world)) == 15
        assert "be Elf" in texts(world)
        assert "be Witch" not in texts(world)
        assert refusal(world, "be Witch") == "M9"

    def test_k8_it_starts_hidden_at_the_inn_with_new_points_and_ten_gold(self) -> None:
        world = play(reborn("Witch King", "1.gold=90", "1.points=gold"), *POINTS)
        assert texts(world) == ["back", "ready"]
        world = play(world, "ready")
        hero = world.heroes[0]
        assert (place(world), hero.hidden, hero.dead, hero.gold) == ("BV5", True, False, 10)
        assert [GOALS[goal] for goal in hero.points] == ["fame", "gold", "fame", "treasures", "fame"]
        assert {*hero.chits} == {0}
        assert MACHINE.to_move(world) == (0, 1)

    def test_k8_the_number_of_points_is_that_of_the_game(self) -> None:
        world = play(reborn("Witch King", options="days=7"), "want fame", "want gold")
        assert texts(world) == ["back", "ready"]
        assert refusal(world, "want gold") == "M10"

    def test_z4_back_counts_for_the_day_that_begins(self) -> None:
        world = reborn("Druid")
        for _ in range(20):
            world = play(world, "want fame", "back")
        world = play(world, *POINTS)
        assert texts(world) == ["ready"]
        world = play(world, "ready")
        assert world.heroes[0].backs == 20
        world = MACHINE.play(world, 0, next(step for step in MACHINE.legal_moves(world, 0) if step.verb == "H"))
        assert "back" not in [step.verb for step in MACHINE.legal_moves(world, 0)]

    def test_k8_gear_comes_from_a_native_group(self) -> None:
        world = reborn("Amazon")
        while texts(world)[0].startswith("gear"):
            assert refusal(world, "gear Shield Rogues") == "M9"
            world = play(world, texts(world)[0])
        assert sorted(name.rstrip("+").split("-")[0] for name in pack(world)) == [
            "Breastplate", "Helmet", "Shield", "Short Sword",
        ]  # fmt: skip
        assert all(name.endswith("+") for name in pack(world))

    def test_k8_gear_that_no_group_has_comes_from_the_first_pile(self) -> None:
        world = reborn("Berserker", "2.at=CG2", "piles=CG2:Great_Axe-2;B3:Great_Axe-1")
        assert pile(world, "CG2") == []
        assert pile(world, "B3") == ["Great Axe-1"]
        assert "Great Axe-2+" in pack(world)

    def test_k8_gear_that_is_nowhere_is_paid_in_gold(self) -> None:
        world = reborn("Berserker", "2.goods=Great_Axe-1;Great_Axe-2")
        assert [name.split("-")[0] for name in pack(world)] in ([], ["Helmet"])
        assert world.heroes[0].gold == 10 + 8

    def test_k8_several_choose_in_the_order_of_their_deaths(self) -> None:
        fields = ("1.at=B2", "2.at=CG2", "3.at=B2")
        world = midnight(*fields, dying=[1, 2, 0], heroes="Elf;Witch;Druid")
        asked = []
        for name in ("Elf", "Witch", "Druid"):
            asked.append(next_actor_seat(world))
            world = play(world, f"be {name}")
            while world.agenda[-1].kind == "outfit":
                world = play(world, texts(world)[0])
            world = play(world, *POINTS, "ready")
        assert asked == [1, 2, 0]
        assert MACHINE.to_move(world) == (0, 1, 2)

    def test_k8_orders_stay(self) -> None:
        world = dead("1.orders=block:never")
        assert world.heroes[0].orders == 1


def next_actor_seat(world: World) -> int:
    (seat,) = MACHINE.to_move(world)
    return seat


class TestV6:
    """Without new lives."""

    def test_v6_the_dead_stay_dead_and_the_others_play_on(self) -> None:
        world = dead(options="restart=no")
        assert (world.day, MACHINE.to_move(world)) == (2, (1,))
        assert next_actor(world) == "Witch"

    def test_v6_days_pass_even_if_all_are_dead(self) -> None:
        world = dead(heroes="Elf", options="restart=no,days=7")
        dice = 0
        while MACHINE.to_move(world):
            world = play(world, "die 1")
            dice += 1
        assert (world.part, dice) == ("over", 2 * 6)

    def test_q8_the_dead_have_minus_100(self) -> None:
        world = dead("day=28", "2.gold=70", "2.points=gold")
        assert (world.part, world.agenda) == ("over", ())
        assert list_totals(world) == [-100, 2 * 1]


# ---- positions

HEAD = f"options=map=stock1 heroes={{}} {VALLEYS} day=2 "
BAD = [
    ("-;Witch", "1.dead", "Every seat has a character"),
    ("-;Witch", "agenda=write;life:1", "unless it is about to begin"),
    ("-;Witch", "1.dead 1.gold=5 agenda=write;life:1", "has nothing"),
    ("Elf;Witch", "1.dead agenda=write;life:1", "Every seat has a character"),
    ("-;Witch", "1.dead agenda=life:1", "under those of new lives"),
    ("-;Witch", "1.dead agenda=write;life:1;life:1", "whose character is dead"),
    ("Elf;Witch", "agenda=write;write", "under those of new lives"),
    ("Elf;Witch", "1.dead 1.at=nowhere agenda=write;goals:1;life:2", "whose character is dead"),
    ("Elf;Witch", "agenda=write;goals:1", "has chosen a character"),
    ("-;Witch", "1.dead agenda=write;life:1;goals:1", "has chosen a character"),
    ("Elf;Witch", "1.dead 1.goods=Spear-1 agenda=write;goals:1", "no other belongings"),
    ("Amazon;Witch", "1.dead agenda=write;outfit:1:1", "no other belongings"),
    ("Amazon;Witch", "1.dead 1.goods=- 1.points=fame agenda=write;outfit:1:1", "when the gear is complete"),
    ("-;Witch", "options=restart=no 1.dead agenda=write;life:1", "if the options allow"),
    ("Elf;Witch", "part=evening agenda=life:1", "nothing happens in the evening"),
    ("Elf;Witch", "part=sunrise 1.dead 1.at=nowhere agenda=life:1;prowl", "begin at birdsong"),
]


@pytest.mark.parametrize(("heroes", "fields", "says"), BAD)
def test_f9_new_lives_that_do_not_fit_are_refused(heroes: str, fields: str, says: str) -> None:
    head = HEAD.format(heroes)
    if fields.startswith("options="):
        option, _, fields = fields.removeprefix("options=").partition(" ")
        head = head.replace("map=stock1", f"map=stock1,{option}")
    with pytest.raises(BadPosition, match=says):
        decode(MACHINE, head + fields)


def test_f9_no_new_life_after_the_last_day() -> None:
    text = f"options=map=stock1,days=7,encounter=2 heroes=Elf;Witch {VALLEYS} day=7 part=evening 1.at=B2 2.dead"
    with pytest.raises(BadPosition, match="after the last day"):
        decode(MACHINE, f"{text} agenda=life:2;clearing")
