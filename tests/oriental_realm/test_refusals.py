"""Every refusal names its clause and says what is wrong in a sentence."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.oriental_realm.steps import Step, StepKind
from tests.example_tables import read_table
from tests.oriental_realm.helpers import TESTED, play, position, seat_of, start
from tests.refusal_checks import check_no_turn_follows_the_end, check_refusal, check_unknown_step

BOARD = "W:Ee2,Mb5,Mc4,Ml6 B:Eh11,Mb8,Mk6,Mk9"
FREE: dict[str, OptionValue] = {"free_setup": True}
CHOOSE: dict[str, OptionValue] = {"emperor": "choose"}
LAST = "Mb2 Me2 Mh2 Mk2 Mb5 Me5 Mh5 Mk5 Mb8 Me8 Mh8 Mk8 Mb11 Me11"


REFUSED = """
                        | Ma1a2       | O2 | a1 is empty
                        | Mb8b9       | O2 | The piece on b8 is your opponent's
                        | Mb5b6 Ee2e3 | O2 | This turn moves only pieces from the Realm around b5
                        | Mb5b6 Mb6b7 | O2 | The piece on b6 has already moved this turn
                        | end         | O2 | at least one piece
                        | Mb5c6       | O3 | c6 is not on the rank or file of b5
                        | Mb5b5       | O3 | the piece is already on b5
                        | Mb5b9       | O3 | The piece on b8 is in the way
                        | Ml6j6       | O3 | The piece on k6 is in the way
                        | pass        | O7 | You cannot pass
                        | Mb5b6 pass  | O7 | close your turn with end
                        | Mb2         | S2 | All pieces have been placed
                        | Eb2         | S2 | All pieces have been placed
    W:Mb5,Ee2 B:Ma5,Mc5 | Mb5b6       | O4 | The Mandarin on b5 is pinned between two enemies
    W:Mb5,Ec6 B:Ma5,Mc5 | Ec6d6 Mb5b6 | O4 | The Mandarin on b5 is pinned
"""  # position, if not BOARD; steps; clause; words


@pytest.mark.parametrize(("board", "steps", "clause", "words"), read_table(REFUSED))
def test_a_refusal_in_a_turn(board: str, steps: str, clause: str, words: str) -> None:
    check_refusal(TESTED, position(board or BOARD), steps, clause, words)


@pytest.mark.parametrize(
    ("options", "steps", "step", "clause", "words"),
    [
        (FREE, "", "Mb2b3", "V1", "Place a piece in an empty Realm"),
        (FREE, "", "end", "V1", "Place a piece"),
        (FREE, "Mb2", "Ma1", "V1", "The Realm around b2 already holds a piece"),
        (FREE, "Eb2 Me2", "Eh2", "V1", "Your Emperor is already on the board; place a Mandarin"),
        (FREE, LAST, "Mh11", "V1", "Your seven Mandarins are already on the board"),
        (CHOOSE, "", "Mb2b3", "V2", "holds your Emperor, like Ee2"),
        (CHOOSE, "", "Ea1", "V2", "like Ee2"),
        (CHOOSE, "Ek5", "Ee2", "V2", "like Ee8"),
    ],
)
def test_a_refusal_in_the_set_up(
    options: dict[str, OptionValue], steps: str, step: str, clause: str, words: str
) -> None:
    check_refusal(TESTED, start(**options), f"{steps} {step}", clause, words)


@pytest.mark.parametrize(
    "step",
    [
        Step(StepKind.MOVE, 144, 0),
        Step(StepKind.MOVE, 0, 144),
        Step(StepKind.MOVE, -1, 3),
        Step(StepKind.MANDARIN, 3, 3),
        Step(StepKind.EMPEROR),
        Step(StepKind.END, 0),
    ],
)
def test_b1_there_is_no_step_beyond_the_board(step: Step) -> None:
    check_unknown_step(TESTED, start(), step)


def test_a_turn_after_the_end_is_refused() -> None:
    state = play(position("W:Ma1 B:Ma2,Mb5 move=B"), "Mb5b1")
    check_no_turn_follows_the_end(TESTED, state, "Ma2a3", clause="S2")
    assert seat_of(state) == 1
