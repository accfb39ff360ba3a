"""Searching for information, clause by clause: D16 to D18, D22, D24, X2, X5."""

from __future__ import annotations

import pytest

from realmtable.games.magic_realm.catalog.ids import place_of
from realmtable.games.magic_realm.day_rules.search import find_site, site_of
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.entities import OPEN
from realmtable.games.magic_realm.world.knowledge import everyone
from realmtable.games.magic_realm.world.open_slots import site_slot, warning_slot
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import (
    MACHINE,
    box_without,
    knows,
    next_actor,
    pack,
    play,
    refusal,
    search,
    texts,
    used_phases,
)
from tests.magic_realm.helpers.flow_helpers import CATALOG

TILE = {tile.code: tile.id for tile in CATALOG.tiles}
CAVE_CHITS = "CN:Dank;CN:Hoard"  # the Hoard is in CN6
CHOICES = ["clues+paths", "hidden+paths", "hidden", "clues", "passages+clues", "passages", "chits"]


def chit_knowers(world: World, tile: str) -> tuple[int, int]:
    """Return who knows the two chits of a tile."""
    return world.slots[warning_slot(TILE[tile])].seen, world.slots[site_slot(TILE[tile])].seen


class TestD16:
    """What is searched."""

    def test_d16_the_player_names_what_the_character_does_when_the_phase_comes(self) -> None:
        world = search("CN6", chits=CAVE_CHITS)
        assert texts(world) == ["locate", "peer"]
        assert next_actor(play(world, "peer")) == "peer"
        assert next_actor(play(world, "locate")) == "locate"
        assert refusal(world, "sight") == "D16"
        assert refusal(world, "loot pile") == "D19"

    def test_d16_a_search_phase_is_used(self) -> None:
        assert used_phases(search("CN6", chits=CAVE_CHITS)) == ["basic"]

    def test_z3_the_question_is_asked_even_if_there_is_one_answer(self) -> None:
        world = search("CN6", heroes="Witch_King", chits=CAVE_CHITS)
        assert (next_actor(world), texts(world)) == ("Witch King", ["sight"])


class TestD17:
    """Where one can search."""

    def test_d17_from_a_mountain_one_can_peer_at_its_tile_and_adjacent_ones_but_not_at_caves(self) -> None:
        found = [text for text in texts(search("CG2")) if text.startswith("peer ")]
        assert {"peer CG6", "peer B2"} <= {*found}
        assert "peer CG2" not in found
        assert not {"peer B4", "peer B5", "peer B6"} & {*found}
        assert refusal(search("CG2"), "peer PW4") == "D17"

    def test_d17_elsewhere_one_searches_the_own_clearing(self) -> None:
        world = search("B2")
        assert texts(world) == ["locate", "peer"]
        assert refusal(world, "peer B3") == "D17"

    def test_d17_the_results_concern_the_clearing_at_which_one_peers(self) -> None:
        world = play(search("CG5"), "peer CG2", "d 3 3")
        assert knows(world) == ["CG2-CG3"]

    def test_t5_anywhere_means_every_other_clearing(self) -> None:
        world = search("B2", "1.anywhere")
        found = [text for text in texts(world) if text.startswith("peer ")]
        assert "peer CN6" in found
        assert len(found) == len(catalog_lookups().clearings) - 1

    def test_t1_the_telescope_peers_at_another_mountain(self) -> None:
        world = search("CG5", plan="P_L5;P_CG2;H", cards=("Ancient Telescope+",))
        assert (next_actor(world), used_phases(world)) == ("peer", ["Ancient_Telescope"])
        world = play(world, "d 5 5")
        assert next_actor(world).startswith("chit")
        own = search("CG5", plan="P_CG5;H", cards=("Ancient Telescope+",))
        assert next_actor(own) == "hide"  # not its own clearing
        assert used_phases(own)[0] == "Ancient_Telescope"  # D5: a lost activity uses its phase up
        assert next_actor(search("CG5", plan="P_B2;H", cards=("Ancient Telescope+",))) == "hide"  # no mountain
        assert next_actor(search("B2", plan="P_CG5;H", cards=("Ancient Telescope+",))) == "hide"


