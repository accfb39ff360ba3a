"""Every refusal names its clause and says why in one sentence."""

from __future__ import annotations

import pytest

from realmtable.engine.options import OptionValue
from realmtable.games.realm.steps import NOWHERE, Step, StepKind
from tests.realm.helpers import GAME, TESTED, position, start
from tests.refusal_checks import check_no_turn_follows_the_end, check_reasons, check_refusal, check_unknown_step

BOARD = "W:Bh11,Pg10,Eg12S,Ei12x,Pd4,Pa8 B:Bh2,Be8,Pg3,Eg9N"
BASES = "Bh11 Bh2 Be8 Be5 Bb5 Bb8"
SACRIFICE: dict[str, OptionValue] = {"power_sacrifice": True}
SINGLE: dict[str, OptionValue] = {"first_turn_single_power": True, "power_sacrifice": True}
ALL_MOVE: dict[str, OptionValue] = {"rearrange": "all_move"}
WALLS = ",Eh10x,Ei10x,Eg11x,Ei11x,Eg12x,Eh12x,Ei12x"

Case = tuple[str, dict[str, OptionValue], str, str, str, str]  # position, options, steps before, step, clause, words

IN_TURN: list[Case] = [
    # no such step
    (BOARD, {}, "", "Rg10", "B1", "no such step"),
    (BOARD, {}, "", "xPg10(Ea1N)", "B1", "no such step"),
    # the piece
    (BOARD, {}, "", "Pa1a4", "R9", "a1 is empty"),
    (BOARD, {}, "", "Pg3g4", "R9", "your opponent's"),
    (BOARD, {}, "", "Ph11h9", "R6", "Base never moves"),
    (BOARD, {}, "", "Ei12l12", "R8", "i12 is immobile"),
    (BOARD, SINGLE, "", "Eg12f12", "V9", "a single Power"),
    (BOARD, SINGLE, "Pd4d7", "Pg10f10", "V9", "a single Power"),
    # the way
    (BOARD, {}, "", "Pg10f9", "R7", "f9 is not on the rank or file of g10"),
    (BOARD, {}, "", "Pg10g10", "R7", "the piece is already on g10"),
    (BOARD.replace("Eg12S", "Eg11E"), {}, "", "Eg11f11", "R8", "cannot move straight back"),
    # the distance
    (BOARD, {}, "", "Pg10g8", "R7", "The piece on g9 is in the way"),
    (BOARD, {}, "", "Pg10g9", "R7", "The piece on g9 is in the way"),
    (BOARD, {}, "", "Pg10g11", "R7", "end in another Realm"),
    (BOARD, {}, "", "Pd4d6", "R7", "end in another Realm"),
    ("W:Bh11,Pa8 B:Bh2", {}, "", "Pa8e8", "R7", "cannot stop on a Center"),
    ("W:Bh11,Pa4 B:Be5", {"stop_in_enemy_realm": True}, "", "Pa4g4", "V5", "the enemy Realm around e5 must stop"),
    ("W:Bh11,Pd4 B:Be5", {"stop_in_enemy_realm": True}, "", "Pd4d5", "R7", "end in another Realm"),
    # the turn so far
    (BOARD, {}, "Pd4d7", "Pg10l10", "R9", "from the Realm around e5 or a Concentration into the Realm around e8"),
    (BOARD, {}, "Pd4d7 Pa8d8", "Pg10l10", "R9", "the turn so far: a Concentration into the Realm around e8"),
    (BOARD.replace("Pa8", "Pf5"), {}, "Pd4d7 Pf5l5", "Pg10l10", "R9", "so far: a Dispersal from the Realm around e5."),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "Pd4d7", "V13", "only pieces in the Realm around h11"),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "end", "V13", "a piece of that Realm must move"),
    (BOARD, SACRIFICE, "xPg10(Ei12N) Ei12l12", "Pd4d7", "R9", "a Dispersal from the Realm around h11"),
    (BOARD, {}, "", "end", "S7", "at least one move"),
    (BOARD, {}, "", "pass", "R9", "You cannot pass"),
    (BOARD, {}, "Pd4d7", "pass", "R9", "You cannot pass"),
    (BOARD, {}, "Pd4d7", "Rh11", "R9", "you have already moved"),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "Rh11", "V13", "the turn must be a Dispersal"),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "xPd4(Ei12N)", "B1", "no such step"),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "xPg10(Ei12N)", "V13", "already sacrificed a Power"),
    (BOARD, SACRIFICE, "xPg10(Ei12N) Ei12l12", "xPg10(Ei12N)", "V13", "already sacrificed a Power"),
    (BOARD, SACRIFICE, "Pd4d7", "xPg10(Ei12N)", "V13", "at the start of your turn"),
    (BOARD, {}, "Pd4d7", "xPg10(Ei12N)", "V13", "Sacrifices are not allowed"),
    # what is no play at all
    *[(BOARD, {}, "", text, "S3", "A turn consists of moves") for text in ("Bh8", "Pg7", "Eg7N", "xEg9", "-")],
    (BOARD, {}, "", "move:White", "S3", "A turn consists of moves"),
    # Rearrangement
    (BOARD, SINGLE, "", "Rh11", "V9", "a single Power"),
    (BOARD + " rowW=h11*2", {}, "", "Rh11", "R11", "You rearranged the Realm around h11 on your last two turns"),
    (f"W:Bh11,Eg10N B:Bh2{WALLS}", ALL_MOVE, "", "Rh11", "V15", "cannot all change"),
    (f"W:Bh11,Pg10 B:Bh2{WALLS}", {}, "", "Rh11", "R11", "nothing to rearrange"),
    (BOARD, {}, "", "Rh2", "R11", "nothing to rearrange in the Realm around h2"),
    # sacrifice
    (BOARD, {}, "", "xPg10(Ei12N)", "V13", "Sacrifices are not allowed"),
    (BOARD, SINGLE, "", "xPg10(Ei12N)", "V9", "a single Power"),
    (BOARD, SACRIFICE, "", "xPh10(Ei12N)", "V13", "You have no Power on h10"),
    (BOARD, SACRIFICE, "", "xPg10(Eg12N)", "V13", "You have no immobile Enforcer on g12"),
    ("W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x", SACRIFICE, "", "xPa1(Ec3N)", "V13", "could move"),
    # agreement
    (BOARD, {"agree_end": False}, "", "offer", "V17", "cannot agree"),
    (BOARD, {}, "Pd4d7", "offer", "T1", "at the start of your turn"),
    (BOARD, SACRIFICE, "xPg10(Ei12N)", "accept", "T1", "at the start of your turn"),
    (BOARD, {}, "offer", "offer", "T1", "already offered"),
    (BOARD, {}, "", "accept", "T1", "has not offered"),
    # pending events
    ("W:Bh11,Pe10 B:Bh2", {}, "Pe10g10", "end", "E2", "Place the new Enforcer first"),
    ("W:Bh11,Pe10 B:Bh2", {"optional_creation": True}, "Pe10e7", "end", "S5", "or decline it"),
    ("W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N", {}, "Ea7d7", "xEd7", "E3", "Choose first"),
    # lifted pieces
    (BOARD, {}, "Rh11", "end", "S8", "Put the lifted pieces back first"),
    (BOARD, {}, "Rh11", "Pg7", "R11", "g7 is outside the Realm around h11"),
    (BOARD, {}, "Rh11", "Ph11", "R11", "on a Center"),
    (BOARD, {}, "Rh11 Pg10", "Eg10S", "R11", "g10 is taken"),
    (BOARD, {}, "Rh11", "Eg12S", "S8", "Put the lifted pieces back first"),
    (BOARD, {}, "Rh11 Pg10", "Eg11x", "S8", "Put the lifted pieces back first"),
    ("W:Bh11,Pg10 B:Bh2", {}, "Rh11", "Pg10", "R11", "must change the position"),
    ("W:Bh11,Pg10,Ph10 B:Bh2", {}, "Rh11 Ph12", "Pg10", "S8", "ascending spaces"),
    ("W:Bh11,Pg10,Ph10 B:Bh2", {}, "Rh11", "Pi12", "S8", "with room above"),
    ("W:Bh11,Pg10 B:Bh2", ALL_MOVE, "Rh11", "Pg10", "V15", "not every piece could change its space"),
]  # fmt: skip

