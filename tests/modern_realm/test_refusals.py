"""Every refusal names its clause and says why in one sentence."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.modern_realm.steps import Step, StepKind
from tests.example_tables import read_table
from tests.modern_realm.helpers import GAME, TESTED, position, start
from tests.refusal_checks import check_only_the_acting_seat_plays, check_reasons, check_refusal, check_unknown_step

BOARD = "W:Ab5,Aa4,Ce2,Hh8,Aj7 B:Ab8,Ck4,Al9,Ak8,Ah11"
CHOOSE: dict[str, OptionValue] = {"counter_agent": "choose"}

REFUSED = """
    # the piece
                         | Ac1c4       | D2  | c1 is empty
                         | Ab8b7       | D2  | your opponent's
                         | Ah8h7       | D11 | An HQ never moves
                         | Aj7j4       | D3  | The Agent on j7 is immobile
                         | Ab5b7 Ce2h2 | D2  | out of the Realm around b5, and e2 is outside
    # where it goes
                         | Ab5c5       | D4  | must leave its Realm, and c5 is in it
                         | Ab5b8       | D4  | b8 is taken
                         | Ab5j5       | D5  | Counter-Agent is in the Realm around k5
                         | Ab5b9       | D4  | The piece on b8 is in the way
                         | Aa4a10      | D6  | the Realm around b8, where the enemy holds the Center, must end there
                         | Ab5h10      | D7  | There is no path from b5 to h10
    # what is no move
                         | pass        | D12 | You cannot pass
                         | Ab5b7 pass  | D12 | You cannot pass
                         | xAb9        | S3  | no dislodged Agent to place
                         | Cb2         | S1  | already on the board
    W:Ak1 B:Cj6,Al12     | Ak1k9       | D5  | Counter-Agent is in the Realm around k5
    W:Ae1,Ae5 B:Al12,Hh5 | Ae1e9       | D4  | The piece on e5 is in the way
    # it leaves b8, and did not enter it
    W:Aa7 B:Ab8,Aa11     | Aa7a12      | D4  | The piece on a11 is in the way
    # a dislodged Agent
    W:Cb5,Ac7 B:Ab8,Aa9  | Cb5b7 Ac7c4 | S3  | Choose first the Border space of the Realm around b8
    W:Cb5,Ac7 B:Ab8,Aa9  | Cb5b7 pass  | S3  | Choose first the Border space of the Realm around b8
    W:Cb5,Ac7 B:Ab8,Aa9  | Cb5b7 xAb6  | D10 | b6 is outside the Realm around b8
    W:Cb5,Ac7 B:Ab8,Aa9  | Cb5b7 xAb8  | D10 | goes to the Border
    W:Cb5,Ac7 B:Ab8,Aa9  | Cb5b7 xAc7  | D10 | c7 is taken
"""  # position, if not BOARD; steps; clause; words
REFUSED_CHOICES = """
    Ab2b4       | S1 | Choose first the Center
    pass        | S1 | Choose first the Center
    Ca1         | V1 | a1 is not one of your eight Centers
    Cb8         | V1 | b8 is not one of your eight Centers
    Ce2 Ce2     | V1 | e2 is not one of your eight Centers
    Ce2 Ch8 Ch8 | S1 | already on the board
"""  # steps, clause and words

TEXTS = "Ab2b4 Ae5e9 Ah5l9 Ak8k4 Ce2e11 Ch11b1 Aa1l12 xAb9 xAh5 Ce2 Cb8 pass"


@pytest.mark.parametrize(("board", "steps", "clause", "words"), read_table(REFUSED))
def test_a_turn_refuses(board: str, steps: str, clause: str, words: str) -> None:
    check_refusal(TESTED, position(board or BOARD), steps, clause, words)


@pytest.mark.parametrize(("steps", "clause", "words"), read_table(REFUSED_CHOICES))
def test_a_choice_refuses(steps: str, clause: str, words: str) -> None:
    check_refusal(TESTED, start(**CHOOSE), steps, clause, words)


@pytest.mark.parametrize(
    "step",
    [
        Step(StepKind.MOVE, 0, 144),
        Step(StepKind.MOVE, -1, 12),
        Step(StepKind.MOVE, 0),
        Step(StepKind.DISLODGE, 144),
        Step(StepKind.DISLODGE, 3, 4),
        Step(StepKind.CHOOSE, 13, 4),
        Step(StepKind.CHOOSE),
        Step(StepKind.PASS, 0),
    ],
)
def test_a_step_that_exists_on_no_board_is_refused(step: Step) -> None:
    check_unknown_step(TESTED, position(BOARD), step)


def test_every_step_that_is_not_legal_has_a_reason() -> None:
    steps = {GAME.parse_move(start(), text) for text in TEXTS.split()}
    check_reasons(TESTED, steps, seeds=range(4), every=3, max_turns=40)


def test_who_does_not_act_and_what_is_over() -> None:
    over = position("W:Ab2 B:Ab11 turns=300 end=max_turns")
    check_only_the_acting_seat_plays(TESTED, GAME.parse_move(start(), "Ab11b10"), over)
