"""The panels beside the board, and scores line by line."""

from __future__ import annotations

from realmtable.games.magic_realm.flow.codec import decode
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.text import panels, scores
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import at_site, play, search
from tests.magic_realm.helpers.flow_helpers import CATALOG, VALLEYS
from tests.magic_realm.helpers.text_helpers import rows_of

ROAD = "the roadway between Deep Woods 3 and Deep Woods 6"
WORTH = next(found.worth for found in CATALOG.characters if found.name == "Elf")


def test_the_tab_of_a_wounded_character_says_so() -> None:
    hurt, well = search("CN6", "1.wounded=2;3"), search("CN6")
    assert [panels.panels(view(world, MACHINE, 0))[0].badge for world in (hurt, well)] == ["2 wounded", ""]


def test_panels_show_the_character_the_plan_and_what_is_known() -> None:
    world = search("CN6", "1.tired=1", "1.wounded=2", "2.at=B2", "2.wounded=3", "2.goods=Spear-1", heroes="Elf;Dwarf")
    character = rows_of(world, "character")
    assert character["You are the Elf"] == "Cavern 6"
    assert character["Dwarf"] == "Borderland 2, hidden; 1 wounded; fame 0, notoriety 0; Spear 1"
    assert rows_of(world, "plan")["→ Phase 1"] == "Search"
    assert rows_of(world, "plan")["Phase 2"] == "Hide"
    rolled = play(world, "peer", "d 6 6")
    assert rows_of(rolled, "plan")["Last roll"] == "Elf, Peer: 6 and 6, 6: nothing"
    assert rows_of(rolled, "plan")["✓ Phase 1"] == "Search"
    sites = rows_of(at_site("Hoard"), "places")
    assert sites["Discovered"] == "Hoard"
    assert sites["Hoard"] == "5 large treasures, 4 small treasures"
    assert rows_of(search("DW3", "1.knows=DW3-DW6"), "places")["Secret roads"] == ROAD
    assert rows_of(search("DW3", heroes="Wizard"), "places")["Secret roads"] == "all hidden paths and secret passages"
    pile = rows_of(search("CN6", "piles=CN6:Spear-1"), "places")
    assert pile["Pile in Cavern 6"] == "Spear 1"
    hoof = rows_of(play(search("CG2", cards=("Cloven Hoof+",)), "peer", "d 5 2"), "plan")
    assert hoof["Last roll"] == "Elf, Peer: 5 and 2 +1, 6: nothing"
    assert "Cloven Hoof" in rows_of(search("CG2", cards=("Cloven Hoof+",)), "belongings")
    open_gold = decode(MACHINE, f"options=map=stock1,secret_gold=off heroes=Elf;Dwarf {VALLEYS}")
    assert "10 gold" in rows_of(open_gold, "character")["Dwarf"]
    pony = decode(MACHINE, f"options=map=stock1 heroes=Amazon {VALLEYS} 1.goods=Pony-1+")
    assert rows_of(pony, "plan")["Phases of a day"].endswith("1 extra Move; a pony's Move after each other Move")


def test_panels_say_in_words_who_prowls_what_was_rolled_and_who_follows() -> None:
    world = search("CG2", "2.guide=1", "2.plan=F_Elf", "2.at=CG2", "2.goods=-", "rows=5", heroes="Elf;Dwarf")
    assert rows_of(world, "character")["Dwarf"].startswith("Crag 2, follows the Elf; ")
    assert rows_of(world, "character", 1)["You are the Dwarf"].endswith("follows the Elf")
    assert rows_of(world, "plan")["Prowling today"] == "the tremendous Spider, heavy Spiders, the Imp and Ghosts"
    rolled = rows_of(play(world, "peer", "d 3 2"), "plan")
    assert rolled["Last roll"] == "Elf, Peer: 3 and 2, 3: hidden enemies and hidden paths"
    morning = decode(MACHINE, f"options=map=stock1 heroes=Elf;Dwarf {VALLEYS}")
    assert "Standing order" in rows_of(morning, "plan")