IN_SETUP: list[tuple[dict[str, OptionValue], str, str, str, str]] = [
    ({}, "", "Pa1", "R2", "Place a Base"),
    ({}, "", "Ea1N", "R2", "Place a Base"),
    ({}, "", "Pa1a4", "R2", "Place a Base"),
    ({}, "Bh11", "Bh11", "R2", "h11 is taken"),
    ({}, "Bh11 Bh2", "Bh5", "R2", "row or column of Realms through h5"),
    ({}, BASES, "Bb2", "R3", "Place a Power"),
    ({}, BASES, "pass", "R3", "Place a Power"),
    ({}, BASES, "Eg10N", "R3", "Place a Power"),
    ({}, BASES, "Pa1", "R3", "a1 is in a Realm where you have no Base"),
    ({}, BASES, "Pg1", "R3", "g1 is in a Realm where you have no Base"),
    ({}, BASES + " Pi10 Pg3", "Pg10", "R3", "already have a Power in the Realm around h11"),
    ({"choose_seat": "place"}, "", "Bh11", "S1", "place:White or place:Black"),
    ({"choose_seat": "move"}, BASES + " Pi10 Pg3 Pf7 Pd6 Pc4 Pc9", "Pi10i6", "S1", "move:White or move:Black"),
]


TEXTS = (
    "Pa1a4 Pg10g7 Pk1k5 Ee3e10 Bh11 Pg10 Eg10N Eg10x xEg10 Rh11 Rb2 xPg10(Eg11N) place:White - end pass offer accept"
)