class TestD18:
    """Results."""

    def test_example_9_peer(self) -> None:
        world = search("DW3", heroes="Woods_Girl")
        world = play(world, "peer", "die 3")
        assert world.heroes[0].found == 1
        assert knows(world) == ["DW3-DW6"]

    @pytest.mark.parametrize(
        ("table", "number", "words"),
        [
            ("peer", 2, "clues paths"),
            ("peer", 3, "hidden paths"),
            ("peer", 4, "hidden"),
            ("peer", 5, "clues"),
            ("peer", 6, ""),
            ("locate", 2, "passages clues"),
            ("locate", 3, "passages"),
            ("locate", 4, "chits"),
            ("locate", 5, ""),
            ("locate", 6, ""),
        ],
    )
    def test_d18_every_result(self, table: str, number: int, words: str) -> None:
        world = play(search("CG1", chits="CG:Dank;CG:Altar"), table, f"d {number} 1")
        if "clues" in words or "chits" in words:
            assert (next_actor(world), texts(world)) == ("Elf", ["put back"])
            world = play(world, "put back")
        looked = "clues" in words or "chits" in words
        assert chit_knowers(world, "CG") == ((1, 1) if looked else (0, 0))
        assert world.heroes[0].found == int("hidden" in words)
        assert knows(world) == ["CG1-CG6"] * ("passages" in words) + ["Altar"] * ("chits" in words)

    def test_d18_paths_are_not_passages(self) -> None:
        world = play(search("CG2"), "peer", "d 3 3")
        assert knows(world) == ["CG2-CG3"]
        assert knows(play(search("CG2"), "locate", "d 3 3")) == []

    def test_d18_a_choice_is_any_result(self) -> None:
        world = play(search("CG1", chits="CG:Dank;CG:Altar"), "peer", "d 1 1")
        assert texts(world) == [f"choose {choice}" for choice in CHOICES]
        assert refusal(world, "peer") == "D18"
        assert play(world, "choose hidden").heroes[0].found == 1
        assert knows(play(world, "choose passages")) == ["CG1-CG6"]
        assert knows(play(world, "choose chits", "put back")) == ["Altar"]
        assert chit_knowers(play(world, "choose clues+paths", "put back"), "CG") == (1, 1)

    def test_d18_x5_chits_are_decided_when_they_are_looked_at(self) -> None:
        world = play(search("CG1"), "peer", "d 5 5")
        assert next_actor(world).startswith("chit")
        world = play(world, "chit CG Dank", "chit CG Altar", "put back")
        assert chit_knowers(world, "CG") == (1, 1)
        assert knows(world) == []

    def test_d18_only_sites_in_this_clearing_are_discovered(self) -> None:
        world = play(search("CG2", chits="CG:Dank;CG:Altar"), "locate", "d 4 4", "put back")
        assert knows(world) == []

    def test_z3_no_question_if_everyone_knows_all_chits(self) -> None:
        world = search("CG1", "2.at=B1", heroes="Elf;Witch", chits="CG:Dank/12;CG:Altar/12")
        assert next_actor(play(world, "peer", "d 5 5")) == "hide"

    @pytest.mark.parametrize("chits", ["CG:Dank/1;CG:Altar/1", "CG:Dank/1;CG:Lost_Castle/1"])
    def test_z3_spectators_of_a_solo_game_do_not_learn_what_its_player_has_seen(self, chits: str) -> None:
        world = play(search("CG1", chits=chits), "peer", "d 5 5")
        assert "put back" in texts(world)
        assert "Altar" not in str(view(world, MACHINE, None)["map"])

    @pytest.mark.parametrize(("at", "chits"), [("OW4", "OW:Stink/12"), ("CG1", "CG:Dank/12;CG:Lost_Castle/12")])
    def test_d18_a_chit_that_everyone_knows_can_be_exchanged_at_another_look(self, at: str, chits: str) -> None:
        world = play(search(at, "2.at=B1", heroes="Elf;Witch", chits=chits), "peer", "d 5 5")
        assert texts(world) == ["exchange", "put back"]
        assert next_actor(play(world, "put back")) == "hide"

    def test_d18_a_campfire_that_was_exchanged_is_not_exchanged_again(self) -> None:
        world = play(search("OW4", chits="OW:Stink^"), "peer", "d 5 5")
        assert next_actor(world) == "hide"

    @pytest.mark.parametrize("steps", [("d 1 2",), ("d 1 1", "choose clues+paths")])
    def test_d18_clues_come_before_paths(self, steps: tuple[str, ...]) -> None:
        world = play(search("CG2"), "peer", *steps)
        for step in ("chit CG Dank", "chit CG Lost Castle", "put back"):
            assert knows(world) == []
            assert encode(decode(MACHINE, encode(world))) == encode(world)
            world = play(world, step)
        assert knows(world) == ["CG2-CG3"]

    def test_d18_sites_are_discovered_before_a_chit_is_exchanged(self) -> None:
        world = play(search("CG1", chits="CG:Dank;CG:Altar"), "locate", "d 4 4")
        assert (texts(world), knows(world)) == (["put back"], ["Altar"])

    def test_d18_passages_come_before_clues(self) -> None:
        world = play(search("CG1"), "locate", "d 2 2")
        assert next_actor(world).startswith("chit")
        assert knows(world) == ["CG1-CG6"]

    def test_d18_clues_come_before_the_paths_of_followers(self) -> None:
        world = search("CG2", "2.at=CG2", "2.guide=1", heroes="Elf;Witch", chits="CG:Dank;CG:Altar")
        world = play(world, "peer", "d 2 2")
        assert knows(world, 1) == []
        assert knows(play(world, "put back"), 1) == ["CG2-CG3"]

    def test_d18_a_campfire_may_be_exchanged(self) -> None:
        world = play(search("LW4", "2.at=B1", heroes="Elf;Witch", chits="LW:Smoke"), "peer", "d 5 5")
        assert texts(world) == ["exchange", "put back"]
        assert refusal(world, "pass") == "D18"
        kept = play(world, "put back")
        assert (kept.tiles[TILE["LW"]].dwelling, kept.slots[TILE["LW"]].seen) == (0, 1)
        shown = play(world, "exchange")
        assert (shown.tiles[TILE["LW"]].dwelling, shown.slots[TILE["LW"]].seen) == (5, everyone(shown))
        assert shown.slots[TILE["LW"]].face_up

    def test_d18_the_lost_castle_may_be_exchanged_and_its_chits_are_looked_at(self) -> None:
        world = search("CG1", "2.at=B1", heroes="Elf;Witch", chits="CG:Dank;CG:Lost_Castle")
        world = play(world, "locate", "d 4 4")
        assert knows(world) == []
        world = play(world, "exchange")
        for name in ("Altar", "Hoard", "Howl-4", "Roar-4", "Vault"):
            world = play(world, f"chit CG {name}")
        assert knows(world) == ["Altar"]
        assert [slot.seen for slot in world.slots[45:50]] == [1] * 5
        assert not any(slot.face_up for slot in world.slots[45:50])
        assert (chit_knowers(world, "CG")[1], next_actor(world)) == (3, "hide")

    def test_d18_a_stack_that_is_not_laid_out_is_not_looked_at(self) -> None:
        world = play(search("CG1", chits="CG:Dank;CG:Lost_Castle"), "peer", "d 5 5", "put back")
        assert all(slot.chit == OPEN for slot in world.slots[45:50])

    def test_d18_the_chits_that_are_laid_out_are_looked_at(self) -> None:
        world = search("CG1", chits="CG:Dank^;CG:Lost_Castle^")
        world = play(world, "peer", "d 5 5")
        for name in ("Altar", "Hoard", "Howl-4", "Roar-4", "Vault"):
            world = play(world, f"chit CG {name}")
        assert texts(world) == ["put back"]
        assert find_site(world, 2) == place_of(TILE["CG"], 1)

    def test_d18_a_site_in_a_stack_that_is_not_laid_out_is_nowhere(self) -> None:
        world = search("CG1", "1.knows=Altar", chits="Castle:Altar")
        assert find_site(world, 2) is None
        assert site_of(world, 9) == -1  # no site has the card yet
        assert find_site(world, -1) is None


