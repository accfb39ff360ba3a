"""The static evaluations: what they count, how they judge, and that they know neither seat from the other."""

from __future__ import annotations

from random import Random

import pytest

from realmtable.games.classic_realm.evaluation import count_bits, count_groups
from realmtable.kit.evaluation import WIN, HasFeatures
from realmtable.kit.rules import NO_WINNER
from realmtable.search.baselines import GreedyBot
from realmtable.search.bot_levels import make_bot
from tests.classic_realm.helpers import FAR, WON
from tests.realm_boards.boards import BOARDS, Board, each_board, list_cases, read_cases

CROWDED = "W:Fb5,~k2,~e5*6 B:Fe5,~e5*2,Fk11,~h11*4"
ROOMIER = CROWDED.replace("~k2,~e5*6", "~k2*2,~e5*5")
BURIED = "W:Fe2,~k11*7 B:Fb2,~b2*2,Fh2,~h2*3,~h11"
AVENGED = "W:Fe2,~k11*7 B:Fb2,Fh2,~h2*3,Fk2,~h11*2"
DOUBLE = "options=double_moves=on"
NINE = "W:Mb5,Dh2,Ma7,Ma8,Ma9,Mb7,Mc7 B:Mb8,Mb9,Mc8,Mc9,Dh11 move=W"
BEGUN = "W:Ma1,Ek12 B:Ma2,Mb5,Mk2 move=B"
NOW = "captures_now"

