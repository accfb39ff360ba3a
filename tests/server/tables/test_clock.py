from __future__ import annotations

import pytest

from realmtable.server.errors import BadSetup
from realmtable.server.tables.clock import DAY_S, Clock, ClockRule


def start_clock(rule: ClockRule, *acting: int, seats: int = 2) -> Clock:
    return Clock.fresh(rule, seats, 0.0).run(acting, 0.0)


def test_a_game_clock_runs_for_the_acting_seat_only_and_adds_its_increment_after_a_turn() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 0)
    assert clock.remaining_at(10) == (50, 60)
    clock = clock.after_step(0, (1,), 10, turn_over=True)
    assert clock.remaining_at(10) == (55, 60)
    assert clock.remaining_at(30) == (55, 40)


def test_a_step_inside_a_turn_adds_nothing() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 0).after_step(0, (0,), 10, turn_over=False)
    assert clock.remaining_at(20) == (40, 60)


def test_a_reaction_adds_nothing_for_either_seat() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 0).after_step(0, (1,), 10, turn_over=False)
    assert clock.remaining_at(10) == (50, 60)
    clock = clock.after_step(0, (0,), 20, turn_over=False)
    assert clock.remaining_at(20) == (50, 50)
    assert clock.after_step(0, (1,), 20, turn_over=True).left == (55, 50)


def test_a_reaction_that_ends_the_turn_completes_the_turn_of_its_owner() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 0).after_step(0, (1,), 10, turn_over=False)
    assert clock.after_step(0, (1,), 20, turn_over=True).left == (55, 50)


def test_a_turn_in_which_its_owner_never_acted_adds_nothing() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 1, seats=3)
    assert clock.after_step(0, (2,), 10, turn_over=True).left == (60, 50, 60)


def test_every_seat_completes_a_turn_that_belongs_to_none() -> None:
    clock = start_clock(ClockRule("game", 60, 5), 0, 1, seats=3)
    clock = clock.after_step(-1, (1,), 10, turn_over=False)
    assert list(clock.left) == [50, 50, 60]
    clock = clock.after_step(-1, (0, 1), 15, turn_over=False).after_step(-1, (1,), 20, turn_over=False)
    assert list(clock.left) == [45, 40, 60]
    assert clock.after_step(-1, (), 20, turn_over=True).left == (50, 45, 60)


@pytest.mark.parametrize("rule", [ClockRule("move", 30), ClockRule("days", 2 * DAY_S)])
def test_a_clock_per_move_restarts_with_every_turn(rule: ClockRule) -> None:
    clock = start_clock(rule, 0).after_step(0, (1,), 20, turn_over=True)
    assert clock.remaining_at(25) == (rule.seconds, rule.seconds - 5)


def test_a_clock_per_move_restarts_after_a_reaction_but_not_for_the_owner_of_the_turn() -> None:
    clock = start_clock(ClockRule("move", 30), 0).after_step(0, (1,), 10, turn_over=False)
    clock = clock.after_step(0, (0,), 25, turn_over=False)
    assert list(clock.left) == [20, 30]
    assert clock.after_step(0, (1,), 40, turn_over=True).left == (30, 30)


def test_after_a_takeback_a_clock_per_move_restarts_and_a_game_clock_goes_on() -> None:
    assert start_clock(ClockRule("move", 30), 1).after_takeback((0,), (0,), 10).left == (30, 20)
    clock = start_clock(ClockRule("game", 60, 5), 1).after_takeback((0,), (0, 1), 10)
    assert (clock.left, clock.running, clock.acted) == ((60, 50), (0,), (0, 1))


def test_time_is_up_at_the_deadline_and_never_goes_below_nothing() -> None:
    clock = Clock.fresh(ClockRule("game", 60), 2, 0.0).run((1,), 100.0)
    assert clock.deadline() == 160
    assert clock.expired_seat(159.9) is None
    assert clock.expired_seat(160) == 1
    assert clock.remaining_at(500) == (60, 0)


def test_where_several_choose_at_once_the_first_to_run_out_falls() -> None:
    clock = Clock(ClockRule("game", 60), (20.0, 10.0, 5.0), 0.0, (0, 1))
    assert clock.deadline() == 10
    assert clock.expired_seat(10) == 1


def test_no_clock_has_no_deadline() -> None:
    clock = start_clock(ClockRule(), 0)
    assert clock.deadline() is None
    assert clock.expired_seat(1e12) is None


def test_a_clock_survives_as_data() -> None:
    clock = Clock(ClockRule("game", 60, 5), (20.0, 10.0), 3.0, (1,), (0, 1))
    assert Clock.from_data(ClockRule.from_data(clock.rule.as_data()), clock.as_data()) == clock


def test_data_from_before_reactions_had_counted_the_seats_that_wait() -> None:
    clock = Clock.from_data(ClockRule("game", 60, 5), {"left": [20.0, 10.0], "since": 3.0, "running": [1]})
    assert clock.acted == (1,)


@pytest.mark.parametrize(
    ("kind", "seconds", "increment"),
    [("often", 1, 0), ("move", 0, 0), ("game", -1, 0), ("game", 8 * DAY_S, 0), ("days", 61 * DAY_S, 0), ("move", 5, 1)],
)
def test_impossible_clocks_are_refused(kind: str, seconds: float, increment: float) -> None:
    with pytest.raises(BadSetup):
        ClockRule(kind, seconds, increment)
