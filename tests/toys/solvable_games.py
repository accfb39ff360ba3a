"""Tiny games with known best play, for testing searches: rules only, without pictures or notation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, Final, cast

from realmtable.engine.options import NoOptions
from realmtable.engine.protocol import CHANCE, AnyGame, ChanceOutcome, GameInfo, Outcome, Seat, State, Turn
from tests.toys.common import NAMES, outcome_of_scores

LINES: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SHELLS: Final = ("1", "2", "3")


def _info(name: str, seats: tuple[int, ...] = (2,), *, hidden: bool = False, chance: bool = False) -> GameInfo:
    presets: dict[str, dict[str, bool]] = {"plain": {}}
    title = name.replace("_", " ").title()
    return GameInfo(name, title, "A toy.", seats, NAMES, NoOptions, presets, "plain", 1, hidden=hidden, chance=chance)


class _Open:
    """Base of games without hidden information or dice."""

    def chance(self, state: State) -> list[ChanceOutcome]:  # noqa: ARG002 - any state; no dice
        return []

    def view(self, state: State, seat: Seat | None) -> dict[str, Any]:  # noqa: ARG002 - nothing is hidden
        return {"state": repr(state)}

    def resample(self, state: State, seat: Seat, rng: Random) -> State:  # noqa: ARG002 - nothing is hidden
        return state


# ---- Nim: a turn has two steps


@dataclass(frozen=True)
class Heaps:
    """Heap sizes in ascending order; `chosen` is the size of the heap to take from."""

    heaps: tuple[int, ...]
    seats: int = 2
    turns: int = 0
    chosen: int = 0


class Nim(_Open):
    """Choose a heap by its size, then the number to leave; the player who takes the last one wins."""

    info = _info("nim", (2, 3, 4))

    def initial(self, seats: int = 2, options: NoOptions | None = None) -> Heaps:  # noqa: ARG002 - there are none
        return Heaps((1, 2, 3), seats)

    def to_move(self, state: Heaps) -> tuple[Seat, ...]:
        return (state.turns % state.seats,) if state.heaps else ()

    def turn(self, state: Heaps) -> Turn:
        return Turn(state.turns + 1, state.turns % state.seats)

    def legal_moves(self, state: Heaps, seat: Seat) -> list[str]:
        if seat not in self.to_move(state):
            return []
        if state.chosen:
            return [f"leave {left}" for left in range(state.chosen)]
        return [f"heap {size}" for size in sorted(set(state.heaps))]

    def play(self, state: Heaps, seat: Seat, move: str) -> Heaps:
        assert move in self.legal_moves(state, seat)
        word, _, number = move.partition(" ")
        if word == "heap":
            return replace(state, chosen=int(number))
        heaps = list(state.heaps)
        heaps.remove(state.chosen)
        heaps = sorted(size for size in (*heaps, int(number)) if size)
        return Heaps(tuple(heaps), state.seats, state.turns + 1)

    def outcome(self, state: Heaps) -> Outcome | None:
        if state.heaps:
            return None
        last = (state.turns - 1) % state.seats
        return outcome_of_scores([int(seat == last) for seat in range(state.seats)], "empty")


# ---- three in a row


@dataclass(frozen=True)
class Grid:
    """Nine cells in rows: x, o or a dot."""

    cells: str = "........."


@cache
def _row(cells: str) -> str:
    """Return the player with a complete row, or an empty string."""
    rows = ("".join(cells[cell] for cell in line) for line in LINES)
    return next((row[0] for row in rows if row in ("xxx", "ooo")), "")


class ThreeInARow(_Open):
    """Noughts and crosses; a step is the number of a cell."""

    info = _info("three_in_a_row")

    def initial(self, seats: int = 2, options: NoOptions | None = None) -> Grid:  # noqa: ARG002 - there are none
        return Grid()

    def to_move(self, state: Grid) -> tuple[Seat, ...]:
        if _row(state.cells) or "." not in state.cells:
            return ()
        return ((9 - state.cells.count(".")) % 2,)

    def turn(self, state: Grid) -> Turn:
        stones = 9 - state.cells.count(".")
        return Turn(stones + 1, stones % 2)

    def legal_moves(self, state: Grid, seat: Seat) -> list[int]:
        return [cell for cell in range(9) if state.cells[cell] == "."] if seat in self.to_move(state) else []

    def play(self, state: Grid, seat: Seat, move: int) -> Grid:
        assert move in self.legal_moves(state, seat)
        return Grid(state.cells[:move] + "xo"[seat] + state.cells[move + 1 :])

    def outcome(self, state: Grid) -> Outcome | None:
        if self.to_move(state):
            return None
        winner = _row(state.cells)
        return outcome_of_scores([int(winner == "x"), int(winner == "o")], "full")


# ---- a game that may never end


@dataclass(frozen=True)
class Rope:
    """The middle of the rope, from 0 to 6, and the seat that pulls next."""

    place: int = 3
    seat: Seat = 0


class TugOfWar(_Open):
    """Pull the rope one place either way; Ann wins at 6, Bob at 0. Turns are not counted, so states repeat."""

    info = _info("tug_of_war")

    def initial(self, seats: int = 2, options: NoOptions | None = None) -> Rope:  # noqa: ARG002 - there are none
        return Rope()

    def to_move(self, state: Rope) -> tuple[Seat, ...]:
        return (state.seat,) if 0 < state.place < 6 else ()

    def turn(self, state: Rope) -> Turn:
        return Turn(1, state.seat)

    def legal_moves(self, state: Rope, seat: Seat) -> list[int]:
        return [-1, 1] if seat in self.to_move(state) else []

    def play(self, state: Rope, seat: Seat, move: int) -> Rope:
        return Rope(state.place + move, 1 - seat)

    def outcome(self, state: Rope) -> Outcome | None:
        return None if self.to_move(state) else outcome_of_scores([state.place, 6 - state.place], "pulled")


# ---- a search must not see hidden information


@dataclass(frozen=True)
class Shell:
    """The shell that hides the pea, and Ann's last step."""

    pea: str = ""
    last_step: str = ""
    over: bool = False