class TestX5:
    """Maps are decided before the roll."""

    @pytest.mark.parametrize(
        ("card", "at", "first", "second"),
        [
            ("Map of Lost Castle", "CG2", "chit CG Lost Castle", "chit CG Altar"),
            ("Map of Lost City", "B2", "chit B Lost City", "chit B Altar"),
            ("Map of Ruins", "B2", "chit B Ruins", "chit B Dank"),
        ],
    )
    def test_x5_the_chit_is_decided_before_a_locate_roll_and_no_one_sees_it(
        self, card: str, at: str, first: str, second: str
    ) -> None:
        world = play(search(at, cards=(f"{card}+",)), "locate")
        assert next_actor(world).startswith("chit")
        found, other = play(world, first), play(world, second)
        assert next_actor(found) == next_actor(other) == "locate"
        assert chit_knowers(found, at[:-1]) == (0, 0)
        assert len(texts_of_exchange(found)) == 1
        assert texts_of_exchange(other) == []

    @pytest.mark.parametrize(
        ("card", "at"), [("Map of Lost Castle", "B2"), ("Map of Ruins", "R1"), ("Map of Lost City", "LW4")]
    )
    def test_x5_nothing_is_decided_where_the_map_cannot_matter(self, card: str, at: str) -> None:
        assert next_actor(play(search(at, cards=(f"{card}+",)), "locate")) == "locate"

    def test_x5_peering_needs_no_decision(self) -> None:
        assert next_actor(play(search("CG2", cards=("Map of Lost Castle+",)), "peer")) == "peer"


