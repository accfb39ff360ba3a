"""Positions in daylight: random turns are written and read back, and damaged ones are refused or playable (F8, F9)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from realmtable.engine.errors import BadPosition
from realmtable.games.magic_realm.flow.codec import decode, encode
from realmtable.games.magic_realm.flow.handlers import HANDLERS, MACHINE
from realmtable.games.magic_realm.flow.resample import resample
from realmtable.games.magic_realm.world.catalog_lookups import catalog_lookups
from realmtable.games.magic_realm.world.invariants import check_world
from realmtable.games.magic_realm.world.places import FIRST_BOX
from realmtable.games.magic_realm.world.steps import Step
from realmtable.games.magic_realm.world.world import World
from tests.magic_realm.helpers.day_helpers import begin, day, play
from tests.magic_realm.helpers.evening_helpers import meet
from tests.magic_realm.helpers.flow_helpers import random_step

KINDS = sorted(kind for kind, handler in HANDLERS.items() if handler.limits.part in ("", "daylight"))
NEAR = [*range(12), *sorted(catalog_lookups().clearings)[::7], FIRST_BOX, FIRST_BOX + 4, FIRST_BOX + 22, FIRST_BOX + 99]


def rich_day(rng: Random) -> World:
    """Return a day of four characters who know sites, own things and have tired chits, in the midst of monsters."""
    places = [rng.choice(("CN6", "CN5", "CN3", "B2", "B6", "CG2", "CG1")) for _ in range(3)]
    plans = [";".join(rng.choice("SSSHRA") for _ in range(4)) for _ in range(3)]
    chits = rng.choice(["", "CN:Dank;CN:Hoard", "CN:Dank;CN:Pool", "CN:Dank;CN:Cairns", "CN:Dank;CN:Vault"])
    known = "Hoard;Pool;Cairns;Vault;Lair"
    card = rng.choice(("Toadstool_Circle", "Crypt_of_the_Knight", "Enchanted_Meadow"))
    fields = [
        *(f"{seat}.at={place}" for seat, place in enumerate(places, 1)),
        *(f"{seat}.plan={plan}" for seat, plan in enumerate(plans, 1)),
        *(f"{seat}.knows={known};{card}" for seat in (1, 2, 3)),
        *(f"{seat}.tired=1;4;7" for seat in (1, 2, 3)),
        "2.wounded=2;3",
        f"4.at={places[0]}",
        "4.guide=1",
        "4.plan=F_Dwarf",
        f"boxes=Hoard:large,large,large,large,small,small,small,small,{card}^",
        "1.goods=Pony-1;Spear-1+;Great_Axe-1",
        f"piles={places[1]}:Shield-1,Mace-1",
        rng.choice(("denizens=Giant-1:B3;Wolf-1:CG6", "denizens=Wolf-1:CN1")),
        f"rows={rng.randrange(1, 7)}",
    ]
    options = rng.choice(("follow=may_stop", "recording=as_you_go", "follow=all_day"))
    return day(
        *fields, heroes=f"Dwarf;{rng.choice(('Wizard', 'Swordsman'))};Witch_King;Elf", options=options, chits=chits
    )


@pytest.mark.parametrize("seed", range(12))
def test_f8_random_days_are_written_and_read_back(seed: int) -> None:
    rng = Random(seed)
    world = rich_day(rng)
    for _ in range(120):
        world = MACHINE.play(world, *random_step(world, rng, MACHINE))
        check_world(world)
        assert decode(MACHINE, encode(world)) == world
        if world.part != "daylight":
            break


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_what_a_seat_does_not_know_can_be_drawn_anew_at_any_time_of_a_day(seed: int) -> None:
    rng = Random(seed)
    world = rich_day(rng)
    for _ in range(40):
        world = MACHINE.play(world, *random_step(world, rng, MACHINE))
        if world.part != "daylight":
            break
        seat = rng.randrange(4)
        guess = check_world(resample(world, seat, rng))
        assert MACHINE.to_move(guess) == MACHINE.to_move(world)
        for _ in range(5):
            guess = check_world(MACHINE.play(guess, *random_step(guess, rng, MACHINE)))


BARE = ("1.goods=-", "2.goods=-", "1.unhidden", "2.unhidden")
UNKNOWN = ("H;H;H", "S;R", "A;-;H")


def two(*fields: str, hero: str = "Elf") -> World:
    return begin(day("1.plan=A;A", *fields, heroes="Elf;Dwarf"), hero)


@pytest.mark.parametrize(
    ("make", "known", "least"),
    [
        (lambda plan: two(f"2.plan={plan}", *BARE), 0, 0),
        (lambda plan: play(two(f"2.plan={plan}", *BARE), "pass"), 0, 0),
        (lambda plan: two(f"2.plan={plan}", "2.goods=Spear-1", "1.at=B2", hero="Dwarf"), 0, 1),
        (lambda plan: two(f"2.plan=A;{plan}", *BARE, hero="Dwarf"), 1, 1),
        (lambda plan: two(f"2.plan=S;{plan}", *BARE, hero="Dwarf"), 1, 1),
        (lambda plan: meet("2.at=BV2", f"2.plan=A;{plan}", "2.phase=1", "2.blocked", heroes="Elf;Dwarf"), 1, 1),
    ],
)
def test_x1_what_others_have_written_and_not_begun_changes_no_guess(
    make: Callable[[str], World], known: int, least: int
) -> None:
    worlds = [make(plan) for plan in UNKNOWN]
    for seed in range(10):
        first, *others = [resample(world, 0, Random(seed)) for world in worlds]
        assert all(other == first for other in others)
        plan = check_world(first).heroes[1].plan
        assert plan[:known] == worlds[0].heroes[1].plan[:known]
        assert len(plan) >= least
        assert first.part != "evening" or len(plan) == known


def test_a_guide_who_does_not_know_the_way_in_a_guess_stays() -> None:
    at = [f"{seat}.{text}" for seat in (1, 2) for text in ("at=DW1", "goods=-")]
    fields = ("1.knows=DW1-DW4", "1.plan=H;M_DW4;M_DW1", "1.orders=shed:ask", "2.guide=1", "2.plan=F_Elf")
    world = play(begin(day(*at, *fields, heroes="Elf;Witch")), "d 1 1").fork()
    world.writable_hero(0).discoveries = 0
    assert MACHINE.play(world.seal(), 0, Step("go")).heroes[0].place == world.heroes[0].place


def damage(text: str, rng: Random) -> str:
    """Return a position with a frame that was added, taken away, doubled or changed."""
    fields = dict(field.partition("=")[::2] for field in text.split())
    frames = fields["agenda"].split(";")
    new = [rng.choice(KINDS), rng.choice("-1234"), *(str(rng.choice((0, 0, 0, 1, rng.choice(NEAR)))) for _ in range(3))]
    at = rng.randrange(len(frames))
    match rng.randrange(5):
        case 0:
            frames.append(":".join(new))
        case 1:
            frames[at] = ":".join(new)
        case 2:
            frames.insert(at, ":".join(new))
        case 3:
            frames.append(frames[at])
        case _:
            del frames[at]
    fields["agenda"] = ";".join(frames)
    return " ".join(f"{name}={value}" if value else name for name, value in fields.items())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_f9_damaged_days_are_refused_or_can_be_played(seed: int) -> None:
    rng = Random(seed)
    world = rich_day(rng)
    for _ in range(40):
        world = MACHINE.play(world, *random_step(world, rng, MACHINE))
        if world.part != "daylight":
            break
        try:
            damaged = decode(MACHINE, damage(encode(world), rng))
        except BadPosition:
            continue
        for _ in range(15):
            if MACHINE.to_move(damaged):
                damaged = MACHINE.play(damaged, *random_step(damaged, rng, MACHINE))
                assert decode(MACHINE, encode(damaged)) == damaged


TURN = "daylight;turn:1:0:0:1;phase:1"
SENTENCES = {
    "daylight;daylight;next": "begins with the frame daylight",
    "next": "needs another one before it|begins with the frame daylight",
    "daylight;end:2;chit:-:12:12": "",
    "daylight;end:3;chit:-:12:12": "The dead take no turns",
    "daylight;act:1": "cannot wait",
    "daylight;next;next": "cannot wait",
    "daylight;search:1": "needs one turn",
    f"{TURN};turn:1:0:0:1;search:1": "needs one turn",
    "daylight;turn:2:0:0:1;phase:1:1;search:1": "whose turn it is",
    "daylight;turn:4:0:0:1;phase:4;gain:4:256;pay:4": "frame gain of the agenda does not fit",
    "daylight;turn:1;phase:1;search:1": "frame turn of the agenda does not fit",
    f"{TURN}:4;search:1": "",
    f"{TURN}:4;arrange:4": "frame arrange of the agenda does not fit",
    f"{TURN}:4;look:1:83;chit:-:10:10": "",
    f"{TURN}:4;look:1:7;chit:-:10:10": "frame look of the agenda does not fit",
    f"{TURN}:4;roads:1:83:0;look:1:83;chit:-:10:10": "",
    f"{TURN}:4;roads:1:7:0;look:1:83;chit:-:10:10": "frame roads of the agenda does not fit",
    f"{TURN}:4;roads:1:83:2;look:1:83;chit:-:10:10": "has a number that it cannot have",
    f"{TURN}:4;gain:1:256;pay:1": "",
    f"{TURN}:4;gain:1:400;pay:1": "frame gain of the agenda does not fit",
    f"{TURN}:4;gain:4:256;pay:1": "whose turn it is",
    f"{TURN}:4;to:2": "whose turn it is",
    f"{TURN}:4;dice:1": "",
    f"{TURN}:4;dice:1:1": "frame dice of the agenda does not fit",
    f"{TURN}:4;dice:1:1:83": "",
    f"{TURN}:4;dice:1:3:83": "",
    f"{TURN}:4;dice:1:9:83": "frame dice of the agenda does not fit",
    f"{TURN}:4;move:1;search:1": "frame move of the agenda does not fit",
    f"{TURN}:4;force:1:6;search:1": "",
    f"{TURN}:4;found:1;search:1": "",
    f"{TURN}:4;gain:1:256:15;search:1": "",
    f"{TURN}:4;card:-:0": "",
    f"{TURN}:4;card:-:0:12": "Nothing can happen",
    f"{TURN}:4;card:-:28": "Nothing can happen",
    f"{TURN}:4;meet:4:8;search:1": "",
    "daylight;turn:2:0:0:1;phase:2:4;search:2": "frame phase of the agenda does not fit",
}


@pytest.mark.parametrize("agenda", SENTENCES)
def test_f9_agendas_that_fit_and_others(agenda: str) -> None:
    fields = ("1.at=CN6", "2.at=CN6", "3.dead", "4.at=B2-B3", "1.plan=S;S", "waiting=2", f"agenda={agenda}")
    if not SENTENCES[agenda]:
        world = day(*fields, heroes="Elf;Swordsman;Witch;Druid")
        rng = Random(1)
        while world.part == "daylight" and MACHINE.to_move(world):
            world = MACHINE.play(world, *random_step(world, rng, MACHINE))
        return
    with pytest.raises(BadPosition, match=SENTENCES[agenda]):
        day(*fields, heroes="Elf;Swordsman;Witch;Druid")


@pytest.mark.parametrize(
    "fields",
    [
        ("2.guide=1", "2.at=B3"),
        ("2.guide=1", "2.dead"),
        ("2.guide=1", "1.guide=3"),
        ("waiting=3", "3.dead"),
        ("agenda=daylight;moment:2", "waiting=2"),
    ],
)
def test_f9_followers_and_counters_that_do_not_fit(fields: tuple[str, ...]) -> None:
    names = [field.partition("=")[0] for field in fields]
    usual = [f"{seat}.at=B2" for seat in (1, 2, 3) if f"{seat}.at" not in names]
    with pytest.raises(BadPosition):
        day(*usual, *fields, heroes="Elf;Swordsman;Witch")


def test_f9_nothing_of_this_is_checked_at_other_times() -> None:
    world = begin(day("1.at=B2-B3", heroes="Elf"))
    assert world.part == "birdsong"
    assert play(world, "done").part == "sunrise"
