"""The melee sheet: what it shows to whom, and that every step of combat can be clicked."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from realmtable.engine.protocol import CHANCE, HandlePath, Seat
from realmtable.games.magic_realm.combat_flow import machine
from realmtable.games.magic_realm.combat_flow.state import Fight
from realmtable.games.magic_realm.flow.handlers import MACHINE
from realmtable.games.magic_realm.picture import view_picture
from realmtable.games.magic_realm.picture.excerpt import cut_out
from realmtable.games.magic_realm.picture.handles import handles, list_handles
from realmtable.games.magic_realm.text.panels import panels
from realmtable.games.magic_realm.view import view
from realmtable.games.magic_realm.world.step_text import format_step, parse_step
from realmtable.games.magic_realm.world.steps import Step
from realmtable.kit.picture_style import THEMES
from tests.magic_realm.helpers.evening_helpers import meet
from tests.magic_realm.helpers.fight_helpers import chits, clash, go, random_fight, warrior
from tests.magic_realm.helpers.flow_helpers import random_step
from tests.magic_realm.helpers.melee_views import ROAD, roam, view_fight
from tests.picture_checks import check_document, check_nothing_is_loaded, find_space, parse_svg, spaces_in, with_class

SWORDSMAN = warrior(
    "Swordsman", 0, "Thrusting Sword-1", "Shield-1", "Helmet-1!", "Pony-1", "Power Gauntlets", exits=(ROAD,)
)
ELF = warrior("Elf", 1, "Light Bow-1!", exits=(ROAD,))
BEASTS = ("Giant-1", "Giant Bat-1", "Wolf-1", "Wolf-2")


def sheet(fight: Fight, viewer: Seat | None = 0) -> Element:
    return parse_svg(view_picture.draw(view_fight(fight, viewer)))


def words_in(root: Element) -> str:
    """All texts of a picture, line by line."""
    return "\n".join(found.text or "" for found in root.iter() if found.tag.endswith("text"))


def lure_beasts() -> Fight:
    """The Swordsman has a Giant, a Bat and a Wolf on his sheet."""
    return go(clash(SWORDSMAN, ELF, monsters=BEASTS), *(f"lure {name}" for name in BEASTS[:3]), "pass", "lure Wolf-2")


def aim_at_giant() -> Fight:
    fight = go(roam(lure_beasts(), Random(1), "next"), "next Swordsman", "aim Giant-1")
    return roam(fight, Random(1), "play")


@cache
def fought() -> Fight:
    """A round has been fought, and the Swordsman pays for it."""
    plays = ("strike swing Fight L2**", "evade dodge Pony-1 walk", "shield smash", "ready")
    played = go(aim_at_giant(), *(f"0: {text}" for text in plays))
    rounds = (roam(played, Random(seed), "fatigue", "lure") for seed in range(99))
    return next(fight for fight in rounds if fight.agenda and fight.agenda[-1].kind == "fatigue")


# ---- when it is shown


def test_fighters_and_spectators_see_a_sheet_and_others_the_map() -> None:
    fight = lure_beasts()
    for viewer, is_sheet in ((0, True), (1, True), (None, True), (2, False)):
        shown = view_fight(fight, viewer)
        assert ("data-tall" in view_picture.draw(shown)) == is_sheet
        assert (not view_picture.layers(shown)) == is_sheet
    for nothing in (None, {**view_fight(fight, 0)["combat"], "agenda": []}):
        assert "data-pans" in view_picture.draw({**view_fight(fight, 0), "combat": nothing})


def test_small_pictures_show_the_map_during_combat() -> None:
    shown = view_fight(lure_beasts(), None)
    assert "data-pans" in view_picture.draw(cut_out({**shown, "map": {**shown["map"], "focus": "BV"}}))


def test_the_header_says_the_round_the_step_and_whose_turn_it_is() -> None:
    fight = clash(SWORDSMAN, ELF, monsters=BEASTS)
    assert "Your turn" in words_in(sheet(fight, 0))
    assert "The Swordsman's turn" in words_in(sheet(fight, 1))
    assert "The Swordsman's turn" in words_in(sheet(fight, None))
    assert "Round 1" in words_in(sheet(fight))
    assert "The dice decide" in words_in(sheet(roam(fight, Random(1), "next")))
    playing = aim_at_giant()
    assert "Your turn: choose in secret" in words_in(sheet(playing))
    assert "Attacks Giant 1" in words_in(sheet(playing))
    ready = go(playing, "0: shield smash", "0: ready")
    assert "Waiting for the Elf" in words_in(sheet(ready))
    assert "Waiting for the Elf" in words_in(sheet(ready, None))
    now = [found.get("class") for found in sheet(playing).iter() if "mr-step" in (found.get("class") or "")]
    assert [kind == "mr-step mr-now" for kind in now] == [False] * 4 + [True, False, False]


def test_the_header_says_what_matters_about_the_character() -> None:
    hidden = clash(replace(SWORDSMAN, is_hidden=True, is_berserk=True), ELF)
    words = words_in(sheet(roam(hidden, Random(1), "lure", "quiet")))
    assert {"Hidden", "Berserk: until midnight, only tremendous harm kills"} <= {*words.splitlines()}
    charged = go(roam(clash(ELF, SWORDSMAN, monsters=["Wolf-1"]), Random(2), "charge"), "charge Swordsman with Move M4")
    assert "Charges the Swordsman" in words_in(sheet(charged, 1))
    assert "The Elf charges with Move M4" in words_in(sheet(charged, 0))
    for fate, own, other in (("dead", "Dead", "is dead"), ("ran", "Has run away", "has run away")):
        gone = lure_beasts().change(1, fate=fate)
        assert own in words_in(sheet(gone, 1)).splitlines()
        assert other in words_in(sheet(gone, 0)).splitlines()
    for count, text in ((1, "1 wound to take"), (2, "2 wounds to take")):
        assert text in words_in(sheet(lure_beasts().change(0, wounds=count)))


# ---- counters


def test_monsters_wait_on_the_sheet_until_they_are_laid_in_boxes() -> None:
    fight = lure_beasts()
    words = words_in(sheet(fight))
    assert "Attackers on your sheet" in words
    assert "On no sheet" not in words
    assert "Attackers of the Swordsman" in words_in(sheet(fight, None))
    assert "On no sheet" in words_in(sheet(clash(SWORDSMAN, ELF, monsters=BEASTS)))
    laid = go(aim_at_giant(), "0: set Giant-1 smash")
    box = find_space(sheet(laid), "box:smash")
    assert "Giant 1" in (box.get("aria-label") or "")
    assert "counter:Giant-1" not in spaces_in(sheet(laid))
    assert "counter:Giant-1" in spaces_in(sheet(laid, 1))  # it is a secret


def test_a_counter_shows_the_numbers_of_its_side() -> None:
    fight = clash(SWORDSMAN, monsters=["Giant-1", "Imp", "Spear Goblin-1", "Wolf-1"])
    dark = replace(fight, sheets=replace(fight.sheets, dark=frozenset({(fight.sheets.monsters[0], False)})))
    found = spaces_in(sheet(fight))
    assert found["counter:Giant-1"].get("aria-label") == "Giant 1, attack time 5, harm heavy, move time 5"
    assert found["counter:Giant-1 club"].get("aria-label") == "Giant 1 club, attack time 6, harm heavy"
    assert "magic instead of harm" in (found["counter:Imp"].get("aria-label") or "")
    assert "no attack" in (found["counter:Spear Goblin-1"].get("aria-label") or "")
    red = find_space(sheet(dark), "counter:Giant-1")
    assert "red side up" in (red.get("aria-label") or "")
    assert "kills" in (red.get("aria-label") or "")
    assert with_class(red, "mr-deadly")
    assert with_class(red, "mr-fold")  # not by colour alone


def test_stars_of_monsters_are_counted() -> None:
    fight = clash(SWORDSMAN, monsters=["T Spider", "H Spider-1", "Axe Goblin-1", "Viper-1"])
    dark = frozenset((monster, False) for monster in fight.sheets.monsters)
    labels = [found.get("aria-label") or "" for found in spaces_in(
        sheet(replace(fight, sheets=replace(fight.sheets, dark=dark)))).values()]  # fmt: skip
    assert [label for label in labels if "Axe Goblin 1" in label and "1 star" in label]


# ---- what the viewer plays


def test_own_plays_lie_in_their_boxes_and_are_secret() -> None:
    fight = go(aim_at_giant(), "0: strike swing Fight L2**", "0: evade dodge Pony-1 walk", "0: shield smash")
    own, other = sheet(fight), sheet(fight, 1)
    assert "attack: Fight L2**. manoeuvre: Pony-1" in (find_space(own, "box:swing").get("aria-label") or "")
    assert "Shield M Helmet M, damaged" in (find_space(own, "box:smash").get("aria-label") or "")
    assert "no armour" in (find_space(own, "box:thrust").get("aria-label") or "")
    assert "shield" not in spaces_in(own)
    assert len(with_class(own, "mr-used")) == 1
    assert "Fight L2" not in words_in(other)
    shown = sheet(roam(go(fight, "0: ready"), Random(1), "reposition"), 1)
    assert "Swings with Fight L2**, dodges with Pony" in words_in(shown).replace("\n", " ")


def test_c8_the_sheet_shows_how_many_stars_are_left() -> None:
    fight = aim_at_giant()
    assert not with_class(sheet(fight), "mr-spent")
    assert len(with_class(sheet(go(fight, "0: strike swing Fight L3*")), "mr-spent")) == 1
    assert len(with_class(sheet(go(fight, "0: strike swing Fight L2**")), "mr-spent")) == 2
    over = replace(fought(), agenda=lure_beasts().agenda)  # played chits are noted once a melee is over
    assert len(with_class(sheet(over), "mr-spent")) == 2


def test_the_weapon_the_target_and_the_shield_can_be_read() -> None:
    words = words_in(sheet(aim_at_giant()))
    for text in ("Thrusting Sword", "unalerted, length 4", "harm L*, time 4", "Giant 1", "strength M"):
        assert text in words
    elf = words_in(sheet(aim_at_giant(), 1))
    assert "alerted, length 14" in elf
    assert "no target yet" in elf
    assert "No target yet" in words_in(sheet(lure_beasts()))
    bare = clash(warrior("Wizard", 0, "Shield-1!", "Elven Slippers", "Golden Crown", "-Spear-1"), monsters=["Wolf-1"])
    words = words_in(sheet(bare))
    for text in ("length 0", "harm N*, chit's time", "strength M, damaged", "Elven Slippers", "Golden Crown M"):
        assert text in words


def test_c1_horses_stay_outside_caves() -> None:
    assert "piece:Pony-1 gallop" in spaces_in(sheet(clash(SWORDSMAN, monsters=["Wolf-1"])))
    assert "piece:Pony-1 gallop" not in spaces_in(sheet(clash(SWORDSMAN, monsters=["Wolf-1"], cave=True)))


def test_gloves_and_boots_have_short_names_in_the_boxes() -> None:
    booted = warrior("Wizard", 0, "Elven Slippers", "Power Gauntlets", exits=(ROAD,))
    fight = roam(clash(booted, monsters=["Wolf-1"]), Random(1), "aim")
    fight = go(fight, "aim Wolf-1", "strike swing Power Gauntlets")
    assert "Gloves" in words_in(sheet(fight)).splitlines()


def test_c12_a_turned_weapon_takes_a_chit() -> None:
    fight = roam(clash(SWORDSMAN, monsters=["Wolf-1"]), Random(1), "play")
    turned = sheet(go(fight, "turn weapon Fight M4*"))
    assert len(with_class(turned, "mr-used")) == 1


def test_w4_all_chits_can_be_clicked_at_the_end_of_a_round() -> None:
    states = chits("Swordsman", "Fight L3*", "Move L4", fatigued=["Move M4*"])
    fight = fought()
    found = spaces_in(sheet(fight.change(0, chits=states)))
    assert {name for name in found if name.startswith("chit:")} == {
        "chit:active Fight L3*", "chit:active Move L4", "chit:fatigued Move M4*"}  # fmt: skip
    assert "Fatigued chits" in words_in(sheet(fight.change(0, chits=states), None))


# ---- the latest melee


def test_strikes_appear_one_after_the_other_with_reasons() -> None:
    fight = fought()
    root = sheet(fight)
    last = view_fight(fight, 0)["combat"]["last"]
    rows = with_class(root, "mr-appear")
    assert len(rows) == len(last["strikes"]) > 2
    assert [row.get("class") for row in rows][:3] == ["mr-appear", "mr-appear mr-beat1", "mr-appear mr-beat2"]
    for row, strike in zip(rows, last["strikes"], strict=True):
        assert strike["text"] in (row.get("aria-label") or "")
    statuses = [strike["status"] for strike in last["strikes"]]
    assert len(with_class(root, "mr-hit")) == statuses.count("struck")


@pytest.mark.parametrize(
    ("changes", "deaths", "words"),
    [
        ({"status": "missed"}, [], "Miss: Giant 1 → Elf"),
        ({"status": "cancelled"}, [], "Cancelled: Giant 1 → Elf"),
        ({"status": "struck", "kills": True}, ["Elf"], "Hit, kills: Giant 1 → Elf"),
        ({"status": "struck", "kills": True}, [], "Hit: Giant 1 → Elf"),  # it killed the horse
        ({"status": "struck", "wounds": True, "source": "Giant Club"}, [], "Hit, wounds: Giant 1 club → Elf"),
    ],
)
def test_hits_and_misses_differ_in_words_and_signs(changes: dict[str, Any], deaths: list[str], words: str) -> None:
    strike = {**view_fight(fought(), 0)["combat"]["last"]["strikes"][0]}
    strike |= {"attacker": "Giant-1", "target": "Elf", "source": "", "kills": False, "wounds": False, **changes}
    shown = view_fight(lure_beasts(), 0)
    shown["combat"]["last"] = {"round": 1, "strikes": [strike], "deaths": deaths}
    root = parse_svg(view_picture.draw({**shown, "combat": {**shown["combat"], "agenda": [["lure", 0, 0, 0, 0]]}}))
    assert words in words_in(root).splitlines()
    signs = [len(with_class(root, kind)) for kind in ("mr-hit", "mr-void")]
    assert signs == [changes["status"] == "struck", changes["status"] == "cancelled"]


def test_a_melee_without_attacks_says_so_and_is_hidden_while_plays_are_made() -> None:
    shown = view_fight(lure_beasts(), 0)
    shown["combat"]["last"] = {"round": 1, "strikes": [], "deaths": []}
    assert "Nobody attacked." in words_in(parse_svg(view_picture.draw(shown)))
    played = view_fight(aim_at_giant(), 0)
    played["combat"]["last"] = shown["combat"]["last"]
    assert "Nobody attacked." not in words_in(parse_svg(view_picture.draw(played)))


# ---- clicks


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("lure Wolf-2", ("counter:Wolf-2",)),
        ("charge Elf with Move L4", ("warrior:Elf", "chit:active Move L4")),
        ("charge Elf with Pony-1 gallop", ("warrior:Elf", "piece:Pony-1 gallop")),
        ("alert Fight M4*", ("chit:active Fight M4*",)),
        ("alert Power Gauntlets", ("piece:Power Gauntlets",)),
        ("run BV4-BV5 with Move L4", ("run:BV5", "chit:active Move L4")),
        ("run BV4-BV5 with Pony-1", ("run:BV5", "piece:Pony-1")),
        ("aim Elf", ("warrior:Elf",)),
        ("aim Giant-1", ("counter:Giant-1",)),
        ("aim none", ("aim none",)),
        ("strike swing Fight M4*", ("chit:active Fight M4*", "box:swing")),
        ("evade duck Move L4", ("chit:active Move L4", "box:smash")),
        ("shield smash", ("box:smash",)),
        ("set Giant-1 club thrust", ("counter:Giant-1 club", "box:thrust")),
        ("turn weapon Fight M4*", ("weapon", "chit:active Fight M4*")),
        ("wound Move L4", ("chit:active Move L4",)),
        ("berserk", ("berserk",)),
        ("rest easy", ("rest easy",)),
        ("ready", ("ready",)),
    ],
)
def test_z15_a_step_of_combat_is_a_path_of_clicks(text: str, path: HandlePath) -> None:
    fight = lure_beasts()
    assert handles(view_fight(fight, 0), parse_step(text)) == path
    assert handles(view_fight(fight, None), parse_step(text)) == (text,)
    assert "box:" not in "".join(handles(view_fight(fight, 2), parse_step(text)))


def test_z15_a_shield_is_clicked_while_pieces_can_be_chosen_too() -> None:
    step = parse_step("shield smash")
    fight = aim_at_giant()
    assert handles(view_fight(fight, 0), step) == ("shield", "box:smash")
    chosen = go(fight, "0: strike swing Fight L2**", "0: evade dodge Pony-1 walk")
    assert handles(view_fight(chosen, 0), step) == ("box:smash",)


def check_clicks(shown: dict[str, Any], steps: Sequence[Step]) -> None:
    """Check that each step has its own clicks, none of which begins another, and that all are drawn or buttons."""
    paths = list_handles(shown, steps)
    assert len({*paths}) == len(steps)
    # A second click on the same handle confirms a step.
    begun = {path[:length] for path in paths for length in range(1, len(path)) if len({*path}) > 1}
    assert not begun & {*paths}
    pictures = [view_picture.draw(shown), *(panel.svg for panel in panels(shown) if panel.svg)]
    found = [node.get("data-handle", "") for picture in pictures for node in parse_svg(picture).iter()]
    drawn = {handle for handle in found if handle}
    assert len(drawn) == len([handle for handle in found if handle])  # nothing can be clicked in two places
    drawn |= {row.handle for panel in panels(shown) for row in panel.rows}
    ends = {path[0] for path, step in zip(paths, steps, strict=True) if step.verb == "run"}
    assert {handle for path in paths for handle in path} <= drawn | {format_step(step) for step in steps} | ends


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_every_step_of_a_random_fight_can_be_clicked(seed: int) -> None:
    rng = Random(seed)
    fight = random_fight(rng)
    fight = replace(fight, warriors=tuple(replace(each, exits=(ROAD,)) for each in fight.warriors))
    fight = machine.begin(fight)
    for number in range(60):
        seats = machine.list_deciding(fight)
        if not seats:
            break
        for seat in seats:
            if seat != CHANCE and number % 2 == 0:
                check_clicks(view_fight(fight, seat), machine.list_answers(fight, seat))
        seat = rng.choice(seats)
        fight = machine.play(fight, seat, rng.choice(machine.list_answers(fight, seat)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_every_step_of_an_evening_can_be_clicked(seed: int) -> None:
    rng = Random(seed)
    world = meet("2.at=B2", heroes="Berserker;Elf", monsters="Wolf-1:B2;Wolf-2:B2;Giant-1:B2")
    seen = 0
    for _ in range(50):
        if not MACHINE.to_move(world):
            break
        for seat in MACHINE.to_move(world):
            shown = view(world, MACHINE, seat)
            if seat != CHANCE and shown["combat"]:
                check_clicks(shown, MACHINE.legal_moves(world, seat))
                seen += 1
        world = MACHINE.play(world, *random_step(world, rng, MACHINE))
    assert seen


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_pictures_load_nothing_and_stay_small(viewer: Seat | None) -> None:
    for fight in (lure_beasts(), aim_at_giant(), fought()):
        for theme in THEMES:
            picture = view_picture.draw(view_fight(fight, viewer), theme)
            root = check_document(picture, 52_000)
            check_nothing_is_loaded(picture, ("rt-", "mr-"))
            assert all(found.get("aria-label") for found in spaces_in(root).values())
            assert len(gzip.compress(picture.encode())) < 15_000


def test_texts_and_targets_are_large_enough_for_a_phone() -> None:
    """At 360 pixels, texts have at least 11 and what is clicked at least 40."""
    for fight in (lure_beasts(), aim_at_giant(), fought()):
        root = sheet(fight)
        scale = 360 / float((root.get("viewBox") or "").split()[2])
        kinds = [(found.get("class") or "").split()[0] for found in root.iter() if found.tag.endswith("text")]
        assert min(int(kind.removeprefix("mr-t")) for kind in kinds) * scale >= 11
        for found in spaces_in(root).values():
            (area,) = [child for child in found if child.get("class") == "mr-area"]
            assert min(float(area.get(side) or 0) for side in ("width", "height")) * scale >= 40
