"""A state as one line: both ways, written by hand, and refused with a reason; never a crash."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadPosition
from realmtable.games.fantasy_realms.codec import MAX_TEXT
from tests.codec_checks import overwrite_line
from tests.fantasy_realms.helpers import GAME, TABLES, patch_quick_scores, play, random_game, random_state, start, table

HANDS = GAME.encode(table(3)).split()[0]
CHAOS = GAME.encode(table(4, "chaos")).split()[0]
OPTION = " options=variant=chaos"
TRADE = f"{CHAOS} phase=trade{OPTION}"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_quick_scores(monkeypatch)


def test_only_what_is_not_usual_is_written() -> None:
    assert GAME.encode(start(3)) == "hands=// phase=deal"
    assert GAME.encode(play(start(2), "first 2")) == "hands=/ phase=draw first=2"
    state = play(start(2), "first 2", "deck", "King", "Book", "drop Book", "take Book")
    assert GAME.encode(state) == "hands=Book-of-Changes/King phase=draw first=2 turns=2 known=Book-of-Changes"
    state = play(table(4, "chaos"), "1 offer Forest", "2 bid Island for Forest", "3 ready")
    fields = "known=Forest offers=Forest bids=Island>Forest ready=3 steps=3 seen=Island///"
    assert GAME.encode(state) == f"{CHAOS} phase=trade {fields}{OPTION}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "2 to 6 players, not 1"),
        ("King", "not a field"),
        ("hands=/ hands=/", "twice"),
        ("hands=/ moon=1", "no field moon"),
        ("hands=///////", "players, not 8"),
        (f"hands=/{OPTION}", "Chaos Realms is for 3 to 7 players, not 2"),
        ("hands=/ options=variant=none", "variant"),
        ("hands=Emperor/", "no card Emperor"),
        ("hands=/ phase=night", "phase must be one of"),
        ("hands=/ first=3", "seat is a number from 1 to 2"),
        ("hands=/ phase=draw first=1 turns=x", "turns must be a number"),
        ("hands=/ discard=King", "seat is a number"),
        ("hands=/ end=rain", "end must be one of"),
        (f"{TRADE} ready=5", "from 1 to 4"),
        (f"{TRADE} seen=King", "each of the 4 seats"),
        ("x" * (MAX_TEXT + 1), "shorter than"),
        # ---- cards and phases
        (f"{HANDS},Mountain phase=draw first=1", "appears twice"),
        (f"{HANDS} phase=trade first=1", "no such phase"),
        (f"{CHAOS} phase=draw{OPTION}", "no such phase"),
        ("hands=// phase=keep options=variant=chaos", "no one holds the card"),
        (f"{TRADE} first=1", "`first` is the starting seat"),
        (f"{HANDS} phase=draw", "`first` is the starting seat"),
        ("hands=King// phase=deal", "`first` is the starting seat"),
        ("hands=/ phase=deal first=1", "`first` is the starting seat"),
        (f"{TRADE} turns=1", "`turns` does not fit"),
        ("hands=// phase=deal first=1 discard=King@1", "`turns` does not fit"),
        (f"{HANDS} phase=draw first=1 discard=King@1", "`turns` does not fit"),
        (f"{HANDS} phase=draw first=1 turns=300", "`turns` does not fit"),
        # ---- hands
        (f"{HANDS} phase=draw first=1 owed=2", "`owed` counts cards"),
        (f"{HANDS},King phase=discard first=3 owed=1", "`owed` counts cards"),
        ("hands=// phase=deal owed=1", "`owed` counts cards"),
        ("hands=King// phase=draw first=1", "hand sizes do not fit"),
        ("hands=King//Queen phase=deal first=1", "hand sizes do not fit"),
        (f"{HANDS} phase=deal first=1", "hand sizes do not fit"),
        (f"{HANDS} phase=discard first=1", "hand sizes do not fit"),
        (f"{HANDS},King phase=draw first=3", "hand sizes do not fit"),
        ("hands=King/Queen,Dragon phase=draw first=1 turns=2", "hand sizes do not fit"),
        (f"{CHAOS},King,Queen phase=over end=time{OPTION}", "hand sizes do not fit"),
        # ---- what is known
        (f"{HANDS} phase=draw first=1 known=King", "`known` lists"),
        ("hands=King// phase=deal first=1 known=King", "`known` lists"),
        (f"{CHAOS} phase=necromancer end=time{OPTION}", "`known` lists"),
        (f"{TRADE} known=Forest seen=Forest///", "`seen` lists"),
        (f"{TRADE} seen=Forest///", "`seen` lists"),
        (f"{TRADE} seen=King///", "`seen` lists"),
        (f"{TRADE} known=Forest offers=Forest bids=Island>Forest", "`seen` lists"),
        # ---- trading
        (f"{HANDS} phase=draw first=1 steps=1", "belong to trading"),
        (f"hands=/// phase=deal ready=1{OPTION}", "belong to trading"),
        (f"{CHAOS} phase=over end=time known=Forest offers=Forest{OPTION}", "belong to trading"),
        (f"{TRADE} offers=Forest", "on offer only once"),
        (f"{TRADE} known=Forest offers=Forest,Forest", "on offer only once"),
        (f"{TRADE} bids=Island>Forest", "Each bid, open or refused, is made only once"),
        (f"{TRADE} refused=Island>Forest", "Each bid, open or refused, is made only once"),
        (f"{TRADE} known=Forest offers=Forest refused=Island>Forest", "`seen` lists"),
        (f"{TRADE} known=Forest offers=Forest bids=Cavern>Forest", "Each bid, open or refused, is made only once"),
        (f"{TRADE} known=Forest offers=Forest bids=King>Forest", "Each bid, open or refused, is made only once"),
        (
            f"{TRADE} known=Forest offers=Forest bids=Island>Forest,Island>Forest seen=Island///",
            "Each bid, open or refused, is made only once",
        ),
        # ---- ends
        (f"{HANDS} phase=over first=1", "`end` and phase=over"),
        (f"{HANDS} phase=over first=1 turns=5 end=full_discard", "`end` and phase=over"),
        (f"{HANDS} phase=draw first=1 end=max_turns", "`end` and phase=over"),
        (f"{TRADE} ready=1,2,3,4", "`end` and phase=over"),
        (f"{TRADE} end=time", "`end` and phase=over"),
        (f"{TRADE},max_steps=10 steps=10", "`end` and phase=over"),
        (f"{CHAOS} phase=over{OPTION}", "`end` and phase=over"),
        (f"{CHAOS} phase=over end=time ready=1,2,3,4{OPTION}", "`end` and phase=over"),
        (f"{CHAOS} phase=over end=time steps=10{OPTION},max_steps=10", "`end` and phase=over"),
    ],
)
def test_what_no_game_could_go_on_from_is_refused_with_a_sentence(text: str, words: str) -> None:
    with pytest.raises(BadPosition) as caught:
        GAME.decode(text)
    assert words in str(caught.value)
    assert re.fullmatch(r"[^\n]{10,400}\.", str(caught.value))


def test_a_full_discard_area_is_the_end_though_a_card_of_it_was_just_taken() -> None:
    lying = ["King", "Queen", "Dragon", "Hydra", "Unicorn", "Basilisk", "Princess", "Warlord", "Empress"]
    discard = ",".join(f"{name}@1" for name in lying)
    draw = f"{HANDS} phase=draw first=1 turns=30 discard={discard}"
    assert GAME.to_move(GAME.decode(draw)) == (0,)
    with pytest.raises(BadPosition, match="phase=over"):
        GAME.decode(f"{draw},Warship@1")
    hands = HANDS.replace("Swamp/", "Swamp,Warship/")
    taken = f"{hands} phase=discard first=1 turns=30 discard={discard}"
    assert GAME.to_move(GAME.decode(taken)) == (0,)
    with pytest.raises(BadPosition, match="phase=over"):
        GAME.decode(f"{taken} known=Warship")


@pytest.mark.long
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.integers(0, 10**6), st.sampled_from(TABLES))
def test_a_damaged_line_is_refused_or_a_game_goes_on_from_it(
    data: st.DataObject, seed: int, kind: tuple[str, int]
) -> None:
    variant, seats = kind
    state = random_state(start(seats, variant, max_turns=30, max_steps=40), seed, Random(seed).randrange(120))
    with suppress(BadPosition):
        state = GAME.decode(overwrite_line(data, GAME.encode(state), " =,/@>-0123KQ"))
        assert GAME.decode(GAME.encode(state)) == state
        *_, (last, _, _) = random_game(state, 1, clock=0.1)
        assert GAME.outcome(last) is not None