MEASURED = {  # position; White's amount of some features minus Black's
    "realm": """
        W:Bh11,Bh8 B:Bb2 move=W   | realms=1 central=1
        W:Bh11,Eg12S B:Bb2 move=W | mobile=1 guarded=1
        # A Power on a1 gets to the Realms along rank 1 and file a; b2 is its own.
        W:Pa1,Bb2 B:Bk11 move=B   | claims=6 claims_now=0
        W:Pa1,Bb2 B:Bk11 move=W   | claims=6 claims_now=6
        # The Power of Black in e2 keeps White from claiming it, as White's in b2 keeps Black.
        W:Pa1,Bb11 B:Pf1,Bk11 move=W | claims=-3 claims_now=2
        # Two Powers to none in Black's Realm, no Enforcer near to capture; then one that gets there.
        W:Bb2,Pg10 B:Bh11 move=B left=1/1     | majorities=1
        W:Bb2,Pg10,Ei3N B:Bh11 move=W         | mobile=1 majorities=1 captures=1 captures_now=1
        W:Bb2,Pg10,Ei3N B:Bh11 move=B         | mobile=1 majorities=1 captures=1 captures_now=0
        # A guard or a Power of the enemy keeps a Realm from being a prize.
        W:Bb2,Pg10,Ei3N B:Bh11,Ei12W move=W   | guarded=-1 majorities=0
        W:Bb2,Pg10,Ei3N B:Bh11,Pi11 move=W    | majorities=0
        # Two Powers and an Enforcer in one Realm.
        W:Bb2,Pd1,Pf1,Ee1N B:Bk11 move=B      | mobile=1 juggernauts=1
        # An own Realm without a guard can be given one.
        W:Bb2,Bh2,Pa6 B:Bk11 move=W           | recruits=1
        W:Bb2,Bh2,Pa6,Ea1N B:Bk11 move=W      | recruits=0
        W:Bb2,Bh2,Pa6 B:Bk11 move=W stock=0/8 | recruits=0
        # The nearer the end, the more a lead counts.
        W:Bh11,Bh8 B:Bb2 left=9/9 move=W      | late_realms=0 standing=0
        W:Bh11 B:Bb2 left=1/5 move=W          | standing=0
    """,
    "classic_realm": f"""
        W:Fb2,Fe2,Fk2,~k2*5 B:Fk11,~h11*7     | frogs=2 groups=1
        {FAR}                                 | last=0 to_move=1
        {FAR} move=B                          | to_move=-1
        W:Fb2,~b2*7 B:Fk8,Fk11,~h11*6         | last=1 rescues=1
        W:Fb2,Fe2,~b2*6 B:Fk11,~h11*7         | last=-1
        # A friend in the water can be rescued only below a frog of the same side (C5), one at a time.
        W:Fb2,Fe2,~b2*3,~e2*3 B:Fk11,~k11*7   | rescues=1
        W:Fb2,Fe2,~b2*3,~e2*3 B:Fk11,~h11*7   | deep=4
        W:Fb2,~b2,~h2*6 B:Fk11,~h11*7         | deep=0
        # No enemy holds them below a vacant pad.
        W:Fb2,~k11*7 B:Fk11,~h11*7            | held=7
        W:Fb2,~h2*7 B:Fk11,~b2*3,~h11*4       | held=-3
        W:Fb2,Fe2,~h2*6 B:Fb5,~h11*7          | front=0
        # two next to one
        W:Fb2,Fe5,~h2*6 B:Fb5,~h11*7          | front=1
        W:Fe5,Fh8,Fb2,~h2*5 B:Fh5,Fk11,~h11*6 | central=1
        # pads that meet at a corner are not neighbours
        W:Fb2,Fe5,~k2*6 B:Fk11,Fh11,Fh8,~h11*5 | groups=1
        # four and two, six and two; an enemy's pad is not vacant
        W:Fe5,~h2*7 B:Fk11,~h11*7             | room=2
        W:Fe5,Fh5,~h2*6 B:Fk11,~h11*7         | room=4
        W:Fe5,~h2*7 B:Fe8,~h11*7              | room=0
        # Side by side, and nothing below either.
        W:Fb2,~k2*7 B:Fe2,~h11*7              | freeing_now=0 bury_now=0 bury_loose_now=0
        W:Fb2,~k2*7 B:Fe2,~h11*7 move=B       | freeing_now=0 bury_now=0 bury_loose_now=0
        # White's friends are below Black's frog, so White can free them; from far away not.
        W:Fb2,~e2*7 B:Fe2,~h11*7              | freeing_now=1
        W:Fb2,~e2*7 B:Fe2,~h11*7 move=B       | freeing_now=0
        W:Fb2,~e8*7 B:Fe8,~h11*7              | freeing_now=0
        W:Fb2,~e8*7 B:Fe8,~h11*7 move=B       | freeing_now=0
        # By way of its friend on e2 White's frog also gets to h2 (C3).
        W:Fb2,Fe2,~h2*6 B:Fh2,~h11*7          | freeing_now=1
        W:Fb2,Fe2,~h2*6 B:Fh2,~h11*7 move=B   | freeing_now=0
        # Black's friends lie below the frog that White can dunk: the deepest such place counts.
        {BURIED}                              | bury_now=3 bury_loose_now=1
        {BURIED} move=B                       | bury_now=0 bury_loose_now=0
        W:Fe2,~e2*4,~k11*3 B:Fh2,~h11*7       | bury_now=0
        W:Fe2,~e2*4,~k11*3 B:Fh2,~h11*7 move=B | bury_now=-4
        # Black's frog on k2 could avenge the dunk on h2; none could avenge that on b2, where nothing is buried.
        {AVENGED}                             | bury_now=3 bury_loose_now=0
        {AVENGED} move=B                      | bury_now=0 bury_loose_now=0
        # No frog is dunked in a Realm of nine (C6), and none may land on e5.
        {CROWDED}                             | bury_now=0 freeing_now=0
        W:Fb5,~k2,~e5*6 B:~e5*3,Fk11,~h11*4   | room=0
        {ROOMIER}                             | bury_now=2 freeing_now=1
        # how near a double move is (V2)
        {FAR}                                 | double_next=0  double_ready=0  double_now=0
        {FAR} right=B owed=2 {DOUBLE}         | double_next=0  double_ready=0  double_now=0
        {FAR} right=B owed=1 {DOUBLE}         | double_next=-1 double_ready=0  double_now=0
        {FAR} right=B owed=0 {DOUBLE}         | double_next=0  double_ready=-1 double_now=0
        {FAR} right=W owed=0 {DOUBLE}         | double_next=0  double_ready=0  double_now=1
        {FAR} right=W owed=0 phase=second {DOUBLE} | double_next=0 double_ready=0 double_now=1
        {FAR} right=W owed=0 move=B {DOUBLE}  | double_next=0  double_ready=1  double_now=0
        # while frogs are placed, it is White's turn, and that is all
        free_setup=on                         | to_move=1 only
        W:Fb2 B:Fb5 options=free_setup=on     | front=0
    """,
    "medieval_realm": f"""
        # The Man of b5 has come one row and the Duke of e8 two; Black's Duke has come none.
        W:Mb5,De8 B:Dk11 move=W               | to_move=1 off=-1 men_1=1 dukes_rows=2 only
        W:Dh2,Me8 B:Dh11,Mk8 move=W           | to_move=1 men_1=-1 men_2=1 only
        # Two Men of White's lie in the Realm of e8, one above the other, each two rows from home; one rises when
        # Black's Man in the second row leaves.
        W:Dh2,Md7,Me7 B:Me8,Dh11 move=W | to_move=1 off=-1 lying=2 buried=1 lying_rows=4 men_1=-1 men_above=-2 only
        # The same below a Duke.
        W:Dh2,Md7 B:De8,Mh11 move=W | to_move=1 lying=1 lying_rows=2 dukes_rows=-1 dukes_above=-1 only
        # Each Man can dislodge the other, but only the acting seat can do so this turn.
        W:Dh2,Mb5 B:Dh11,Mb8 move=W           | to_move=1 prey_now=1 only
        W:Dh2,Mb5 B:Dh11,Mb8 move=B           | to_move=-1 prey_now=-1 only
        # A Duke cannot be dislodged, and the Man in front of it cannot advance, only move sideways.
        W:Dh2,Mb5 B:Dh11,Db8 move=B           | to_move=-1 dukes_rows=-1 men_1=1 stuck=1 prey_now=-1 only
        # Over an adjacent friend it can.
        W:Dh2,Mb5,Me5 B:Dh11,Db8,Mk11 move=W  | to_move=1 dukes_rows=-1 men_1=2 only
        # A Man in the far row can leave, and so can a Man that jumps over it.
        W:Dh2,Me8,Me11 B:Dk11 move=W          | to_move=1 off=-2 men_2=1 men_3=1 exits=2 only
        W:Dh2 B:Dh11 move=W dukes=2/1         | to_move=1 only
        # A Realm of nine keeps a Man from coming forward (M7).
        {NINE}                                | stuck=1
        {NINE.replace(",Mc9", "")}            | stuck=0
    """,
    "oriental_realm": f"""
        W:Mj2,Ek12 B:Md5,Mf5 move=W           | pins=0
        W:Me5,Ek12 B:Md5,Mf5 move=W           | pins=-1
        # an Emperor never is (O5)
        W:Ee5 B:Md5,Mf5 move=W                | pins=0
        # both have four empty neighbours; two against four
        W:Me5 B:Eh8                           | tight=0
        W:Me5 B:Ea1                           | tight=2 edges=2
        W:Me5,Ma6 B:Ea1,Ml5                   | edges=2
        W:Ma1,Mb2 B:Me1,Mh1                   | pairs=1
        W:Ma1,Mb2,Mc3 B:Me1,Mh1               | pairs=0 squads=1
        # a fourth is no second squad
        W:Ma1,Mb2,Mc3 B:Mh1,Mh2,Mg1,Mi1       | squads=0
        W:Ee5,Me6,Md5 B:Eh8,Mh9               | courtiers=1
        # an enemy is no courtier
        W:Ee5,Mk1 B:Me6,Eh9                   | courtiers=0
        W:Ma1 B:                              | mobility=22
        W:Ma1,Ma2 B:                          | mobility=32
        W:Me5 B:Eh8 move=B                    | to_move=-1
        # a started turn continues only in its Realm (O2)
        {BEGUN}                               | sieges_now=-1
        {BEGUN} from=b5 unmoved=b5            | sieges_now=-1
        {BEGUN} from=b5                       | sieges_now=0 sieges=-1
        {BEGUN} from=k2 unmoved=k2            | sieges_now=0 sieges=-1 near_now=-1
        W:Me5,Ek12 B:Ma2,Mb2,Mh8 move=B from=b2 unmoved=a2,b2 | near_now=0
        W: B:                                 | to_move=1 only
    """,
    "modern_realm": f"""
        W:Hb8,He8,Hh8,Ae2 B:Hb5,Ak8           | headquarters=2
        # two squared, less one
        W:Hb8,He8,Hh8,Hk8,Hb11,He11,Ae2 B:Hb2,He5,Hh5,Hk5,Hb5,Ak11 | last=3
        # only b2 is at home
        W:Ab2,Aa2,Aa8 B:Ah11,Ch8              | under_way=2
        W:Ab2 B:Ah11,Ch7                      | under_way=-1
        # one Realm of pieces left against three
        W:Aa1,Ac3 B:Ah11,Ch7,Ak11             | sprint=0.25
        W:Ce2,Ab2 B:Ab8                       | counters=1 shields=1
        # no target of Black's; captured already
        W:Ce7,Ab2 B:Ab8                       | shields=0
        W:Cd2,Ab2 B:Ab8,He2                   | shields=0
        W:Ab2 B:Cb8,Ah8                       | shields=-1
        W:Ab2 B:Ab8 move=B                    | to_move=-1
        # captures of the next turn (D9): b7 is open; two Agents of one Realm take two targets, those of two do not
        W:Ab4 B:Al1                           | {NOW}=1
        W:Ab4,Ac4 B:Al1                       | {NOW}=2
        W:Ab4,Ah4 B:Al1                       | {NOW}=1
        # a guard, and the targets behind it; no guard stops a Counter-Agent; no piece enters its Realm (D5)
        W:Ab4 B:Ab8,Ae8,Ah8,Ak8,Ab11          | {NOW}=0
        W:Cb4 B:Ab8                           | {NOW}=1
        W:Ab4 B:Cb8                           | {NOW}=0
        # two against one; with a friend there one is enough; two against two
        W:Ab4,Ac4 B:Ab8,Ae8                   | {NOW}=1
        W:Ab4,Aa9 B:Ab8,Al1                   | {NOW}=1
        W:Ab4,Ac4 B:Ab8,Ac8,Ae8,Ak8           | {NOW}=0
        # what is founded is founded
        W:Ab4,Hb8 B:Al1,Ae8,Ae11,Ab11         | {NOW}=0
        # an Agent outnumbered under an enemy Center is stuck (D3), as many are not, a Counter-Agent never is
        W:Aa4 B:Hb5,Ac5,Al1                   | {NOW}=0
        W:Aa4,Ac4 B:Hb5,Ab6,Al1               | {NOW}=2
        W:Ac4,Ca4 B:Hb5,Ab6,Ac6,Al1           | {NOW}=1
        # light Headquarters immobilise no piece (V2)
        W:Ab6 B:Hb5,Ac5,Al1                   | {NOW}=0
        W:Ab6 B:Hb5,Ac5,Al1 options=hq_counts=off | {NOW}=1
        # in a turn that has begun, only the rest of its Realm captures (D2)
        W:Ab4,Ah4,Ai4 B:Al1                   | {NOW}=2
        W:Ab4,Ah4,Ai4 B:Al1 from=b5           | {NOW}=1
        # Threats are counted outside the own turn too; Black's Agent is in a target with an open Center.
        W:Ab4,Ac4,Ah4 B:Al1                   | threats=2
        W:Ab4,Ac4,Ah4 B:Al1 move=B            | threats=2
        W:Ab4 B:Aj12,Ae12                     | in_reach=-2
    """,
}  # fmt: skip