def texts_of_exchange(world: World) -> list[str]:
    """Return the question that a 5 on the Locate table leads to: with a map, 5 - 1 discovers chits."""
    after = play(world, "d 5 5")
    return [frame.kind for frame in after.agenda if frame.kind == "look"]


class TestD22:
    """Magic Sight."""

    def test_d22_the_witch_king_must_use_it(self) -> None:
        world = search("CN6", "1.knows=Hoard", heroes="Witch_King", chits=CAVE_CHITS)
        assert texts(world) == ["sight"]
        assert refusal(world, "peer") == "D17"

    def test_d22_except_to_loot_a_site_card(self) -> None:
        chits, box = "CN:Dank;CN:Hoard", "boxes=Hoard:large,large,large,large,small,small,small,small,Toadstool_Circle^"
        world = search("CN6", "1.knows=Toadstool_Circle", box, heroes="Witch_King", chits=chits)
        assert texts(world) == ["loot Toadstool Circle", "sight"]

    @pytest.mark.parametrize(("number", "found"), [(2, 2), (3, 4), (4, 0), (6, 0)])
    def test_d22_what_is_seen(self, number: int, found: int) -> None:
        world = play(search("CN6", heroes="Witch_King", chits=CAVE_CHITS), "sight", f"d {number} 1")
        assert world.heroes[0].found == found
        if found:
            assert texts(world) == ["take nothing"]
            assert refusal(world, "take card Hoard") == "D22"
            world = play(world, "take nothing")
        assert next_actor(world) == "hide"

    def test_d22_discover_chits_and_a_choice(self) -> None:
        world = search("CN6", heroes="Witch_King", chits=CAVE_CHITS)
        assert knows(play(world, "sight", "d 5 5", "put back")) == ["Hoard"]
        assert texts(play(world, "sight", "d 1 1"))[0] == "choose clues+paths"

    def test_d22_he_may_take_the_topmost_card_of_a_site_he_knows(self) -> None:
        world = search("CN6", "1.knows=Hoard", heroes="Witch_King", chits=CAVE_CHITS)
        world = play(world, "sight", "d 3 3")
        assert texts(world) == ["take card Hoard", "take nothing"]
        world = play(world, "take card Hoard")
        assert next_actor(world).startswith("card")
        world = play(world, "card Hoard 1 Golden Crown", "keep")
        assert pack(world) == ["Golden Crown"]
        assert chit_knowers(world, "CN")[1] == everyone(world)

    def test_d22_he_may_take_the_topmost_counter_of_the_pile(self) -> None:
        pile = "piles=CN6:Golden_Crown,Spear-1,Mace-1"
        world = search("CN6", pile, box_without("Golden Crown"), "1.knows=Hoard", heroes="Witch_King", chits=CAVE_CHITS)
        world = play(world, "sight", "d 2 2")
        assert texts(world) == ["take counter pile", "take nothing"]
        assert pack(play(world, "take counter pile", "keep")) == ["Spear-1"]

    def test_d22_the_cairns_and_the_vault_ask_their_price(self) -> None:
        cairns = search("CN5", "1.knows=Cairns", heroes="Witch_King", chits="CN:Dank;CN:Cairns")
        world = play(cairns, "sight", "d 3 3", "take card Cairns")
        assert texts(world)[0].startswith("tire")
        vault = search("CN3", "1.knows=Vault", heroes="Witch_King", chits="CN:Dank;CN:Vault")
        assert texts(play(vault, "sight", "d 3 3")) == ["take nothing"]