@pytest.mark.parametrize(("board", "options", "before", "step", "clause", "words"), IN_TURN)
def test_a_turn_refuses(
    board: str, options: dict[str, OptionValue], before: str, step: str, clause: str, words: str
) -> None:
    check_refusal(TESTED, position(board, **options), f"{before} {step}", clause, words)


@pytest.mark.parametrize(("options", "before", "step", "clause", "words"), IN_SETUP)
def test_the_set_up_refuses(options: dict[str, OptionValue], before: str, step: str, clause: str, words: str) -> None:
    check_refusal(TESTED, start(**options), f"{before} {step}", clause, words)


@pytest.mark.parametrize(
    "step",
    [
        Step(StepKind.MOVE, 0, 144),
        Step(StepKind.MOVE, 0, 12, 1),
        Step(StepKind.MOVE, -1, 12),
        Step(StepKind.PUT, 0, NOWHERE, 6),
        Step(StepKind.PUT, 0, 3, 1),
        Step(StepKind.IMMOBILISE, 0, 1),
        Step(StepKind.REARRANGE, 13, 1),
        Step(StepKind.SACRIFICE, 0, 1, 4),
        Step(StepKind.CHOOSE, 2),
        Step(StepKind.CHOOSE, 0, 1),
        Step(StepKind.END, 1),
    ],
)
def test_a_step_that_exists_on_no_board_is_refused(step: Step) -> None:
    check_unknown_step(TESTED, position(BOARD), step)


def test_every_step_that_is_not_legal_has_a_reason() -> None:
    steps = [GAME.parse_move(start(), text) for text in TEXTS.split()]
    check_reasons(TESTED, steps, seeds=range(3), every=5, max_turns=20)


def test_a_turn_after_the_end_is_refused() -> None:
    over = GAME.decode("W:Bh11,Pg10 B:Bh2,Pa1 phase=over end=agreement")
    check_no_turn_follows_the_end(TESTED, over, "Pg10g7", clause="R12")
