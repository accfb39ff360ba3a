"""The clocks of a table: who gets an increment, and when, in games whose turns are interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realmtable.engine.protocol import Seat, Turn, player_seats
from realmtable.server.errors import BadSetup
from realmtable.server.tables import actions
from realmtable.server.tables.clock import DAY_S, Clock, ClockRule, new_clock
from realmtable.server.tables.replay_log import replay, take_snapshot
from realmtable.server.tables.table import Table
from tests.server.support.table_harness import TableHarness, register_toys, show, start_table

TEN_MORE = ClockRule("game", 60, 10)
PER_MOVE = ClockRule("move", 30)
LONG, INCREMENT = 100_000.0, 10.0
TABLES = [("parry_duel", 2), ("parry_duel", 3), ("secret_cards", 3), ("dice_duel", 3), ("fantasy_realms", 3)]


@pytest.fixture(autouse=True, scope="module")
def toys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        yield


def play_after(table: TableHarness, seconds: float, seat: Seat, move: str) -> list[float]:
    """Let a seat take a step after some seconds; return the time left."""
    table.now += seconds
    return list(table.act(actions.play, seat, move).clock.left)


def test_reactions_add_nothing_and_a_turn_adds_one_increment() -> None:
    table = start_table("parry_duel", TEN_MORE)
    for strike in range(1, 6):
        assert play_after(table, 2, 0, "strike") == [60 - 2 * strike, 61 - strike]
        assert play_after(table, 1, 1, "parry") == [60 - 2 * strike, 60 - strike]
    assert play_after(table, 0, 0, "end") == [60, 55]
    assert play_after(table, 5, 1, "end") == [60, 60]


def test_a_scene_says_when_a_running_clock_ends() -> None:
    table = start_table("parry_duel", TEN_MORE)
    play_after(table, 2, 0, "strike")
    clocks = [seat["clock"] for seat in show(table.table)["seats"]]
    assert clocks == [{"remaining_s": 58, "until": None}, {"remaining_s": 60, "until": table.now + 60}]
    table.now += 5
    table.act(actions.resign, (1,))
    assert [seat["clock"]["until"] for seat in show(table.table)["seats"]] == [None, None]


def test_a_scene_says_when_the_time_of_all_ends() -> None:
    table = start_table("fantasy_realms", seats=3, options=("variant=chaos",))
    bell = show(table.table)["bell"]
    assert bell["until"] > table.now
    table.now += 1
    table.play(Random(1))
    assert show(table.table, (0,))["bell"] == bell


def test_a_reaction_that_ends_the_turn_gives_its_owner_the_increment() -> None:
    table = start_table("parry_duel", TEN_MORE, seats=3)
    play_after(table, 2, 0, "strike")
    play_after(table, 3, 1, "yield")
    assert play_after(table, 1, 2, "riposte") == [68, 57, 59]


def test_a_roll_of_the_dice_does_not_complete_a_turn() -> None:
    table = start_table("dice_duel", TEN_MORE)
    while table.table.acting == (0,):
        assert list(table.table.clock.left) == [60, 60]
        play_after(table, 0, 0, "roll")
    assert list(table.table.clock.left) == [70, 60]


def test_players_who_choose_at_once_each_gain_one_increment_a_round() -> None:
    table = start_table("secret_cards", TEN_MORE, seats=3)
    for seat in range(3):
        table.now += 1
        card = table.table.game.legal_moves(table.table.match.state, seat)[0]
        table.act(actions.play, seat, card)
    assert list(table.table.clock.left) == [69, 68, 67]


def test_a_clock_per_move_restarts_for_a_seat_that_has_reacted() -> None:
    table = start_table("parry_duel", PER_MOVE)
    for _ in range(2):
        play_after(table, 10, 0, "strike")
        play_after(table, 20, 1, "parry")
    assert list(table.table.clock.left) == [10, 30]
    assert play_after(table, 5, 0, "end") == [30, 30]


def test_undoing_a_strike_hands_the_clock_back_to_the_striker() -> None:
    table = start_table("parry_duel", TEN_MORE)
    play_after(table, 2, 0, "strike")
    table.now += 3
    clock = table.act(actions.undo, (0,)).clock
    assert (list(clock.left), clock.running) == ([58, 57], (0,))
    table.now += 58
    assert actions.check_clocks(table.table, table.now)[0].seat == 0


def test_a_turn_that_is_taken_back_to_its_middle_still_belongs_to_its_owner() -> None:
    table = start_table("parry_duel", TEN_MORE)
    for seat, move in ((0, "strike"), (1, "parry"), (0, "strike"), (1, "riposte")):
        play_after(table, 1, seat, move)
    table.act(actions.offer, (1,), "takeback")
    clock = table.act(actions.answer_offer, (0,), accept=True).clock
    assert (list(clock.left), clock.running, clock.acted) == ([68, 58], (1,), (0, 1))


class ExpectedTimes:
    """Counts time and increments on its own: by the steps of a game, from its first to its latest."""

    def __init__(self, table: Table) -> None:
        self.left = [LONG] * len(table.seats)
        self.acted: set[Seat] = set()
        self.turn: Turn = table.game.turn(table.match.state)

    def note_wait(self, table: Table, seconds: float) -> None:
        for seat in player_seats(table.acting):
            self.left[seat] -= seconds
            self.acted.add(seat)

    def note_step(self, table: Table) -> None:
        turn = table.game.turn(table.match.state)
        if turn != self.turn or not table.acting:
            owners = self.acted if self.turn.seat < 0 else self.acted & {self.turn.seat}
            for seat in owners:
                self.left[seat] += INCREMENT
            self.acted = set()
        self.turn = turn


@pytest.mark.long
@given(st.sampled_from(TABLES), st.integers(0, 10_000))
def test_every_second_and_every_increment_is_counted_once_also_after_a_restart(
    chosen: tuple[str, int], seed: int
) -> None:
    game, seats = chosen
    rng = Random(seed)
    table = start_table(game, ClockRule("game", LONG, INCREMENT), seats=seats)
    expected, snapshots = ExpectedTimes(table.table), []
    for _ in range(60):
        if not table.table.acting:
            break
        seconds = float(rng.randrange(5))
        expected.note_wait(table.table, seconds)
        table.now += seconds
        table.play(rng)
        expected.note_step(table.table)
        assert list(table.table.clock.remaining_at(table.now)) == expected.left
        if table.table.status == "running" and not table.table.match.is_turn_running():
            snapshots.append(take_snapshot(table.table))
    assert replay(table.row, table.log).clock == table.table.clock
    for snapshot in rng.sample(snapshots, min(3, len(snapshots))):
        assert replay(table.row, table.log, snapshot).clock == table.table.clock


def start_clock(rule: ClockRule, *acting: int, seats: int = 2) -> Clock:
    return Clock.fresh(rule, seats, 0.0).run(acting, 0.0)


FIVE_MORE = ClockRule("game", 60, 5)
DAYS = ClockRule("days", 2 * DAY_S)


@pytest.mark.parametrize(
    ("clock", "steps", "left"),
    [
        # A game clock runs for the acting seat only, and adds its increment after a turn.
        (start_clock(FIVE_MORE, 0), [(0, (1,), 10, True)], (55, 60)),
        (start_clock(FIVE_MORE, 0), [(0, (1,), 10, True), (1, (0,), 30, True)], (55, 45)),
        # A step inside a turn adds nothing.
        (start_clock(FIVE_MORE, 0), [(0, (0,), 10, False)], (50, 60)),
        # A reaction adds nothing for either seat, but one that ends the turn completes that of its owner.
        (start_clock(FIVE_MORE, 0), [(0, (1,), 10, False), (0, (0,), 20, False)], (50, 50)),
        (start_clock(FIVE_MORE, 0), [(0, (1,), 10, False), (0, (0,), 20, False), (0, (1,), 20, True)], (55, 50)),
        (start_clock(FIVE_MORE, 0), [(0, (1,), 10, False), (0, (1,), 20, True)], (55, 50)),
        # A turn in which its owner never acted adds nothing; every seat completes one that belongs to none.
        (start_clock(FIVE_MORE, 1, seats=3), [(0, (2,), 10, True)], (60, 50, 60)),
        (start_clock(FIVE_MORE, 0, 1, seats=3), [(-1, (1,), 10, False)], (50, 50, 60)),
        (start_clock(FIVE_MORE, 0, 1, seats=3), [(-1, (1,), 10, False), (-1, (), 20, True)], (55, 45, 60)),
        # A clock per move restarts with every turn, and after a reaction but not for the owner of the turn.
        (start_clock(PER_MOVE, 0), [(0, (1,), 20, True)], (30, 30)),
        (start_clock(DAYS, 0), [(0, (1,), 20, True), (1, (0,), 25, False)], (2 * DAY_S, 2 * DAY_S - 5)),
        (start_clock(PER_MOVE, 0), [(0, (1,), 10, False), (0, (0,), 25, False)], (20, 30)),
        (start_clock(PER_MOVE, 0), [(0, (1,), 10, False), (0, (0,), 25, False), (0, (1,), 40, True)], (30, 30)),
    ],
)
def test_what_is_left_after_some_steps(
    clock: Clock, steps: list[tuple[int, tuple[int, ...], float, bool]], left: tuple[float, ...]
) -> None:
    for owner, acting, now, turn_over in steps:
        clock = clock.after_step(owner, acting, now, turn_over=turn_over)
    assert clock.left == left


def test_after_a_takeback_a_clock_per_move_restarts_and_a_game_clock_goes_on() -> None:
    assert start_clock(PER_MOVE, 1).after_takeback((0,), (0,), 10).left == (30, 20)
    clock = start_clock(FIVE_MORE, 1).after_takeback((0,), (0, 1), 10)
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
    assert Clock.from_data(ClockRule.from_data(asdict(clock.rule)), clock.as_data()) == clock


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


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (("game", 10, 0), "10 s"),
        (("game", 10_800, 180), "3 h + 3 min"),
        (("move", 45, 0), "45 s per move"),
        (("days", 30 * DAY_S, 0), "30 days per move"),
    ],
)
def test_new_games_have_any_clock_within_bounds(clock: tuple[str, float, float], text: str) -> None:
    assert new_clock(*clock).describe() == text


@pytest.mark.parametrize(
    ("clock", "fault"),
    [
        (("game", 9, 0), "main time"),
        (("game", 10_801, 0), "main time"),
        (("game", 60.5, 0), "main time"),
        (("game", 60, 181), "increment"),
        (("move", 5, 0), "time per turn"),
        (("days", DAY_S / 2, 0), "days per move"),
        (("days", 31 * DAY_S, 0), "days per move"),
    ],
)
def test_games_that_have_begun_may_have_other_clocks(clock: tuple[str, float, float], fault: str) -> None:
    with pytest.raises(BadSetup, match=f"Choose .*{fault}"):
        new_clock(*clock)
    assert ClockRule(*clock).describe()