def measures_at(tested: Board, where: str, steps: str = "") -> dict[str, float]:
    """What a position measures, by feature."""
    names = [feature.name for feature in tested.game.features()]
    return dict(zip(names, tested.game.measures(tested.at(where, steps)), strict=True))


@pytest.mark.parametrize(("tested", "where", "facts"), read_cases(MEASURED))
def test_features_count_what_they_say(tested: Board, where: str, facts: str) -> None:
    found = measures_at(tested, where)
    expected = {name: float(amount) for name, _, amount in (fact.partition("=") for fact in facts.split()) if amount}
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    if facts.endswith("only"):
        assert {name for name, amount in found.items() if amount} <= expected.keys()


def test_in_a_turn_of_black_only_the_captures_of_black_count() -> None:
    for where, _ in (row.values[1:] for row in read_cases({"modern_realm": MEASURED["modern_realm"]})):
        if "options" not in where and "move" not in where and "from" not in where:
            assert measures_at(BOARDS["modern_realm"], f"{where} move=B")[NOW] <= 0


def test_within_a_turn_the_next_is_the_other_players() -> None:
    where = "W:Bb2,Pa1 B:Bk11,Pl12 move=W"
    assert measures_at(BOARDS["realm"], where, "Pa1a6") == measures_at(BOARDS["realm"], where, "Pa1a6 end")