def test_q7_the_score_of_the_present_leaves_out_what_is_too_heavy() -> None:
    goals = "1.points=fame,fame"
    heavy = rows_of(search("CN6", goals, "1.goods=Suit_of_Armor-1;Spear-1"), "character")
    assert heavy["Too heavy to count"] == "Suit of Armor 1"
    assert "Too heavy to count" not in rows_of(search("CN6", goals), "character")
    jewel = ("1.goods=Blasted_Jewel", "boxes=Hoard:large,large,large,large,small,small,small,small")
    carried = view(search("CN6", goals, *jewel), MACHINE, 0)
    assert carried["own"]["dropped"] == ["Blasted Jewel"]
    rows = {row["kind"]: row["owned"] for row in carried["own"]["score"]}
    assert (rows["treasures"], rows["fame"], rows["notoriety"]) == (0, 0, 0)


def test_q8_the_panel_says_what_gold_is_needed_and_what_the_dead_score() -> None:
    world = finished_game("1.points=fame,fame", "1.fame=12", "2.points=fame,gold", "2.dead")
    living = rows_of(world, "character")
    assert (living["Goal: fame"], living["Gold"], living["Notoriety"]) == ("12 of 20", f"10 of {WORTH}", "0")
    dead = rows_of(world, "character", 1)
    assert dead["Score"] == "−100; 0 reaches the goal"
    assert "Gold" not in dead


def finished_game(*fields: str, heroes: str = "Elf;Dwarf") -> World:
    bare = " ".join(
        f"{seat}.goods=-" for seat in range(1, heroes.count(";") + 2) if f"{seat}.goods" not in " ".join(fields)
    )
    head = f"options=days=7,map=stock1 heroes={heroes} {VALLEYS} day=7 part=over"
    return decode(MACHINE, f"{head} {bare} {' '.join(fields)}")


def test_q8_scores_are_explained_line_by_line() -> None:
    world = finished_game("1.points=fame,gold", "1.fame=12", "1.gold=80", "2.points=gold,gold", "2.dead")
    first, second = scores.score_breakdowns(view(world, MACHINE, None))
    assert (first.seat, first.rank, first.total) == (0, 1, 2.0)
    assert [(line.title, line.points) for line in first.lines] == [
        ("Great treasures", 0.0), ("Fame", 0.0), ("Notoriety", 0.0), ("Gold", 2.0),
    ]  # fmt: skip
    assert first.lines[1].reason == "Has 12; 1 point assigned needs 10. The 2 beyond that give 0, at 10 per point (Q8)."
    assert first.lines[2].reason == "Has 0; needs none (Q8)."
    worth = f"1 point assigned needs 30 and {WORTH} that the character was worth at the start."
    assert first.lines[3].reason.startswith(f"Has 80; {worth} The {50 - WORTH} beyond that give ")
    assert (second.rank, second.total, second.lines[0].title) == (2, -100.0, "Dead at the end")
    assert scores.score_breakdowns(view(search("CG2"), MACHINE, 0)) == []


def test_q7_what_is_too_heavy_is_named() -> None:
    world = finished_game("1.goods=Suit_of_Armor-1", "1.points=fame,fame", heroes="Elf")
    (only,) = scores.score_breakdowns(view(world, MACHINE, 0))
    assert only.lines[-1].struck
    assert only.lines[-1].reason == "Too heavy to carry, so left behind: Suit of Armor 1 (Q7)."
    missing = "The missing 20 count three times: −6, at 10 per point, and −12 more for the points assigned (Q8)."
    assert only.lines[1].reason == f"Has 0; 2 points assigned need 20. {missing}"
    gold = f"Has 10; needs the {WORTH} that the character was worth at the start. The missing {WORTH - 10} count three"
    assert only.lines[3].reason.startswith(gold)
