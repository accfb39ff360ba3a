"""Looting, clause by clause: D19, D20, T2, T5."""

from __future__ import annotations

import pytest

from realmtable.engine.protocol import CHANCE
from realmtable.games.magic_realm.day_rules.curses import list_curses
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.world.open_slots import weigh_cards
from realmtable.games.magic_realm.world.places import GONE
from tests.magic_realm.helpers.day_helpers import (
    GOODS,
    at_card,
    at_site,
    chits,
    knows,
    labels_of,
    next_actor,
    numbers,
    pack,
    pile,
    place,
    play,
    refusal,
    search,
    texts,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG

CARDS = ("Toadstool Circle", "Crypt of the Knight", "Enchanted Meadow")


class TestD19:
    """Looting."""

    def test_d19_a_site_must_be_discovered_and_in_the_clearing(self) -> None:
        assert "loot Hoard" in texts(at_site("Hoard"))
        assert "loot Hoard" not in texts(search("CN6", chits="CN:Dank;CN:Hoard"))
        elsewhere = search("CN5", "1.knows=Hoard", chits="CN:Dank;CN:Hoard")
        assert "loot Hoard" not in texts(elsewhere)
        assert refusal(elsewhere, "loot Hoard") == "D19"

    def test_d19_an_empty_site_cannot_be_looted(self) -> None:
        large = [card.name for card in CATALOG.treasures if card.size == "large"][:1]
        small = [card.name for card in CATALOG.treasures if card.size == "small"][:2]
        piles = "piles=B2:" + ",".join(name.replace(" ", "_") for name in (*large, *small))
        assert "loot Statue" not in texts(at_site("Statue", "boxes=Statue:-", piles))

    def test_d19_result_n_takes_the_nth_treasure_from_the_top(self) -> None:
        world = play(at_site("Hoard"), "loot Hoard")
        assert next_actor(world) == "loot"
        world = play(world, "d 3 2")
        assert next_actor(world) == "card 0 2"
        outcomes = [(outcome.move.args[2], outcome.weight) for outcome in MACHINE.chance(world)]
        assert outcomes == weigh_cards(world, 0, 2)
        world = play(world, "card Hoard 3 Golden Crown", "keep")
        assert pack(world) == ["Golden Crown"]
        assert len(world.boxes[0].entries) == 8
        assert world.goods[GOODS["Golden Crown"]].seen == 1

    def test_d19_with_fewer_treasures_one_gets_nothing(self) -> None:
        assert next_actor(play(at_site("Statue"), "loot Statue", "d 4 4")) == "Elf"
        assert pack(play(at_site("Statue"), "loot Statue", "d 4 4")) == []

    def test_example_8_loot(self) -> None:
        fields = ("piles=B2:Spear-1,Mace-1",)
        world = play(search("B2", *fields, plan="S;H"), "loot pile", "d 1 3")
        assert (next_actor(world), pack(world)) == ("hide", [])
        gloves = play(search("B2", *fields, cards=("Deft Gloves+",), plan="S;H"), "loot pile", "die 2", "keep")
        assert pack(gloves) == ["Deft Gloves+", "Mace-1"]

    def test_d19_the_pile_of_the_clearing(self) -> None:
        world = search("B2", "piles=B2:Spear-1,Mace-1;B3:Shield-1")
        assert "loot pile" in texts(world)
        assert pile(play(world, "loot pile", "d 1 1", "keep"), "B2") == ["Mace-1"]
        assert "loot pile" not in texts(search("B2", "piles=B3:Shield-1"))

    def test_d19_each_roll_at_the_cairns_costs_one_star(self) -> None:
        world = play(at_site("Cairns"), "loot Cairns")
        assert all(text.startswith("tire ") for text in texts(world))
        assert refusal(world, "pass") == "W1"
        world = play(world, texts(world)[0])
        assert (next_actor(world), len(chits(world, "fatigued"))) == ("loot", 1)
        assert pack(play(world, "d 6 6", "card Cairns 6 Cloak of Mist", "keep")) == ["Cloak of Mist"]

    def test_d19_each_treasure_of_the_pool_costs_one_star_even_if_it_is_left(self) -> None:
        world = play(at_site("Pool"), "loot Pool", "d 6 6")
        world = play(world, "card Pool 6 Cloak of Mist")
        assert texts(world)[0].startswith("tire ")
        world = play(world, texts(world)[0], "leave")
        assert (pile(world, "CN6"), len(chits(world, "fatigued"))) == (["Cloak of Mist"], 1)

    @pytest.mark.parametrize("site", ["Cairns", "Pool"])
    def test_d19_without_a_star_neither_can_be_looted(self, site: str) -> None:
        starred = [str(n) for n, chit in enumerate(labels_of("Elf"), 1) if "*" in chit]
        world = at_site(site, f"1.tired={';'.join(starred)}")
        assert f"loot {site}" not in texts(world)

    @pytest.mark.parametrize("card", ["Toadstool Circle", "Mouldy Skeleton"])
    def test_d19_site_cards_and_the_skeleton_cost_nothing_there(self, card: str) -> None:
        world = play(at_site("Pool"), "loot Pool", "d 1 1", f"card Pool 1 {card}")
        assert (next_actor(world), chits(world, "fatigued")) == ("Elf", [])

    def test_d19_the_remains_of_thief_cost_one_star_there(self) -> None:
        world = play(at_site("Pool"), "loot Pool", "d 1 1", "card Pool 1 Remains of Thief")
        assert texts(world)[0].startswith("tire ")

    def test_d19_the_vault_is_opened_once_by_tremendous_strength(self) -> None:
        assert "loot Vault" not in texts(at_site("Vault"))
        assert refusal(at_site("Vault"), "loot Vault") == "D19"
        world = play(at_site("Vault", heroes="Dwarf"), "loot Vault")
        forces = [chit for chit in labels_of("Dwarf") if chit.split()[1][0] == "T"]
        assert texts(world) == [f"force {chit}" for chit in dict.fromkeys(forces)]
        assert refusal(world, "pass") == "D19"
        world = play(world, texts(world)[0])
        assert (next_actor(world), chits(world, "fatigued")) == ("loot", forces[:1])
        assert world.boxes[5].opened
        world = play(world, "die 6", "loot Vault")
        assert next_actor(world) == "loot"  # it stays open

    def test_d19_everyone_can_loot_the_open_vault(self) -> None:
        assert next_actor(play(at_site("Vault", "open"), "loot Vault")) == "loot"

    def test_d19_lost_keys_open_the_vault_rather_than_strength(self) -> None:
        world = play(at_site("Vault", heroes="Dwarf", cards=("Lost Keys+",)), "loot Vault")
        assert (next_actor(world), chits(world, "fatigued"), world.boxes[5].opened) == ("loot", [], True)
        assert "loot Vault" not in texts(at_site("Vault", cards=("Lost Keys/1",)))

    @pytest.mark.parametrize("piece", ["Gloves of Strength", "7-League Boots"])
    def test_d19_active_gloves_boots_or_a_horse_open_the_vault_and_are_not_fatigued(self, piece: str) -> None:
        world = play(at_site("Vault", cards=(f"{piece}+",)), "loot Vault")
        assert (next_actor(world), pack(world)) == ("loot", [f"{piece}+"])  # the only way, so the table takes it

    def test_d19_the_crypt_must_be_opened_for_every_roll(self) -> None:
        assert "loot Crypt of the Knight" not in texts(at_card("Crypt of the Knight"))
        world = play(at_card("Crypt of the Knight", heroes="Dwarf"), "loot Crypt of the Knight")
        force = texts(world)[0]
        assert force.startswith("force ")
        world = play(world, force, "die 6")
        assert texts(play(world, "loot Crypt of the Knight"))[0].startswith("force ")
        assert not any(box.opened for box in world.boxes)


class TestD20:
    """Taking and leaving."""

    def test_d20_a_found_belonging_is_activated_kept_or_left(self) -> None:
        world = play(search("B2", "piles=B2:Spear-1,Mace-1", plan="S;H"), "loot pile", "d 1 1")
        assert (next_actor(world), texts(world)) == ("Elf", ["activate", "keep", "leave"])
        assert refusal(world, "pass") == "D20"
        assert pack(play(world, "activate")) == ["Spear-1+"]
        assert pack(play(world, "keep")) == ["Spear-1"]
        left = play(world, "leave")
        assert (pack(left), pile(left, "B2")) == ([], ["Mace-1", "Spear-1"])

    def test_d20_what_cannot_be_active_is_only_kept_or_left(self) -> None:
        world = play(at_site("Hoard"), "loot Hoard", "d 1 1", "card Hoard 1 Golden Crown")
        assert texts(world) == ["keep", "leave"]

    def test_d20_cards_are_taken_and_left_face_down(self) -> None:
        world = at_site("Hoard", "2.at=CN6", heroes="Elf;Witch")
        world = play(world, "loot Hoard", "d 1 1", "card Hoard 1 Golden Crown")
        assert play(world, "keep").goods[GOODS["Golden Crown"]].seen == 1
        left = play(world, "leave").goods[GOODS["Golden Crown"]]
        assert (left.seen, left.active) == (1, False)

    def test_d25_a_heavy_find_makes_a_weak_horse_inactive(self) -> None:
        world = search("B2", "piles=B2:Great_Axe-1", cards=("Pony-1+",), plan="S;H")
        assert pack(play(world, "loot pile", "d 1 1", "keep")) == ["Pony-1", "Great Axe-1"]


class TestT2:
    """Enchanted cards."""

    def test_t2_they_are_turned_up_and_stay_active(self) -> None:
        world = at_site("Cairns", "2.at=B1", heroes="Elf;Witch")
        world = play(world, "loot Cairns")
        world = play(world, texts(world)[0], "d 6 6", "card Cairns 6 Cloven Hoof")
        assert texts(world) == ["keep", "leave"]
        for answer in ("keep", "leave"):
            card = play(world, answer).goods[GOODS["Cloven Hoof"]]
            assert (card.active, card.seen) == (True, 3)


class TestT5:
    """Special cards."""

    def test_t5_the_chest_is_an_ordinary_treasure(self) -> None:
        world = play(at_site("Hoard"), "loot Hoard", "d 1 1", "card Hoard 1 Chest")
        assert texts(world) == ["keep", "leave"]
        assert pack(play(world, "keep")) == ["Chest"]

    def test_t5_remains_of_thief(self) -> None:
        world = play(at_site("Hoard"), "loot Hoard", "d 1 1", "card Hoard 1 Remains of Thief")
        assert (world.heroes[0].gold, world.goods[GOODS["Remains of Thief"]].place) == (30, GONE)
        assert texts(world) == ["activate", "keep", "leave"]
        world = play(world, "activate")
        assert (pack(world), next_actor(world)) == (["Living Sword+"], "card 22 0")
        world = play(world, "card Remains of Thief 1 Golden Crown", "keep")
        assert (pack(world), world.boxes[22].entries) == (["Living Sword+", "Golden Crown"], ())

    def test_t5_mouldy_skeleton(self) -> None:
        world = play(at_site("Hoard"), "loot Hoard", "d 1 1", "card Hoard 1 Mouldy Skeleton")
        names = [CATALOG.goods[entry].name for entry in world.boxes[0].entries[:3]]
        assert names == ["Gold Helmet", "Silver Breastplate", "Jade Shield"]
        assert len(world.boxes[0].entries) == 11
        assert world.goods[GOODS["Mouldy Skeleton"]].place == GONE
        assert pack(play(world, "loot Hoard", "d 2 1", "keep")) == ["Silver Breastplate"]

    @pytest.mark.parametrize("card", CARDS)
    def test_t5_site_cards_are_discovered_and_go_face_up_to_the_bottom(self, card: str) -> None:
        world = at_site(
            "Hoard", "2.at=CN6", "2.guide=1", "2.plan=F_Elf", "3.at=CN6", "waiting=13", heroes="Elf;Witch;Druid"
        )
        world = play(world, "loot Hoard", "d 1 1", f"card Hoard 1 {card}")
        assert [knows(world, seat) for seat in range(3)] == [["Hoard", card], ["Hoard", card], ["Hoard"]]
        assert CATALOG.goods[world.boxes[0].entries[-1]].name == card
        found = world.goods[GOODS[card]]
        assert (found.active, found.seen) == (True, 7)

    def test_t5_others_can_draw_a_site_card(self) -> None:
        box = "boxes=Statue:small,Toadstool_Circle^,small"
        world = play(at_site("Statue", box), "loot Statue", "d 2 2")
        assert knows(world) == ["Statue", "Toadstool Circle"]
        assert CATALOG.goods[world.boxes[7].entries[-1]].name == "Toadstool Circle"

    def test_t5_a_site_card_is_looted_with_its_own_table(self) -> None:
        world = at_card("Toadstool Circle")
        assert texts(world) == ["locate", "loot Toadstool Circle", "peer"]
        world = play(world, "loot Toadstool Circle")
        assert next_actor(world) == "toadstool circle"
        assert pack(play(world, "d 1 1", "keep")) == ["Devil Sword"]
        treasure = play(world, "d 2 2", "card Toadstool Circle 1 Golden Crown", "keep")
        assert pack(treasure) == ["Golden Crown"]

    def test_t5_what_is_gone_gives_nothing(self) -> None:
        world = play(at_card("Toadstool Circle"), "loot Toadstool Circle", "d 1 1", "keep", "run on")
        world = play(world, "loot Toadstool Circle", "d 1 1")
        assert (next_actor(world), pack(world)) == ("hide", ["Devil Sword"])
        treasure = play(at_card("Toadstool Circle"), "loot Toadstool Circle", "d 2 1")
        treasure = play(treasure, "card Toadstool Circle 1 Golden Crown", "keep", "run on")
        assert next_actor(play(treasure, "loot Toadstool Circle", "d 2 2")) == "hide"

    def test_t5_any_cave_clearing(self) -> None:
        fields = ("2.at=CN2", "2.guide=1", "2.plan=F_Elf", "waiting=13", "3.at=B1")
        world = at_card("Toadstool Circle", *fields, heroes="Elf;Witch;Druid", plan="H;S;H")
        world = play(world, "d 1 1", "loot Toadstool Circle", "d 3 3")
        assert {"to CN2", "to B6", "to HP3"} <= {*texts(world)}
        assert "to B2" not in texts(world)
        assert refusal(world, "to B2") == "T5"
        world = play(world, "to B6")
        assert (place(world), world.heroes[0].hidden, world.heroes[0].came_by) == ("B6", True, -1)
        assert (place(world, 1), world.heroes[1].guide) == ("CN2", -1)

    def test_t5_the_turn_goes_on_without_sunlight(self) -> None:
        world = at_card("Toadstool Circle", cards=("Suit of Armor-1",), plan="S;M_B1;A;H")
        world = play(world, "loot Toadstool Circle", "d 3 3", "to B6")
        assert (place(world), next_actor(world)) == ("B1", "hide")

    def test_t5_peer_anywhere_until_midnight(self) -> None:
        world = play(at_card("Toadstool Circle"), "loot Toadstool Circle", "d 4 4")
        assert world.heroes[0].anywhere
        assert "peer HP3" in texts(world)

    def test_t5_the_crypt(self) -> None:
        world = play(at_card("Crypt of the Knight", heroes="Dwarf"), "loot Crypt of the Knight")
        world = play(world, texts(world)[0])
        assert pack(play(world, "die 1", "keep")) == ["Warhorse-4"]
        assert pack(play(world, "die 2", "keep")) == ["Tremendous Armor"]
        assert pack(play(world, "die 3", "keep")) == ["Bane Sword"]
        assert pack(play(world, "die 4", "card Crypt of the Knight 1 Golden Crown", "keep")) == ["Golden Crown"]
        assert play(world, "die 5").heroes[0].gold == 11
        assert play(world, "die 6").heroes[0].gold == 10

    def test_t5_the_meadow(self) -> None:
        tired = f"1.tired={numbers('Elf', *labels_of('Elf')[:3])}"
        world = play(at_card("Enchanted Meadow", tired), "loot Enchanted Meadow")
        assert pack(play(world, "d 1 1", "keep")) == ["Pony-7"]
        assert pack(play(world, "d 2 2", "keep")) == ["Truesteel Sword"]
        assert chits(play(world, "d 4 4"), "fatigued") == []
        withered = play(at_card("Enchanted Meadow", tired, "1.curses=Wither;Ashes"), "loot Enchanted Meadow")
        assert list_curses(play(withered, "d 4 4").heroes[0].curses) == ["Ashes"]
        for number in (3, 5, 6):
            assert len(chits(play(world, f"d {number} 1"), "fatigued")) == 3

    def test_g3_deft_gloves_and_the_dwarf_roll_one_die_at_site_cards(self) -> None:
        world = play(at_card("Toadstool Circle", cards=("Deft Gloves+",)), "loot Toadstool Circle")
        assert len(MACHINE.chance(world)) == 6
        assert MACHINE.to_move(world) == (CHANCE,)