def test_an_enforcer_about_to_be_placed_counts_as_placed() -> None:
    pending = measures_at(BOARDS["realm"], "W:Bb2,Pa6,Bh8 B:Bk11,Pl12 move=W", "Pa6a1")
    assert (pending["mobile"], pending["uncreated"]) == (1.0, -1.0)


def test_the_nearer_the_end_the_more_a_lead_counts() -> None:
    late = measures_at(BOARDS["realm"], "W:Bh11,Bh8 B:Bb2 left=1/5 move=W")
    behind = measures_at(BOARDS["realm"], "W:Bh11 B:Bb2,Be2 left=1/5 move=W")
    assert 0 < late["late_realms"] < 1
    assert 0 < late["standing"] == -behind["standing"] < 1


def test_in_a_turn_that_has_begun_the_rest_of_its_realm_captures() -> None:
    state = BOARDS["modern_realm"].at("W:Ab4,Ac4,Ah4,Ai4 B:Al12 move=W", "Ac4d4")
    assert "from=" in BOARDS["modern_realm"].game.encode(state)
    assert measures_at(BOARDS["modern_realm"], "W:Ab4,Ac4,Ah4,Ai4 B:Al12 move=W", "Ac4d4")[NOW] == 1


SIEGES = [  # threats, further threats, pinned, one way out
    ("W:Ma1,Ek12 B:Ma2,Mb5", (1, 0, 0, 0)),  # b5 can fill the last space
    ("W:Ma1,Ek12 B:Ma2,Mc5", (0, 0, 0, 1)),  # c5 cannot
    ("W:Ma1,Ek12 B:Mb4,Mc2,Mh8", (0, 0, 0, 1)),  # pieces of two Realms do not move in one turn (O2)
    ("W:Ma1,Ek12 B:Mf1,Md2", (1, 0, 0, 0)),  # those of one do: b1 and a2
    ("W:Ma1,Ek12 B:Md1,Mf1", (0, 0, 0, 1)),  # but two pieces on one line fill one space
    ("W:Ma1,Ek12 B:Ma2,Mc4", (0, 0, 0, 1)),  # a piece next to the group already fills a space
    ("W:Ma1,Ml1 B:Ma2,Ml2,Mb5,Mk5", (1, 1, 0, 0)),  # two groups at once
    ("W:Me12,Ek5 B:Md12,Mf12,Me4", (1, 0, 1, 0)),  # pinned on the edge, the last space open to e4
    ("W:Me12,Ee11 B:Md12,Mf12,Md4,Me4,Mf4", (1, 0, 0, -2)),  # three for three spaces; the Emperor frees e12 (O5)
    ("W:Ma1,Ma9,Mc9,Ek12 B:Ma2,Mb9", (0, 0, 0, 1)),  # b9 is pinned and does not come to b1
]


