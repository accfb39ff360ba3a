"""Changes of the wall clock, in either direction, flag no player and give none extra time."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from realmtable.server.metrics import Metrics
from realmtable.server.services import Services
from realmtable.server.settings import Settings
from realmtable.server.steady_clock import LARGEST_ADOPTED_STEP_S, TOLERATED_STEP_S, SteadyTime
from realmtable.server.storage.database_lock import SUFFIX
from realmtable.server.tables.clock import DAY_S, ClockRule
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Occupant, Table

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
def test_the_next_process_of_a_boot_goes_on_with_the_time_of_the_one_before(step_s: float) -> None:
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


def test_a_machine_that_joins_others_takes_their_time_if_their_note_is_fresh() -> None:
    machine, other = Machine(), Machine("elsewhere")
    other.step(HOURS_S)
    joining = other.process()
    assert not joining.adopt(machine.process().make_note())
    assert joining.now() == other.wall
    assert joining.adopt(machine.process().make_note(), is_fresh=True)
    assert joining.now() == START


def test_after_a_reboot_the_wall_clock_is_believed() -> None:
    machine = Machine()
    note = machine.process().make_note()
    machine.wait(600)
    machine.reboot()
    later = machine.process()
    assert not later.adopt(note)
    assert later.now() == START + 600


def test_a_wall_clock_that_had_not_been_set_at_all_is_not_followed() -> None:
    machine = Machine()
    note = machine.process().make_note()
    machine.step(LARGEST_ADOPTED_STEP_S + TOLERATED_STEP_S)
    later = machine.process()
    assert not later.adopt(note)
    assert later.now() == machine.wall


@pytest.mark.parametrize("note", ["", "{}", "[]", "null", "nonsense", '{"boot": "first", "elapsed": null, "now": 1}'])
def test_a_note_that_cannot_be_read_is_no_note(note: str) -> None:
    machine = Machine()
    steady = machine.process()
    assert not steady.adopt(note, is_fresh=True)
    assert steady.now() == START


def test_systems_that_do_not_name_their_boot_share_no_time() -> None:
    machine = Machine(boot="")
    note = machine.process().make_note()
    machine.step(HOURS_S)
    assert not machine.process().adopt(note)


# ---- on a server


async def open_timed_table(services: Services, clock: ClockRule) -> Table:
    ann, _ = await services.accounts.create_guest()
    bob, _ = await services.accounts.create_guest()
    return await services.table_service.open_table(
        Setup("classic_realm", 2, clock=clock), ann, [Occupant(ann.id), Occupant(bob.id)]
    )


async def sweep_table(services: Services, table_id: str) -> Table:
    """What the sweep of one second makes of a table."""
    await services.table_driver._sweep_once(first=True)
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
    elapsed = services.time._elapsed
    monkeypatch.setattr(services.time, "_elapsed", lambda: elapsed() + clock.seconds)
    assert (await sweep_table(services, table.id)).status == "over"


@pytest.mark.anyio
@pytest.mark.parametrize("step_s", [HOURS_S, -HOURS_S])
async def test_nobody_is_flagged_by_a_step_between_two_lives_of_the_server(
    wall_clock: WallClock, settings: Settings, step_s: float
) -> None:
    first = await Services.start(settings, Metrics())
    table = await open_timed_table(first, CLOCKS[0])
    await first.close()
    wall_clock.step_s = step_s
    second = await Services.start(settings, Metrics())
    now = await sweep_table(second, table.id)
    left = now.clock.remaining_at(second.table_service.now())[0]
    await second.close()
    assert now.status == "running"
    assert CLOCKS[0].seconds - 60 < left <= CLOCKS[0].seconds


@pytest.mark.anyio
async def test_time_counts_while_no_server_runs(wall_clock: WallClock, settings: Settings) -> None:
    first = await Services.start(settings, Metrics())
    table = await open_timed_table(first, CLOCKS[0])
    await first.close()
    lock_file = f"{settings.database_url.removeprefix('sqlite:///')}{SUFFIX}"
    await asyncio.to_thread(os.unlink, lock_file)  # as after a move to another machine
    wall_clock.step_s = HOURS_S
    second = await Services.start(settings, Metrics())
    now = await sweep_table(second, table.id)
    await second.close()
    assert now.status == "over"
