"""How much memory the live tables take, and which of them leave first when it is too much.

Almost all of a table's memory is the states of its earlier steps. They are of one size, so a table's size is estimated
from its latest state and its number of steps; a test compares the estimate with what Python says it has allocated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from realmtable.kit.array_state import ArrayState
from realmtable.server.settings import MIB
from realmtable.server.tables.table import Table

if TYPE_CHECKING:
    from realmtable.server.tables.live_table import LiveTable

DEFAULT_BUDGET_BYTES: Final = 512 * MIB
# Measured with tracemalloc over all games: a table with no step, and what a step takes beside its state.
TABLE_BYTES: Final = 8_000
STEP_BYTES: Final = 600
ARRAY_STATE_BYTES: Final = 250  # beside the numbers in it
UNSHARED_PART: Final = 1 / 3  # of a state that is no array; it shares the rest with the one before
MEASURE_EVERY_STEPS: Final = 32  # steps after which a state is measured again: to walk through a large one takes 2 ms
HISTORY_BUDGET_PART: Final = 1 / 8  # of the budget, beside it, for tables that are looked back at
BUDGET_PART_AFTER_EVICTION: Final = (
    0.9  # how full the budget is after tables have left, so that they leave some at a time
)


def state_bytes(state: Any) -> int:  # noqa: ANN401 - the game's own
    """About how much memory a state takes that follows another of its game."""
    if isinstance(state, ArrayState):
        return int(state.position.nbytes) + ARRAY_STATE_BYTES
    return round(UNSHARED_PART * sum(sys.getsizeof(part) for part in _reachable_objects(state, set())))


def _reachable_objects(thing: Any, seen: set[int]) -> Iterator[Any]:  # noqa: ANN401 - as above
    """A value and everything it is made of, each once."""
    if id(thing) in seen or callable(thing):
        return
    seen.add(id(thing))
    yield thing
    if isinstance(thing, (str, bytes, int, float, np.ndarray)):
        inner: Iterable[Any] = ()
    elif isinstance(thing, Mapping):
        inner = (*thing.keys(), *thing.values())
    elif isinstance(thing, Collection):
        inner = thing
    else:
        slots = (getattr(thing, name) for name in getattr(thing, "__slots__", ()) if hasattr(thing, name))
        inner = (*slots, *getattr(thing, "__dict__", {}).values())
    for part in inner:
        yield from _reachable_objects(part, seen)


def table_bytes(table: Table, one_state: int) -> int:
    """About how much memory a table takes whose states take `one_state` each, its picture and texts included."""
    steps = table.step - table.snapshot_step
    texts = sum(200 + len(said.text) for said in table.chat)
    picture = len(table.__dict__.get("picture", ""))  # drawn once and kept there
    return TABLE_BYTES + (steps + 1) * (one_state + STEP_BYTES) + texts + picture


def live_bytes(live: LiveTable) -> int:
    """The same for a table in use, with what was made for those who look at it."""
    if live.table.step >= live.remeasure_at_step:
        live.state_size = state_bytes(live.table.match.state)
        live.remeasure_at_step = live.table.step + MEASURE_EVERY_STEPS
    scenes = sum(len(data) for _, data in live.scenes.values())
    return table_bytes(live.table, live.state_size) + scenes + 150 * len(live.request_keys)


def drop_drawings(live: LiveTable) -> None:
    """Forget what can be drawn again for the next who looks."""
    live.scenes.clear()
    live.table.__dict__.pop("picture", None)


class TableMemory:
    """The budget of one process, and the order in which tables leave when it is spent. Their logs keep them."""

    def __init__(self, budget_bytes: int = DEFAULT_BUDGET_BYTES) -> None:
        self.budget_bytes = budget_bytes
        self.used_bytes = 0
        self.on_evict: Callable[[str], None] | None = None  # told the status of each table that leaves
        self.is_busy: Callable[[str], bool] = lambda _: False  # whether a table's bot is thinking

    def measure(self, live: LiveTable) -> None:
        """A table has come or changed."""
        now = live_bytes(live)
        self.used_bytes += now - live.size
        live.size = now

    def count(self, tables: Mapping[str, LiveTable]) -> int:
        """What all tables take, added up anew."""
        self.used_bytes = sum(live.size for live in tables.values())
        return self.used_bytes

    def choose_evictions(self, tables: Mapping[str, LiveTable], newest: LiveTable, most: int) -> list[str]:
        """Which tables leave so that the rest fits the budget and is at most `most`; `newest` stays.

        Finished ones go first, then those that wait for players, then running ones; of each kind those unused for
        longest. One that somebody watches, that is being changed, or whose bot thinks stays in any case.
        """
        too_many = len(tables) - most
        if too_many <= 0 and self.used_bytes <= self.budget_bytes:
            return []
        is_over = self.count(tables) > self.budget_bytes
        excess = self.used_bytes - BUDGET_PART_AFTER_EVICTION * self.budget_bytes if is_over else 0
        found: list[str] = []
        for name in self._eviction_order(tables, newest):
            if excess <= 0 and len(found) >= too_many:
                break
            found.append(name)
            excess -= tables[name].size
        return found

    def _eviction_order(self, tables: Mapping[str, LiveTable], newest: LiveTable) -> list[str]:
        """Those that may leave, in the order in which they would; `tables` has those unused for longest first."""
        order = {"over": 0, "halted": 0, "open": 1, "running": 2}
        idle = [
            name
            for name, live in tables.items()
            if live is not newest and not live.streams and not live.queue.locked() and not self.is_busy(name)
        ]
        return sorted(idle, key=lambda name: order[tables[name].table.status])  # keeps the order of use

    def are_histories_too_large(self, wholes: Collection[Table]) -> bool:
        """Whether tables that were replayed for those who look back take more than their part; one may always stay."""
        taken = sum(table_bytes(table, state_bytes(table.match.state)) for table in wholes)
        return len(wholes) > 1 and taken > HISTORY_BUDGET_PART * self.budget_bytes

    def note_eviction(self, live: LiveTable) -> None:
        """A table has left."""
        self.used_bytes -= live.size
        live.size = 0
        if self.on_evict is not None:
            self.on_evict(live.table.status)