@pytest.mark.parametrize(("board", "black"), SIEGES)
@pytest.mark.parametrize("move", "WB")
def test_sieges_by_pieces_of_one_realm(board: str, black: tuple[int, ...], move: str) -> None:
    found = measures_at(BOARDS["oriental_realm"], f"{board} move={move}")
    assert tuple(-found[name] for name in ("sieges", "second_sieges", "pinned_sieges", "near_sieges")) == black
    assert found["sieges_now"] == (-black[0] if move == "B" else 0)
    assert (found["near_now"] < 0) == (move == "B" and black[3] > 0)


def test_counting_pads_and_groups() -> None:
    rng = Random(1)
    for mask in [0, 0xFFFF, *(rng.getrandbits(16) for _ in range(50))]:
        assert count_bits(mask) == mask.bit_count()
    assert [count_groups(mask) for mask in (0, 1, 0xFFFF, 0x9009, 0x0018, 0x5A5A)] == [0, 1, 1, 4, 2, 8]


# ---- judgement

BETTER = {  # for White than the position behind it
    "realm": """
        W:Bh11,Bh8 B:Bh2             | W:Bh11 B:Bh2
        W:Bh11 B:Bh2                 | W:Bh11 B:Bh2,Bh8
        # a mobile Enforcer; one that can capture, unless a Power is there
        W:Bh11,Ea1N B:Bh2            | W:Bh11,Ea1x B:Bh2
        W:Bh11,Pg1,Ea1E B:Bh2        | W:Bh11,Pg1 B:Bh2
        W:Bh11,Pg1,Ea1E B:Bh2        | W:Bh11,Pg1,Ea1E B:Bh2,Pg3
        # the leader values a near end
        W:Bh11,Bh8 B:Bh2 left=2/8    | W:Bh11,Bh8 B:Bh2 left=9/8
        W:Bh11 B:Bh2,Bh8 left=9/8    | W:Bh11 B:Bh2,Bh8 left=2/8
    """,
    "classic_realm": f"""
        # a frog on a pad, one that can be rescued rather than one under an enemy, to be the first to jump
        W:Fb2,Fe2,~k2*6 B:Fk11,~h11*7 | W:Fb2,~e2,~k2*6 B:Fk11,~h11*7
        W:Fb2,~b2,~k2*6 B:Fk11,~h11*7 | W:Fb2,~e2,~k2*6 B:Fk11,~h11*7
        W:Fb2,~k2*7 B:Fk11,~h11*7     | W:Fb2,~k11*7 B:Fk11,~h11*7
        W:Fb2,~k2*7 B:Fe2,~h11*7      | W:Fb2,~k2*7 B:Fe2,~h11*7 move=B
        {FAR} right=W owed=0 {DOUBLE} | {FAR} right=B owed=0 {DOUBLE}
    """,
    "medieval_realm": """
        # further on, borne off, on his feet, not one above the other, the opponent behind
        W:De5 B:De11            | W:De2 B:De11
        W:De11 B:Dk11           | W:De11,Mb11 B:Dk11
        W:De2,Mb5 B:De11        | W:De2,Ma4 B:De11
        W:De2,Ma4,Ma7 B:De11    | W:De2,Ma4,Mb4 B:De11
        W:De2 B:De11            | W:De2 B:De8
        W:Dh2 B:Dh11,Mb8        | W:Dh2,Mb5 B:Dh11,Mb8
        W:Dh2,Me8 B:Dh11,Mk5    | W:Dh2,Me5 B:Dh11,Mk5
        W:Dh2,Mb5 B:Dh11,Mk5    | W:Dh2,Ma4 B:Dh11,Mb5
        # a dislodged enemy, although it may rise later
        W:Dh2,Mb5 B:Dh11,Mb11,Ma4 | W:Dh2,Mb5 B:Dh11,Mb11,Mb8
    """,
    "oriental_realm": """
        # room; b5 can fill the last space, unless something is in the way; a pin
        W:Me5,Ek12 B:Mh8        | W:Ma1,Ek12 B:Ma2,Mh8
        W:Ma1,Ek12 B:Ma2,Mc5    | W:Ma1,Ek12 B:Ma2,Mb5
        W:Mb3,Ma1,Ek12 B:Ma2,Mb5 | W:Mc3,Ma1,Ek12 B:Ma2,Mb5
        W:Me5,Ek12 B:Md5,Mf9    | W:Me5,Ek12 B:Md5,Mf5
    """,
    "modern_realm": """
        # an HQ, a Counter-Agent that shields, a friend in a target, so that the next captures
        W:Ab4,Hk8 B:Al12        | W:Ab4,Ak2 B:Al12
        W:Ab4,Ce2 B:Al12,Ab8    | W:Ab4,Cd7 B:Al12,Ab8
        W:Ab4,Aa9 B:Ab8 move=B  | W:Ab4,Ak2 B:Ab8 move=B
        # an Agent that is not stuck, a threat in one's own turn
        W:Aa9 B:Ab8,Al8         | W:Aa9 B:Ab8,Ac8
        W:Ab4 B:Al12 move=W     | W:Ab4 B:Al12 move=B
    """,
}


