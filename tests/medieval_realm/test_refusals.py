"""Every refusal names its clause and says in a sentence what is wrong."""

from __future__ import annotations

import pytest

from realmtable.games.medieval_realm.steps import NOWHERE, OFF_CELL, PASS_STEP, Step
from realmtable.kit.realm_board.geometry import CELLS, CENTERS
from tests.example_tables import read_table
from tests.medieval_realm.helpers import GAME, TESTED, play, position, start
from tests.refusal_checks import check_only_the_acting_seat_plays, check_reasons, check_refusal, check_unknown_step

BOARD = "W:De2,Mb5,Me5,Mk8 B:Dh5,Mb8,Dk11,Mh11"
NINE = "Md4,Me4,Mf4,Md5,Me5 B:Mf5,Md6,Me6,Mf6"

REFUSED = """
    pass   | M10 | You cannot pass
    Ma1b2  | M2  | a1 is a Border space
    De2e6  | M2  | e6 is a Border space
    Ma1off | M2  | a1 is a Border space
    Mb11b8 | M2  | There is no piece on b11
    Mb8b5  | M2  | The piece on b8 is your opponent's
    De2e2  | M3  | already on e2
    Me5h5  | M5  | An enemy Duke is on h5
    De2e5  | M3  | e5 holds one of your pieces; the move must go on
    Mb5b2  | M2  | A Man moves forward or sideways, never backwards
    De2k2  | M3  | k2 is not next to e2, and no chain of your pieces leads there
    Mb5off | M8  | The piece on b5 cannot leave the board
    Mk8off | M8  | not in its far row
"""  # on BOARD: step, clause and words
REFUSED_ELSEWHERE = [
    ("W:Ma7,De2 B:Mb8", "Mb8b11", "M2", "Your Men in the Realm around b8 are dislodged"),
    ("W:Ma7,De2 B:Mh8", "Mb8b11", "M2", "Your Men in the Realm around b8 are dislodged"),
    ("W:Me2," + NINE + ",De8,Mb5 move=B", "De8e5", "M7", "The Realm around e5 holds nine pieces"),
    (BOARD + " move=B", "Mb8b11", "M2", "A Man moves forward or sideways, never backwards"),
    ("W:De2,Mh2 B:De5,Dk11", "De2e8", "M3", "e8 is not next to e2"),
    ("W:De2,Mk2 B:De5,Dk11", "De2h5", "M3", "h5 is only diagonally next to e2, which does not count"),
    ("W:Me2,Md4,Me4,Mf4,Md5,De5 B:Mf5,Md6,Me6,Mf6,Dk11", "Me2e8", "M7", "nine pieces blocks the path from e2 to e8"),
    ("W:Me8,De11,Md10,Me10,Mf10,Md11 B:Mf11,Md12,Me12,Mf12,Dk2", "Me8off", "M7", "the path from e8 to the far side"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "clause", "words"), read_table(REFUSED))
def test_a_step_is_refused(step: str, clause: str, words: str) -> None:
    check_refusal(TESTED, position(BOARD), step, clause, words)


@pytest.mark.parametrize(("board", "step", "clause", "words"), REFUSED_ELSEWHERE)
def test_a_step_is_refused_elsewhere(board: str, step: str, clause: str, words: str) -> None:
    check_refusal(TESTED, position(board), step, clause, words)


@pytest.mark.parametrize(
    "step", [Step(CELLS, OFF_CELL), Step(13, CELLS + 7), Step(-1, 13), Step(13, NOWHERE), Step(-5, OFF_CELL)]
)
def test_a_step_that_exists_on_no_board_is_refused(step: Step) -> None:
    check_unknown_step(TESTED, start(), step)


def test_every_step_that_is_not_legal_has_a_reason() -> None:
    steps = [Step(at, to) for at in CENTERS for to in (*CENTERS, OFF_CELL)] + [PASS_STEP]
    check_reasons(TESTED, steps, seeds=range(2), every=9, max_plies=60)


def test_who_is_not_to_move_or_after_the_end() -> None:
    over = play(position("W:Mb11 B:Dk11"), "Mb11off")
    check_only_the_acting_seat_plays(TESTED, GAME.parse_move(start(), "Mb5b8"), over)