class Shells:
    """Ann takes half a win or guesses where the pea is, which only Bob sees: at one in three, she should not guess."""

    info = _info("shells", hidden=True, chance=True)

    def initial(self, seats: int = 2, options: NoOptions | None = None) -> Shell:  # noqa: ARG002 - there are none
        return Shell()

    def to_move(self, state: Shell) -> tuple[Seat, ...]:
        return () if state.over else (0,) if state.pea else (CHANCE,)

    def turn(self, state: Shell) -> Turn:  # noqa: ARG002 - there is one turn
        return Turn(1, 0)

    def legal_moves(self, state: Shell, seat: Seat) -> list[str]:
        if seat not in self.to_move(state) or seat == CHANCE:
            return []
        return list(SHELLS) if state.last_step else ["half", "look"]

    def chance(self, state: Shell) -> list[ChanceOutcome]:
        return [] if state.pea else [ChanceOutcome(shell, 1) for shell in SHELLS]

    def play(self, state: Shell, seat: Seat, move: str) -> Shell:
        if seat == CHANCE:
            return Shell(move)
        return Shell(state.pea, move, over=move != "look")

    def outcome(self, state: Shell) -> Outcome | None:
        if not state.over:
            return None
        found = state.last_step == state.pea
        return outcome_of_scores([1, 1] if state.last_step == "half" else [int(found), int(not found)], "looked")

    def view(self, state: Shell, seat: Seat | None) -> dict[str, Any]:
        return {"pea": state.pea if seat == 1 or state.over else "?", "last_step": state.last_step}

    def resample(self, state: Shell, seat: Seat, rng: Random) -> Shell:
        return state if seat == 1 or state.over else replace(state, pea=rng.choice(SHELLS))


# ---- the opponent must not see our hidden information


@dataclass(frozen=True)
class Coins:
    """The coins of both players; `die` is thrown if Ann stays out."""

    coins: tuple[str, str] = ("", "")
    die: str = ""


class Pennies:
    """Both put down a coin at once; Bob wins if they match. Ann may stay out and then wins one time in four.

    She should not: Bob cannot see her coin, so by playing she wins one time in two.
    """

    info = _info("pennies", hidden=True, chance=True)

    def initial(self, seats: int = 2, options: NoOptions | None = None) -> Coins:  # noqa: ARG002 - there are none
        return Coins()

    def to_move(self, state: Coins) -> tuple[Seat, ...]:
        if all(state.coins):
            return (CHANCE,) if state.coins[0] == "out" and not state.die else ()
        return tuple(seat for seat in (0, 1) if not state.coins[seat])

    def turn(self, state: Coins) -> Turn:  # noqa: ARG002 - the only turn belongs to no seat
        return Turn(1, CHANCE)

    def legal_moves(self, state: Coins, seat: Seat) -> list[str]:
        if seat == CHANCE or seat not in self.to_move(state):
            return []
        return ["head", "out", "tail"] if seat == 0 else ["head", "tail"]

    def chance(self, state: Coins) -> list[ChanceOutcome]:
        return [ChanceOutcome("loses", 3), ChanceOutcome("wins", 1)] if self.to_move(state) == (CHANCE,) else []

    def play(self, state: Coins, seat: Seat, move: str) -> Coins:
        if seat == CHANCE:
            return replace(state, die=move)
        ann, bob = state.coins
        return replace(state, coins=(move, bob) if seat == 0 else (ann, move))

    def outcome(self, state: Coins) -> Outcome | None:
        if self.to_move(state):
            return None
        ann, bob = state.coins
        wins = state.die == "wins" if ann == "out" else ann != bob
        return outcome_of_scores([int(wins), int(not wins)], "shown")

    def view(self, state: Coins, seat: Seat | None) -> dict[str, Any]:
        shown = all(state.coins)
        return {"coins": [coin if shown or owner == seat else bool(coin) for owner, coin in enumerate(state.coins)]}

    def resample(self, state: Coins, seat: Seat, rng: Random) -> Coins:
        if all(state.coins):
            return state
        ann, bob = state.coins
        if seat == 1 and ann:
            ann = rng.choice(("head", "out", "tail"))
        elif seat == 0 and bob:
            bob = rng.choice(("head", "tail"))
        return replace(state, coins=(ann, bob))


NIM = cast("AnyGame", Nim())
THREE = cast("AnyGame", ThreeInARow())
TUG = cast("AnyGame", TugOfWar())
SHELL_GAME = cast("AnyGame", Shells())
PENNIES = cast("AnyGame", Pennies())


def solve(game: AnyGame, state: State) -> float:
    """Return Ann's result under perfect play, by searching the whole tree of a two-seat game without dice."""
    return _solve(cast("Hashable", game), state)


@cache
def _solve(key: Hashable, state: State) -> float:
    game = cast("AnyGame", key)
    acting = game.to_move(state)
    if not acting:
        outcome = game.outcome(state)
        assert outcome is not None
        return 0.5 if outcome.winner is None else 1.0 - outcome.winner
    values = [solve(game, game.play(state, acting[0], move)) for move in game.legal_moves(state, acting[0])]
    return min(values) if acting[0] else max(values)