@pytest.mark.parametrize(("tested", "better", "worse"), read_cases(BETTER))
def test_what_is_worth_more(tested: Board, better: str, worse: str) -> None:
    states = tested.at(better), tested.at(worse)
    white, black = ([tested.game.evaluate(state, seat) for state in states] for seat in range(2))
    assert white[0] > white[1]
    assert black == [-worth for worth in white]


EIGHT = "W:Hb8,He8,Hh8,Hk8,Hb11,He11,Hh11,Hk11 B:Al1 move=W end=eight_headquarters"
ENDS = {  # position; worth for White; whether the end would be the same whatever came before
    "realm": [
        ("W:Bh11 B:Bh2 phase=over end=agreement", 0, False),
        ("W:Bh11,Bh8 B:Bh2 phase=over end=agreement", WIN, False),
        ("W:Bh11 B:Bh2,Bh5 phase=over end=agreement", -WIN, False),
        ("W:Bh11,Ea1x B:Bh2 phase=over end=agreement", -WIN, False),
        ("W:Bh11 B:Bh2 phase=over end=last_base", 0, True),
        ("W:Bh11 B:Bh2 phase=over end=dead_position", 0, True),
        ("W:Bh11 B:Bh2 phase=over end=repetition", 0, False),
    ],
    "classic_realm": [
        (WON, WIN, True),
        (FAR + " phase=over end=repetition", 0, False),
        (FAR + " phase=over end=max_plies turns=300", 0, False),
    ],
    "medieval_realm": [
        ("W: B:Mk5,Me8 move=W turns=51 end=borne_off", WIN, True),
        ("W:Dk2 B: move=B end=borne_off", -WIN, True),
        ("W:Dh2 B:Dh11 move=W end=repetition", 0, False),
        ("W:Ma4 B:Ml9 passed turns=2 end=two_passes", 0, False),
    ],
    "oriental_realm": [
        ("W:Ma1 B:Ma2,Mb1 phase=over end=surrounded won=B", -WIN, True),
        ("W:Ma2,Mb1 B:Ma1 phase=over end=surrounded won=W", WIN, True),
        ("W:Ma1 B:Ma9 phase=over end=repetition", 0, False),
        ("W:Ma1 B:Ma9 phase=over turns=400 end=max_turns", 0, False),
    ],
    "modern_realm": [
        (EIGHT, WIN, True),
        ("W:Al12 B:Hb2,He2,Hh2,Hk2,Hb5,He5,Hh5,Hk5 move=B end=eight_headquarters", -WIN, True),
        ("W:Hb8 B:Al1 passed end=two_passes", 0, False),
        ("W:Hb8,Ab1 B:Al1 turns=300 end=max_turns", 0, False),
    ],
}


