"""What the acting seat is asked to do."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.games.realm.first_state import State
from realmtable.games.realm.steps import StepKind
from realmtable.kit.realm_board.geometry import realm_name, realm_of
from tests.modern_realm.helpers import random_game as random_modern_game
from tests.realm.helpers import GAME, SETUP, TESTED, open_plays, phase_of, random_game
from tests.realm_boards.boards import BOARDS, Board, read_cases

START = "Move a piece, or several out of or into one Realm."
CREATE = "Place the new Enforcer and choose where it faces"
OFFERED = "W:Bh11,Bk11,Pa1 B:Bb2,Be2,Pg12"
LIFTED = "W:Bh11,Pg10,Eg11N,Eg12x B:Bh2,Pi10 options=rearrange_both=on"
DOUBLE = "W:Fb2,Fe2,~k11*6 B:Fb8,Fk8,~h11*6 right=W owed=0 options=double_moves=on"
FROM, INTO = "from the Realm around b2", "into the Realm around e2"
GIFT = "W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5 options=power_sacrifice=on"
PLACED = "Eb2 Mb11 Me2 Me11 Mh2 Mh11 Mk2 Mk11 Mb5 Mb8 Me5 Me8 Mh5 Mh8 Mk5"
ALL_OUT = "Choose a Realm (a block of nine spaces) and move all your pieces out of it that can move."
PROMPTS = {  # position or options; steps; prompt
    "realm": f"""
        # the set-up and the first turn
        choose_seat=both           |                              | Choose who places first.
                                   |                              | Place a Base on a highlighted Center.
                                   | Bh11 Bh2 Be8 Be5 Bb5 Bb8     | Place a Power next to one of your Bases.
        choose_seat=move           | {SETUP}                      | Choose who moves first.
                                   | {SETUP}                      | {START}
        first_turn_single_power=on | {SETUP}                      | Move a single Power.
        first_turn_single_power=on | {SETUP} Pf7i7                | End your turn.
        # a turn goes on from or into a Realm
        W:Bh11,Pa1,Pc1 B:Bb2,Bh2   | Pc1f1 | Keep moving from the Realm around b2, or end your turn.
        W:Bh11,Pb1,Pc1 B:Bb2,Bh2 | Pc1f1 | Keep moving {FROM} {INTO}, or end your turn.
        W:Bh11,Pc1,Pf9 B:Bb2,Bh2   | Pc1f1 | Keep moving into the Realm around e2, or end your turn.
        W:Bh11,Pa1,Pc1,Pf9 B:Bb2,Bh2 | Pc1f1 | Keep moving {FROM} or {INTO}, or end your turn.
        W:Bh11,Pc1 B:Bb2,Bh2       | Pc1f1                        | End your turn.
        # agreement
        {OFFERED}                  | offer Pa1d1 end              | Accept the offer to end the game, or play on.
        {OFFERED}                  | offer Pa1d1 end offer        | {START}
        # without a move
        W:Bh11 B:Bh2               |                              | Rearrange a Realm, or pass if you cannot.
        W:Bh11,Eg10x B:Bh2         |                              | Rearrange a Realm, or pass if you cannot.
        # events
        {GIFT} | xPa1(Ec3N) | Move a piece out of the Realm around b2.
        W:Bh11,Be8,Pa7 B:Bk2       | Pa7d7                        | {CREATE}.
        W:Bh11,Be8,Pa7 B:Bk2 options=optional_creation=on | Pa7d7 | {CREATE}, or decline it.
        W:Bh11,Pa7 B:Bk2 options=optional_creation=on     | Pa7d7 | Place the new Base, or decline it.
        W:Bh11,Ea7E B:Be8,Bk2,Ef8N,Ef9S                   | Ea7d7 | Choose an enemy Enforcer to immobilise.
        # a Rearrangement
        {LIFTED}                   | Rh11                         | Put your Power back on a highlighted space.
        {LIFTED}                   | Rh11 Ph10                    | Put your Enforcer back and choose where it faces.
        {LIFTED} | Rh11 Ph10 Eg10N | Put your immobile Enforcer back on a highlighted space.
        {LIFTED}                   | Rh11 Ph10 Eg10N Ei12x        | Put Black's Power back on a highlighted space.
    """,
    "classic_realm": f"""
        free_setup=on   |           | Place a frog on an empty pad.
                        |           | Move one of your frogs.
        {DOUBLE}        |           | Move one of your frogs; you may move twice this turn.
        {DOUBLE}        | Fb2b5     | Move a frog again, or end your turn.
        {DOUBLE}        | Fb2b5 end | Move one of your frogs.
        double_moves=on |           | Move one of your frogs.
    """,
    "medieval_realm": """
        W:Mb11 B:Dk11              | | Move one of your pieces, or bear one off the board.
        W:Mk11,Mb5 B:Db8 move=W    | | Move one of your pieces, or bear one off the board.
                                   | | Move one of your pieces.
        W:Mb5,De2 B:Mc6 move=B     | | Pass: you have no legal move.
    """,
    "oriental_realm": f"""
        emperor=choose         |          | Choose which of your pieces is the Emperor.
        free_setup=on          |          | Place a Mandarin or your Emperor in an empty Realm.
        free_setup=on          | Eb2 Mb11 | Place a Mandarin in an empty Realm.
        free_setup=on          | {PLACED} | Place your Emperor in an empty Realm.
                               |          | Move one or more of your pieces in one Realm (a block of nine spaces).
        W:Ma1,Mb2 B:Mk11,Ek8   | Ma1a2    | Move another piece from the Realm around b2, or end your turn.
                               | Mb5b6    | End your turn: no other piece from the Realm around b5 can move.
        W:Mb2 B:Ma2,Mc2,Mk9    |          | Pass: you have no legal move.
        W: B:                  |          | Pass: you have no legal move.
    """,
    "modern_realm": f"""
        counter_agent=choose        |        | Choose which of your pieces is the Counter-Agent.
                                    |        | {ALL_OUT}
        W:Aa5,Ab5,Ac5 B:Ab8,Ak11    | Ab5b7  | Move your next piece out of the Realm around b5.
        W:Ab4,Ac9,Ca1 B:Ab8,Ck11    | Ab4b7  | Put the dislodged Agent on a free space of the Realm around b8.
        W:Aa4 B:Hb5,Ac4,Ak11 move=W |        | Pass: you have no legal move.
        W:Hb11,Ab12,Hk8 B:Ac12      |        | Pass: you have no legal move.
    """,
}  # fmt: skip


@pytest.mark.parametrize(("tested", "where", "steps", "prompt"), read_cases(PROMPTS))
def test_the_acting_seat_is_asked(tested: Board, where: str, steps: str, prompt: str) -> None:
    assert tested.prompt(tested.at(where, steps)) == prompt


@pytest.mark.long
@pytest.mark.parametrize("name", ["medieval_realm", "oriental_realm"])
@given(data=st.data())
def test_a_prompt_fits_the_legal_steps(name: str, data: st.DataObject) -> None:
    tested = BOARDS[name]
    state = data.draw(tested.states())
    if tested.ending(state) is None and tested.game.view(state, None)["phase"] in ("turn", "pass"):
        steps, prompt = tested.legal(state), tested.prompt(state)
        assert prompt.startswith("Pass") == (steps == {"pass"})
        assert ("bear one off" in prompt) == any(text.endswith("off") for text in steps)
        assert prompt.startswith("End your turn: no other piece") == (steps == {"end"})


@pytest.mark.parametrize(("black", "passes"), [("Ab1,Ca5,Ak11", True), ("Ab1,Aa5,Ck11", False)])
def test_no_piece_leaves_into_the_realm_of_the_enemy_counter_agent(black: str, passes: bool) -> None:
    tested = BOARDS["modern_realm"]
    state = tested.at(f"W:Aa1 B:{black}")
    assert tested.prompt(state).startswith("Pass") == (tested.legal(state) == {"pass"}) == passes


@pytest.mark.parametrize("seed", range(4))
def test_a_prompt_says_pass_only_if_there_is_no_move(seed: int) -> None:
    tested = BOARDS["modern_realm"]
    for state, _ in islice(random_modern_game(seed), 150):
        if tested.ending(state) is None:
            assert tested.prompt(state).startswith("Pass") == (tested.legal(state) == {"pass"})


@pytest.mark.parametrize("seed", range(6))
def test_a_prompt_names_the_plays_that_can_go_on(seed: int) -> None:
    for state, _ in islice(random_game(seed), 200):
        if TESTED.ending(state) is None and phase_of(state) == "turn" and GAME.view(state, None)["open"]["moves"]:
            assert set(TESTED.prompt(state).removesuffix(".").split(", or ")) == plays_of(state)


def plays_of(state: State) -> set[str]:
    """The words of a prompt in the middle of a turn, from the legal moves."""
    moves = [step for step in TESTED.steps(state) if step.kind == StepKind.MOVE]
    origin, target = open_plays(state)
    kinds = {(realm_name(realm_of(step.at)) == origin, realm_name(realm_of(step.to)) == target) for step in moves}
    if not kinds:
        return {"End your turn"}
    plays = [f"from the Realm around {origin}"] * ((True, False) in kinds) + [f"into the Realm around {target}"] * (
        (False, True) in kinds
    )
    both = f"from the Realm around {origin} into the Realm around {target}"
    return {f"Keep moving {' or '.join(plays) or both}", "end your turn"}
