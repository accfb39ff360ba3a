"""Neither changes of the wall clock nor outages cost players time, or give them any."""

from __future__ import annotations

import time

import pytest

from realmtable.server.metrics import Metrics
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.steady_clock import LARGEST_STEP_BACK_S, TOLERATED_STEP_S, SteadyTime
from realmtable.server.storage.outages import GAP_S, RECONNECT_S
from realmtable.server.tables.actions import EventDraft
from realmtable.server.tables.clock import DAY_S, ClockRule
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table, replace
from tests.server.support.table_harness import TableHarness

HOURS_S = 2 * 3600.0
START = 1_700_000_000.0


class Machine:
    """A machine's clocks: `step` sets the wall clock, `wait` lets time pass, `reboot` begins a new boot."""

    def __init__(self, boot: str = "first") -> None:
        self.wall, self.elapsed, self.boot = START, 500.0, boot

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.elapsed += seconds

    def step(self, seconds: float) -> None:
        self.wall += seconds

    def reboot(self) -> None:
        self.elapsed, self.boot = 1.0, "second"

    def process(self) -> SteadyTime:
        return SteadyTime(lambda: self.wall, lambda: self.elapsed, self.boot)


@pytest.mark.parametrize("step_s", [HOURS_S, -HOURS_S])
def test_time_passes_evenly_whatever_happens_to_the_wall_clock(step_s: float) -> None:
    machine = Machine()
    steady = machine.process()
    machine.wait(10)
    machine.step(step_s)
    assert steady.now() == START + 10
    assert steady.wall_clock_ahead_s() == step_s
    machine.wait(5)
    assert steady.now() == START + 15


@pytest.mark.parametrize("step_s", [HOURS_S, -HOURS_S])
def test_a_process_that_joins_another_of_this_boot_takes_its_time(step_s: float) -> None:
    machine = Machine()
    note = machine.process().make_note()
    machine.wait(100)
    machine.step(step_s)
    machine.wait(3)
    later = machine.process()
    assert later.now() == START + step_s + 103
    assert later.adopt(note)
    assert later.now() == START + 103


def test_clocks_that_agree_follow_the_wall_clock() -> None:
    machine = Machine()
    note = machine.process().make_note()
    machine.step(TOLERATED_STEP_S)
    later = machine.process()
    assert later.adopt(note)
    assert later.now() == machine.wall


@pytest.mark.parametrize("step_s", [HOURS_S, 3 * DAY_S])
def test_a_machine_that_joins_others_takes_their_time(step_s: float) -> None:
    machine, other = Machine(), Machine("elsewhere")
    other.step(step_s)
    joining = other.process()
    assert joining.adopt(machine.process().make_note())
    assert joining.now() == START


@pytest.mark.parametrize(
    ("step_s", "behind_s"), [(600, 0), (-1, 1), (-HOURS_S, HOURS_S), (-LARGEST_STEP_BACK_S - 1, 0)]
)
def test_a_process_that_starts_alone_does_not_go_back_unless_the_clock_was_far_ahead(
    step_s: float, behind_s: float
) -> None:
    machine = Machine()
    stored = machine.process().now()
    machine.step(step_s)
    later = machine.process()
    later.catch_up(stored)
    assert later.now() == machine.wall + behind_s


@pytest.mark.parametrize("note", ["", "{}", "[]", "null", "nonsense", '{"boot": "first", "elapsed": null, "now": 1}'])
def test_a_note_that_cannot_be_read_is_no_note(note: str) -> None:
    machine = Machine()
    steady = machine.process()
    assert not steady.adopt(note)
    assert steady.now() == START


# ---- on a server


async def open_timed_table(services: Services, clock: ClockRule) -> Table:
    ann, _ = await services.accounts.create_guest()
    bob, _ = await services.accounts.create_guest()
    return await services.table_service.open_table(
        Setup("classic_realm", 2, clock=clock), ann, [Occupant(ann.id), Occupant(bob.id)]
    )


async def sweep_table(services: Services, table_id: str) -> Table:
    """Sweep the clocks once, and return the table."""
    await services.table_driver.sweep_once(first=True)
    return await services.table_service.table(table_id)


