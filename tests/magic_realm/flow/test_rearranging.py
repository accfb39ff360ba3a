"""Rearranging belongings at the beginning of phases, clause by clause: D25, T1, T2."""

from __future__ import annotations

from tests.magic_realm.helpers.day_helpers import (
    GOODS,
    begin,
    day,
    next_actor,
    pack,
    pile,
    plan,
    play,
    refusal,
    texts,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG


class TestD25:
    """Rearranging."""

    def test_d25_belongings_are_activated_packed_and_left(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Helmet-1", "Pony-1"))
        assert texts(world) == [
            "activate Helmet-1", "activate Pony-1", "go", "leave Light Bow-1", "leave Helmet-1", "leave Pony-1",
            "pack Light Bow-1", "run on",
        ]  # fmt: skip
        world = play(world, "leave Light Bow-1", "activate Helmet-1")
        assert (pack(world), pile(world, "B2")) == (["Helmet-1+", "Pony-1"], ["Light Bow-1"])
        assert texts(world) == ["activate Pony-1", "go", "leave Pony-1", "run on"]

    def test_d25_each_belonging_changes_at_most_once_in_a_phase(self) -> None:
        world = play(plan("-, -", cards=("Pony-1", "Light Bow-1+")), "pack Light Bow-1")
        assert refusal(world, "activate Light Bow-1") == "D25"
        world = play(world, "leave Pony-1")  # what lies behind it in the pack is remembered
        assert texts(world) == ["go", "run on"]
        assert "activate Light Bow-1" in texts(play(world, "go"))

    def test_d25_who_leaves_everything_is_asked_no_more(self) -> None:
        world = play(plan("-, H", cards=("Light Bow-1+",)), "leave Light Bow-1")
        assert next_actor(world) == "hide"

    def test_d25_only_one_of_a_kind_is_active(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Spear-1", "Shield-1+", "Shield-2", "Pony-1+", "Pony-2"))
        assert not any(text.startswith("activate") for text in texts(world))
        assert refusal(world, "activate Spear-1") == "D25"
        assert "activate Spear-1" in texts(play(world, "pack Light Bow-1"))

    def test_d25_a_horse_or_boots_must_be_strong_enough(self) -> None:
        assert "activate Pony-1" in texts(plan("-", cards=("Pony-1",)))
        assert "activate Pony-1" not in texts(plan("-", cards=("Pony-1", "Great Axe-1")))
        assert "activate Pony-1" in texts(plan("-", cards=("Pony-1", "Great Axe-1", "Warhorse-1")))
        assert "activate Pony-1" not in texts(plan("-", cards=("Pony-1", "Great Axe-1+", "Warhorse-1")))
        assert "activate Pony-1" not in texts(plan("-", hero="Dwarf", cards=("Pony-1",)))
        assert "activate Elven Slippers" not in texts(plan("-", hero="Dwarf", cards=("Elven Slippers/1",)))
        assert "activate Elven Slippers" in texts(plan("-", cards=("Elven Slippers/1",)))

    def test_d25_a_horse_is_not_active_in_a_cave(self) -> None:
        assert "activate Pony-1" not in texts(plan("-", at="B6", cards=("Pony-1",)))

    def test_d25_a_horse_that_is_no_longer_strong_enough_becomes_inactive(self) -> None:
        world = plan("-", cards=("Pony-1+", "Great Axe-1", "Warhorse-1"))
        assert pack(play(world, "leave Warhorse-1")) == ["Pony-1", "Great Axe-1"]
        assert pack(play(world, "activate Great Axe-1")) == ["Pony-1", "Great Axe-1+", "Warhorse-1"]

    def test_t1_cards_without_effect_cannot_be_activated(self) -> None:
        cards = ("Golden Crown/1", "Lucky Charm/1", "Lost Keys/1", "Deft Gloves/1", "Flying Carpet/1")
        world = plan("-", cards=tuple(cards))
        found = [text for text in texts(world) if text.startswith("activate")]
        assert sorted(found) == ["activate Deft Gloves", "activate Lost Keys", "activate Lucky Charm"]

    def test_t2_enchanted_cards_stay_active(self) -> None:
        world = plan("-", cards=("Cloven Hoof+",))
        assert texts(world) == ["go", "leave Cloven Hoof", "run on"]
        assert refusal(world, "pack Cloven Hoof") == "T2"
        left = play(world, "leave Cloven Hoof")
        assert left.goods[GOODS["Cloven Hoof"]].active

    def test_d25_what_is_wrong_is_refused(self) -> None:
        world = plan("-", cards=("Light Bow-1+", "Helmet-1"))
        assert refusal(world, "pass") == "D25"
        assert refusal(world, "leave") == refusal(world, "activate") == "D25"
        assert refusal(world, "leave Mace-1") == "D25"
        assert refusal(world, "pack Helmet-1") == "D25"
        assert refusal(world, "activate Light Bow-1") == "D25"

    def test_z13_run_on_begins_all_later_phases(self) -> None:
        world = play(plan("A, A, H", cards=("Light Bow-1+",)), "run on")
        assert next_actor(world) == "hide"

    def test_d25_followers_rearrange_after_their_guide(self) -> None:
        world = day("1.plan=A;H", "2.guide=1", "2.plan=F_Elf", "2.at=BV5", heroes="Elf;Berserker")
        world = begin(world)
        assert next_actor(world) == "Elf"
        world = play(world, "go")
        assert next_actor(world) == "Berserker"
        assert next_actor(play(world, "run on", "go")) == "hide"

    def test_x1_an_inactive_card_that_is_left_face_down_is_known_to_its_owner_only(self) -> None:
        plain = [card.name for card in CATALOG.treasures if card.size == "large" and not card.colour]
        cards = (f"{plain[0]}/12", f"{plain[1]}/12", "Cloak of Mist/12")
        world = play(plan("-", "2.at=B3", hero="Elf;Witch", cards=cards), f"leave {plain[0]}")
        assert [world.goods[GOODS[name]].seen for name in (*plain[:2], "Cloak of Mist")] == [1, 1, 3]
        alone = play(plan("-", "2.at=B3", hero="Elf;Witch", cards=cards[:1]), f"leave {plain[0]}")
        assert alone.goods[GOODS[plain[0]]].seen == 3  # it can have been no other card
