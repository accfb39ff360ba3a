"""Estimates the memory of live tables, and chooses which to evict when it exceeds the budget.

Most of a table's memory is the states of its earlier steps. Each takes about as much as the latest ones, so a table's
size is estimated from these and its number of steps; a test compares the estimate with Python's allocations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from realmtable.server.settings import MIB
from realmtable.server.tables.live.live_table import LiveTable, StateSizes, measure_states
from realmtable.server.tables.table import Table, replace

DEFAULT_BUDGET_BYTES: Final = 512 * MIB
# Measured with tracemalloc over all games: a table without steps, and a step without its state.
TABLE_BYTES: Final = 8_000
STEP_BYTES: Final = 600
SCENE_BYTES: Final = 20_000  # most of a scene it shares with others
LINE_BYTES: Final = 250  # what remains of a step whose state was dropped
MEASURE_EVERY_STEPS: Final = 32  # measuring large states takes some milliseconds
MAX_HELD_STEPS: Final = 128  # whose states a running table keeps in memory; the log has all of them
KEPT_STEPS: Final = 64  # whose states remain when older ones are dropped
BUDGET_PART_AFTER_EVICTION: Final = 0.9  # below 1, so that tables are evicted in batches


def table_bytes(table: Table, states: StateSizes) -> int:
    """Estimate the memory of a table with states of these sizes, including its picture and texts."""
    steps = table.step - table.snapshot_step
    texts = sum(200 + len(message.text) for message in table.chat)
    picture = len(table.__dict__.get("picture", ""))  # a cached property
    lines = LINE_BYTES * table.snapshot_step
    return TABLE_BYTES + states.first + steps * states.further + (steps + 1) * STEP_BYTES + lines + texts + picture


def live_bytes(live: LiveTable) -> int:
    """Estimate the memory of a live table, including its cached scenes."""
    if live.table.step >= live.remeasure_at_step:
        live.state_sizes = measure_states(live.table.match)
        live.remeasure_at_step = live.table.step + MEASURE_EVERY_STEPS
    return table_bytes(live.table, live.state_sizes) + SCENE_BYTES * len(live.scenes) + 150 * len(live.request_keys)


def forget_history(table: Table) -> Table:
    """Return the table without the states of old steps, if it holds many: they can be replayed from the log.

    A turn that can still be undone without an agreement stays whole.
    """
    hidden = table.game.info.hidden
    if table.step - table.snapshot_step < MAX_HELD_STEPS or (not hidden and table.match.is_turn_running()):
        return table
    cut = table.step - KEPT_STEPS
    if not hidden:
        cut = next((line.first - 1 for line in reversed(table.move_list) if line.first <= cut), 0)
    if cut <= table.snapshot_step:
        return table
    return replace(table, match=table.match.forget_before(table.step - cut), snapshot_step=cut)


class TableMemory:
    """The memory budget of one process, and the order in which tables are evicted."""

    def __init__(self, budget_bytes: int = DEFAULT_BUDGET_BYTES) -> None:
        self.budget_bytes = budget_bytes
        self.used_bytes = 0
        self.on_evict: Callable[[str], None] | None = None  # called with the status of an evicted table
        self.is_busy: Callable[[str], bool] = lambda _: False  # whether a bot of a table is thinking

    def measure(self, live: LiveTable) -> None:
        """Update the size of a new or changed table."""
        size = live_bytes(live)
        self.used_bytes += size - live.size
        live.size = size

    def count(self, tables: Mapping[str, LiveTable]) -> int:
        """Recompute and return the memory of all tables."""
        self.used_bytes = sum(live.size for live in tables.values())
        return self.used_bytes

    def choose_evictions(self, tables: Mapping[str, LiveTable], newest: LiveTable, most: int) -> list[str]:
        """Return the tables to evict so that at most `most` remain and fit the budget; `newest` stays.

        Finished tables go first, then open ones, then running ones, each least recently used first. Tables with
        spectators, pending changes or a thinking bot always stay.
        """
        too_many = len(tables) - most
        if too_many <= 0 and self.used_bytes <= self.budget_bytes:
            return []
        is_over = self.count(tables) > self.budget_bytes
        excess = self.used_bytes - BUDGET_PART_AFTER_EVICTION * self.budget_bytes if is_over else 0
        evicted: list[str] = []
        for name in self._eviction_order(tables, newest):
            if excess <= 0 and len(evicted) >= too_many:
                break
            evicted.append(name)
            excess -= tables[name].size
        return evicted

    def _eviction_order(self, tables: Mapping[str, LiveTable], newest: LiveTable) -> list[str]:
        """Return the tables that may be evicted, in order; `tables` has the least recently used first."""
        order = {"over": 0, "halted": 0, "open": 1, "running": 2}
        idle = [
            name
            for name, live in tables.items()
            if live is not newest and not live.viewers and not live.lock.locked() and not self.is_busy(name)
        ]
        return sorted(idle, key=lambda name: order[tables[name].table.status])  # stable: keeps the order of use

    def note_eviction(self, live: LiveTable) -> None:
        """Update the used memory after a table was evicted."""
        self.used_bytes -= live.size
        live.size = 0
        if self.on_evict is not None:
            self.on_evict(live.table.status)
