"""Any text is read as a position that can be played, or refused; it is never an error of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from realmtable.engine.errors import BadPosition
from tests.classic_realm.helpers import FAR, WON
from tests.codec_checks import overwrite_line
from tests.game_under_test import seeds
from tests.realm_boards.boards import BOARDS, Board, each_board
from tests.realm_boards.test_codecs import (
    CHOSEN,
    COURT,
    DOUBLE,
    EIGHT,
    FAULTY_FIELDS,
    FIRST,
    FREE,
    KEY,
    LINES,
    OPEN,
    REFUSED,
    TURN,
    WAITING,
    State,
    check_round_trip,
)

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
# Playing from an example takes longer than reading it: half as many as the profile has.
PLAYED = settings(FUZZ, max_examples=settings().max_examples // 2)
ALPHABETS = {
    "realm": "WB:BPEabghl1290NSx,= /*-_mover",
    "classic_realm": "WB:Fbehk2581,~*= move",
    "medieval_realm": "WB:DMabehk1258,= /-_movedukspt",
    "oriental_realm": "WB:MEabghl1290,= /*-_move",
    "modern_realm": " :,=-x0123456789WBACHlmovepasd",
}
STEPS_PLAYED = {"realm": 30, "oriental_realm": 8}  # from each made-up position; 20 in other games


def try_decode(tested: Board, text: str) -> State | None:
    """The state of a text, or None where it is refused; anything else is an error of ours."""
    try:
        return tested.game.decode(text)
    except BadPosition:
        return None


def play_randomly(tested: Board, state: State, seed: int) -> None:
    """Play random steps: each state has a step and comes back from its line, and the first can be drawn."""
    rng = Random(seed)
    assert tested.game.draw(tested.game.view(state, None))
    for _ in range(STEPS_PLAYED.get(tested.game.info.id, 20)):
        assert tested.game.decode(tested.game.encode(state)) == state
        if not tested.game.to_move(state):
            assert tested.ending(state)
            return
        assert tested.steps(state)
        state = tested.game.play(state, tested.seat_of(state), tested.random_step(rng, state))


@pytest.mark.long
@each_board
@PLAYED
@given(data=st.data())
def test_any_state_comes_back(tested: Board, data: st.DataObject) -> None:
    check_round_trip(tested, data.draw(tested.states(**tested.limits)))


@each_board
@FUZZ
@given(data=st.data())
def test_any_text_is_a_position_or_refused(tested: Board, data: st.DataObject) -> None:
    try_decode(tested, data.draw(st.text(max_size=200) | st.text(ALPHABETS[tested.game.info.id], max_size=60)))


@each_board
@pytest.mark.parametrize("text", ["W:\x00 B:", "=\n=", "W:B:W:"])
def test_odd_text_is_a_position_or_refused(tested: Board, text: str) -> None:
    try_decode(tested, text)


@each_board
@FUZZ
@given(data=st.data())
def test_any_fields_are_a_position_or_refused(tested: Board, data: st.DataObject) -> None:
    name = tested.game.info.id
    faulty = [f"{LINES[name]} {fields}" for fields, _ in FAULTY_FIELDS]
    short = [text for text in (*faulty, *(text for text, _ in REFUSED[name])) if len(text) < 300]
    texts = data.draw(st.lists(st.sampled_from(short), max_size=3))
    words = data.draw(st.lists(st.text(ALPHABETS[name], max_size=12), max_size=4))
    try_decode(tested, " ".join([*words, *texts]))


@pytest.mark.long
@each_board
@PLAYED
@given(data=st.data())
def test_a_changed_line_is_a_position_that_can_be_played_or_refused(tested: Board, data: st.DataObject) -> None:
    state = data.draw(tested.states(**tested.limits))
    text = overwrite_line(data, tested.game.encode(state), ALPHABETS[tested.game.info.id])
    if (changed := try_decode(tested, text)) is not None:
        play_randomly(tested, changed, data.draw(seeds))


DAMAGED = {  # lines, and signs that are put into them
    "classic_realm": ([FAR, WON, f"{FAR} right=W owed=0 {DOUBLE}"], " :,=~*0123456789WBFbehk"),
    "modern_realm": ([TURN, WAITING, OPEN, FIRST, EIGHT + " end=eight_headquarters"], " :,=-x0123456789WBACHl"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", DAMAGED)
@settings(FUZZ, max_examples=70)
@given(data=st.data())
def test_a_damaged_position_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Overwrite, insert and cut off at one place: what is still read comes back and goes on, or is over."""
    tested, (lines, signs) = BOARDS[name], DAMAGED[name]
    drawn = st.sampled_from(lines) | tested.states(**tested.limits).map(tested.game.encode)
    text, sign = data.draw(drawn), data.draw(st.sampled_from(signs))
    cut = data.draw(st.integers(0, 10**6)) % (len(text) + 1)
    for damaged in (text[:cut] + sign + text[cut + 1 :], text[:cut] + sign + text[cut:], text[:cut]):
        if (state := try_decode(tested, damaged)) is not None:
            assert tested.game.decode(tested.game.encode(state)) == state
            assert tested.legal(state) or tested.ending(state)


