from __future__ import annotations

import pytest

from realmtable.server.errors import BadSetup
from realmtable.server.tables.clock import DAY_S, Clock, ClockRule


def test_a_game_clock_runs_for_the_acting_seat_only_and_adds_its_increment_after_a_turn() -> None:
    clock = Clock.fresh(ClockRule("game", 60, 5), 2, 0.0).advance((0,), (), 0.0)
    assert clock.remaining_at(10) == (50, 60)
    clock = clock.advance((1,), (0,), 10)
    assert clock.remaining_at(10) == (55, 60)
    assert clock.remaining_at(30) == (55, 40)


def test_a_step_inside_a_turn_adds_nothing() -> None:
    clock = Clock.fresh(ClockRule("game", 60, 5), 2, 0.0).advance((0,), (), 0.0).advance((0,), (), 10)
    assert clock.remaining_at(20) == (40, 60)


@pytest.mark.parametrize("rule", [ClockRule("move", 30), ClockRule("days", 2 * DAY_S)])
def test_a_clock_per_move_begins_anew_with_every_turn(rule: ClockRule) -> None:
    clock = Clock.fresh(rule, 2, 0.0).advance((0,), (), 0.0).advance((1,), (0,), 20)
    assert clock.remaining_at(25) == (rule.seconds, rule.seconds - 5)


def test_it_falls_at_its_deadline_and_never_goes_below_nothing() -> None:
    clock = Clock.fresh(ClockRule("game", 60), 2, 0.0).advance((1,), (), 100.0)
    assert clock.deadline() == 160
    assert clock.expired_seat(159.9) is None
    assert clock.expired_seat(160) == 1
    assert clock.remaining_at(500) == (60, 0)


def test_where_several_choose_at_once_the_first_to_run_out_falls() -> None:
    clock = Clock(ClockRule("game", 60), (20.0, 10.0, 5.0), 0.0, (0, 1))
    assert clock.deadline() == 10
    assert clock.expired_seat(10) == 1


def test_no_clock_has_no_deadline() -> None:
    clock = Clock.fresh(ClockRule(), 2, 0.0).advance((0,), (), 0.0)
    assert clock.deadline() is None
    assert clock.expired_seat(1e12) is None


def test_a_clock_survives_as_data() -> None:
    clock = Clock(ClockRule("game", 60, 5), (20.0, 10.0), 3.0, (1,))
    assert Clock.from_data(ClockRule.from_data(clock.rule.as_data()), clock.as_data()) == clock


@pytest.mark.parametrize(
    ("kind", "seconds", "increment"),
    [("often", 1, 0), ("move", 0, 0), ("game", -1, 0), ("game", 8 * DAY_S, 0), ("days", 61 * DAY_S, 0), ("move", 5, 1)],
)
def test_impossible_clocks_are_refused(kind: str, seconds: float, increment: float) -> None:
    with pytest.raises(BadSetup):
        ClockRule(kind, seconds, increment)