@pytest.mark.parametrize(("tested", "where", "worth", "sure"), list_cases(ENDS))
def test_a_game_that_is_over_is_won_lost_or_drawn(tested: Board, where: str, worth: float, sure: bool) -> None:
    state, rules = tested.at(where), tested.game.rules
    assert (tested.game.evaluate(state, 0), tested.game.evaluate(state, 1)) == (worth, -worth)
    assert rules.winner_of(state.position) == {WIN: 0, -WIN: 1, 0: NO_WINNER}[worth]
    assert (rules.is_over(state.position), bool(rules.is_path_independent(state.position))) == (True, sure)


@each_board
@pytest.mark.parametrize("seed", range(3))
def test_no_state_is_worth_more_than_a_win(tested: Board, seed: int) -> None:
    assert isinstance(tested.game, HasFeatures)
    assert tested.game.features() == tested.game.rules.features
    for state, step in list(tested.random_game(seed, **tested.limits))[::7]:
        worth = tested.game.evaluate(state, 0)
        assert worth == -tested.game.evaluate(state, 1)
        assert step is None or abs(worth) < WIN
        assert tested.game.rules.is_over(state.position) == (step is None)


def test_danger_weighs_more_than_a_threat() -> None:
    tested, board = BOARDS["oriental_realm"], "W:Ma1,Ek12 B:Ma2,Mb5"
    danger, threat = (tested.game.evaluate(tested.at(f"{board} move={move}"), 1) for move in "BW")
    assert danger > 2 * threat > 0


