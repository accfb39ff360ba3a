"""The twin by itself: examples of the rulebook and of RULES.md, and random games with random options.

They show that the rules as written are complete and that every game ends, before there are kernels to compare with.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from realmtable.engine.options import make_options
from realmtable.games.realms_of_etherium.options import PRESETS, EtheriumOptions
from tests.realms_of_etherium.twin import Twin
from tests.realms_of_etherium.twin_world import CHANCE, PORTAL, SIDES, Hex, Mage, Question, Realm, Steps, neighbours


def make_twin(layout: dict[str, Hex], seats: int = 2, options: EtheriumOptions | None = None) -> Twin:
    """A game with these Realms, named by kind and copy, such as ``transmute.1``; seat 0's first Mage is active."""
    twin = Twin(seats, options or EtheriumOptions())
    names = {name: name.partition(".") for name in layout}
    twin.set_hexes({Realm(kind, int(copy or 0)): layout[name] for name, (kind, _, copy) in names.items()})
    twin.turn = 1
    twin.active = twin.mages[0]
    return twin


def answer(steps: Steps, *answers: str) -> list[Question]:
    """Answer every question in turn, and return the questions."""
    asked = []
    try:
        question = next(steps)
        for text in answers:
            asked.append(question)
            question = steps.send(text)
        pytest.fail(f"another question: {question}")
    except StopIteration:
        return asked


def test_w7_18_of_64_patterns_are_constrained() -> None:
    found = 0
    for pattern in product((False, True), repeat=6):
        twin = Twin(2, EtheriumOptions())
        closed = [side for side, is_closed in zip(SIDES, pattern, strict=True) if is_closed]
        twin.set_hexes({PORTAL: (0, 0), **{Realm("channel", copy): at for copy, at in enumerate(closed)}})
        found += twin.is_constrained(PORTAL)
    assert found == 18


def test_c7_modularity_is_worth_three_connected_green_realms() -> None:
    """The rulebook's example; with `lone_connected` off, a single Green Realm does not count."""
    greens = {"conjure": (1, 0), "transmute": (1, -1), "transmute.1": (2, -1)}
    twin = make_twin({"portal": (0, 0), **greens, "modularity": (0, 1)})
    twin.owner[Realm("modularity", 0)] = 1
    assert (twin.points(0), twin.points(1)) == (0, 3)
    lone = make_twin({"conjure": (1, 0), "modularity": (0, 1)}, options=EtheriumOptions(lone_connected=False))
    assert lone.worth(Realm("modularity", 0), 0) == 0


def test_d2_the_first_realm_stays_and_the_second_is_dispelled() -> None:
    """The rulebook's example: Green is left first, but Red would touch only one Realm; then Purple goes."""
    world = {"multiply": (0, 0), "transmute": (1, 0), "portal": (0, 1), "channel": (1, 1), "condense": (2, 0)}
    twin = make_twin({**world, "quicken": (2, -1), "shift": (3, -1), "swap": (3, 0)})
    twin.left = [Realm("transmute", 0), Realm("quicken", 0)]
    assert twin.count_touching((0, 0)) == 2
    assert [twin.is_dispelled(realm) for realm in twin.left] == [False, True]


@pytest.mark.parametrize(
    ("lessen", "colour", "prices"),
    [(0, "", [2, 4, 6]), (1, "", [1, 3, 5]), (2, "", [1, 2, 4]), (0, "green", [1, 3, 5]), (2, "green", [1, 2, 4])],
)
def test_t5_conversions_into_black_are_never_free(lessen: int, colour: str, prices: list[int]) -> None:
    twin = make_twin({"portal": (0, 0), "lessen": (1, 0), "lessen.1": (0, 1), "transmute": (0, -1)})
    twin.colours[0] = colour
    for copy in range(lessen):
        twin.mages[copy].place = Realm("lessen", copy)
    tile = twin.kinds["transmute"]
    assert [twin.convert_price(twin.mages[0], tile, number)[0] for number in (1, 2, 3)] == prices


def test_n11_all_deals_without_three_disruptions_are_equally_likely() -> None:
    found = []
    for deal in product(("disruption", "channel", "draw"), repeat=3):
        twin = Twin(2, EtheriumOptions(reshuffle="until_fewer"))
        twin.supply, twin.reserve = Counter(disruption=5, channel=3, draw=3), Counter()
        chance = Fraction(1)
        for kind in deal:
            weights = twin.weigh_last_deal(twin.stock("realm"))
            chance *= Fraction(weights.get(f"reveal {kind.capitalize()}", 0), sum(weights.values()) * twin.supply[kind])
            twin.supply[kind] -= 1
            twin.reserve[kind] += 1
        found.append(chance)
    assert found == [0] + 26 * [Fraction(1, 11 * 10 * 9 - 5 * 4 * 3)]


