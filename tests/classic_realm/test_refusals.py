"""Every refusal names its clause and says a sentence."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.engine.errors import IllegalMove
from realmtable.games.classic_realm.steps import NOWHERE, Step, StepKind
from tests.classic_realm.helpers import GAME, TESTED, play, position, random_game, seat_of, start
from tests.classic_realm.test_rules import FAR, FULL
from tests.clause_checks import clauses_of
from tests.refusal_checks import check_only_the_acting_seat_plays, check_refusal, check_unknown_step
from tests.rules_document_checks import read_rules

PLACE = "W:Fb2 B: options=free_setup=on"
REFUSALS = [
    (PLACE, "Fb2", "V1", "b2 is taken"),
    (PLACE, "Fa1", "V1", "a1 is water"),
    (PLACE, "Fb2e2", "V1", "Place your frogs first"),
    (PLACE, "end", "V1", "Place your frogs first"),
    (PLACE, "pass", "V1", "Place your frogs first"),
    (FAR, "Fe2", "S2", "All frogs are placed"),
    (FAR, "end", "S3", "Make a move before you end"),
    (FAR, "pass", "C8", "You cannot pass"),
    (FAR, "Fa1b2", "C2", "a1 is water; only a frog on a pad moves"),
    (FAR, "Fb2a1", "C2", "a1 is water; a frog jumps from pad to pad"),
    (FAR, "Fb2b2", "C3", "cannot return"),
    (FAR, "Fk11h11", "C2", "The frog on k11 is your opponent's"),
    (FAR, "Fe5e8", "C2", "There is no frog on e5"),
    (FAR, "Fb2h2", "C3", "h2 is not next to b2"),
    (FAR, "Fb2e5", "C3", "e5 is only diagonally next to b2, which does not count"),
    (FULL, "Fb2e2", "C3", "Your own frog is on e2"),
    (FULL + " move=B", "Fe8e5", "C6", "The Realm around e5 holds nine pieces"),
    (FULL, "Fe2e8", "C6", "Every path there leads through the Realm around e5"),
    (FULL, "Fe2k11", "C3", "k11 is not next to e2"),
]


@pytest.mark.parametrize(("board", "text", "clause", "words"), REFUSALS)
def test_a_step_is_refused_with_its_clause(board: str, text: str, clause: str, words: str) -> None:
    check_refusal(TESTED, position(board), text, clause, words)


def test_s3_without_the_right_there_is_no_second_move() -> None:
    state = position(FAR + " right=B", double_moves=True)
    assert seat_of(play(state, "Fb2e2")) == 1


@pytest.mark.parametrize(
    "step",
    [Step(StepKind.MOVE, 13, 200), Step(StepKind.MOVE, NOWHERE, 13), Step(StepKind.PUT, 200),
     Step(StepKind.PUT, 13, 16), Step(StepKind.END, 13), Step(StepKind.PASS, NOWHERE, 13)],
)  # fmt: skip
def test_a_step_of_no_board_is_refused(step: Step) -> None:
    for state in (start(), start(free_setup=True)):
        check_unknown_step(TESTED, state, step)


def test_who_is_not_to_move_and_when_it_is_over() -> None:
    over = position("W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water")
    check_only_the_acting_seat_plays(TESTED, GAME.parse_move(start(), "Fb8b5"), over)


@pytest.mark.parametrize("seed", range(3))
def test_any_step_is_played_or_refused_with_a_clause_of_the_rules(seed: int) -> None:
    rng, clauses = Random(seed), clauses_of(read_rules(GAME))
    for state, step in random_game(seed, max_plies=40):
        if step is None:
            continue
        other = Step(rng.choice(list(StepKind)), rng.randrange(-1, 146), rng.randrange(-1, 146))
        legal = GAME.legal_moves(state, seat_of(state))
        if other not in legal:
            with pytest.raises(IllegalMove) as caught:
                GAME.play(state, seat_of(state), other)
            assert caught.value.clause in clauses
