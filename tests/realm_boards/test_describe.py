"""Steps in words, and the labels of buttons."""

from __future__ import annotations

import pytest

from realmtable.engine.errors import IllegalMove
from tests.example_tables import read_table
from tests.realm.helpers import SETUP
from tests.realm_boards.boards import BOARDS, Board, read_cases

PLAY = "W:Bh11,Pa7,Ea9E B:Be8,Bk2"
OWN = "W:Bh11,Pa7,Be8 B:Bk2"
LONE = "W:Bh11,Pa7 B:Bk2"
BOTH = "W:Bh11,Pa9 B:Be8,Ec9x,Pc7 options=rearrange_both=on"
OPTIONAL = "options=optional_creation=on"
TWO = "W:Bh11,Ea9E B:Be8,Ef8N,Ef7N,Bk2"
POND = "W:Fb2,~b2,Fe2,~h8*5 B:Fb5,Fk11,~k8*6"
BLACKS = "W:Fb2,Fk2,~h8*6 B:Fb5,~b5,Fe8,~k8*5 move=B"
LAND = "W:De2,Mb5,Mb11 B:Dh11,Mb8,Ma4"
ONE = "W:Bh11,Ea9E B:Be8,Ef8N,Bk2"
GIFT = "W:Bh11,Pa1,Ec3x,Pc1,Pg10 B:Be8,Bh2,Bb2,Be5 options=power_sacrifice=on"
FREED = "the Enforcer on c3 is freed, facing east"
REPLACES = "options=capture_replaces=on"
SIEGE = "W:Bh11,Pf8,Pf7,Ea9E B:Be8,Bk2"
COURT = "W:Ee2,Mb2,Mc4 B:Eh11,Ma1,Mk8"
CITY = "W:Ab5,Cb4,Ah5 B:Ab8,Ck11"
DESCRIBED = {  # position or options; steps; words for the last one
    "realm": f"""
                                          | Bh11       | Base on h11
                                          | Bh11 Bh2 Be8 Be5 Bb5 Bb8 Pi10 | Power on i10
        {LONE}                            | Pa7d7      | Power from a7 to d7, founding a Base on e8
        {LONE}                            | Pa7j7      | Power from a7 to j7, founding a Base on k8
        {OWN}                             | Pa7d7      | Power from a7 to d7, creating an Enforcer
        {PLAY}                            | Pa7d7      | Power from a7 to d7
        {PLAY}                            | Ea9d9      | Enforcer from a9 to d9
        W:Bh11,Pf8,Ea9E B:Be8,Bk2 | Ea9d9 | Enforcer from a9 to d9, capturing the Base on e8 and becoming immobile
        {SIEGE} | Ea9d9      | Enforcer from a9 to d9, capturing the Base on e8
        {ONE} | Ea9d9 | Enforcer from a9 to d9, immobilising the Enforcer on f8 and becoming immobile
        W:Bh11,Pd7,Ea9E B:Be8,Ef8N,Bk2    | Ea9d9      | Enforcer from a9 to d9, immobilising the Enforcer on f8
        {TWO}                             | Ea9d9      | Enforcer from a9 to d9, immobilising one of the Enforcers there
        {PLAY}                            | Rb8        | Rearrange the Realm b8
        {PLAY}                            | offer      | Offer to end the game
        {PLAY} offer=standing             | accept     | Accept the offer to end the game; the game ends
        # later steps of a turn
        {PLAY}                            | Pa7d7 end  | End turn
        {OWN}                             | Pa7d7 Ef9S | New Enforcer on f9, facing south
        {TWO}                             | Ea9d9 xEf7 | Enforcer on f7 immobilised, and the moving one too
        W:Bh11,Pe9,Ea9E B:Be8,Ef8N,Ef7N,Bk2 | Ea9d9 xEf7 | Enforcer on f7 immobilised
        {PLAY}                            | Rb8 Pc7    | Power put on c7
        {PLAY}                            | Rb8 Pc7 Ea9N | Enforcer put on a9, facing north
        W:Bh11,Ea9x,Pb9 B:Be8             | Rb8 Pc7 Ea8x | Immobile Enforcer put on a8
        # choices and variants
        {LONE} {OPTIONAL}                 | Pa7d7      | Power from a7 to d7, which may found a Base on e8
        {LONE} {OPTIONAL}                 | Pa7d7 Be8  | New Base on e8
        {LONE} {OPTIONAL}                 | Pa7d7 -    | No new Base
        {OWN} {OPTIONAL}                  | Pa7d7      | Power from a7 to d7, which may create an Enforcer
        {OWN} {OPTIONAL}                  | Pa7d7 -    | No new Enforcer
        {BOTH}                            | Rb8 Pa7 Pb7 | Black's Power put on b7
        {BOTH}                            | Rb8 Pa7 Pb7 Ea8x | Black's immobile Enforcer put on a8
        {GIFT} | xPa1(Ec3E) | Power on a1 sacrificed; {FREED}
        {SIEGE} {REPLACES} | Ea9d9 | Enforcer from a9 to d9, capturing the Base on e8 and founding a Base on e8
        choose_seat=both                  | place:Black | Black places first
        choose_seat=both                  | place:White {SETUP} move:White | White moves first
    """,
    "classic_realm": f"""
        {POND}   | Fe2h2 | Frog from e2 to h2
        {POND}   | Fb2b5 | Frog from b2 to b5, dunking the frog there and rescuing a frog onto b2
        {POND}   | Fe2b5 | Frog from e2 to b5, dunking the frog there
        {BLACKS} | Fb5e5 | Frog from b5 to e5, rescuing a frog onto b5
        {BLACKS} | Fe8e5 | Frog from e8 to e5
        {BLACKS} | Fb5b2 | Frog from b5 to b2, dunking the frog there and rescuing a frog onto b5
        {POND.replace("Fk11", "~k11")} | Fe2b5 | Frog from e2 to b5, dunking the frog there; the game ends
        free_setup=on | Fb2 | Frog on b2
        {POND} right=W owed=0 options=double_moves=on | Fb2b5 end | End turn
    """,
    "medieval_realm": f"""
        {LAND}                  | De2e5   | Duke from e2 to e5
        {LAND}                  | Mb5e5   | Man from b5 to e5, leaving b5 to an enemy Man
        {LAND}                  | Mb5b8   | Man from b5 to b8, dislodging the Man there and leaving b5 to an enemy Man
        {LAND}                  | Mb11off | Man from b11 off the board
        W:Mb11 B:Dh11,Mb8       | Mb11off | Man from b11 off the board; the game ends
        W:Ma4 B:Mb5,Dh11 move=W | pass    | Pass
    """,
    "oriental_realm": f"""
        {COURT}        | Ee2e4     | Emperor from e2 to e4
        {COURT}        | Mb2b5     | Mandarin from b2 to b5
        {COURT}        | Mb2b5 end | End turn
        W:Ee2,Mb2,Mc1 B:Eh11,Ma1,Mk8 | Mc1b1 Mb2a2 | Mandarin from b2 to a2, surrounding enemy pieces; the game ends
        free_setup=on  | Mb2       | Mandarin on b2
        free_setup=on  | Ec3       | Emperor on c3
        emperor=choose | Eh2       | Emperor on h2
    """,
    "modern_realm": f"""
        {CITY}                      | Ah5l5      | Agent from h5 to l5
        {CITY}                      | Ah5h8      | Agent from h5 to h8, founding an HQ on h8
        {CITY}                      | Ab5b7      | Agent from b5 to b7
        {CITY}                      | Cb4d4      | Counter-Agent from b4 to d4
        W:Cb5,Ah5 B:Ab8,Ck11 | Cb5b7 | Counter-Agent from b5 to b7, dislodging an Agent and founding an HQ on b8
        W:Aa4 B:Hb5,Ac4,Ak11 move=W | pass       | Pass
        W:Cb5,Ah5 B:Ab8,Ck11        | Cb5b7 xAa9 | Dislodged Agent to a9
        counter_agent=choose        | Ce2        | Counter-Agent on e2
    """,
}  # fmt: skip
LABELS = {  # handle and label
    "realm": """
        end         | End turn
        pass        | Pass
        offer       | Offer to end the game
        accept      | Accept and end the game
        decline     | Decline
        rearrange   | Rearrange a Realm
        sacrifice   | Sacrifice a Power
        face:E      | Which way should it face?/► Right (east)
        first:White | White goes first
        first:Black | Black goes first
        c10         | c10
    """,
    "classic_realm": """
        end | End turn
        b2  | b2
    """,
    "medieval_realm": """
        off  | Off the board
        pass | Pass
        b2   | b2
    """,
    "oriental_realm": """
        hand:Mandarin | Place a Mandarin
        hand:Emperor  | Place the Emperor
        pass          | Pass
        b2            | b2
    """,
    "modern_realm": """
        pass | Pass
        b2   | b2
    """,
}


@pytest.mark.parametrize(("tested", "where", "steps", "words"), read_cases(DESCRIBED))
def test_a_step_is_described_with_its_effects(tested: Board, where: str, steps: str, words: str) -> None:
    assert tested.describe_last(tested.at(where), steps) == words


def test_an_illegal_step_is_refused() -> None:
    with pytest.raises(IllegalMove):
        BOARDS["realm"].describe_last(BOARDS["realm"].start(), "Pa1a9")


@pytest.mark.parametrize("name", LABELS)
def test_a_button_has_a_label_and_a_space_is_its_own(name: str) -> None:
    labels = {row[0]: row[1] for row in read_table(LABELS[name])}
    assert {handle: BOARDS[name].game.label(handle) for handle in labels} == labels


def test_buttons_that_start_more_than_a_step_have_notes() -> None:
    game = BOARDS["realm"].game
    view = game.view(game.initial(), 0)
    assert game.note(view, "rearrange").startswith("Choose the Realm to rearrange. You lift your Powers")
    assert game.note(view, "end") == ""
