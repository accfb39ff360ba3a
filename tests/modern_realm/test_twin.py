"""Step by step with the slow twin: the same steps, the same states, under random options; and the same counts."""

from __future__ import annotations

import dataclasses

import pytest

from realmtable.engine.options import OptionValue
from realmtable.engine.perft import perft
from realmtable.games.modern_realm.first_state import State
from tests.modern_realm.helpers import GAME, TESTED, pieces, position, seat_of, start, summary
from tests.modern_realm.twin import ModernTwin, ModernTwinOptions
from tests.twin_checks import TwinChecks, count_sequences, count_twin_sequences


class TestTwin(TwinChecks):
    tested = TESTED
    summary = staticmethod(summary)
    twin = ModernTwin
    twin_options = ModernTwinOptions


# ---- the number of ways to play some steps

CORNERED = "W:Af4,Hb8,He8,Hh8,Hk8,Hb11,Hk11,Ab12 B:Hb2,He2,Hh2,Hb5,He5,Hh5,Hk5,Aj12 move=B"
GATHERED = "W:Ca7,Ac8,Ab9,Ak2,Hh8,Hk8 B:Ab8,Aa9,Cg3,Ad4,Hb2,Hk5 move=W"
LOCKED = "W:Aa4,Ak10,Hb8 B:Hb5,Ac6,Ck11,Aj2 move=W"

CIRCLING = "W:Ae4,Ad6,Ab2,Ae2,Ab5,Ah5,He8,Hh8 B:Ck11,Ae11,Aa9,Hk2 move=W"  # ways back through e5, with a turn there

STARTS: dict[str, tuple[str, dict[str, OptionValue]]] = {
    "standard": ("", {}),
    "choose": ("", {"counter_agent": "choose"}),
    "cornered": (CORNERED, {}),
    "gathered": (GATHERED, {}),
    "locked": (LOCKED, {}),
    "locked light": (LOCKED, {"hq_counts": False}),
    "locked short": (LOCKED + " turns=18", {"max_turns": 20}),
    "closed": ("", {"origin_closed": True}),
    "closed cornered": (CORNERED, {"origin_closed": True}),
    "on entry": ("", {"capture_on_entry": True}),
    "gathered on entry": (GATHERED, {"capture_on_entry": True}),
    "locked on entry": (LOCKED, {"capture_on_entry": True}),
    "locked closed on entry": (LOCKED, {"capture_on_entry": True, "origin_closed": True}),
    "circling": (CIRCLING, {}),
    "circling closed": (CIRCLING, {"origin_closed": True}),
    **{f"from {space}": ("", {"counter_agent": space}) for space in ("b2", "h2", "k2", "b5", "e5", "h5", "k5")},
}
COUNTS = [
    ("standard", 1, 672),
    ("choose", 1, 8),
    ("choose", 2, 64),
    ("from b2", 1, 672),
    ("from h2", 1, 672),
    ("from k2", 1, 672),
    ("from b5", 1, 616),
    ("from e5", 1, 616),
    ("from h5", 1, 616),
    ("from k5", 1, 616),
    ("cornered", 1, 10),
    ("cornered", 2, 1141),
    ("gathered", 1, 123),
    ("gathered", 2, 10_365),
    ("locked", 1, 18),
    ("locked", 2, 1146),
    ("locked light", 1, 58),
    ("locked light", 2, 3739),
    ("locked short", 2, 1146),
    ("closed", 1, 646),
    ("closed cornered", 2, 1134),
    ("on entry", 1, 672),
    ("gathered on entry", 1, 18),
    ("gathered on entry", 2, 420),
    ("locked on entry", 1, 2),
    ("locked on entry", 2, 29),
    ("locked closed on entry", 2, 29),
    ("circling", 1, 499),
    ("circling closed", 1, 488),
]
MANY_COUNTS = [
    ("standard", 2, 442_696),
    ("choose", 3, 41_216),
    ("from b2", 2, 442_712),
    ("from h2", 2, 442_696),
    ("from k2", 2, 442_712),
    ("from b5", 2, 383_098),
    ("from e5", 2, 383_535),
    ("from h5", 2, 383_535),
    ("from k5", 2, 383_098),
    ("cornered", 3, 44_883),
    ("gathered", 3, 473_741),
    ("locked", 3, 17_462),
    ("locked light", 3, 121_350),
    ("locked short", 3, 15),
    ("locked short", 4, 0),
    ("closed", 2, 407_590),
    ("closed cornered", 3, 44_262),
    ("circling", 2, 42_941),
]


def named_start(name: str) -> State:
    text, options = STARTS[name]
    return position(text, **options) if text else start(**options)


def twin_at(state: State) -> ModernTwin:
    """The twin at the start of a turn or in a set-up."""
    options = ModernTwinOptions(**dataclasses.asdict(state.options))
    setup = 2 if GAME.view(state, None)["phase"] == "choose" else 0
    turns = int(summary(state)["turns"])  # type: ignore[call-overload]
    return ModernTwin(options, pieces(state), setup, seat_of(state), turns)


def check_perft(name: str, depth: int, number: int) -> None:
    state = named_start(name)
    assert count_sequences(state, depth) == number
    assert count_twin_sequences(twin_at(state), depth) == number


@pytest.mark.parametrize(("name", "depth", "number"), COUNTS)
def test_both_count_the_same(name: str, depth: int, number: int) -> None:
    check_perft(name, depth, number)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "number"), MANY_COUNTS)
def test_both_count_the_same_far_ahead(name: str, depth: int, number: int) -> None:
    check_perft(name, depth, number)


def test_perft_counts_so() -> None:
    assert [perft(GAME, named_start("cornered"), depth) for depth in range(3)] == [1, 10, 1141]
    assert perft(GAME, named_start("choose"), 1) == 8