@pytest.mark.parametrize(("reactions", "expected"), [("all", (4, 3)), ("first", (2, 3))])
def test_p8_the_example_of_transmute(reactions: str, expected: tuple[int, int]) -> None:
    """To the letter: Generate gives 1 Black for each of two tiles, Propagate and its 2 White follow only by default."""
    twin = make_twin({"portal": (0, 0), "generate": (1, 0), "generate.1": (0, 1), "propagate": (-1, 1)})
    twin.options = EtheriumOptions(reactions=reactions)
    twin.white[0] = 2
    for mage, realm in zip(
        twin.mages, (Realm("generate", 0), Realm("generate", 1), Realm("propagate", 0)), strict=False
    ):
        mage.place = realm
    answer(twin.gain(twin.mages[0], 0, 1))
    assert (twin.white[0], twin.black[0]) == expected


@pytest.mark.parametrize(("red", "expected"), [(False, (4, 2)), (True, (5, 2))])
def test_p8_reactions_look_at_the_gain_alone(red: bool, expected: tuple[int, int]) -> None:
    """Black triggers Generate and Propagate; Propagate's White triggers Multiply for the Red player only (Y1)."""
    twin = make_twin({"portal": (0, 0), "generate": (1, 0), "propagate": (0, 1), "multiply": (-1, 1)})
    twin.white[0] = 2
    twin.colours[0] = "red" if red else ""
    for mage, kind in zip(twin.mages, ("generate", "propagate", "multiply"), strict=False):
        mage.place = Realm(kind, 0)
    answer(twin.gain(twin.mages[0], 0, 1))
    assert (twin.white[0], twin.black[0]) == expected


@pytest.mark.parametrize(("held_by", "black"), [("player", 2), ("mage", 1)])
def test_p4_whom_a_held_realm_serves(held_by: str, black: int) -> None:
    layout = {"portal": (0, 0), "generate": (1, 0), "condense": (0, 1)}
    twin = make_twin(layout, options=EtheriumOptions(held_by=held_by))
    twin.hold(Realm("generate", 0))
    answer(twin.enter(twin.mages[1], Realm("condense", 0)))
    assert twin.black[0] == black


def test_t6_a_pushed_mage_is_asked_for_protection_and_decides_where_it_enters() -> None:
    twin = make_twin({"portal": (0, 0), "displace": (1, 0), "protection": (0, 1), "conjure": (1, -1)})
    twin.white, twin.black = [1, 1], [0, 3]
    twin.mages[0].place = Realm("displace", 0)
    twin.mages[3].place = Realm("displace", 0)
    twin.mages[4].place = Realm("protection", 0)
    asked = answer(twin.displace(), "push 2.1 to 1,-1", "skip", "use")
    assert [(question.seat, question.phase) for question in asked] == [(0, "push"), (1, "protect"), (1, "enter")]
    assert twin.mages[-1] == Mage(1, 4, Realm("conjure", 0), exhausted=True)
    assert (twin.white, twin.black) == ([0, 1], [0, 0])


def test_w8_a_dispel_that_would_split_the_world_does_not_happen() -> None:
    ring = neighbours((0, 0))
    far = neighbours((3, 0))
    names = ["channel", "condense", "draw", "gather", "harvest", "conjure"]
    layout = dict(zip(names, ring, strict=True)) | {"portal": (2, 0)}
    layout |= {f"{name}.1": at for name, at in zip(names, far, strict=True) if at != (2, 0)}
    literal = make_twin(layout, options=EtheriumOptions(keep_connected=False))
    assert literal.count_parts(literal.hexes) == 1
    without = {realm: at for realm, at in literal.hexes.items() if realm.kind != "portal"}
    assert literal.count_parts(without) == 2
    assert not literal.splits(without)
    assert make_twin(layout).splits(without)


def check(twin: Twin) -> None:
    """Whether a position can be one of the game."""
    assert all(0 <= amount <= 20 for amount in (*twin.white, *twin.black))
    assert twin.supply.total() + twin.reserve.total() + len(twin.hexes) == twin.manifest.count()
    assert all(mage.place == PORTAL or mage.place in twin.hexes for mage in twin.mages)
    owned = [(seat, realm.kind) for realm, seat in twin.owner.items()]
    assert len({*owned}) == len(owned)
    if not twin.options.portals_touch_as_one and len(twin.hexes) > 2:
        assert all(twin.count_touching(at) >= 2 for at in twin.hexes.values())
    if twin.options.keep_connected:
        assert twin.count_parts(twin.hexes) == 1


LIVELY = (
    "game.mages:5;condense.copies:6;conjure.use:0/0;displace.use:0/0;protection.use:0/0;transfer.use:0/0;"
    "paralyze.use:0/0;shift.use:0/0;swap.use:0/0;tribute.copies:4"
)


@pytest.mark.parametrize("seed", range(6))
def test_r6_e4_random_games_end(seed: int) -> None:
    rng = random.Random(seed)
    values = {"max_rounds": 5, "points": 3, "manifest": LIVELY if seed % 2 else "standard"}
    twin = Twin(2 + seed % 5, make_options(EtheriumOptions, PRESETS, [*PRESETS][seed], values))
    steps = twin.play()
    question: Question | None = next(steps)
    while question is not None:
        check(twin)
        texts = [*question.steps]
        busy = [text for text in texts if text not in {"end", "skip", "next"}] or texts
        chosen = rng.choice(busy if question.seat != CHANCE else rng.choices(texts, [*question.steps.values()]))
        try:
            question = steps.send(chosen)
        except StopIteration:
            question = None
    assert twin.reason in {"points", "max_rounds"}