class TestD24:
    """What followers share."""

    def lead(self, at: str, *fields: str, chits: str = "", heroes: str = "Elf;Witch") -> World:
        following = (f"2.at={at}", "2.guide=1", "2.plan=F_" + heroes.partition(";")[0], "2.goods=-", "waiting=1")
        return search(at, *following, *fields, heroes=heroes, chits=chits)

    def test_d24_they_see_the_chits_and_share_discoveries_and_hidden_enemies(self) -> None:
        world = self.lead("CG1", chits="CG:Dank;CG:Altar")
        assert chit_knowers(play(world, "peer", "d 5 5", "put back"), "CG") == (3, 3)
        assert knows(play(world, "locate", "d 3 3"), 1) == ["CG1-CG6"]
        assert knows(play(world, "locate", "d 4 4", "put back"), 1) == ["Altar"]
        assert play(world, "peer", "d 4 4").heroes[1].found == 1

    def test_d24_those_of_magic_sight_too(self) -> None:
        world = self.lead("CG1", chits="CG:Dank;CG:Altar", heroes="Witch_King;Witch")
        assert play(world, "sight", "d 2 2").heroes[1].found == 2

    def test_d24_only_the_guide_is_asked_to_exchange(self) -> None:
        world = play(self.lead("CG1", chits="CG:Dank;CG:Lost_Castle"), "peer", "d 5 5")
        assert next_actor(world) == "Elf"
        assert next_actor(play(world, "put back")) == "hide"

    def test_d24_they_always_discover_the_site_that_the_guide_loots(self) -> None:
        world = self.lead("CN6", "1.knows=Hoard", chits=CAVE_CHITS)
        assert knows(play(world, "loot Hoard"), 1) == ["Hoard"]


class TestX2:
    """Spying."""

    def test_x2_those_who_see_someone_loot_a_site_discover_it(self) -> None:
        others = ("2.at=CN6", "3.at=CN5")
        world = search("CN6", "1.knows=Hoard", *others, heroes="Elf;Witch;Druid", chits=CAVE_CHITS)
        world = play(world, "loot Hoard")
        assert [knows(world, seat) for seat in range(3)] == [["Hoard"], ["Hoard"], []]

    def test_x2_d19_everyone_sees_the_chit_of_a_looted_site_which_stays_face_down(self) -> None:
        world = search("CN6", "1.knows=Hoard", "2.at=B1", heroes="Elf;Witch", chits=CAVE_CHITS)
        assert chit_knowers(play(world, "loot Hoard"), "CN") == (0, 3)
        assert not play(world, "loot Hoard").slots[site_slot(TILE["CN"])].face_up

    def test_x2_a_hidden_character_is_seen_by_few(self) -> None:
        others = ("2.at=CN6", "3.at=CN6", "3.found=all")
        world = search("CN6", "1.knows=Hoard", *others, heroes="Elf;Witch;Druid", chits=CAVE_CHITS, plan="H;S")
        world = play(world, "d 1 1", "loot Hoard")
        assert [knows(world, seat) for seat in (1, 2)] == [[], ["Hoard"]]

    def test_x2_looking_teaches_others_nothing(self) -> None:
        world = search("CG1", "2.at=CG1", heroes="Elf;Witch", chits="CG:Dank;CG:Altar")
        world = play(world, "locate", "d 4 4", "put back")
        assert (knows(world, 1), chit_knowers(world, "CG")) == ([], (1, 1))

    def test_x2_those_who_spy_on_a_site_card_discover_its_site_too(self) -> None:
        box = "boxes=Hoard:large,large,large,large,small,small,small,small,Toadstool_Circle^"
        world = search("CN6", "1.knows=Toadstool_Circle", box, "2.at=CN6", heroes="Elf;Witch", chits=CAVE_CHITS)
        assert texts(world) == ["locate", "loot Toadstool Circle", "peer"]
        world = play(world, "loot Toadstool Circle")
        assert (next_actor(world), knows(world, 1)) == ("toadstool circle", ["Hoard", "Toadstool Circle"])
        assert "CN:Hoard/12" in encode(world)  # the chit of the site was shown (D19)


def test_the_wizard_discovers_no_roadways_because_he_knows_them() -> None:
    assert knows(play(search("CG1", heroes="Wizard"), "locate", "d 3 3")) == []