GREEDY = {  # position; what the greedy bot plays
    "classic_realm": [("W:Fh11,Fb2,~b2*6 B:Fk11,~e8*7", "Fh11k11(xFk11)")],
    "medieval_realm": [("W:Db11 B:Dh11,Me5 move=W", "Db11off")],
}


@pytest.mark.parametrize(("tested", "where", "text"), list_cases(GREEDY))
def test_the_greedy_bot_takes_the_win(tested: Board, where: str, text: str) -> None:
    state = tested.at(where)
    assert tested.game.format_move(state, GreedyBot().choose(tested.game, state, 0, Random(1))) == text


def test_the_greedy_bot_surrounds_what_it_can_and_runs_from_danger() -> None:
    tested = BOARDS["oriental_realm"]
    state = tested.at("W:Ma1,Ek9 B:Md1,Me2 move=B")
    for _ in range(2):
        state = tested.game.play(state, 1, GreedyBot().choose(tested.game, state, 1, Random(1)))
    outcome = tested.game.outcome(state)
    assert outcome is not None
    assert outcome.winner == 1
    danger = "W:Ma1,Ek9 B:Ma2,Mb5"
    move = GreedyBot().choose(tested.game, tested.at(danger), 0, Random(1))
    text = tested.game.format_move(tested.at(danger), move)
    assert measures_at(tested, danger, f"{text} end")["sieges_now"] == 0


def test_the_greedy_bot_captures() -> None:
    tested = BOARDS["modern_realm"]
    state = tested.at("W:Ab4,Ak1 B:Ae11,Ah8")
    step = make_bot("greedy").choose(tested.game, state, 0, Random(1))
    after = tested.game.play(state, 0, step)
    assert (tested.game.view(after, None)["headquarters"], tested.seat_of(after)) == ([1, 0], 1)


SETUPS = {
    "classic_realm": [("free_setup=on", "Fb2 Fb5")],
    "oriental_realm": [("free_setup=on", ""), ("emperor=choose", "")],
}


@pytest.mark.parametrize(("tested", "where", "steps"), list_cases(SETUPS))
def test_the_greedy_bot_plays_the_set_up_too(tested: Board, where: str, steps: str) -> None:
    state = tested.at(where, steps)
    move = GreedyBot(width=1, length=1).choose(tested.game, state, 0, Random(1))
    assert move in tested.game.legal_moves(state, 0)


def test_agreement_is_a_proposal() -> None:
    tested = BOARDS["realm"]
    state = tested.at("W:Bh11,Pg10 B:Bh2 offer=standing")
    proposals = {text for text in tested.legal(state) if tested.game.is_proposal(tested.game.parse_move(state, text))}
    assert proposals == {"offer", "accept"}
