"""What positions are worth to each seat, who has won, and searches and random games on top of that."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from realmtable.games.realms_of_etherium.game import GAME
from realmtable.games.realms_of_etherium.kernels import layout
from realmtable.games.realms_of_etherium.kernels.evaluation import (
    FEATURES,
    is_path_independent,
    is_quiet,
    share_of,
)
from realmtable.games.realms_of_etherium.kernels.keys import state_key
from realmtable.games.realms_of_etherium.kernels.scoring import winner_of
from realmtable.games.realms_of_etherium.rules_record import RULES
from realmtable.kit.playouts import HasPlayouts, PlayoutNumbers
from realmtable.kit.rules import NO_WINNER, HasArrayRules, Position
from tests.realms_of_etherium.helpers import play, read

NAMES = [feature.name for feature in FEATURES]
PLAIN = "reserve=Draw;Shift;Lessen"
# Affinity counts Purple Realms: Quicken and Displace touch it.
AFFINITY = "tiles=Portal@0,0;Quicken@1,0;Affinity@0,1;Displace@-1,1"


def amounts(text: str, seat: int = 0) -> dict[str, float]:
    position = read(f"{text} {PLAIN}" if "reserve=" not in text else text)
    measures = np.full(len(FEATURES) * position.item(layout.SEATS), 7.0)
    RULES.measure(position, measures)
    return dict(zip(NAMES, measures.reshape(-1, len(FEATURES))[seat].tolist(), strict=True))


def make_finished_position(*points: int, reason: int = layout.BY_POINTS) -> Position:
    """A finished game with these points."""
    position = read("tiles=Portal@0,0 mages=" + "/".join(["portal"] * len(points)))
    position[layout.PHASE], position[layout.REASON] = layout.OVER, reason
    position[layout.POINTS : layout.POINTS + len(points)] = points
    return position


def test_the_first_seat_wins_and_equal_seats_share() -> None:
    assert winner_of(make_finished_position(3, 9, 4)) == 1
    assert [share_of(make_finished_position(3, 9, 4), seat) for seat in range(3)] == [0.0, 1.0, 0.0]
    assert winner_of(make_finished_position(9, 3, 9)) == NO_WINNER
    assert [share_of(make_finished_position(9, 3, 9), seat) for seat in range(3)] == [0.5, 0.0, 0.5]
    assert is_path_independent(make_finished_position(1, 2))
    assert not is_path_independent(make_finished_position(1, 2, reason=layout.BY_MAX_ROUNDS))


def test_points_count_in_tenths_of_what_ends_the_game() -> None:
    text = AFFINITY.replace("Affinity@0,1", "Affinity@0,1:1") + " mages=portal/portal"
    own, other = amounts(text), amounts(text, 1)
    assert own["points"] == pytest.approx(10 * 2 / 12)
    assert (own["last"], own["controlled"], own["room"]) == (0.0, 1.0, 3.0)
    assert (other["points"], other["controlled"], other["room"]) == (0.0, 0.0, 0.0)
    assert amounts(f"{text} triggered")["last"] == own["points"]


def test_what_a_seat_has() -> None:
    text = "tiles=Portal@0,0;Quicken@1,0 mages=portal;1,0;1,0x/portal;portalx etherium=9.3/0.10"
    own, other = amounts(text), amounts(text, 1)
    assert (own["white"], own["black"], own["spare"]) == (8.0, 3.0, 1.0)
    assert (other["white"], other["black"], other["spare"]) == (0.0, 8.0, 4.0)
    assert (own["mages"], own["ready"], own["helpers"]) == (3.0, 2.0, 1.0)
    assert (other["mages"], other["ready"], other["helpers"]) == (2.0, 1.0, 0.0)
    moved = amounts(f"{text} phase=act active=1 moved=1 turn=2")
    assert moved["ready"] == pytest.approx(1.4)


def test_points_in_reach_depend_on_the_way_the_price_and_blockers() -> None:
    def reach(mages: str, etherium: str = "1.2/0.0", world: str = AFFINITY) -> float:
        return amounts(f"{world} mages={mages} etherium={etherium}")["reach"]

    there = reach("0,1/portal")
    assert there == pytest.approx(10 * 2 / 12)
    assert there > reach("portal/portal") > 0.0
    assert reach("0,1/portal", "0.2/0.0") == pytest.approx(there / 1.35)
    assert reach("0,1/portal", "1.1/0.0") == pytest.approx(there / 1.7)
    assert reach("0,1/0,1") == pytest.approx(there / 2)
    two = f"{AFFINITY};Lineage@-1,2"
    both = amounts(f"{two} mages=0,1/portal etherium=5.5/0.0")
    assert both["reach"] >= both["next_reach"] > 0.0


def test_portals_are_one_place_on_the_way() -> None:
    far = f"{AFFINITY};Swap@2,0;Swap.2@2,-1;Tribute@3,-1;Shift@3,0"
    near = far.replace("Shift@3,0", "Portal.2@3,0")
    values = [amounts(f"{world} mages=3,-1/portal etherium=1.2/0.0")["reach"] for world in (far, near)]
    assert values[1] > values[0]


@pytest.mark.parametrize(
    ("victory", "options", "points"),
    [("Sovereignty", "", 1), ("Antagonism", "", 2), ("Sovereignty", " options=controlled=any", 3)],
)
def test_realms_that_count_control_are_worth_something_else_to_each_seat(
    victory: str, options: str, points: int
) -> None:  # fmt: skip
    world = f"tiles=Portal@0,0;{victory}@0,1;Quicken@1,0:1;Displace@-1,1:2;Swap@-1,2:2;Shift@0,2"
    found = amounts(f"{world} mages=0,1/portal etherium=5.5/0.0{options}")
    assert found["reach"] == pytest.approx(10 * points / 12)


def test_income_in_reach() -> None:
    def income(world: str, etherium: str = "0.0/0.0") -> float:
        return amounts(f"tiles=Portal@0,0;{world} mages=portal/portal etherium={etherium}")["income"]

    assert income("Channel@1,0") == 2.0
    assert income("Condense@1,0") == 2.0  # one Black
    assert income("Draw@1,0;Multiply@0,1") == 1.0
    assert income("Draw@1,0;Quicken@0,1") == 0.0
    assert (income("Transmute@1,0"), income("Transmute@1,0", "2.0/0.0")) == (0.0, 1.5)
    assert (income("Conjure@1,0"), income("Conjure@1,0", "0.3/0.0")) == (0.0, 3.0)


@pytest.mark.parametrize(
    ("reserve", "points"),
    [
        ("Affinity", 2.0),  # two Purple Realms
        ("Resonance", 2.0),  # a pair of Red and Purple
        ("Lineage", 3.0),
        ("Diversity", 2.0),
        ("Sovereignty", 0.0),
        ("Fluency", 0.0),
        ("Affinity;Lineage", 3.0),
    ],
)
def test_points_in_prospect_come_from_the_reserve(reserve: str, points: float) -> None:
    world = "tiles=Portal@0,0;Quicken@1,0;Lessen@0,1;Displace@1,1 mages=1,1/portal etherium=9.9/0.0"
    found = amounts(f"{world} reserve={reserve};Draw;Shift;Swap")
    assert found["prospect"] == pytest.approx(0.75 * 10 * points / 12)


def test_a_declared_hex_is_not_quiet() -> None:
    text = "tiles=Portal@0,0 mages=portal/portal phase=act active=1 turn=1"
    assert is_quiet(read(text))
    assert not is_quiet(play(text, "summon 1,0"))


def test_the_key_leaves_out_the_number_of_steps() -> None:
    text = f"{AFFINITY} mages=portal;1,0/portal etherium=1.2/0.0"
    one = state_key(read(text))
    assert one == state_key(read(f"{text} steps=40"))
    others = [text.replace("1.2/", "1.3/"), f"{text} triggered", text.replace("portal;1,0", "1,0;portal")]
    assert len({one, *(state_key(read(other)) for other in others)}) == 4


# ---- the game as others see it


def test_a_bot_takes_the_points_that_win() -> None:
    world = AFFINITY.replace("tiles=Portal@0,0", "tiles=Portal@0,0;Proximity@1,-1")
    text = f"{world} mages=0,1/portalx etherium=1.2/0.0 phase=act active=1 turn=9 round=9 options=points=2 {PLAIN}"
    state = GAME.decode(text)
    assert GAME.evaluate(state, 0) + GAME.evaluate(state, 1) == pytest.approx(1.0)
    assert GAME.evaluate(state, 0) > GAME.evaluate(state, 1)
    assert isinstance(GAME, HasArrayRules)
    assert GAME.position_of(state) is state.position
    assert GAME.step_of(layout.CONTROL) in GAME.legal_moves(state, 0)


def test_random_games_run_inside_the_kernels() -> None:
    start = GAME.initial(3, GAME.options(max_rounds=5))
    total = PlayoutNumbers()
    for seed in (1, 2):
        total.add(GAME.playouts(start, [seed]))
    assert total == GAME.playouts(start, [1, 2])
    assert total.games == total.winners.total() == total.reasons.total() == 2
    assert total.turns >= 2 * 30
    assert isinstance(GAME, HasPlayouts)


def test_shares_add_up_in_random_games() -> None:
    rng = Random(5)
    state = GAME.initial(4, GAME.options(max_rounds=5))
    while acting := GAME.to_move(state):
        if acting[0] < 0:
            outcomes = GAME.chance(state)
            move = rng.choices(outcomes, [outcome.weight for outcome in outcomes])[0].move
        else:
            move = rng.choice(GAME.legal_moves(state, acting[0]))
        state = GAME.play(state, acting[0], move)
        if rng.random() < 0.1:
            assert sum(GAME.evaluate(state, seat) for seat in range(4)) == pytest.approx(1.0)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [GAME.evaluate(state, seat) > 0 for seat in range(4)] == [rank == 1 for rank in outcome.ranking]