def draw_line(boards: Sequence[str], fields: Sequence[Sequence[str]], options: str = "") -> st.SearchStrategy[str]:
    """Draw a board, one field from each of at most four groups, and at most two options."""
    chosen = st.lists(st.sampled_from(options.split() or [""]), max_size=2, unique=True)
    written = chosen.map(lambda pairs: f"options={','.join(pairs)}" if any(pairs) else "")
    groups = st.lists(st.sampled_from(fields), max_size=4, unique_by=id)
    drawn = groups.flatmap(lambda found: st.tuples(*(st.sampled_from(group) for group in found)))
    parts = st.tuples(st.sampled_from(boards), drawn, written)
    return parts.map(lambda found: " ".join([found[0], *found[1], found[2]]))


@st.composite
def draw_men(draw: st.DrawFn) -> str:
    """Some Men of each side on any spaces, with at most one field."""
    spaces = [f"{file}{rank}" for file in "abcdefghijkl" for rank in range(1, 13)]
    chosen = draw(st.lists(st.sampled_from(spaces), unique=True, max_size=12))
    half = draw(st.integers(0, len(chosen)))
    white, black = (",".join(f"M{space}" for space in part) for part in (chosen[:half], chosen[half:]))
    field = draw(st.sampled_from(["", "move=B", "turns=299", "dukes=2/3", "passed", "end=borne_off"]))
    return f"W:{white} B:{black} {field}"


PHASES = ["choose_place", "bases", "powers", "choose_move", "turn", "found", "create", "immobilise", "rearrange"]
HANDMADE: Mapping[str, st.SearchStrategy[str]] = {
    "realm": draw_line(
        [
            "W:Bh11,Pg10 B:Bh2,Pa1",
            "W:Bh11,Pg10,Eg12S,Ea2x B:Bb2,Pa1,Ec3N,Ec1S",
            "W:Bh11,Be8,Bb5 B:Bh2,Be5,Bb8",
            "W:Bb2,Pa1,Pa2,Eb1x,Ec1N B:Pd7,Ee7N,Ef7W,Be11",
            "W: B:",
            "W:Bb2,Be2,Bh2,Bk2,Bb5,Be5,Bh5,Bk5 B:Bb8,Be8,Bh8,Bk8,Bb11,Be11,Bh11,Bk11",
        ],
        [
            ["move=W", "move=B"],
            [f"phase={phase}" for phase in PHASES],
            ["moved", "moved progress", "freed", "passed"],
            ["from=h11", "from=b2", "from=e8"],
            ["into=h11", "into=b2", "into=e8"],
            ["at=g10", "at=a1", "at=d7"],
            ["left=1/1", "left=11/2", "left=2/13"],
            ["stock=0/0", "stock=1/4"],
            ["lifted=WPg10", "lifted=WPg10,WEh10N", "lifted=BPa1,WPa2", "lifted=BEa1x"],
            ["placed=1", "placed=5", "placed=6", "placed=8"],
            ["first=B", "offer=made", "offer=standing", "captured=2/3"],
            ["rowW=h11*2", "rowB=b2*1", "quiet=9", "quiet=120", "turns=1000", "turns=19"],
        ],
        "powers=4 optional_creation=on power_sacrifice=on rearrange_both=on rearrange=all_move extra_base_second=on",
    ),
    "medieval_realm": draw_men(),
    "oriental_realm": draw_line(
        [COURT, CHOSEN, "W: B:", "W:Mb5,Mc4 B:Mc5,Mb4", "W:Mb2,Ed4 B:Mh8"],
        [
            ["move=W", "move=B"],
            ["phase=place", "phase=choose", "phase=over end=surrounded won=B"],
            ["passed", "turns=19", "turns=399"],
            ["from=b5", "from=b2", "from=b5 unmoved=c4", "from=b5 unmoved=b5,c4"],
            [f"seen={KEY}", "seen="],
            [FREE, "options=emperor=choose", "options=warning=on", "options=max_turns=20"],
        ],
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", HANDMADE)
@PLAYED
@given(data=st.data())
def test_what_is_put_together_by_hand_can_be_played_or_is_refused(name: str, data: st.DataObject) -> None:
    if (state := try_decode(BOARDS[name], data.draw(HANDMADE[name]))) is not None:
        play_randomly(BOARDS[name], state, data.draw(seeds))
