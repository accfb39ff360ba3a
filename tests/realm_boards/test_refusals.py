"""Every refusal names a clause of RULES.md and says in one sentence what is wrong."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from realmtable.engine.errors import GameOver, IllegalMove, NotYourTurn
from realmtable.games.classic_realm.steps import Step as ClassicStep
from realmtable.games.classic_realm.steps import StepKind as ClassicKind
from realmtable.games.medieval_realm.steps import NOWHERE as OFF_THE_BOARD
from realmtable.games.medieval_realm.steps import OFF_CELL, PASS_STEP
from realmtable.games.medieval_realm.steps import Step as MedievalStep
from realmtable.games.modern_realm.steps import Step as ModernStep
from realmtable.games.modern_realm.steps import StepKind as ModernKind
from realmtable.games.oriental_realm.steps import Step as OrientalStep
from realmtable.games.oriental_realm.steps import StepKind as OrientalKind
from realmtable.games.realm.steps import Step, StepKind
from realmtable.kit.realm_board.geometry import CELLS, CENTERS
from realmtable.kit.realm_board.steps import NOWHERE
from tests.clause_checks import clauses_of
from tests.realm_boards.boards import BOARDS, Board, list_cases, read_cases, read_rules

# ---- what is refused, and why

BOARD = "W:Bh11,Pg10,Eg12S,Ei12x,Pd4,Pa8 B:Bh2,Be8,Pg3,Eg9N"
FACING_EAST = BOARD.replace("Eg12S", "Eg11E")
NEAR = BOARD.replace("Pa8", "Pf5")
GIFT = f"{BOARD} options=power_sacrifice=on"
SINGLE = f"{BOARD} options=first_turn_single_power=on,power_sacrifice=on"
WALLS = ",Eh10x,Ei10x,Eg11x,Ei11x,Eg12x,Eh12x,Ei12x"
ALL_MOVE = "options=rearrange=all_move"
STOP = "options=stop_in_enemy_realm=on"
BASES = "Bh11 Bh2 Be8 Be5 Bb5 Bb8"
POND = "W:Fb2,~e5*4,~h8*3 B:Fk11,~h5*3,~e8*4"
FULL = "W:Fb2,Fe2,Fe5,~e5*3,Fk2,~k11 B:Fb8,Fe8,Fk8,~e5*5"
PLACING = "W:Fb2 B: options=free_setup=on"
LAND = "W:De2,Mb5,Me5,Mk8 B:Dh5,Mb8,Dk11,Mh11"
NINE = "Md4,Me4,Mf4,Md5,Me5 B:Mf5,Md6,Me6,Mf6"
CLOSED = "W:Me2,Md4,Me4,Mf4,Md5,De5 B:Mf5,Md6,Me6,Mf6,Dk11"
CLOSED_TOP = "W:Me8,De11,Md10,Me10,Mf10,Md11 B:Mf11,Md12,Me12,Mf12,Dk2"
COURT = "W:Ee2,Mb5,Mc4,Ml6 B:Eh11,Mb8,Mk6,Mk9"
PLACED = "Mb2 Me2 Mh2 Mk2 Mb5 Me5 Mh5 Mk5 Mb8 Me8 Mh8 Mk8 Mb11 Me11"
CITY = "W:Ab5,Aa4,Ce2,Hh8,Aj7 B:Ab8,Ck4,Al9,Ak8,Ah11"
WAITING = "W:Cb5,Ac7 B:Ab8,Aa9"

REFUSED = {  # position or options; steps, of which the last is refused; clause; words
    "realm": f"""
        # no such step
        {BOARD}       |                    Rg10         | B1  | no such step
        {BOARD}       |                    xPg10(Ea1N)  | B1  | no such step
        # the piece
        {BOARD}       |                    Pa1a4        | R9  | a1 is empty
        {BOARD}       |                    Pg3g4        | R9  | your opponent's
        {BOARD}       |                    Ph11h9       | R6  | Base never moves
        {BOARD}       |                    Ei12l12      | R8  | i12 is immobile
        {SINGLE}      |                    Eg12f12      | V9  | a single Power
        {SINGLE}      |              Pd4d7 Pg10f10      | V9  | a single Power
        # the way
        {BOARD}       |                    Pg10f9       | R7  | f9 is not on the rank or file of g10
        {BOARD}       |                    Pg10g10      | R7  | the piece is already on g10
        {FACING_EAST} |                    Eg11f11      | R8  | cannot move straight back
        # the distance
        {BOARD}       |                    Pg10g8       | R7  | The piece on g9 is in the way
        {BOARD}       |                    Pg10g9       | R7  | The piece on g9 is in the way
        {BOARD}       |                    Pg10g11      | R7  | end in another Realm
        {BOARD}       |                    Pd4d6        | R7  | end in another Realm
        W:Bh11,Pa8 B:Bh2        |          Pa8e8        | R7  | cannot stop on a Center
        W:Bh11,Pa4 B:Be5 {STOP} |          Pa4g4        | V5  | the enemy Realm around e5 must stop
        W:Bh11,Pd4 B:Be5 {STOP} |          Pd4d5        | R7  | end in another Realm
        # the turn so far
        {BOARD} | Pd4d7 Pg10l10       | R9 | from the Realm around e5 or a Concentration into the Realm around e8
        {BOARD} | Pd4d7 Pa8d8 Pg10l10 | R9 | the turn so far: a Concentration into the Realm around e8
        {NEAR}  | Pd4d7 Pf5l5 Pg10l10 | R9 | so far: a Dispersal from the Realm around e5.
        {GIFT}        | xPg10(Ei12N)         Pd4d7        | V13 | only pieces in the Realm around h11
        {GIFT}        | xPg10(Ei12N)         end          | V13 | a piece of that Realm must move
        {GIFT}        | xPg10(Ei12N) Ei12l12 Pd4d7        | R9  | a Dispersal from the Realm around h11
        {BOARD}       |                      end          | S7  | at least one move
        {BOARD}       |                      pass         | R9  | You cannot pass
        {BOARD}       | Pd4d7                pass         | R9  | You cannot pass
        {BOARD}       | Pd4d7                Rh11         | R9  | you have already moved
        {GIFT}        | xPg10(Ei12N)         Rh11         | V13 | the turn must be a Dispersal
        {GIFT}        | xPg10(Ei12N)         xPd4(Ei12N)  | B1  | no such step
        {GIFT}        | xPg10(Ei12N)         xPg10(Ei12N) | V13 | already sacrificed a Power
        {GIFT}        | xPg10(Ei12N) Ei12l12 xPg10(Ei12N) | V13 | already sacrificed a Power
        {GIFT}        | Pd4d7                xPg10(Ei12N) | V13 | at the start of your turn
        {BOARD}       | Pd4d7                xPg10(Ei12N) | V13 | Sacrifices are not allowed
        # what is no play at all
        {BOARD}       |              Bh8          | S3  | A turn consists of moves
        {BOARD}       |              Pg7          | S3  | A turn consists of moves
        {BOARD}       |              Eg7N         | S3  | A turn consists of moves
        {BOARD}       |              xEg9         | S3  | A turn consists of moves
        {BOARD}       |              -            | S3  | A turn consists of moves
        {BOARD}       |              move:White   | S3  | A turn consists of moves
        # Rearrangement
        {SINGLE}      |              Rh11         | V9  | a single Power
        {BOARD} rowW=h11*2 |         Rh11         | R11 | You rearranged the Realm around h11 on your last two turns
        W:Bh11,Eg10N B:Bh2{WALLS} {ALL_MOVE} | Rh11 | V15 | cannot all change
        W:Bh11,Pg10 B:Bh2{WALLS} |   Rh11         | R11 | nothing to rearrange
        {BOARD}       |              Rh2          | R11 | nothing to rearrange in the Realm around h2
        # sacrifice
        {BOARD}       |              xPg10(Ei12N) | V13 | Sacrifices are not allowed
        {SINGLE}      |              xPg10(Ei12N) | V9  | a single Power
        {GIFT}        |              xPh10(Ei12N) | V13 | You have no Power on h10
        {GIFT}        |              xPg10(Eg12N) | V13 | You have no immobile Enforcer on g12
        W:Bh11,Pa1,Ec3x B:Bh2,Bb2,Ec4x,Ed3x options=power_sacrifice=on | xPa1(Ec3N) | V13 | could move
        # agreement
        {BOARD} options=agree_end=off | offer     | V17 | cannot agree
        {BOARD}       | Pd4d7        offer        | T1  | at the start of your turn
        {GIFT}        | xPg10(Ei12N) accept       | T1  | at the start of your turn
        {BOARD}       | offer        offer        | T1  | already offered
        {BOARD}       |              accept       | T1  | has not offered
        # pending events
        W:Bh11,Pe10 B:Bh2           | Pe10g10 end  | E2 | Place the new Enforcer first
        W:Bh11,Pe10 B:Bh2 options=optional_creation=on | Pe10e7 end | S5 | or decline it
        W:Bh11,Ea7E B:Bh2,Ef8N,Ef9N | Ea7d7   xEd7 | E3 | Choose first
        # lifted pieces
        {BOARD}       | Rh11         end          | S8  | Put the lifted pieces back first
        {BOARD}       | Rh11         Pg7          | R11 | g7 is outside the Realm around h11
        {BOARD}       | Rh11         Ph11         | R11 | on a Center
        {BOARD}       | Rh11 Pg10    Eg10S        | R11 | g10 is taken
        {BOARD}       | Rh11         Eg12S        | S8  | Put the lifted pieces back first
        {BOARD}       | Rh11 Pg10    Eg11x        | S8  | Put the lifted pieces back first
        W:Bh11,Pg10 B:Bh2            | Rh11      Pg10 | R11 | must change the position
        W:Bh11,Pg10,Ph10 B:Bh2       | Rh11 Ph12 Pg10 | S8  | ascending spaces
        W:Bh11,Pg10,Ph10 B:Bh2       | Rh11      Pi12 | S8  | with room above
        W:Bh11,Pg10 B:Bh2 {ALL_MOVE} | Rh11      Pg10 | V15 | not every piece could change its space
        # the set-up
                                     | Pa1       | R2 | Place a Base
                                     | Ea1N      | R2 | Place a Base
                                     | Pa1a4     | R2 | Place a Base
                                     | Bh11 Bh11 | R2 | h11 is taken
                                     | Bh11 Bh2 Bh5         | R2 | row or column of Realms through h5
                                     | {BASES} Bb2          | R3 | Place a Power
                                     | {BASES} pass         | R3 | Place a Power
                                     | {BASES} Eg10N        | R3 | Place a Power
                                     | {BASES} Pa1          | R3 | a1 is in a Realm where you have no Base
                                     | {BASES} Pg1          | R3 | g1 is in a Realm where you have no Base
                                     | {BASES} Pi10 Pg3 Pg10 | R3 | already have a Power in the Realm around h11
        choose_seat=place            | Bh11      | S1 | place:White or place:Black
        choose_seat=move | {BASES} Pi10 Pg3 Pf7 Pd6 Pc4 Pc9 Pi10i6 | S1 | move:White or move:Black
    """,
    "classic_realm": f"""
        {PLACING}     | Fb2    | V1 | b2 is taken
        {PLACING}     | Fa1    | V1 | a1 is water
        {PLACING}     | Fb2e2  | V1 | Place your frogs first
        {PLACING}     | end    | V1 | Place your frogs first
        {PLACING}     | pass   | V1 | Place your frogs first
        {POND}        | Fe2    | S2 | All frogs are placed
        {POND}        | end    | S3 | Make a move before you end
        {POND}        | pass   | C8 | You cannot pass
        {POND}        | Fa1b2  | C2 | a1 is water; only a frog on a pad moves
        {POND}        | Fb2a1  | C2 | a1 is water; a frog jumps from pad to pad
        {POND}        | Fb2b2  | C3 | cannot return
        {POND}        | Fk11h11 | C2 | The frog on k11 is your opponent's
        {POND}        | Fe5e8  | C2 | There is no frog on e5
        {POND}        | Fb2h2  | C3 | h2 is not next to b2
        {POND}        | Fb2e5  | C3 | e5 is only diagonally next to b2, which does not count
        {FULL}        | Fb2e2  | C3 | Your own frog is on e2
        {FULL} move=B | Fe8e5  | C6 | The Realm around e5 holds nine pieces
        {FULL}        | Fe2e8  | C6 | Every path there leads through the Realm around e5
        {FULL}        | Fe2k11 | C3 | k11 is not next to e2
    """,
    "medieval_realm": f"""
        {LAND}        | pass   | M10 | You cannot pass
        {LAND}        | Ma1b2  | M2  | a1 is a Border space
        {LAND}        | De2e6  | M2  | e6 is a Border space
        {LAND}        | Ma1off | M2  | a1 is a Border space
        {LAND}        | Mb11b8 | M2  | There is no piece on b11
        {LAND}        | Mb8b5  | M2  | The piece on b8 is your opponent's
        {LAND}        | De2e2  | M3  | already on e2
        {LAND}        | Me5h5  | M5  | An enemy Duke is on h5
        {LAND}        | De2e5  | M3  | e5 holds one of your pieces; the move must go on
        {LAND}        | Mb5b2  | M2  | A Man moves forward or sideways, never backwards
        {LAND} move=B | Mb8b11 | M2  | A Man moves forward or sideways, never backwards
        {LAND}        | De2k2  | M3  | k2 is not next to e2, and no chain of your pieces leads there
        {LAND}        | Mb5off | M8  | The piece on b5 cannot leave the board
        {LAND}        | Mk8off | M8  | not in its far row
        W:Ma7,De2 B:Mb8       | Mb8b11 | M2 | Your Men in the Realm around b8 are dislodged
        W:Ma7,De2 B:Mh8       | Mb8b11 | M2 | Your Men in the Realm around b8 are dislodged
        W:Me2,{NINE},De8,Mb5 move=B | De8e5 | M7 | The Realm around e5 holds nine pieces
        W:De2,Mh2 B:De5,Dk11  | De2e8  | M3 | e8 is not next to e2
        W:De2,Mk2 B:De5,Dk11  | De2h5  | M3 | h5 is only diagonally next to e2, which does not count
        {CLOSED}              | Me2e8  | M7 | nine pieces blocks the path from e2 to e8
        {CLOSED_TOP}          | Me8off | M7 | the path from e8 to the far side
    """,
    "oriental_realm": f"""
        {COURT}             | Ma1a2       | O2 | a1 is empty
        {COURT}             | Mb8b9       | O2 | The piece on b8 is your opponent's
        {COURT}             | Mb5b6 Ee2e3 | O2 | This turn moves only pieces from the Realm around b5
        {COURT}             | Mb5b6 Mb6b7 | O2 | The piece on b6 has already moved this turn
        {COURT}             | end         | O2 | at least one piece
        {COURT}             | Mb5c6       | O3 | c6 is not on the rank or file of b5
        {COURT}             | Mb5b5       | O3 | the piece is already on b5
        {COURT}             | Mb5b9       | O3 | The piece on b8 is in the way
        {COURT}             | Ml6j6       | O3 | The piece on k6 is in the way
        {COURT}             | pass        | O7 | You cannot pass
        {COURT}             | Mb5b6 pass  | O7 | close your turn with end
        {COURT}             | Mb2         | S2 | All pieces have been placed
        {COURT}             | Eb2         | S2 | All pieces have been placed
        W:Mb5,Ee2 B:Ma5,Mc5 | Mb5b6       | O4 | The Mandarin on b5 is pinned between two enemies
        W:Mb5,Ec6 B:Ma5,Mc5 | Ec6d6 Mb5b6 | O4 | The Mandarin on b5 is pinned
        # the set-up
        free_setup=on       | Mb2b3         | V1 | Place a piece in an empty Realm
        free_setup=on       | end           | V1 | Place a piece
        free_setup=on       | Mb2 Ma1       | V1 | The Realm around b2 already holds a piece
        free_setup=on       | Eb2 Me2 Eh2   | V1 | Your Emperor is already on the board; place a Mandarin
        free_setup=on       | {PLACED} Mh11 | V1 | Your seven Mandarins are already on the board
        emperor=choose      | Mb2b3         | V2 | holds your Emperor, like Ee2
        emperor=choose      | Ea1           | V2 | like Ee2
        emperor=choose      | Ek5 Ee2       | V2 | like Ee8
    """,
    "modern_realm": f"""
        # the piece
        {CITY}               | Ac1c4       | D2  | c1 is empty
        {CITY}               | Ab8b7       | D2  | your opponent's
        {CITY}               | Ah8h7       | D11 | An HQ never moves
        {CITY}               | Aj7j4       | D3  | The Agent on j7 is immobile
        {CITY}               | Ab5b7 Ce2h2 | D2  | out of the Realm around b5, and e2 is outside
        # where it goes
        {CITY}               | Ab5c5       | D4  | must leave its Realm, and c5 is in it
        {CITY}               | Ab5b8       | D4  | b8 is taken
        {CITY}               | Ab5j5       | D5  | Counter-Agent is in the Realm around k5
        {CITY}               | Ab5b9       | D4  | The piece on b8 is in the way
        {CITY}               | Aa4a10      | D6  | the Realm around b8, where the enemy holds the Center, must end there
        {CITY}               | Ab5h10      | D7  | There is no path from b5 to h10
        # what is no move
        {CITY}               | pass        | D12 | You cannot pass
        {CITY}               | Ab5b7 pass  | D12 | You cannot pass
        {CITY}               | xAb9        | S3  | no dislodged Agent to place
        {CITY}               | Cb2         | S1  | already on the board
        W:Ak1 B:Cj6,Al12     | Ak1k9       | D5  | Counter-Agent is in the Realm around k5
        W:Ae1,Ae5 B:Al12,Hh5 | Ae1e9       | D4  | The piece on e5 is in the way
        # it leaves b8, and did not enter it
        W:Aa7 B:Ab8,Aa11     | Aa7a12      | D4  | The piece on a11 is in the way
        # a dislodged Agent
        {WAITING}            | Cb5b7 Ac7c4 | S3  | Choose first the Border space of the Realm around b8
        {WAITING}            | Cb5b7 pass  | S3  | Choose first the Border space of the Realm around b8
        {WAITING}            | Cb5b7 xAb6  | D10 | b6 is outside the Realm around b8
        {WAITING}            | Cb5b7 xAb8  | D10 | goes to the Border
        {WAITING}            | Cb5b7 xAc7  | D10 | c7 is taken
        # the choice of Counter-Agents
        counter_agent=choose | Ab2b4       | S1  | Choose first the Center
        counter_agent=choose | pass        | S1  | Choose first the Center
        counter_agent=choose | Ca1         | V1  | a1 is not one of your eight Centers
        counter_agent=choose | Cb8         | V1  | b8 is not one of your eight Centers
        counter_agent=choose | Ce2 Ce2     | V1  | e2 is not one of your eight Centers
        counter_agent=choose | Ce2 Ch8 Ch8 | S1  | already on the board
    """,
}


@pytest.mark.parametrize(("tested", "where", "steps", "clause", "words"), read_cases(REFUSED))
def test_a_step_is_refused_with_its_clause(tested: Board, where: str, steps: str, clause: str, words: str) -> None:
    *before, last = steps.split()
    error = tested.expect_refusal(tested.at(where, " ".join(before)), last)
    assert (error.clause, words in error.sentence) == (clause, True), error
    check_sentence(error)


def check_sentence(error: IllegalMove) -> None:
    assert re.fullmatch(r"[A-Za-z][^.\n]*\.", error.sentence)
    assert str(error) == f"{error.sentence} ({error.clause})"


UNKNOWN: dict[str, list[tuple[tuple[Any, ...]]]] = {
    "realm": [
        (Step(StepKind.MOVE, 0, 144),),
        (Step(StepKind.MOVE, 0, 12, 1),),
        (Step(StepKind.MOVE, -1, 12),),
        (Step(StepKind.PUT, 0, NOWHERE, 6),),
        (Step(StepKind.PUT, 0, 3, 1),),
        (Step(StepKind.IMMOBILISE, 0, 1),),
        (Step(StepKind.REARRANGE, 13, 1),),
        (Step(StepKind.SACRIFICE, 0, 1, 4),),
        (Step(StepKind.SACRIFICE, 144, 1, 0),),
        (Step(StepKind.CHOOSE, 2),),
        (Step(StepKind.CHOOSE, 0, 1),),
        (Step(StepKind.END, 1),),
    ],
    "classic_realm": [
        (ClassicStep(ClassicKind.MOVE, 13, 200),),
        (ClassicStep(ClassicKind.MOVE, NOWHERE, 13),),
        (ClassicStep(ClassicKind.PUT, 200),),
        (ClassicStep(ClassicKind.PUT, 13, 16),),
        (ClassicStep(ClassicKind.END, 13),),
        (ClassicStep(ClassicKind.PASS, NOWHERE, 13),),
    ],
    "medieval_realm": [
        (MedievalStep(CELLS, OFF_CELL),),
        (MedievalStep(13, CELLS + 7),),
        (MedievalStep(-1, 13),),
        (MedievalStep(13, OFF_THE_BOARD),),
        (MedievalStep(-5, OFF_CELL),),
    ],
    "oriental_realm": [
        (OrientalStep(OrientalKind.MOVE, 144, 0),),
        (OrientalStep(OrientalKind.MOVE, 0, 144),),
        (OrientalStep(OrientalKind.MOVE, -1, 3),),
        (OrientalStep(OrientalKind.MANDARIN, 3, 3),),
        (OrientalStep(OrientalKind.EMPEROR),),
        (OrientalStep(OrientalKind.END, 0),),
    ],
    "modern_realm": [
        (ModernStep(ModernKind.MOVE, 0, 144),),
        (ModernStep(ModernKind.MOVE, -1, 12),),
        (ModernStep(ModernKind.MOVE, 0),),
        (ModernStep(ModernKind.DISLODGE, 144),),
        (ModernStep(ModernKind.DISLODGE, 3, 4),),
        (ModernStep(ModernKind.CHOOSE, 13, 4),),
        (ModernStep(ModernKind.CHOOSE),),
        (ModernStep(ModernKind.PASS, 0),),
    ],
}


@pytest.mark.parametrize(("tested", "step"), list_cases(UNKNOWN))
def test_a_step_that_exists_on_no_board_is_refused(tested: Board, step: tuple[Any, ...]) -> None:
    starts = [tested.start(free_setup=True)] if tested.game.info.id == "classic_realm" else []
    for state in (tested.start(), *starts):
        with pytest.raises(IllegalMove) as caught:
            tested.game.play(state, tested.seat_of(state), step)
        assert caught.value.clause == "B1"
        check_sentence(caught.value)


# ---- any other step

TEXTS = {
    "realm": "Pa1a4 Pg10g7 Pk1k5 Ee3e10 Bh11 Pg10 Eg10N Eg10x xEg10 Rh11 Rb2 xPg10(Eg11N) place:White - end pass offer"
    " accept",
    "modern_realm": "Ab2b4 Ae5e9 Ah5l9 Ak8k4 Ce2e11 Ch11b1 Aa1l12 xAb9 xAh5 Ce2 Cb8 pass",
}  # fmt: skip
SAMPLES = {  # seeds of random games, options that shorten them, and the states between two that are looked at
    "realm": (range(3), {"max_turns": 20}, 5),
    "medieval_realm": (range(2), {"max_plies": 60}, 9),
    "modern_realm": (range(4), {"max_turns": 40}, 3),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLES)
def test_every_step_that_is_not_legal_has_a_reason(name: str) -> None:
    tested, (seeds, limits, every) = BOARDS[name], SAMPLES[name]
    clauses = clauses_of(read_rules(tested.game))
    steps = {tested.game.parse_move(tested.start(), text) for text in TEXTS.get(name, "").split()}
    if name == "medieval_realm":
        steps = {MedievalStep(at, to) for at in CENTERS for to in (*CENTERS, OFF_CELL)} | {PASS_STEP}
    for seed in seeds:
        for state, _ in list(tested.random_game(seed, **limits))[:-1:every]:
            for step in steps.difference(tested.steps(state)):
                error = tested.game.refuse(state, step)
                assert error.clause in clauses
                check_sentence(error)


@pytest.mark.parametrize("seed", range(3))
def test_any_step_of_frogs_is_played_or_refused_with_a_clause_of_the_rules(seed: int) -> None:
    tested, rng = BOARDS["classic_realm"], Random(seed)
    clauses = clauses_of(read_rules(tested.game))
    for state, step in tested.random_game(seed, max_plies=40):
        other = ClassicStep(rng.choice(list(ClassicKind)), rng.randrange(-1, 146), rng.randrange(-1, 146))
        if step is not None and other not in tested.steps(state):
            with pytest.raises(IllegalMove) as caught:
                tested.game.play(state, tested.seat_of(state), other)
            assert caught.value.clause in clauses


# ---- who may play, and when

OVER = {  # a step of White's in the first position, a finished game, a turn in it, and the clause that refuses it
    "realm": [("Bh11", "W:Bh11,Pg10 B:Bh2,Pa1 phase=over end=agreement", "Pg10g7", "R12")],
    "classic_realm": [("Fb8b5", "W:Fb2,~e5*7 B:~k11*8 phase=over end=all_in_water", "", "")],
    "medieval_realm": [("Mb5b8", "W: B:Dk11 end=borne_off", "", "")],
    "oriental_realm": [("Mb5b6", "W:Ma1 B:Ma2,Mb1 move=B phase=over end=surrounded won=B", "Ma2a3", "S2")],
    "modern_realm": [("Ab11b10", "W:Ab2 B:Ab11 turns=300 end=max_turns", "", "")],
}


@pytest.mark.parametrize(("tested", "step", "end", "turn", "clause"), list_cases(OVER))
def test_only_the_acting_seat_plays_and_nobody_after_the_end(
    tested: Board, step: str, end: str, turn: str, clause: str
) -> None:
    start, over = tested.start(), tested.at(end)
    move = tested.game.parse_move(start, step)
    assert tested.game.legal_moves(start, 1) == []
    with pytest.raises(NotYourTurn, match="It is White's turn"):
        tested.game.play(start, 1, move)
    assert tested.game.legal_moves(over, 0) == tested.game.legal_moves(over, 1) == []
    with pytest.raises(GameOver):
        tested.game.play(over, 0, move)
    if turn:
        with pytest.raises(IllegalMove, match=rf"^The game is over\. \({clause}\)$"):
            tested.game.parse_turn(over, turn)
