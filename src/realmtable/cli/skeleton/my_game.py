"""My Game: mark cells of a grid in turn; three of your marks in a line win.

- **R1** Players take turns, and the first player begins. A turn marks one empty cell.
- **R2** Three marks of a player in a row, a column or a diagonal win.
- **R3** If the grid is full and nobody has won, the game is a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from realmtable.engine.errors import IllegalMove
from realmtable.engine.protocol import GameInfo, Options, Outcome, Seat, Turn, View
from realmtable.kit.cell_picture import Cell, Row
from realmtable.kit.small_game import SmallGame, make_outcome

INFO: Final = GameInfo(
    id="my_game",
    title="My Game",
    summary="Mark three cells in a line before your opponent does.",
    seats=(2,),
    seat_names=("Cross", "Nought"),
    max_steps=9,
)
MARKS: Final = "XO"  # by seat
EMPTY: Final = "."
CELLS: Final = tuple(f"{column}{row}" for row in "123" for column in "abc")
LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True)
class State:
    """The grid: the mark in each of `CELLS`."""

    grid: str = EMPTY * len(CELLS)

    def __post_init__(self) -> None:
        """Refuse a grid that no game can have, such as one in the address of a page."""
        crosses, noughts = map(self.grid.count, MARKS)
        if len(self.grid) != len(CELLS) or set(self.grid) - {EMPTY, *MARKS} or crosses - noughts not in (0, 1):
            raise ValueError(self.grid)

    @property
    def marks(self) -> int:
        """How many cells are marked."""
        return len(CELLS) - self.grid.count(EMPTY)


class MyGame(SmallGame[State]):
    """The game; `realmtable.kit.small_game` explains the members."""

    info = INFO
    state_type = State
    move_pattern = "[abc][123]"

    def first_state(self, seats: int, options: Options) -> State:  # noqa: ARG002 - always two seats, and no options
        """Return the empty grid."""
        return State()

    def to_move(self, state: State) -> tuple[Seat, ...]:
        """Return the seat whose turn it is (R1)."""
        return () if self.outcome(state) else (state.marks % 2,)

    def turn(self, state: State) -> Turn:
        """Return the number of the turn, which both players share, and the seat whose turn it is."""
        return Turn(state.marks // 2 + 1, state.marks % 2)

    def list_moves(self, state: State, seat: Seat) -> list[str]:  # noqa: ARG002 - alike for both
        """Return the empty cells."""
        return [cell for cell, mark in zip(CELLS, state.grid, strict=True) if mark == EMPTY]

    def refusal(self, state: State, seat: Seat, move: str) -> IllegalMove:  # noqa: ARG002 - there is only one reason
        """Return why a cell cannot be marked."""
        return IllegalMove("R1", f"{move} is already marked.")

    def apply_move(self, state: State, seat: Seat, move: str) -> State:
        """Mark a cell."""
        index = CELLS.index(move)
        return State(state.grid[:index] + MARKS[seat] + state.grid[index + 1 :])

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won (R2), or a draw (R3)."""
        for seat, mark in enumerate(MARKS):
            if any(all(state.grid[index] == mark for index in line) for line in LINES):
                scores = [1 - seat, seat]
                return make_outcome(scores, "line", f"{INFO.seat_names[seat]} has three marks in a line.")
        return None if EMPTY in state.grid else make_outcome([0, 0], "full", "The grid is full: a draw.")

    def rows(self, view: View) -> Sequence[Row]:
        """Return the grid as cells, to be clicked."""
        cells = [Cell("" if mark == EMPTY else mark, cell) for cell, mark in zip(CELLS, view["grid"], strict=True)]
        return [cells[start : start + 3] for start in (0, 3, 6)]


GAME: Final = MyGame()