class WallClock:
    """The wall clock of this process, from before a server starts; `step_s` sets it."""

    def __init__(self) -> None:
        self.step_s = 0.0
        self._real = time.time

    def __call__(self) -> float:
        return self._real() + self.step_s


@pytest.fixture
def wall_clock(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    clock = WallClock()
    monkeypatch.setattr(time, "time", clock)
    return clock


CLOCKS = [ClockRule("game", 600, 5), ClockRule("move", 600), ClockRule("days", DAY_S / 24)]


@pytest.mark.anyio
@pytest.mark.parametrize("step_s", [HOURS_S, -HOURS_S])
@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
async def test_nobody_is_flagged_by_a_step_of_the_wall_clock_and_everybody_by_time(
    wall_clock: WallClock, services: Services, monkeypatch: pytest.MonkeyPatch, clock: ClockRule, step_s: float
) -> None:
    table = await open_timed_table(services, clock)
    wall_clock.step_s = step_s
    now = await sweep_table(services, table.id)
    assert now.status == "running"
    left = now.clock.remaining_at(services.table_service.now())[0]
    assert clock.seconds - 60 < left <= clock.seconds  # a minute, for a busy machine
    steady_now = services.table_service.now
    monkeypatch.setattr(services.table_service, "now", lambda: steady_now() + clock.seconds)
    assert (await sweep_table(services, table.id)).status == "over"


def left_of(services: Services, table: Table) -> float:
    return table.clock.remaining_at(services.table_service.now())[0]


@pytest.mark.anyio
@pytest.mark.parametrize("step_s", [HOURS_S, -HOURS_S, 3 * DAY_S, -3 * DAY_S])
@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind)
async def test_an_outage_or_a_step_between_two_lives_of_the_server_costs_nobody_time(
    wall_clock: WallClock, settings: Settings, clock: ClockRule, step_s: float
) -> None:
    first = await Services.start(settings, Metrics())
    opened = await open_timed_table(first, clock)
    await first.close()
    for step in (step_s, 0.0):  # then it is corrected
        wall_clock.step_s = step
        server = await Services.start(settings, Metrics())
        seen = await server.table_service.table(opened.id)
        assert left_of(server, seen) == pytest.approx(clock.seconds, abs=GAP_S)
        table = await sweep_table(server, opened.id)
        assert table.status == "running"
        assert table.clock == seen.clock
        assert table.news[-1].kind == "resumed"
        replayed = await server.table_service.replay_log(server.table_service.live[table.id], table.version)
        assert replayed.clock == table.clock
        await server.close()


@pytest.mark.anyio
async def test_time_passes_again_when_the_server_is_back(
    wall_clock: WallClock, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await Services.start(settings, Metrics())
    opened = await open_timed_table(first, CLOCKS[0])
    await first.close()
    wall_clock.step_s = HOURS_S
    second = await Services.start(settings, Metrics())
    steady_now, left = second.table_service.now, CLOCKS[0].seconds
    for later_s, status in ((left - GAP_S, "running"), (left + RECONNECT_S, "over")):  # nobody has looked since
        monkeypatch.setattr(second.table_service, "now", lambda later_s=later_s: steady_now() + later_s)
        assert (await sweep_table(second, opened.id)).status == status
    await second.close()


@pytest.mark.anyio
async def test_the_sleep_of_a_machine_costs_nobody_time(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = await open_timed_table(services, CLOCKS[0])
    elapsed = services.time._elapsed
    monkeypatch.setattr(services.time, "_elapsed", lambda: elapsed() + HOURS_S)
    table = await sweep_table(services, opened.id)  # before the next beat
    assert table.status == "running"
    assert left_of(services, table) == pytest.approx(CLOCKS[0].seconds, abs=GAP_S)


def test_limits_for_answers_and_the_clocks_of_games_leave_out_an_outage_too() -> None:
    table = TableHarness(clock=ClockRule("game", 600)).seat_players()
    table.table = replace(table.table, clock_deadline=START + 30, decision_deadline=START + 40)
    since = table.table.clock.since
    lost = EventDraft("resumed", data={"seconds": 5_000.0, "until": since + 5_100.0})
    resumed = table.add([lost])
    assert resumed.clock.remaining_at(since + 5_101)[0] == 499
    assert (resumed.clock_deadline, resumed.decision_deadline) == (START + 5_030, START + 5_040)
